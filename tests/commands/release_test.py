"""tools/release: what it asks for before it makes a release, and when it tags."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
NEEDED = ["tools/release", "CMakeLists.txt", "CHANGELOG.md", "python/pyproject.toml", "python/warpcheck/__init__.py"]
VERSION = re.search(r"project\(warpcheck VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]


class release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "copy")
        for name in NEEDED:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.root / name)
        (self.root / ".gitignore").write_text("build\n")
        # In place of a build: programs that leave what a build leaves.
        self.bin = pathlib.Path(folder.name, "bin")
        self.bin.mkdir()
        (self.bin / "cmake").write_text("#!/bin/sh\nmkdir -p build/package\n")
        (self.bin / "cpack").write_text('#!/bin/sh\necho package > "$4/warpcheck.deb"\n')
        for program in self.bin.iterdir():
            program.chmod(0o755)
        changelog = self.root / "CHANGELOG.md"
        self.unreleased = changelog.read_text()
        changelog.write_text(re.sub(rf"^## {re.escape(VERSION)} .*$", f"## {VERSION} (2026-12-01)", self.unreleased,
                                    flags=re.M))
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", *arguments],
                              cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "All")

    def release(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "GIT_COMMITTER_NAME": "Somebody",
                       "GIT_COMMITTER_EMAIL": "somebody@example.org"}
        return subprocess.run([self.root / "tools/release", *arguments], cwd=self.root, env=environment,
                              capture_output=True, text=True)

    def test_a_dry_run_makes_files_and_no_tag(self):
        result = self.release()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("a dry run: no tag was made", result.stdout)
        self.assertEqual(self.git("tag"), "")
        made = self.root / "build/release-files"
        self.assertEqual(sorted(file.name for file in made.iterdir()), ["CHANGELOG.md", "SHA256SUMS", "warpcheck.deb"])
        subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=made, check=True, capture_output=True)
        self.assertTrue((made / "CHANGELOG.md").read_text().startswith(f"## {VERSION} (2026-12-01)\n"))

    def test_the_tag(self):
        result = self.release("--tag")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.git("tag"), f"v{VERSION}\n")
        result = self.release("--no-build")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"the tag v{VERSION} is there already", result.stderr)

    def test_what_is_missing(self):
        (self.root / "CHANGELOG.md").write_text(self.unreleased.replace(f"## {VERSION} (2026", f"## {VERSION} (in 2026"))
        (self.root / "python/pyproject.toml").write_text('version = "9.9.9"\n')
        (self.root / "more").touch()
        for arguments in [["--no-build"], ["--tag"]]:
            result = self.release(*arguments)
            self.assertEqual(result.returncode, 1)
            for says in ["files that are not committed", "its date in CHANGELOG.md", "the version in python/pyproject.toml"]:
                self.assertIn(says, result.stderr)
        self.assertFalse((self.root / "build").exists())
        self.assertEqual(self.git("tag"), "")

    def test_wrong_use(self):
        self.assertEqual(self.release("--bogus").returncode, 2)


if __name__ == "__main__":
    unittest.main()
