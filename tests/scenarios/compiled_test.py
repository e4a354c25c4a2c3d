"""Locks and mutexes have the verdicts that they have from C++ when nvcc has compiled them, but for listed differences.

  compiled_test.py BINARY SCENARIOS [NAME ...]

compiled_differences.txt has a line for each run that differs: `locks/name  run  verdict`. docs/findings.md says why.
Without names, a tenth of the scenarios is due each time (due.py). Runs that 60 seconds do not finish are counted only.
"""

import json
import pathlib
import shutil
import subprocess
import sys

from due import IS_THOROUGH, is_due

LIST = pathlib.Path(__file__).parent / "compiled_differences.txt"


def differences():
    lines = [line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    return {(name, run): verdict for name, run, verdict in lines}


def main():
    if shutil.which("nvcc") is None and not pathlib.Path("/usr/local/cuda/bin/nvcc").is_file():
        print("left out: there is no nvcc")
        return 0
    binary, folder, *names = sys.argv[1:]
    known = differences()
    wrong, unfinished, runs = [], 0, 0
    for scenario in sorted(pathlib.Path(folder).glob("*/*.toml")):
        name = f"{scenario.parent.name}/{scenario.stem}"
        if scenario.parent.name not in ("locks", "mutexes") or (names and name not in names):
            continue
        if not names and not is_due("compiled/" + name):
            continue
        done = subprocess.run([binary, "run", "--compiled", "--json", "--time", "60" if IS_THOROUGH else "5", scenario], capture_output=True,
                              text=True)
        if done.returncode not in (0, 1, 3) or not done.stdout:
            wrong.append(f"{name}: {done.stderr.strip()}")
            continue
        results = json.loads(done.stdout)["results"]
        if not results:
            wrong.append(f"{name}: {done.stderr.strip()}")
        for result in results:
            run = "-".join([result["reconvergence"], result["memory"], result["progress"]])
            wanted = known.get((name, run), result["expected"])
            runs += 1
            if result["verdict"] == "inconclusive" != wanted:
                unfinished += 1
            elif result["verdict"] != wanted:
                wrong.append(f"{name}  {run}  {result['verdict']}  # from C++: {result['expected']}")
    print(f"{runs} runs, {unfinished} not finished")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
