# SPDX-License-Identifier: MIT
"""The Jupyter kernel "C++ (libgpu)"."""

import base64
import html
import os
import re
import subprocess
from pathlib import Path

from ipykernel.kernelbase import Kernel

from . import config
from .cell import CellError
from .editor import Editor
from .files import Programs, npy_cell
from .program import kernels_as_cell
from .session import CellFailed, CompileError, ProcessEnded, Session

REPORT = "::gpu::notebook::display(\"{}\", {});"
# What stands around a cell's statements, by the word on its first line.
AROUND = {
    "%check": {"before": "const auto gpu_trace = ::gpu::trace([&] {",
               "after": "}); ::gpu::notebook::show_findings(gpu_trace);"},
    "%show": {"before": "const auto gpu_trace = ::gpu::trace([&] {",
              "after": "}); " + REPORT.format("text/html", "gpu_trace.html({.title = \"The cell's kernels\"})")},
    "%counts": {"before": "const auto gpu_report = ::gpu::check([&] {",
                "after": "}); " + REPORT.format("text/plain", "gpu_report.table()")},
    "%ledger": {"before": "::gpu::Ledger gpu_ledger;", "after": REPORT.format("text/plain", "gpu_ledger.text()")},
    "%source": {"before": "const ::gpu::detail::KernelListing gpu_listing;",
                "after": "::gpu::notebook::show_sources(gpu_listing.text());"},
    "%time": {"before": "const auto gpu_times = ::gpu::benchmark([&] {",
              "after": "}); ::gpu::notebook::show(gpu_times);"},
    "%image": {"shown_by": "::gpu::notebook::show_image", "header": "gpu_notebook/image.hpp"},
}
HELP = """\
A cell is C++: variables, functions, types and includes stay for the cells after it, and an expression without a
semicolon at the end is shown. A first line may be:
  %%cu           the cell is CUDA C++; each of its kernels can be called from C++: add({.grid = 4, .block = 256}, x, y)
  %%program f.cpp   the cell is a whole program, f.cpp or f.cu, which is compiled and run; f.hpp: a file for it
  %check         run the cell in check mode, and show the mistakes, with a picture of a race
  %show          show which threads read and wrote what, as pictures
  %counts        run it in check mode, and show what its kernels did
  %ledger        show what it asks of the device, line by line
  %source        show the kernels that libgpu generates for it
  %time          run it often, and show how long it takes
  %image         show the array at its end as a picture
  %npy x = f.npy    load an array from NumPy's file; %npy f.npy = x saves one
  %device        the device that computes
  %exercise 8    the task; with an answer below it: its verdict (%exercise 8 raw_add.cu names the file)
  %hint 8        the next hint on an exercise
  %lesson 6      a lesson's page
  %restart       a new process, without any variables
"""


class GpuKernel(Kernel):
    implementation = "gpu_notebook"
    implementation_version = config.VERSION
    banner = "C++ with libgpu: arrays and kernels, on a GPU or without one. %help lists what a cell may begin with."
    language_info = {"name": "c++", "mimetype": "text/x-c++src", "file_extension": ".cpp",
                     "codemirror_mode": "text/x-c++src"}

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.own = {"%%cu": self.kernels, "%%program": self.program, "%npy": self.npy, "%device": self.device,
                    "%exercise": self.exercise, "%hint": self.hint, "%lesson": self.lesson, "%restart": self.restart,
                    "%help": lambda arguments, text: self.say(HELP)}
        self.answers = {}   # what %exercise has written, by file
        self.begin()

    def begin(self):
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "libgpu" / "notebook"
        self.cells = Session(config.COMPILER, config.LIBRARIES, config.HEADER, config.HOST, cache,
                             explain=config.EXPLAIN)
        self.programs = Programs([*config.COMPILER, *config.PROGRAM_OPTIONS], config.LIBRARIES, config.GPUCC)
        self.editor = Editor(self.cells, config.KERNEL_OPTIONS)

    def end(self):
        for one in (self.editor, self.programs, self.cells):
            one.close()

    # What is shown.

    def say(self, text, stream="stdout"):
        self.send_response(self.iopub_socket, "stream", {"name": stream, "text": text})

    def show(self, mime, data):
        text = base64.b64encode(data).decode() if mime == "image/png" else data.decode(errors="replace")
        if mime == "text/html":   # a whole page, with styles and scripts of its own
            text = f'<iframe srcdoc="{html.escape(text)}" style="width: 100%; height: 600px; border: 0"></iframe>'
        shown = {mime: text}
        if mime != "text/plain":
            shown["text/plain"] = f"({mime})"
        self.send_response(self.iopub_socket, "display_data", {"data": shown, "metadata": {}})

    def failed(self, name, text):
        self.send_response(self.iopub_socket, "error", {"ename": name, "evalue": text, "traceback": text.splitlines()})
        return {"status": "error", "execution_count": self.execution_count, "ename": name, "evalue": text,
                "traceback": text.splitlines()}

    # What is asked.

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False):
        try:
            self.execute(code)
        except KeyboardInterrupt:
            if not self.cells.busy:   # a compiler, a program or a verdict
                return self.failed("Interrupted", "interrupted; variables are kept")
            self.cells.interrupt()
            return self.failed("Interrupted", str(self.cells.ended(self.say)))
        except (CellError, OSError) as error:
            return self.failed(type(error).__name__, str(error))
        except CompileError as error:
            return self.failed("CompileError", str(error))
        except CellFailed as error:
            return self.failed("Exception", str(error))
        except ProcessEnded as error:
            return self.failed("ProcessEnded", str(error))
        return {"status": "ok", "execution_count": self.execution_count, "payload": [], "user_expressions": {}}

    def execute(self, code):
        first, _, rest = code.lstrip("\n").partition("\n")
        word, _, arguments = first.strip().partition(" ")
        if not word.startswith("%"):
            self.cells.run(code, self.show, self.say)
            return
        if word in AROUND:
            self.cells.run(f"{arguments}\n{rest}", self.show, self.say, **AROUND[word])   # lines keep their numbers
        elif word in self.own:
            self.own[word](arguments.strip(), rest)
        else:
            raise CellError(f"{word} isn't known; %help lists what a cell may begin with")

    def kernels(self, arguments, text):
        text, names = kernels_as_cell("\n" + text, f"cell {self.cells.program.cells + 1}")
        self.cells.run(text, self.show, self.say)
        self.say(f"kernels: {', '.join(names)}\n")

    def program(self, arguments, text):
        name, *given = arguments.split() or [""]
        text = "\n" + text + "\n"
        file = self.programs.write(name, text, self.course_or_none())
        if not Programs.has_main(text):
            self.say(f"{file.name} is there for the programs that use it\n")
            return
        try:
            program = self.programs.compile(file, self.cells.precompiled())
        except CompileError as error:
            raise CompileError(self.cells.explained(str(error), file.name, file)) from error
        if ended := Programs.run(program, given, self.say):
            self.say(f"({ended})\n")

    def npy(self, arguments, text):
        self.cells.run(npy_cell(arguments) + "\n" + text, self.show, self.say)

    def device(self, arguments, text):
        self.cells.run("::gpu::Device::current()", self.show, self.say)

    def restart(self, arguments, text):
        self.end()
        self.begin()
        self.say("A new process; earlier cells' variables are gone.\n")

    def lesson(self, arguments, text):
        self.page(self.folder("lessons", arguments, "%lesson 6") / "README.md")

    def hint(self, arguments, text):
        self.folder("exercises", arguments, "%hint 8")
        self.ask_course("hint", arguments)

    def folder(self, kind, number, example):
        """The folder of a lesson or an exercise."""
        found = re.fullmatch(r"\s*(\d+)\s*", number)
        if not found:
            raise CellError(f"name it by its number: {example}")
        for folder in sorted((self.course() / kind).glob("[0-9][0-9]-*")):
            if int(folder.name[:2]) == int(found.group(1)):
                return folder
        raise CellError(f"there is no number {found.group(1)} in {kind}/")

    def course(self):
        """The course's folder: this one, or one above it."""
        folder = self.course_or_none()
        if folder is None:
            raise CellError("the course isn't here: begin the notebook in its folder")
        return folder

    @staticmethod
    def course_or_none():
        named = [Path(one) for one in (os.environ.get("COURSE_ROOT"), config.COURSE) if one]
        folders = [Path.cwd(), *Path.cwd().parents, *named]
        return next((one for one in folders if (one / "exercises").is_dir() and (one / "lessons").is_dir()), None)

    def ask_course(self, *command):
        """Says what a command of the course says."""
        run = subprocess.run([self.course_program(), *command], cwd=self.course(), capture_output=True, text=True,
                             check=False)
        self.say(run.stdout)
        if run.returncode not in (0, 1, 2, 3):   # those are verdicts
            self.say(run.stderr, "stderr")

    def course_program(self):
        for program in (config.PROGRAM, self.course() / "build/kit/bin/course"):
            if os.access(program, os.X_OK):
                return program
        raise CellError(f"the course's commands aren't built yet: make, in {self.course()}")

    def page(self, file):
        """Shows a page of the course, whose links then begin at the notebook's folder."""
        text = re.sub(r"<!--.*?-->\n?", "", file.read_text(), flags=re.S)
        text = re.sub(r"(\]\()(?![a-z]+:|#)([^)\s]+)", lambda m: m[1] + os.path.relpath(file.parent / m[2]), text)
        self.send_response(self.iopub_socket, "display_data", {"data": {"text/markdown": text, "text/plain": text},
                                                               "metadata": {}})

    def exercise(self, arguments, text):
        words = arguments.split()
        folder = self.folder("exercises", words[0] if words else "", "%exercise 8")
        if not text.strip():
            self.page(folder / "README.md")
            return
        edited = re.search(r"^edit\s*=\s*\[(.*?)\]", (folder / "exercise.toml").read_text(), re.S | re.M)
        files = re.findall(r'"([^"]+)"', edited.group(1)) if edited else []
        name = words[1] if len(words) > 1 else next((one for one in files if one.endswith(".cu")), files[0])
        if name not in files:
            raise CellError(f"the files of exercise {words[0]} are {', '.join(files)}")
        course = self.course()
        if not (course / "work" / folder.name / name).exists():   # the first verdict puts the files there
            subprocess.run([self.course_program(), "run", words[0]], cwd=course, capture_output=True, check=False)
        self.put(course / "work" / folder.name / name, folder / name, text.strip("\n") + "\n")
        self.ask_course("run", words[0])

    def put(self, file, stub, text):
        """Writes an answer. One that was written elsewhere is kept beside it."""
        there = file.read_text() if file.exists() else ""
        if there not in ("", text, stub.read_text(), self.answers.get(file)):
            kept = next(one for k in range(1, 1000) if not (one := file.with_name(f"{file.name}.{k}.bak")).exists())
            kept.write_text(there)
            self.say(f"{file.name} had another answer; it is kept in {kept.name}\n")
        file.write_text(text)
        self.answers[file] = text

    # What is asked while a cell is written.

    def do_complete(self, code, cursor_pos):
        names, begin = self.editor.complete(code, cursor_pos, [*AROUND, *self.own])
        return {"status": "ok", "matches": names, "cursor_start": begin, "cursor_end": cursor_pos, "metadata": {}}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        text = self.editor.hover(code, cursor_pos)
        return {"status": "ok", "found": bool(text), "data": {"text/plain": text} if text else {}, "metadata": {}}

    def do_shutdown(self, restart):
        self.end()
        return {"status": "ok", "restart": restart}
