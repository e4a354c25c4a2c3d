"""Each shipped scenario has a run with memory = "ptx", or a limited one (limited_test.py), or says why there is none:

  # Under ptx: NAME           another scenario of its folder has one, with fewer threads or operations
  # No run under ptx: REASON

  ptx_test.py SCENARIOS
"""

import pathlib
import re
import sys
import tomllib

from limited_test import RUNS

scenarios = pathlib.Path(sys.argv[1])
limited = {path for path, *_ in RUNS}


def has_ptx(file):
    return any(run.get("memory") == "ptx" for run in tomllib.loads(file.read_text())["run"])


def wrong(file):
    """What the scenario lacks, or nothing."""
    named = re.findall(r"^# Under ptx[^:\n]*: (\w+)", file.read_text(), flags=re.MULTILINE)
    for name in named:
        other = file.with_name(f"{name}.toml")
        if not other.exists() or not has_ptx(other):
            return f"names {name}, which has no run under ptx"
    said = named or re.search(r"^# No (other )?run under ptx[^:\n]*: \S", file.read_text(), flags=re.MULTILINE)
    if has_ptx(file) or str(file.relative_to(scenarios).with_suffix("")) in limited or said:
        return None
    return "has no run under ptx, and no comment that says why"


files = sorted(scenarios.rglob("*.toml"))
assert len(files) > 100
complaints = [f"{file}: {complaint}" for file in files if (complaint := wrong(file))]
sys.exit("\n".join(complaints) or 0)
