"""warpcheck from Python: runs the program, and returns its results as objects.

    import warpcheck

    for result in warpcheck.run("scenarios/locks/tas.toml"):
        print(result.name, result.verdict, result.as_expected)

    results = warpcheck.check(ptx_text, block=3, buffers={"counter": "1:s32"}, args=["counter"])
    assert results.ok, results.report

Options of the command line are keyword arguments: `--max-states 1000` is `max_states=1000`, a flag is `first=True`, an
option that may be given several times takes a list. `warpcheck help run` describes them. The module needs nothing but
Python and the program.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

__all__ = ["check", "program", "run", "runs_of", "Error", "InternalDefect", "Result", "Results", "Violation"]
__version__ = "0.1.0"


class Error(Exception):
    """Wrong use: a file that cannot be read, an option that does not exist. The text says what to do."""


class InternalDefect(Exception):
    """A defect of warpcheck. The text says how to repeat it."""


@dataclasses.dataclass(frozen=True)
class Violation:
    """One kind of violation that a run found."""

    verdict: str  # "simt-deadlock"
    why: list  # sentences
    counterexample: dict  # as docs/scenarios.md describes it

    def __str__(self):
        return f"{self.verdict}: " + " ".join(self.why)


@dataclasses.dataclass(frozen=True)
class Result:
    """How one run ended."""

    file: str
    verdict: str  # "ok", "simt-deadlock", ..., "inconclusive"
    expected: str  # what the scenario expects
    as_expected: bool
    complete: bool  # every reachable state was explored
    states: int
    reconvergence: str  # "its" or "stack"
    memory: str  # "sc" or "ptx"
    progress: str
    violations: list  # of Violation
    document: dict = dataclasses.field(repr=False)  # all members, as --json prints them

    @property
    def ok(self):
        """Everything was explored, and nothing is wrong."""
        return self.verdict == "ok"

    @classmethod
    def of(cls, document):
        violations = [Violation(v["verdict"], v["why"], v["counterexample"]) for v in document["violations"]]
        return cls(document["file"], document["verdict"], document["expected"] or "ok", document["as_expected"],
                   document["complete"], document["states"], document["reconvergence"], document["memory"],
                   document["progress"], violations, document)


class Results(list):
    """The results of all runs, in their order; `report` is the text for a person."""

    def __init__(self, results, report, status):
        super().__init__(results)
        self.report = report
        self.status = status  # of the program: 0 as expected, 1 not, 3 inconclusive

    @property
    def ok(self):
        return all(result.ok for result in self)

    @property
    def as_expected(self):
        return self.status == 0


def program():
    """The program: $WARPCHECK, the one in PATH, or that of the checkout that this module lies in."""
    if os.environ.get("WARPCHECK"):
        return os.environ["WARPCHECK"]
    if found := shutil.which("warpcheck"):
        return found
    launcher = pathlib.Path(__file__).resolve().parents[2] / "warpcheck"
    if launcher.is_file():
        return str(launcher)
    raise Error("the program warpcheck is not in PATH; install it, or set WARPCHECK to where it is")


def options_of(options):
    """{"max_states": 5, "first": True} → ["--max-states", "5", "--first"]"""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            for one in value if isinstance(value, (list, tuple)) else [value]:
                words += [option, str(one)]
    return words


def _start(arguments):
    result = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode == 2:
        raise Error(result.stderr.strip())
    if result.returncode not in (0, 1, 3):
        raise InternalDefect(result.stderr.strip() or f"warpcheck ended with status {result.returncode}")
    return result


def _results(arguments):
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as folder:
        file = pathlib.Path(folder, "results.json")
        result = _start([*arguments, "--results", file])
        document = json.loads(file.read_text(encoding="utf-8"))
    return Results([Result.of(one) for one in document["results"]], result.stdout, result.returncode)


def run(*scenarios, **options):
    """Checks scenario files, or folders of them. Returns Results."""
    return _results(["run", *scenarios, *options_of(options)])


def runs_of(scenario):
    """The names of a scenario's runs: ["stack-sc-fair", "its-sc-fair"]."""
    document = json.loads(_start(["list", "--json", scenario]).stdout)
    return [name for one in document["scenarios"] for name in one["run_names"]]


def _dimensions(shape):
    return ",".join(map(str, shape)) if isinstance(shape, (list, tuple)) else str(shape)


def check(kernel, *, grid=1, block=32, buffers=None, variables=None, args=(), name=None, **options):
    """Checks a kernel: the path of a .cu or .ptx file, or PTX as text.

    grid, block: numbers, or up to three of them. buffers, variables: by name, "COUNT:TYPE[:FILL]" as for --buffer, for
    example {"in": "128:f32:iota"}. args: one for each parameter. name: of the kernel, where there are several.
    """
    text = kernel if isinstance(kernel, str) and "\n" in kernel else None
    words = ["--grid", _dimensions(grid), "--block", _dimensions(block)]
    for option, values in {"--buffer": buffers, "--variable": variables}.items():
        for key, value in (values or {}).items():
            words += [option, f"{key}={value}"]
    for arg in args:
        words += ["--arg", str(arg)]
    if name is not None:
        words += ["--kernel", name]
    words += options_of(options)
    if text is None:
        return _results(["check", kernel, *words])
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as folder:
        file = pathlib.Path(folder, "kernel.ptx")
        file.write_text(text, encoding="utf-8")
        return _results(["check", file, *words])
