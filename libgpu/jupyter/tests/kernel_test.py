#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernel as Jupyter sees it: what cells may begin with, what is shown while one is typed, and an exercise that is
judged. The course is a folder of links, with a work/ of its own."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

try:
    from jupyter_client.manager import start_new_kernel
except ImportError as error:
    print(f"SKIP: Jupyter isn't here ({error}); ./setup --notebooks")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
BIN = Path(os.environ["GPU_NOTEBOOK_BIN"])


class Kernel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.course = Path(cls.scratch.name) / "a course"
        (cls.course / "work").mkdir(parents=True)
        for name in ("exercises", "lessons", "solutions", "docs", "capstone", "libgpu", "autograder"):
            if (ROOT / name).exists():
                (cls.course / name).symlink_to(ROOT / name)
        cls.manager, cls.client = start_new_kernel(kernel_name="gpu-course", cwd=str(cls.course))

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel(now=True)
        cls.scratch.cleanup()

    def run_cell(self, code, timeout=120):
        """(what is printed and shown as text, what is shown otherwise by its type, the error's text)"""
        text, other, error = [], {}, []

        def note(message):
            content = message["content"]
            if message["msg_type"] == "stream":
                text.append(content["text"])
            elif message["msg_type"] == "display_data":
                for mime, data in content["data"].items():
                    (text.append(data) if mime == "text/plain" else other.update({mime: data}))
            elif message["msg_type"] == "error":
                error.append(content["evalue"])
        self.client.execute_interactive(code, timeout=timeout, output_hook=note, stop_on_error=False)
        return "\n".join(text), other, "\n".join(error)

    def test_a_what_a_cell_may_begin_with(self):
        text, _, error = self.run_cell("auto x = gpu::arange<float>(6);\nx")
        self.assertEqual((text.strip(), error), ("[0. 1. 2. 3. 4. 5.]", ""))
        text, _, _ = self.run_cell("%source\nx * x + 1.f")
        self.assertIn("[ 1.  2.  5. 10. 17. 26.]", text)
        self.assertIn("(a0 * a0) + s0", text)
        text, _, _ = self.run_cell("%source\n1 + 1")
        self.assertIn("has generated no kernel", text)
        text, _, _ = self.run_cell("%ledger\ngpu::Array<float> y = x + 1.f;")
        self.assertRegex(text, r"launch")
        text, _, _ = self.run_cell("%time gpu::sum(x)")
        self.assertRegex(text, r"\d.*(us|µs|ms|ns)")
        _, _, error = self.run_cell("%nothing\n1")
        self.assertIn("%help", error)
        text, _, _ = self.run_cell("%help")
        self.assertIn("%npy", text)

    def test_b_pictures(self):
        _, shown, error = self.run_cell("%image\ngpu::arange<float>(16).reshape(4, 4)")
        self.assertTrue(shown["image/png"].startswith("iVBOR"), error)
        self.run_cell("%%cu\n__global__ void racing(float* x) { x[0] += threadIdx.x; }")
        text, shown, _ = self.run_cell("%check racing({.grid = 1, .block = 64}, gpu::zeros<float>(1));")
        self.assertIn("lost update", text)
        self.assertIn("<svg", shown["image/svg+xml"])
        _, shown, _ = self.run_cell("%show\nracing({.grid = 1, .block = 8}, gpu::zeros<float>(1));")
        self.assertIn("<iframe srcdoc=", shown["text/html"])
        self.assertIn("racing", shown["text/html"])

    def test_c_arrays_in_files(self):
        self.run_cell("auto m = gpu::arange<double>(6).reshape(2, 3).eval();")
        _, _, error = self.run_cell("%npy m.npy = m")
        self.assertEqual(error, "")
        text, _, error = self.run_cell("%npy again = m.npy")
        self.assertIn("3", text, error)
        text, _, _ = self.run_cell("again(1, 2).item() + std::is_same_v<decltype(again(1, 2).item()), double>")
        self.assertEqual(text.strip(), "6.0")
        for wrong, words in (("%npy x", "to load an array"), ("%npy b = none.npy", "No such file"),
                             ("%npy 1 = m.npy", "isn't a variable")):
            self.assertIn(words, self.run_cell(wrong)[2])

    def test_d_errors_in_the_courses_words(self):
        _, _, error = self.run_cell("auto h = std::vector<float>{1, 2};\nfloat s = gpu::sum(gpu::to_device(h));")
        self.assertRegex(error, r"cell \d+:2:\d+: error: gpu::sum returns an array of one element")
        self.assertRegex(error, r"2 \| float s = gpu::sum")
        _, _, error = self.run_cell("auto host = std::vector<float>{1, 2};\ngpu::Array<float> v = host;")
        self.assertIn("gpu::to_device(h) copies them", error)

    def test_e_whole_programs(self):
        text, _, error = self.run_cell('%%program hello.cpp one two\n#include <cstdio>\n'
                                       'int main(int argc, char** argv) {\n'
                                       '    std::printf("%d %s\\n", argc, argv[2]);\n    return 3;\n}')
        self.assertEqual((text.split(), error), (["3", "two", "(exit", "code", "3)"], ""))
        _, _, error = self.run_cell("%%program wrong.cpp\n\nint main() {\n    return nothing;\n}")
        self.assertRegex(error, r"wrong\.cpp:4:12: error: .*nothing")
        _, _, error = self.run_cell("%%program ../out.cpp\nint main() {}")
        self.assertIn("needs a file's name", error)
        # a lesson's program finds the files of its lesson, and what a cell has put in place of one
        program = (ROOT / "lessons/06-raw-kernels/grid_stride.cpp").read_text()
        text, _, error = self.run_cell(f"%%program lessons/06-raw-kernels/grid_stride.cpp\n{program}")
        self.assertIn("thread 300 adds 2", text, error)
        kernel = (ROOT / "lessons/06-raw-kernels/grid_stride.cu").read_text().replace("z[i] = sum;", "z[i] = 0;")
        text, _, error = self.run_cell(f"%%program lessons/06-raw-kernels/grid_stride.cu\n{kernel}")
        self.assertIn("is there for the programs", text, error)
        text, _, _ = self.run_cell(f"%%program lessons/06-raw-kernels/grid_stride.cpp\n{program}")
        self.assertIn("wrong", text)
        self.assertIn("sum;", (ROOT / "lessons/06-raw-kernels/grid_stride.cu").read_text())
        if (BIN / "gpucc").exists():
            sums = ROOT / "lessons/13-plain-cuda/vector_sum.cu"
            text, _, error = self.run_cell(f"%%program sum.cu\n{sums.read_text()}")
            self.assertIn(sums.with_suffix(".out").read_text().strip(), text, error)

    def test_f_an_interrupt_ends_a_program_and_keeps_variables(self):
        self.run_cell("int kept = 7;")
        threading.Timer(4, self.manager.interrupt_kernel).start()
        begin = time.monotonic()
        _, _, error = self.run_cell("%%program endless.cpp\nint main() { for (volatile int k = 0;; k = k + 1) {} }")
        self.assertIn("interrupted", error)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(self.run_cell("kept")[0].strip(), "7")

    def test_g_an_exercise_is_judged_as_make_does(self):
        text, _, _ = self.run_cell("%exercise 8")
        self.assertIn("raw_add", text)
        text, _, error = self.run_cell("%exercise 8\n" + (ROOT / "exercises/08-raw-add/raw_add.cu").read_text(), 300)
        self.assertEqual(error, "")
        self.assertRegex(text, r"Exercise 8 (?!.*passed)")
        self.assertTrue((self.course / "work/08-raw-add/raw_add.cu").exists())
        text, _, error = self.run_cell("%hint 8")
        self.assertRegex(text, r"(?i)hint", error)
        if not (ROOT / "solutions").exists():
            return
        for name in ("raw_add.cpp", "raw_add.cu"):
            answer = (ROOT / f"solutions/08-raw-add/{name}").read_text()
            text, _, error = self.run_cell(f"%exercise 8 {name}\n{answer}", 300)
        self.assertRegex(text, r"Exercise 8 .* passed", error)
        self.assertIn("the files of exercise 8 are", self.run_cell("%exercise 8 nothing.cu\nx")[2])
        # what is passed here counts on the command line
        listed = subprocess.run([BIN / "course", "--root", self.course, "list"], capture_output=True, text=True,
                                check=False).stdout
        self.assertRegex(listed, r"(?m)^ *8 +passed +raw_add", listed)
        # an answer that somebody else has written is kept
        file = self.course / "work/08-raw-add/raw_add.cu"
        file.write_text("// mine\n")
        text, _, _ = self.run_cell("%exercise 8\n// another\n", 300)
        self.assertIn("raw_add.cu.1.bak", text)
        self.assertEqual(file.with_name("raw_add.cu.1.bak").read_text(), "// mine\n")
        self.assertEqual(file.read_text(), "// another\n")

    def test_h_completion_and_hover(self):
        self.run_cell("int remembered = 1;")

        def complete(code):
            return self.client.complete(code, len(code), reply=True, timeout=60)["content"]
        self.assertEqual(complete("%exer")["matches"], ["%exercise"])
        if shutil.which("clangd") is None:
            self.assertEqual(complete("remem")["matches"], ["remembered"])
            print("SKIP: completion by clangd: it isn't here: ./setup --editors")
            return
        for _ in range(10):   # the first answer waits for libgpu's headers
            found = complete("auto v = gpu::to_dev")
            if "to_device" in found["matches"]:
                break
        self.assertIn("to_device", found["matches"])
        self.assertEqual("auto v = gpu::to_dev"[found["cursor_start"]:found["cursor_end"]], "to_dev")
        self.assertIn("remembered", complete("int a = 1;\nfor (int k = 0; k < remem")["matches"])
        self.assertIn("size", complete("float twice(const std::vector<float>& h) {\n    return h.si")["matches"])
        cell = "auto v = gpu::to_device(std::vector<float>{1});\nint z = 1;"
        asked = self.client.inspect(cell, 15, reply=True, timeout=60)
        self.assertIn("to_device", asked["content"]["data"].get("text/plain", ""))
        for _ in range(5):
            found = complete("%%cu\n__global__ void f(float* x) {\n    x[threadI")
            if found["matches"]:
                break
        self.assertIn("threadIdx", found["matches"])


if __name__ == "__main__":
    unittest.main()
