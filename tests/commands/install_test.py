"""cmake --install: the binary finds its subjects, and find_package(warpcheck) the API."""

import json
import os
import pathlib
import shutil
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

    def test_a_subject_that_was_not_compiled_is_when_it_is_first_used(self):
        with tempfile.TemporaryDirectory() as folder:
            copy, cache = pathlib.Path(folder, "prefix"), pathlib.Path(folder, "cache")
            run("cp", "-a", self.prefix, copy)
            shutil.rmtree(copy / "lib/warpcheck/subjects")
            environment = {**os.environ, "WARPCHECK_CACHE": str(cache)}
            made = []
            for _ in range(2):
                text = run(copy / "bin/warpcheck", "run", "share/warpcheck/scenarios/locks/tas.toml", "--only",
                           "stack-sc-fair", cwd=copy, env=environment)
                self.assertIn("1 run: 1 as expected", text)
                made.append([(file.name, file.stat().st_mtime_ns) for file in cache.glob("*.so")])
            self.assertEqual(len(made[0]), 1)
            self.assertEqual(made[0], made[1])

    def test_manual_page_and_completions(self):
        for file in ["man/man1/warpcheck.1", "bash-completion/completions/warpcheck",
                     "zsh/vendor-completions/_warpcheck", "fish/vendor_completions.d/warpcheck.fish",
                     "doc/warpcheck/copyright", "doc/warpcheck/docs/README.md", "doc/warpcheck/examples/ci/CMakeLists.txt",
                     "warpcheck/schema/warpcheck.schema.json"]:
            self.assertTrue((self.prefix / "share" / file).stat().st_size > 0, file)

    def test_lessons(self):
        environment = {**os.environ, "XDG_STATE_HOME": str(self.root / "state")}
        text = run(self.prefix / "bin/warpcheck", "lesson", "1", cwd=self.prefix, env=environment)
        self.assertIn("warpcheck run share/warpcheck/scenarios/lessons/01_lost_update/lesson.toml", text)

    def test_python_module(self):
        packages = self.prefix / "lib/python3/dist-packages"
        script = ("import importlib.metadata, warpcheck;"
                  "print(warpcheck.program(), importlib.metadata.version('warpcheck'));"
                  "print([e.value for e in importlib.metadata.entry_points(group='pytest11') if e.name == 'warpcheck'])")
        environment = {**os.environ, "PYTHONPATH": str(packages), "PATH": f"{self.prefix}/bin:{os.environ['PATH']}"}
        environment.pop("WARPCHECK", None)
        version = run(self.prefix / "bin/warpcheck", "--version").split()[1]
        self.assertEqual(run("/usr/bin/python3", "-c", script, env=environment).splitlines(),
                         [f"{self.prefix}/bin/warpcheck {version}", "['warpcheck.pytest_plugin']"])

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
