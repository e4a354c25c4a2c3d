"""cmake --install: the binary finds its subjects, and find_package(warpcheck) the API."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = os.environ["WARPCHECK_BUILD"]

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(warpcheck 0.1 REQUIRED)
add_library(user OBJECT user.cpp)
target_link_libraries(user PRIVATE warpcheck::simt_api)
"""

LOCK = """
#include <simt/simt.hpp>

struct my_lock {
  simt::atomic<int> held{0};
  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {}
  }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
"""


def run(*command, **options):
    result = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise AssertionError(f"{command}: {result.stdout}{result.stderr}")
    return result.stdout


class install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        run("cmake", "--install", BUILD, "--prefix", cls.root / "first")
        # It must not matter where the installation is.
        (cls.root / "first").rename(cls.root / "prefix")
        cls.prefix = cls.root / "prefix"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_binary_finds_what_it_needs(self):
        document = json.loads(run(self.prefix / "bin/warpcheck", "list", "--json", cwd=self.prefix))
        self.assertTrue(document["subjects"])
        for scenario in document["scenarios"]:
            self.assertTrue((self.prefix / scenario["file"]).exists(), scenario)

    def test_find_package(self):
        user = self.root / "user"
        user.mkdir()
        (user / "CMakeLists.txt").write_text(PROJECT)
        (user / "user.cpp").write_text(LOCK)
        run("cmake", "-G", "Ninja", "-S", user, "-B", user / "build", "-DCMAKE_CXX_COMPILER=clang++-19",
            f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", user / "build")


if __name__ == "__main__":
    unittest.main()
