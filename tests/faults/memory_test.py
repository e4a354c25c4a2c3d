"""Memory that is short: limits of the process are respected, and what does not fit is inconclusive."""

import resource
import unittest

from in_a_folder import in_a_folder


def address_space(kibibytes):
    """As `ulimit -v`."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (kibibytes * 1024, kibibytes * 1024))


class memory(in_a_folder):
    def test_ordinary_runs_need_little_address_space(self):
        for kibibytes in [4_000_000, 1_000_000]:
            limit = address_space(kibibytes)
            self.assertEqual(self.warpcheck("run", "small.toml", preexec_fn=limit).returncode, 0)
            own = self.warpcheck("run", "own.toml", preexec_fn=limit)
            self.assertEqual(own.returncode, 1, own.stderr)
            self.assertIn("assertion", own.stdout)
            self.assertEqual(self.warpcheck("explain", "small.toml", preexec_fn=limit).returncode, 0)

    def test_what_does_not_fit_is_inconclusive(self):
        result = self.warpcheck("run", "large.toml", "--reduce", "none", preexec_fn=address_space(400_000))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(" ".join(result.stdout.split()), "MiB of memory is reached|no more memory")
        self.assertIn("--spill", result.stdout)

    def test_memory_that_the_kernel_refuses_is_inconclusive(self):
        for threads in [1, 8]:
            result = self.warpcheck("run", "large.toml", "--reduce", "none", "--max-memory", "8G", "--threads", threads,
                                    preexec_fn=address_space(350_000))
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("no more memory", " ".join((result.stdout + result.stderr).split()))

    def test_too_little_to_begin_with(self):
        result = self.warpcheck("run", "small.toml", preexec_fn=address_space(200_000))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("no more memory", " ".join((result.stdout + result.stderr).split()))


if __name__ == "__main__":
    unittest.main()
