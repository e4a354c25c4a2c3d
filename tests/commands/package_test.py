"""The Debian package: what it depends on, and what is in it. Only where everything is tested: to find the shared
libraries of all files takes a minute."""

import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["WARPCHECK_BUILD"])


def run(*command):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout


class package(unittest.TestCase):
    @unittest.skipUnless("WARPCHECK_THOROUGH" in os.environ, "takes a minute; tools/check --all makes the package")
    def test_it_has_what_is_needed_to_run(self):
        with tempfile.TemporaryDirectory() as folder:
            run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
            (file,) = pathlib.Path(folder).glob("*.deb")
            needed = [each.split()[0] for each in run("dpkg-deb", "-f", file, "Depends").split(",")]
            self.assertLessEqual({"clang-19", "llvm-19", "libc6", "libfmt9"}, set(needed))
            self.assertEqual([each for each in needed if each.endswith("-dev") or "doctest" in each], [])
            names = {line.split()[5][1:] for line in run("dpkg-deb", "-c", file).splitlines()}
            for name in ["bin/warpcheck", "lib/warpcheck/subjects/locks/tas.so", "lib/warpcheck/exec/libcuda.so.1",
                         "share/warpcheck/scenarios/lessons/01_lost_update/lesson.md", "share/man/man1/warpcheck.1",
                         "share/doc/warpcheck/copyright", "lib/python3/dist-packages/warpcheck/__init__.py",
                         "share/warpcheck/schema/warpcheck.schema.json"]:
                self.assertIn(f"/usr/{name}", names)
            self.assertEqual([name for name in names if "__pycache__" in name or "/tests/" in name], [])


if __name__ == "__main__":
    unittest.main()
