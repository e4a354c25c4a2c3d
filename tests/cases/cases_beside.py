"""Where the cases are that are not part of this repository: in $WARPCHECK_SUITES or the folder above it, else in shared/
beside the checkout.
"""

import os
import pathlib
import sys

SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])


def find_cases(kind):
    """The folder cases/`kind`; None: it is not there."""
    given = os.environ.get("WARPCHECK_SUITES")
    folders = [pathlib.Path(given), pathlib.Path(given).parent] if given else [SOURCE.parent / "shared"]
    return next((each / "cases" / kind for each in folders if (each / "cases" / kind).is_dir()), None)


def skip(kind):
    """Ends the test as skipped; with CI=true it fails."""
    print(f"skipped: cases/{kind} is not there; set WARPCHECK_SUITES")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)
