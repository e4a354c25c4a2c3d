"""The launcher and tools/setup: what they add to a start, and when they build."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
BUILD = pathlib.Path(os.environ["WARPCHECK_BUILD"])
ROOMS = [line for line in (SOURCE / "tools/rooms").read_text().splitlines() if line and line[0] != "#"]
# The other folders at the top: a change there is no reason to build.
OTHERS = {"tests", "bench", "docs", "examples", "python", "scenarios", "build"}
BUILT_FROM = [*ROOMS, "CMakeLists.txt", "CMakePresets.json", "warpcheck"]


def best_time(command, **options):
    """Of several runs, so that a busy machine does not count."""
    best = float("inf")
    for _ in range(7):
        begin = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True, **options)
        best = min(best, time.perf_counter() - begin)
    return best


class launcher(unittest.TestCase):
    """In a copy of the sources with a binary that is already built."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for name in BUILT_FROM:
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, self.root / name)
            elif (SOURCE / name).exists():
                shutil.copy(SOURCE / name, self.root / name)
        self.build = self.root / "build/release"
        self.build.mkdir(parents=True)
        (self.build / "warpcheck").symlink_to(BINARY)
        # Another programme in place of the compiler tells that a build was started.
        self.bin = self.root / "bin"
        self.bin.mkdir()
        (self.bin / "cmake").write_text("#!/bin/sh\necho cmake \"$@\"\nexit ${CMAKE_STATUS-0}\n")
        (self.bin / "cmake").chmod(0o755)
        (self.root / "tools/setup").write_text("#!/bin/sh\n")
        # All is an hour old, and the build half an hour: file times are too coarse for less.
        self.hour_ago = time.time() - 3600
        for path in [self.root, *self.root.rglob("*")]:
            os.utime(path, (self.hour_ago, self.hour_ago), follow_symlinks=False)
        (self.build / "built").touch()
        self.age_stamp()

    def age_stamp(self):
        os.utime(self.build / "built", (self.hour_ago + 1800, self.hour_ago + 1800))

    def tearDown(self):
        self.folder.cleanup()

    def start(self, *arguments, **environment):
        path = f"{self.bin}:{os.environ['PATH']}"
        return subprocess.run([self.root / "warpcheck", *arguments], capture_output=True, text=True,
                              env={**os.environ, "PATH": path, **environment})

    def builds(self):
        result = self.start("--version")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^warpcheck \d")  # nothing else on standard output
        return "building" in result.stderr

    def test_overhead(self):
        self.assertFalse(self.builds())
        added = best_time([self.root / "warpcheck", "--version"]) - best_time([BINARY, "--version"])
        self.assertLess(added, 0.05)

    def test_builds_when_there_is_no_stamp(self):
        (self.build / "built").unlink()
        self.assertTrue(self.builds())
        self.assertFalse(self.builds())

    def test_subjects_compiled_before_a_build_go(self):
        subject = self.build / "subjects/locks/tas.so"
        subject.parent.mkdir(parents=True)
        subject.touch()
        self.assertFalse(self.builds())
        self.assertTrue(subject.exists())
        (self.build / "built").unlink()
        self.assertTrue(self.builds())
        self.assertFalse(subject.exists())

    def test_builds_when_a_file_of_any_room_changed(self):
        for part in [*ROOMS, "CMakeLists.txt", "CMakePresets.json"]:
            path = self.root / part
            file = next(each for each in sorted(path.rglob("*")) if each.is_file()) if path.is_dir() else path
            self.assert_builds_after(lambda: os.utime(file), file, str(file))

    def test_builds_when_a_file_came_or_went(self):
        for room in ROOMS:
            file = self.root / room / "new.hpp"
            self.assert_builds_after(file.touch, file, f"{file} came")
            self.assert_builds_after(file.unlink, file.parent, f"{file} went")

    def assert_builds_after(self, change, changed, message):
        self.assertFalse(self.builds(), message)
        change()
        self.assertTrue(self.builds(), message)
        for path in [changed, changed.parent]:
            os.utime(path, (self.hour_ago, self.hour_ago))
        self.age_stamp()

    def test_a_failed_build_is_shown_and_tried_again(self):
        (self.build / "built").unlink()
        for _ in range(2):
            result = self.start("--version", CMAKE_STATUS="1")
            self.assertEqual(result.returncode, 2)
            self.assertIn("cmake --preset release", result.stderr)
            self.assertIn("the build failed, see above; mend what is wrong there", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_packages_that_cannot_be_installed_are_the_users_to_install(self):
        (self.build / "built").unlink()
        (self.root / "tools/setup").write_text("#!/bin/sh\necho Run as root: apt-get install x >&2\nexit 1\n")
        result = self.start("--version")
        self.assertEqual(result.returncode, 2)
        self.assertIn("apt-get install x", result.stderr)
        self.assertIn("cannot be built until the packages", result.stderr)

    def test_hands_over_arguments_and_exit_status(self):
        result = self.start("run", "no such file.toml")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no such file.toml: no such file", result.stderr)

    def test_works_from_any_folder_and_through_a_relative_path(self):
        result = subprocess.run(["../warpcheck", "--version"], cwd=self.bin, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = subprocess.run(["sh", "warpcheck", "--version"], cwd=self.root, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)


class rooms(unittest.TestCase):
    """tools/rooms is the list of what the program is made of."""

    def test_every_folder_is_a_room_or_none(self):
        folders = {each.name for each in SOURCE.iterdir() if each.is_dir() and each.name[0] != "."}
        self.assertEqual(folders - OTHERS, set(ROOMS))

    def test_the_build_takes_nothing_from_elsewhere(self):
        if not (BUILD / "build.ninja").exists():
            self.skipTest("the build is not ninja's")
        listed = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
        used = {pathlib.Path(os.path.normpath(BUILD / line.strip())) for line in listed.splitlines() if line[:1] == " "}
        folders = {path.relative_to(SOURCE).parts[0] for path in used if path.is_relative_to(SOURCE)}
        self.assertLessEqual(folders - OTHERS, set(ROOMS))
        self.assertIn("sim", folders)

    def test_clang_tidy_looks_at_all_headers(self):
        (line,) = [each for each in (SOURCE / ".clang-tidy").read_text().splitlines() if "HeaderFilterRegex" in each]
        for room in [*ROOMS, "tests"]:
            for header in (SOURCE / room).rglob("*.hpp"):
                self.assertRegex(str(header.relative_to(SOURCE)), line.split("'")[1])


class setup(unittest.TestCase):
    def test_check_is_quick(self):
        command = [SOURCE / "tools/setup", "--check"]
        if subprocess.run(command, capture_output=True).returncode != 0:
            self.skipTest("packages are missing here")
        self.assertLess(best_time(command), 1)

    def test_check_names_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            text = (SOURCE / "tools/setup").read_text()
            script = pathlib.Path(folder, "setup")
            script.write_text(text.replace("\nspin\n", "\nno-such-package-at-all\n"))
            result = subprocess.run(["sh", script, "--check"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn("no-such-package-at-all", result.stderr)

    def test_wrong_use(self):
        for arguments in [["--bogus"], ["--check", "again"]]:
            result = subprocess.run([SOURCE / "tools/setup", *arguments], capture_output=True)
            self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
