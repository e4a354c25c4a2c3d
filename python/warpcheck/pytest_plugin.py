"""A plugin for pytest: each run of a scenario file is a test, marked `warpcheck`.

It does nothing until the configuration names scenarios:

    [tool.pytest.ini_options]
    warpcheck_scenarios = ["scenarios"]        # files, or folders of them
    warpcheck_options = ["--time", "2m"]       # further options of `warpcheck run`

    pytest -m warpcheck                        # these tests alone
    pytest scenarios/tas.toml::stack-sc-fair   # one run

A test fails where its run does not end as the scenario expects; the report is shown. Inconclusive is a failure.
"""

import pathlib

import pytest

import warpcheck


def pytest_addoption(parser):
    parser.addini("warpcheck_scenarios", "scenario files of warpcheck, and folders of them", type="linelist")
    parser.addini("warpcheck_options", "further options of `warpcheck run`, a word each", type="args")


def pytest_configure(config):
    config.addinivalue_line("markers", "warpcheck: a run of a scenario file")


def pytest_collect_file(file_path, parent):
    if file_path.suffix != ".toml":
        return None
    for named in parent.config.getini("warpcheck_scenarios"):
        place = (parent.config.rootpath / named).resolve()
        if file_path.resolve() == place or place in file_path.resolve().parents:
            return ScenarioFile.from_parent(parent, path=pathlib.Path(file_path))
    return None


class ScenarioFile(pytest.File):
    def collect(self):
        try:
            names = warpcheck.runs_of(self.path)
        except warpcheck.Error as error:
            raise self.CollectError(str(error)) from error
        for name in names:
            yield ScenarioRun.from_parent(self, name=name)


class UnexpectedVerdict(Exception):
    """The text is the report."""


class ScenarioRun(pytest.Item):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.add_marker("warpcheck")

    def runtest(self):
        words = ["run", self.path, "--only", self.name, "--color", "never"]
        results = warpcheck._results([*words, *self.config.getini("warpcheck_options")])
        if not results.as_expected:
            raise UnexpectedVerdict(results.report)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, (UnexpectedVerdict, warpcheck.Error)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style=style)

    def reportinfo(self):
        return self.path, None, f"{self.path.name} [{self.name}]"
