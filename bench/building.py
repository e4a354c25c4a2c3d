"""Builds what the benchmarks run."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "bench" / "models"


def check_call(command, **options):
    """Runs a command and returns its output. If the command fails, ends the benchmark."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def build_warpcheck(build):
    """Builds the release preset with the benchmarks, in the folder `build`."""
    if not (build / "CMakeCache.txt").exists():
        check_call(["cmake", "--preset", "release", "-S", ROOT, "-B", build, "-DWARPCHECK_BENCH=ON"], cwd=ROOT)
    check_call(["cmake", "--build", build, "--target", "warpcheck_bench"])
