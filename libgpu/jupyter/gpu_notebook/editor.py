# SPDX-License-Identifier: MIT
"""Completion and hover of cells: by clangd where it is there, else by the names that cells have declared."""

import json
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from .cell import DECLARED, CellError, blanked, classified, is_function, spans

NAMED = {"include", "declaration", "function"}   # pieces that stand outside of a function


def units(text):
    """How many units of UTF-16 a text has, as editors count."""
    return len(text.encode("utf-16-le")) // 2


def laid_out(code, cursor, head):
    """A C++ file that holds the cell, with declarations outside of a function and the rest in one; and where the cursor
    stands in it, as (line, column). head: what stands above. A cell that isn't complete is taken up to the cursor."""
    try:
        found, still_open = spans(blanked(code))
        if still_open:
            raise CellError("")
    except CellError:
        code = code[:cursor]
        try:
            found, still_open = spans(blanked(code))
        except CellError:
            found, still_open = [], []
    last = (found[-1][1] if found else 0, len(code))
    outside, inside = [], []
    for span in [*found, last]:
        (outside if is_outside(code[slice(*span)], span == last and bool(still_open)) else inside).append(span)
    text, place = head, None
    for group, open_, close in ((outside, "", "\n"), (inside, "void gpu_notebook_cell() {\n", "\n;}\n")):
        text += open_
        for begin, end in group:
            if begin <= cursor <= end and place is None:
                before = text + code[begin:cursor]
                place = (before.count("\n"), units(before.rpartition("\n")[2]))
            text += code[begin:end] + ("\n" if group is outside else "")
        text += close
    return text, place or (0, 0)


def is_outside(text, is_open):
    """True for a piece that stands outside of a function; is_open: its brackets aren't closed yet."""
    code = blanked(text)
    if not code.strip():
        return False
    text, code = text[len(code) - len(code.lstrip()):].rstrip(), code.lstrip().rstrip()   # behind comments
    if is_open:
        first = re.match(r"\w*", code).group()
        return first in DECLARED or code.startswith("#") or ("{" in code and is_function(code))
    try:
        made = classified(text, code, 1)
    except CellError:
        return False
    return made[0].kind in NAMED and not re.match(r"(static\s+)?(const\s+)?auto\b", code)


def word_before(text):
    return re.search(r"[%A-Za-z_0-9]*$", text).group()


class Clangd:
    """A clangd that reads one cell at a time."""

    def __init__(self, program, folder, flags, kernel_flags):
        commands = [{"directory": str(folder), "file": str(folder / name),
                     "arguments": ["clang++", *given, str(folder / name)]}
                    for name, given in (("edited.cpp", flags), ("edited.cu", kernel_flags)) if given]
        (folder / "compile_commands.json").write_text(json.dumps(commands))
        self.folder, self.versions, self.answers, self.last = folder, {}, {}, 0
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            [program, "--background-index=false", "--log=error", "--header-insertion=never", "--limit-results=100",
             f"--compile-commands-dir={folder}", "--pch-storage=disk", "-j=1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        threading.Thread(target=self.listen, daemon=True).start()
        self.send("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {
            "textDocument": {"hover": {"contentFormat": ["plaintext"]}}}}, number=0)
        self.send("initialized", {})

    def send(self, method, parameters, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": parameters}
        if number is not None:
            message["id"] = number
        data = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def listen(self):
        out = self.process.stdout
        while head := out.readline():
            size = re.match(rb"Content-Length: (\d+)", head)
            if not size:
                continue
            while out.readline().strip():
                pass
            message = json.loads(out.read(int(size.group(1))))
            if "id" in message and "method" not in message:
                with self.changed:
                    self.answers[message["id"]] = message.get("result")
                    self.changed.notify_all()

    def ask(self, method, name, text, place, seconds):
        """clangd's answer at that place of the text; None if it takes longer, or there is none."""
        uri = (self.folder / name).as_uri()
        version = self.versions[name] = self.versions.get(name, 0) + 1
        if version == 1:
            document = {"uri": uri, "languageId": "cpp", "version": 1, "text": text}
            self.send("textDocument/didOpen", {"textDocument": document})
        else:
            self.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                                 "contentChanges": [{"text": text}]})
        self.last += 1
        number = self.last
        self.send(f"textDocument/{method}", {"textDocument": {"uri": uri},
                                             "position": {"line": place[0], "character": place[1]}}, number)
        with self.changed:
            self.changed.wait_for(lambda: number in self.answers or self.process.poll() is not None, seconds)
            return self.answers.pop(number, None)

    def close(self):
        self.process.kill()
        self.process.wait()


class Editor:
    """What Jupyter asks while a cell is written."""

    FIRST_SECONDS, SECONDS = 6, 2   # clangd reads libgpu's headers before its first answer

    def __init__(self, session, kernel_flags=(), program="clangd"):
        self.session, self.kernel_flags = session, list(kernel_flags)
        self.program = shutil.which(program) if program else None
        self.clangd, self.asked = None, False

    def ask(self, method, code, cursor):
        """clangd's answer at the cursor; None if there is no clangd, or no answer in time."""
        if self.program is None:
            return None
        first, _, _ = code.partition("\n")
        name = "edited.cu" if first.startswith("%%cu") else "edited.cpp"
        if name == "edited.cu" and not self.kernel_flags:
            return None
        if first.startswith("%"):   # of a line such as "%time f(x)" the word alone goes
            word = re.match(r"%\S*", first).group()
            code = " " * len(word) + code[len(word):]
        if name == "edited.cu":
            before = code[:cursor]
            text, place = code, (before.count("\n"), units(before.rpartition("\n")[2]))
        else:
            earlier = re.sub(r"^#line.*$", "", self.session.program.prelude(set()), flags=re.M)
            text, place = laid_out(code, cursor, f'#include "gpu_notebook/notebook.hpp"\n{earlier}\n')
        try:
            if self.clangd is None:
                flags = [one for one in self.session.compiler[1:] if one not in {"-fno-gnu-unique", "-O1", "-g1"}]
                self.clangd = Clangd(self.program, Path(self.session.folder), flags, self.kernel_flags)
            seconds, self.asked = self.SECONDS if self.asked else self.FIRST_SECONDS, True
            return self.clangd.ask(method, name, text, place, seconds)
        except OSError:   # it has ended; it isn't started again
            self.program = None
            return None

    def complete(self, code, cursor, words):
        """(names, where the part of the name begins that is there already). words: what a cell may begin with."""
        part = word_before(code[:cursor])
        begin = cursor - len(part)
        if part.startswith("%") and "\n" not in code[:cursor]:
            return [one for one in words if one.startswith(part)], begin
        part = part.lstrip("%")
        begin = cursor - len(part)
        answer = self.ask("completion", code, cursor)
        names = []
        for item in (answer or {}).get("items", []):
            name = item.get("textEdit", {}).get("newText") or item.get("insertText") or item["label"].strip()
            if name.startswith(part) and name not in names and "_in_cell_" not in name:
                names.append(name)
        if answer is None:
            names = sorted({one.name for one in self.session.program.kept if one.name.startswith(part) and part})
        return names, begin

    def hover(self, code, cursor):
        """What the name at the cursor is; empty if that isn't known."""
        end = cursor + len(re.match(r"\w*", code[cursor:]).group())
        name = word_before(code[:end]).lstrip("%")
        if not name:
            return ""
        answer = self.ask("hover", code, end - len(name))
        if answer and isinstance(answer.get("contents"), dict):
            return answer["contents"].get("value", "")
        for one in self.session.program.kept:
            if one.name == name and one.variable:
                return f"{one.text} {name}"
            if one.name == name:
                return one.text.replace(f"inline namespace cell_{one.cell} {{", "").strip()
        return ""

    def close(self):
        if self.clangd is not None:
            self.clangd.close()
