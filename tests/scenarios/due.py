"""Which part of a long test is due: all of it where WARPCHECK_THOROUGH is set, otherwise a tenth: the last digit of
WARPCHECK_TENTH."""

import hashlib
import os

IS_THOROUGH = "WARPCHECK_THOROUGH" in os.environ


def is_due(name):
    """Whether the one of this name is due. due.cmake computes the same."""
    part = int(hashlib.md5(name.encode()).hexdigest()[:4], 16) % 10
    return IS_THOROUGH or part == int(os.environ.get("WARPCHECK_TENTH", "0")) % 10
