# SPDX-License-Identifier: MIT
"""Whole programs in a cell, and arrays in files."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from .cell import CellError, blanked
from .session import PLAIN, CompileError

# What libgpu calls the types of NumPy's files.
TYPES = {"b1": "bool", "i1": "std::int8_t", "u1": "std::uint8_t", "i2": "std::int16_t", "u2": "std::uint16_t",
         "i4": "std::int32_t", "u4": "std::uint32_t", "i8": "std::int64_t", "u8": "std::uint64_t", "f2": "gpu::half",
         "f4": "float", "f8": "double", "c8": "gpu::complex<float>", "c16": "gpu::complex<double>"}


def element_of_npy(file):
    """The C++ type of the elements of a .npy file."""
    try:
        with open(file, "rb") as stream:
            head = stream.read(1 << 12)
    except OSError as error:
        raise CellError(f"{file}: {error.strerror}") from error
    found = re.search(rb"'descr': '[<>|=]?([a-z]\d+)'", head)
    if not head.startswith(b"\x93NUMPY") or not found:
        raise CellError(f"{file} isn't a .npy file of numbers")
    if found.group(1).decode() not in TYPES:
        raise CellError(f"{file}: its elements are NumPy's {found.group(1).decode()}, which no array can hold")
    return TYPES[found.group(1).decode()]


def npy_cell(arguments):
    """The cell that `%npy x = file.npy` or `%npy file.npy = x` stands for."""
    left, equals, right = (one.strip() for one in arguments.partition("="))
    if not equals or not left or not right or left.endswith(".npy") == right.endswith(".npy"):
        raise CellError("write %npy x = file.npy to load an array, %npy file.npy = x to save one")
    file = left if left.endswith(".npy") else right
    quoted = '"' + file.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if file == left:
        return f"gpu::save_npy({quoted}, {right});"
    if not re.fullmatch(r"[A-Za-z_]\w*", left):
        raise CellError(f"{left} isn't a variable's name")
    return f"auto {left} = gpu::load_npy<{element_of_npy(file)}>({quoted});\n{left}.shape()"


class Programs:
    """Files of whole programs. Each is compiled and run beside the others of its folder in the course."""

    def __init__(self, compiler, libraries, gpucc):
        self.compiler, self.libraries, self.gpucc = compiler, libraries, gpucc
        self.folder = Path(tempfile.mkdtemp(prefix="gpu-programs-"))

    def write(self, name, text, course):
        """Puts a cell's file where its program will look for it; beside it lies what the course has there."""
        path = Path(name)
        if not path.name or path.is_absolute() or ".." in path.parts or path.suffix not in {".cpp", ".cu", ".hpp"}:
            raise CellError("%%program needs a file's name, as in %%program hello.cpp or %%program hello.cu")
        folder = (self.folder / path).parent
        if not folder.exists():
            folder.mkdir(parents=True)
        if path.parent.name and course:
            for one in (course / path.parent).glob("*"):
                if one.is_file() and not (folder / one.name).is_symlink() and not (folder / one.name).exists():
                    (folder / one.name).symlink_to(one)
            if not (self.folder / "work").is_symlink():   # where lessons' programs find an answer
                (self.folder / "work").symlink_to(course / "work")
        file = self.folder / path
        file.unlink(missing_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    @staticmethod
    def has_main(text):
        return re.search(r"^\s*int\s+main\s*\(", blanked(text), re.M) is not None

    def compile(self, file, header):
        """The program. header: the precompiled one of cells. @raises CompileError with the compiler's own words"""
        program = file.with_suffix("")
        if file.suffix == ".cu":
            if not Path(self.gpucc).exists():
                raise CellError("a plain CUDA program is compiled by gpucc, which isn't built yet: make gpucc")
            command = [self.gpucc, "-O1", file.name, "-o", str(program)]
        else:
            command = [*self.compiler, "-include", str(header), file.name, "-o", str(program), *self.libraries]
        run = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=False, env=PLAIN)
        if run.returncode != 0:
            raise CompileError(run.stdout + run.stderr)
        return program

    @staticmethod
    def run(program, arguments, say):
        """Runs it. Returns how it ended, in words; empty if it did well."""
        with subprocess.Popen([str(program), *arguments], cwd=program.parent, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
            try:
                while part := os.read(process.stdout.fileno(), 1 << 16):
                    say(part.decode(errors="replace"))
                code = process.wait()
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return "" if code == 0 else f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
