# SPDX-License-Identifier: MIT
"""Compiles cells, and runs them in a process that lives as long as their variables."""

import hashlib
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from .cell import CellError
from .program import Program


PLAIN = dict(os.environ, LC_ALL="C")   # of compilers: quotes that course-explain knows


class CompileError(Exception):
    """The compiler's messages, in the cell's own lines."""


class ProcessEnded(Exception):
    """The cells' process is gone, and with it their variables; the message says why."""


class CellFailed(Exception):
    """The cell threw an exception; variables stay."""


class Session:
    """A notebook's cells.

    compiler: a list, g++ and its options, with include folders; libraries: for linking; host: the program gpu-cells;
    explain: the course's program that words errors, with its options, or nothing
    """

    def __init__(self, compiler, libraries, header, host, cache, environment=None, explain=()):
        self.compiler, self.libraries, self.header = compiler, libraries, Path(header)
        self.host, self.cache, self.explain = host, Path(cache), list(explain)
        self.environment = environment or dict(os.environ)
        self.folder = Path(tempfile.mkdtemp(prefix="gpu-notebook-"))
        self.program = Program()
        self.process = None
        self.busy = False          # a cell runs in the process
        self.interrupted = False

    def precompiled(self):
        """The header of all cells, compiled once for all notebooks of this user."""
        version = subprocess.run([self.compiler[0], "--version"], capture_output=True, text=True, check=False).stdout
        key = hashlib.sha256("\0".join([version, *self.compiler, self.newest_header()]).encode()).hexdigest()[:16]
        folder = self.cache / key
        made = folder / "notebook.hpp.gch"
        if not made.exists():
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f"{os.getpid()}.tmp"
            run = subprocess.run([*self.compiler, "-x", "c++-header", str(self.header), "-o", str(part)],
                                 capture_output=True, text=True, check=False)
            if run.returncode != 0:
                raise CompileError(run.stderr)
            shutil.copy(self.header, folder / "notebook.hpp")
            os.replace(part, made)
        return folder / "notebook.hpp"

    def newest_header(self):
        """When the headers that a cell may include were last written."""
        folders = [Path(one[2:]) for one in self.compiler if one.startswith("-I")]
        return str(max((file.stat().st_mtime_ns for folder in folders for file in folder.rglob("*.hpp")), default=0))

    def compile(self, unit, text, number):
        """The cell's object. @raises CompileError"""
        shown = self.folder / f"cell {number}"
        shown.write_text(text)   # so that the compiler shows the cell's lines
        source = self.folder / f"cell_{number}.cpp"
        source.write_text(unit)
        made = self.folder / f"cell_{number}.so"
        command = [*self.compiler, "-include", str(self.precompiled()), "-Winvalid-pch", "-shared", source.name, "-o",
                   made.name, *self.libraries]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, env=PLAIN)
        if run.returncode != 0:
            raise CompileError(self.explained(run.stderr, shown.name, shown))
        return made

    def explained(self, messages, name, file):
        """The first error as `make exercise-8` words it; all of the compiler's own where that isn't built.

        name: what the compiler calls the learner's file.
        """
        if self.explain and Path(self.explain[0]).exists():
            run = subprocess.run([*self.explain, name, str(file)], input=messages, capture_output=True, text=True,
                                 check=False)
            if run.returncode == 0 and run.stdout.strip():
                return run.stdout.rstrip()
        return self.cleaned(messages, name)

    @staticmethod
    def cleaned(messages, name):
        """Without lines about files that aren't the learner's."""
        lines, keep = [], True
        for line in messages.splitlines():
            place = re.match(r"(?P<file>[^:\s][^:]*):(\d+:)?(\d+:)? ", line)
            if place and re.match(r".*: (fatal error|error|warning|note): ", line):
                keep = place.group("file") == name or "error" in line
            elif line.startswith(("In file included from", "cell_")) or "(notebook)" in line.split(":")[0]:
                continue
            if keep:
                lines.append(line)
        return "\n".join(lines)

    def start(self):
        commands, self.commands = os.pipe()
        self.replies, replies = os.pipe()
        self.output, output = os.pipe()

        def prepare():   # in the new process
            os.dup2(commands, 0)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.dup2(replies, 3)
        self.process = subprocess.Popen([self.host], preexec_fn=prepare, pass_fds=(3,), close_fds=True,
                                        start_new_session=True, cwd=os.getcwd(), env=self.environment)
        for descriptor in (commands, replies, output):
            os.close(descriptor)
        self.pending = b""

    def run(self, text, show, say, **around):
        """Compiles and runs a cell.

        show(mime, data): a result. say(text): what the cell prints. around: as of Program.unit().
        @raises CellError, CompileError, CellFailed, ProcessEnded
        """
        if self.process is None:
            self.start()
        number = self.program.cells + 1
        try:
            unit, new = self.program.unit(text, **around)
            made = self.compile(unit, text, number)
        except (CellError, CompileError):
            self.program.skip()
            raise
        self.busy = True
        try:
            os.write(self.commands, f"run {number} {made}\n".encode())
        except BrokenPipeError:   # it was interrupted while the cell was compiled
            raise self.ended(say) from None
        types, failure = {}, None
        while True:
            ready, _, _ = select.select([self.replies, self.output], [], [])
            if self.output in ready:
                printed = os.read(self.output, 1 << 16)
                if printed:
                    say(printed.decode(errors="replace"))
            if self.replies not in ready:
                continue
            more = os.read(self.replies, 1 << 16)
            if not more:
                raise self.ended(say)
            self.pending += more
            while (reply := self.next_reply()) is not None:
                words, data = reply
                if words[0] == "variable":
                    types[words[1]] = data.decode()
                elif words[0] == "display":
                    show(words[1], data)
                elif words[0] == "error":
                    failure = data.decode(errors="replace")
                elif words[0] == "done":
                    self.busy = False
                    self.drain(say)
                    self.program.keep(new, types)
                    if failure is not None:
                        raise CellFailed(failure)
                    return

    def drain(self, say):
        """What was printed before the process said that it is done."""
        while select.select([self.output], [], [], 0)[0]:
            printed = os.read(self.output, 1 << 16)
            if not printed:
                return
            say(printed.decode(errors="replace"))

    def next_reply(self):
        end = self.pending.find(b"\n")
        if end == -1:
            return None
        words = self.pending[:end].decode().split(" ")
        if words[0] == "done":
            self.pending = self.pending[end + 1:]
            return words, b""
        size = int(words[-1])
        if len(self.pending) < end + 1 + size + 1:
            return None
        data = self.pending[end + 1:end + 1 + size]
        self.pending = self.pending[end + 1 + size + 1:]
        return words[:-1], data

    def ended(self, say):
        code = self.process.wait()
        self.drain(say)
        for descriptor in (self.commands, self.replies, self.output):
            os.close(descriptor)
        self.process, self.busy = None, False
        lost = bool([one for one in self.program.kept if one.variable])
        self.program = Program(cells=self.program.cells + 1)
        why = ("it was interrupted" if self.interrupted else
               f"it got {signal.Signals(-code).name}" if code < 0 else f"it ended itself with {code}")
        self.interrupted = False
        return ProcessEnded(f"The process that runs the cells has ended: {why}. A new one begins with the next cell" +
                            ("; variables, functions and types of earlier cells are lost: run those cells again."
                             if lost else "."))

    def interrupt(self):
        """Ends the process, whatever it does."""
        if self.process is not None:
            self.interrupted = True
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self):
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
