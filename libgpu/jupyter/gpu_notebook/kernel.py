# SPDX-License-Identifier: MIT
"""The Jupyter kernel "C++ (libgpu)"."""

import base64
import os
import re
import subprocess
from pathlib import Path

from ipykernel.kernelbase import Kernel

from . import config
from .cell import CellError
from .program import kernels_as_cell
from .session import CellFailed, CompileError, ProcessEnded, Session

REPORT = "::gpu::notebook::display(\"text/plain\", {});"
# What stands around a cell's statements, by the word on its first line.
AROUND = {
    "%check": {"before": "const auto gpu_report = ::gpu::check([&] {",
               "after": "}); " + REPORT.format("gpu_report.clean() ? std::string(\"check mode found no mistake\")"
                                              " : gpu_report.to_text()")},
    "%counts": {"before": "const auto gpu_report = ::gpu::check([&] {",
                "after": "}); " + REPORT.format("gpu_report.table()")},
    "%ledger": {"before": "::gpu::Ledger gpu_ledger;", "after": REPORT.format("gpu_ledger.to_string()")},
    "%time": {"before": "const auto gpu_times = ::gpu::benchmark([&] {",
              "after": "}); ::gpu::notebook::show(gpu_times);"},
    "%image": {"shown_by": "::gpu::notebook::show_image"},
}
WORDS = [*AROUND, "%%cu", "%device", "%exercise", "%lesson", "%restart", "%help"]
HELP = """\
A cell is C++: variables, functions, types and includes stay for the cells after it, and an expression without a
semicolon at the end is shown. A first line may be:
  %%cu           the cell is CUDA C++; each of its kernels can be called from C++: add({.grid = 4, .block = 256}, x, y)
  %check         run the cell in check mode, and show the mistakes
  %counts        the same, and show what its kernels did
  %ledger        show what it asks of the device, line by line
  %time          run it often, and show how long it takes
  %image         show the array at its end as a picture
  %device        the device that computes
  %exercise 8    the task; with an answer below it: its verdict (%exercise 8 raw_add.cu names the file)
  %lesson 6      a lesson's page
  %restart       a new process, without any variables
"""


class GpuKernel(Kernel):
    implementation = "gpu_notebook"
    implementation_version = config.VERSION
    banner = "C++ with libgpu: arrays and kernels, on a GPU or without one. %help lists what a cell may begin with."
    language_info = {"name": "c++", "mimetype": "text/x-c++src", "file_extension": ".cpp", "codemirror_mode": "text/x-c++src"}

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.cells = self.new_session()

    def new_session(self):
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "libgpu" / "notebook"
        return Session(config.COMPILER, config.LIBRARIES, config.HEADER, config.HOST, cache)

    # What is shown.

    def say(self, text, stream="stdout"):
        self.send_response(self.iopub_socket, "stream", {"name": stream, "text": text})

    def show(self, mime, data):
        text = base64.b64encode(data).decode() if mime == "image/png" else data.decode(errors="replace")
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
            self.cells.interrupt()
            return self.failed("Interrupted", str(self.cells.ended(self.say)))
        except CellError as error:
            return self.failed("CellError", str(error))
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
        if word not in WORDS:
            raise CellError(f"{word} isn't known; %help lists what a cell may begin with")
        rest = "\n" + rest   # so that lines keep their numbers
        if word in AROUND:
            if word == "%image":   # on the first line, so that others keep their numbers
                rest = '#include "gpu_notebook/image.hpp"' + rest
            self.cells.run(rest, self.show, self.say, **AROUND[word])
            return
        if word == "%%cu":
            text, names = kernels_as_cell(rest, f"cell {self.cells.program.cells + 1}")
            self.cells.run(text, self.show, self.say)
            self.say(f"kernels: {', '.join(names)}\n")
        elif word == "%device":
            self.cells.run("::gpu::Device::current()", self.show, self.say)
        elif word == "%restart":
            self.cells.close()
            self.cells = self.new_session()
            self.say("A new process; earlier cells' variables are gone.\n")
        elif word == "%help":
            self.say(HELP)
        elif word == "%lesson":
            self.page(self.folder("lessons", arguments, "%lesson 6") / "README.md")
        else:
            self.exercise(arguments.split(), rest)

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
        for folder in [Path.cwd(), *Path.cwd().parents, Path(config.COURSE)]:
            if (folder / "exercises").is_dir() and (folder / "lessons").is_dir():
                return folder
        raise CellError("the course isn't here: begin the notebook in its folder")

    def page(self, file):
        text = re.sub(r"<!--.*?-->\n?", "", file.read_text(), flags=re.S)
        self.send_response(self.iopub_socket, "display_data", {"data": {"text/markdown": text, "text/plain": text},
                                                               "metadata": {}})

    def exercise(self, words, text):
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
        subprocess.run([config.PROGRAM, "status"], cwd=course, capture_output=True, check=False)   # puts the files there
        (course / "work" / folder.name / name).write_text(text.lstrip("\n") + "\n")
        run = subprocess.run([config.PROGRAM, "run", words[0]], cwd=course, capture_output=True, text=True, check=False)
        self.say(run.stdout)
        if run.returncode not in (0, 1, 2, 3):
            self.say(run.stderr, "stderr")

    def do_shutdown(self, restart):
        self.cells.close()
        return {"status": "ok", "restart": restart}
