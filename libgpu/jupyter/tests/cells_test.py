#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How cells are split, and what they leave for the cells after them."""

import os
import tempfile
import threading
import time
import unittest
from pathlib import Path

from gpu_notebook import config
from gpu_notebook.cell import CellError, blanked, pieces
from gpu_notebook.program import kernels_as_cell, type_of_parameter
from gpu_notebook.session import CellFailed, CompileError, ProcessEnded, Session


def kinds(text):
    return [piece.kind for piece in pieces(text)]


class Pieces(unittest.TestCase):
    def test_what_a_piece_is(self):
        for text, kind in {
                "int n = 3;": "variable", "gpu::Array<float> x(3);": "variable", "auto x = f(a, b);": "variable",
                "std::map<std::string, std::vector<int>> m;": "variable", "const int big = 1 << 20;": "variable",
                "unsigned long long k{7};": "variable", "float* p = nullptr;": "variable",
                "x *= 2;": "statement", "names[\"a\"] = v[1];": "statement", "f(x);": "statement",
                "a * b;": "statement",
                "x = y;": "statement", "std::cout << x;": "statement", "for (int i = 0; i < 3; ++i) f(i);": "statement",
                "if (a) { b(); } else { c(); }": "statement", "do { f(); } while (g());": "statement",
                "{ auto& r = x; r = 1; }": "statement", "return;": "statement", "p->x = 3;": "statement",
                "x": "expression", "f(x) + 1": "expression", "twice(z) == 10.f": "expression",
                "float half(float v) { return v / 2; }": "function",
                "std::vector<int> f(const std::map<int, int>& m) { return {}; }": "function",
                "template <class T> T twice(T v) { return v + v; }": "declaration",
                "struct Point { float a, b; };": "declaration", "enum class Colour { red };": "declaration",
                "using F = float;": "declaration", "auto f = [](int i) { return i; };": "declaration",
                "auto g() { return 3; }": "declaration",
                "GPU_KERNEL(add, (float* x), R\"(x[0] = 1;)\");": "declaration",
                "float a[3] = {1, 2, 3};": "declaration", "#include <set>": "include",
                "namespace shop { int f(); }": "declaration"}.items():
            with self.subTest(text):
                self.assertEqual(kinds(text), [kind])

    def test_several_variables(self):
        found = pieces("int a = 1, b(2), c{3}, d;")
        self.assertEqual([(one.name, one.form, one.value) for one in found],
                         [("a", "=", "1"), ("b", "(", "2"), ("c", "{", "3"), ("d", "", "")])

    def test_comments_and_strings_hide_nothing(self):
        self.assertEqual(kinds("f(\"; }\"); // int n = 3;\n/* { */ g('}');\nR\"(;;)\""),
                         ["statement", "statement", "expression"])
        self.assertEqual(len(blanked("a \"b\\\"c\" // d\n'e'")), len("a \"b\\\"c\" // d\n'e'"))
        self.assertEqual(kinds("int n = 1'000'000;"), ["variable"])
        self.assertEqual(kinds("int n = 1;   // one\n/* and no more */\n"), ["variable"])
        for text, kind in {"#include <set>": "include", "struct P { int a; };": "declaration", "n + 1": "expression",
                           "float half(float v) { return v / 2; }": "function", "if (n) f();": "statement"}.items():
            self.assertEqual(kinds(f"// what follows\n/* is */ {text}"), [kind])

    def test_lines_and_columns(self):
        found = pieces("int a = 1;\n\n  f(a);\nint b =\n   g;")
        self.assertEqual([(one.line, one.column) for one in found], [(1, 8), (3, 2), (5, 3)])

    def test_what_cannot_be_split(self):
        for text, words in {"f(": "never closed", "}": "closes nothing", "auto& r = x;": "reference",
                            "auto [a, b] = f();": "structured binding"}.items():
            with self.subTest(text), self.assertRaisesRegex(CellError, words):
                pieces(text)

    def test_kernels(self):
        text, names = kernels_as_cell("\n__global__ void add(const float* __restrict__ x, float *y, int n) { }\n",
                                      "cell 1")
        self.assertEqual(names, ["add"])
        self.assertIn("RawKernel<void(const float*, float *, int)> add(", text)
        self.assertEqual(type_of_parameter("unsigned int n"), "unsigned int")
        with self.assertRaisesRegex(CellError, "no __global__ function"):
            kernels_as_cell("int f();", "cell 1")


class Cells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cache = Path(os.environ.get("XDG_CACHE_HOME", tempfile.gettempdir())) / "libgpu" / "notebook"
        cls.session = Session(config.COMPILER, config.LIBRARIES, config.HEADER, config.HOST, cache)

    @classmethod
    def tearDownClass(cls):
        cls.session.close()

    def run_cell(self, text, **around):
        shown, printed = [], []
        self.session.run(text, lambda mime, data: shown.append(data.decode()), printed.append, **around)
        return "".join(printed), shown

    def test_a_variables_live_on(self):
        self.run_cell("auto x = gpu::arange<float>(4);\nint n = 3, m = 4;\nconst std::string word = \"a\";")
        printed, shown = self.run_cell("x *= 2.f;\nstd::cout << n + m << word;\nx")
        self.assertEqual((printed, shown), ("7a", ["[0. 2. 4. 6.]"]))

    def test_b_redefinition_replaces(self):
        self.run_cell("float half(float v) { return v / 2; }\nstruct Point { float a = 1; };\nint twin = 1;")
        self.assertEqual(self.run_cell("half(3)")[1], ["1.5"])
        self.run_cell("float half(float v) { return v / 4; }\nstruct Point { float b = 8; };\n"
                      "std::string twin = \"now a word\";")
        self.assertEqual(self.run_cell("half(Point{}.b)")[1], ["2.0"])
        self.assertEqual(self.run_cell("twin")[1], ["now a word"])

    def test_c_errors_are_in_the_cells_lines(self):
        with self.assertRaises(CompileError) as caught:
            self.run_cell("int fine = 1;\nint broken = fin;")
        self.assertRegex(str(caught.exception), r"cell \d+:2:14: error: .*fin")
        self.assertNotIn("notebook", str(caught.exception).replace("gpu_notebook_cell", ""))
        with self.assertRaisesRegex(CellFailed, "out of bounds|oops"):
            self.run_cell("throw std::runtime_error(\"oops\");")

    def test_d_kernels_can_be_called(self):
        text, _ = kernels_as_cell("\n__global__ void doubled(float* x, int n) {\n"
                                  "    if (threadIdx.x < n) x[threadIdx.x] *= 2;\n}\n", "cell 1")
        self.run_cell(text)
        self.run_cell("auto y = gpu::ones<float>(3);\ndoubled({.grid = 1, .block = 32}, y, 3);")
        self.assertEqual(self.run_cell("y")[1], ["[2. 2. 2.]"])
        # a race, found in a cell that runs in check mode
        text, _ = kernels_as_cell("\n__global__ void racing(float* x) { x[0] += threadIdx.x; }\n", "cell 1")
        self.run_cell(text)
        from gpu_notebook.kernel import AROUND
        _, shown = self.run_cell("racing({.grid = 1, .block = 64}, y);", **AROUND["%check"])
        self.assertIn("lost update: cell 1:2", shown[0])

    def test_e_a_crash_costs_the_process_alone(self):
        self.run_cell("int kept = 5;")
        with self.assertRaisesRegex(ProcessEnded, "SIGSEGV.*run those cells again"):
            self.run_cell("*static_cast<volatile int*>(nullptr) = 1;")
        with self.assertRaisesRegex(CompileError, "kept"):
            self.run_cell("kept")
        self.assertEqual(self.run_cell("1 + 1")[1], ["2"])

    def test_f_an_endless_loop_is_interrupted(self):
        threading.Timer(3, self.session.interrupt).start()
        begin = time.monotonic()
        with self.assertRaisesRegex(ProcessEnded, "interrupted"):
            self.run_cell("volatile int k = 0;\nfor (;;) k = k + 1;")
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(self.run_cell("2 + 2")[1], ["4"])


if __name__ == "__main__":
    unittest.main()
