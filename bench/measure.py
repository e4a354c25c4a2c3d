"""Runs a process and measures it from outside: time and peak memory, by the same ruler for any tool."""
import dataclasses
import os
import pathlib
import subprocess
import tempfile

from building import ROOT, check_call


@dataclasses.dataclass
class Measured:
    output: str  # stdout
    errors: str  # stderr
    status: int  # exit status; negative: the signal that ended it
    late: bool  # killed after the time limit
    wall: float  # seconds
    cpu: float  # user and system seconds
    resident: int  # peak bytes


class Ruler:
    """Measures commands by the small program measure.cpp, which is compiled into `build`."""

    def __init__(self, build):
        source = ROOT / "bench" / "measure.cpp"
        self.program = pathlib.Path(build) / "measure"
        if not self.program.exists() or self.program.stat().st_mtime < source.stat().st_mtime:
            self.program.parent.mkdir(parents=True, exist_ok=True)
            check_call(["gcc", "-O1", "-o", self.program, source])

    def run(self, command, seconds, memory=0):
        """Runs a command. `memory`: bytes of address space that it may have; 0: any."""
        read, write = os.pipe()
        with tempfile.TemporaryDirectory() as folder:  # for what SPIN writes about errors
            process = subprocess.Popen(
                [self.program, str(write), str(seconds), str(memory), *command], cwd=folder, text=True,
                errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[write])
            os.close(write)
            output, errors = process.communicate()
        with os.fdopen(read) as pipe:
            status, late, wall, cpu, kilobytes = pipe.read().split()
        return Measured(output, errors, os.waitstatus_to_exitcode(int(status)), late == "1", float(wall), float(cpu),
                        int(kilobytes) * 1024)
