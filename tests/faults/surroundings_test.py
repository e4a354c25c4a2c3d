"""The end of the process, full disks, folders that cannot be written, neighbours, other users, narrow terminals: nothing
is lost, and each has a message."""

import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from in_a_folder import SOURCE, in_a_folder

NOBODY = 65534


def no_file_may_grow():
    """As on a full disk: whatever is written to a file fails."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


class surroundings(in_a_folder):
    def judge_own(self, result):
        """That own.toml was compiled, run, and has its verdict."""
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("assertion", result.stdout)

    def test_killed_in_the_middle(self):
        for seconds in [0.05, 0.2, 0.5]:
            process = self.start("run", "own.toml", "large.toml", "--reduce", "none", "--counterexamples", "found",
                                 "--results", "results.json")
            time.sleep(seconds)
            process.kill()
            process.communicate()
            for file in [*self.root.glob("found/*"), *self.root.glob("results.json")]:
                json.loads(file.read_text())  # whole, where it is there
        self.judge_own(self.warpcheck("run", "own.toml"))

    def test_workers_end_with_the_process(self):
        subject = (self.root / "wrong.hpp").read_text().replace("return value", "for (;;) {} return value")
        (self.root / "wrong.hpp").write_text(subject)
        with self.start("run", "own.toml") as process:
            time.sleep(2)
            process.kill()
            process.communicate()  # returns when nobody has standard error open any more

    def test_killed_while_it_resumes(self):
        arguments = ("run", "large.toml", "--reduce", "none", "--save", "saved", "--threads", "1")
        self.assertEqual(self.warpcheck(*arguments, "--max-states", "50000").returncode, 3)
        process = self.start(*arguments, "--resume", "saved")
        time.sleep(0.5)
        process.kill()
        process.communicate()
        again = self.warpcheck(*arguments, "--resume", "saved", "--max-states", "60000")
        self.assertEqual(again.returncode, 3, again.stderr)
        self.assertIn("Went on with", again.stdout)

    def test_full_disk(self):
        self.judge_own(self.warpcheck("run", "own.toml"))  # compiled while there is room
        for option in ["--counterexamples", "--save"]:
            scenario = "own.toml" if option == "--counterexamples" else "large.toml"
            (self.root / "there").mkdir(exist_ok=True)
            result = self.warpcheck("run", scenario, option, "there", "--max-states", "5000",
                                    preexec_fn=no_file_may_grow)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(option, result.stderr)
            self.assertEqual([each for each in (self.root / "there").iterdir()], [])
        shutil.rmtree(self.root / "cache")
        result = self.warpcheck("run", "own.toml", preexec_fn=no_file_may_grow)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertNotEqual(result.stderr, "")
        self.judge_own(self.warpcheck("run", "own.toml"))  # nothing half made was kept

    def test_full_standard_output(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([os.environ["WARPCHECK_BINARY"], "run", "small.toml"], cwd=self.root,
                                    stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("standard output", result.stderr)

    def test_two_processes_with_one_cache(self):
        processes = [self.start("run", "own.toml") for _ in range(6)]
        for process in processes:
            stdout, stderr = process.communicate(timeout=300)
            self.judge_own(subprocess.CompletedProcess([], process.returncode, stdout, stderr))

    def test_narrow_terminals_and_other_languages(self):
        for changes in [{"COLUMNS": "40"}, {"LANG": "C", "LC_ALL": "C"}, {"LANG": "", "LC_ALL": ""}]:
            result = self.warpcheck("run", "own.toml", "small.toml", env={**self.environment, **changes})
            self.judge_own(result)
            self.assertEqual(result.stderr, "")

    def test_a_folder_that_cannot_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere; test_another_user has it")
        self.root.chmod(0o555)
        self.addCleanup(self.root.chmod, 0o755)
        self.judge_own(self.warpcheck("run", "own.toml", env={**self.environment, "WARPCHECK_CACHE": "/proc/none"}))

    def test_another_user(self):
        """Without rights: in a folder of root's, with no place to keep anything, and then with one."""
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        if not self.can_reach_the_program():
            self.skipTest("others may not enter the folder of the program")
        self.root.chmod(0o755)
        arguments = {"preexec_fn": as_nobody}
        for cache in ["/proc/none", str(self.root / "cache")]:
            result = self.warpcheck("run", "own.toml", env={**self.environment, "WARPCHECK_CACHE": cache}, **arguments)
            if result.returncode == 2:
                self.assertIn(cache, result.stderr)
            else:  # kept somewhere else
                self.judge_own(result)
        with tempfile.TemporaryDirectory() as cache:
            os.chown(cache, NOBODY, NOBODY)
            self.judge_own(self.warpcheck("run", "own.toml", env={**self.environment, "WARPCHECK_CACHE": cache},
                                          **arguments))
            refused = self.warpcheck("run", "own.toml", "--counterexamples", "found",
                                     env={**self.environment, "WARPCHECK_CACHE": cache}, **arguments)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("--counterexamples", refused.stderr)

    def can_reach_the_program(self):
        folders = [pathlib.Path(os.environ["WARPCHECK_BINARY"]).resolve(), SOURCE.resolve()]
        return all(each.stat().st_mode & 0o005 for folder in folders for each in [folder, *folder.parents])


if __name__ == "__main__":
    unittest.main()
