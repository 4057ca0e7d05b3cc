// SPDX-License-Identifier: MIT
// Elementwise and reduction kernels: pieces of code that libgpu puts into functions.
#include "mistakes.hpp"

namespace mistakes {

std::vector<Mistake> in_pieces() {
    return {
        {.name = "an elementwise kernel with an index of its own",
         .kind = Kind::elementwise,
         .source = R"(int i = 3;
z = x + y + i)",
         .told = R"(add:1:5: error: i is already declared
 1 | int i = 3;
   |     ^
 2 | z = x + y + i
help: in an elementwise kernel i is the element's index: take another name)"},
        {.name = "an elementwise kernel that indexes",
         .kind = Kind::elementwise,
         .source = R"(z = x[i] + y)",
         .told = R"(add:1:6: error: [ ] is for arrays, and this is one element
 1 | z = x[i] + y
   |      ^
help: x is the element at i already; for any element of an array declare it as: raw T x)",
         .told_by_nvrtc = R"(add:1:5: error: [ ] is for arrays, and this is one element
 1 | z = x[i] + y
   |     ^
help: x is the element at i already; for any element of an array declare it as: raw T x)"},
        {.name = "an elementwise kernel with threadIdx",
         .kind = Kind::elementwise,
         .source = R"(z = x + y * threadIdx.x)",
         .told = R"(add:1:13: error: threadIdx is not declared
 1 | z = x + y * threadIdx.x
   |             ^
help: in an elementwise kernel i is the element's index and _ind.size() their number)",
         .told_by_nvrtc = ""},
        {.name = "an elementwise kernel with n",
         .kind = Kind::elementwise,
         .source = R"(z = x + y * n)",
         .told = R"(add:1:13: error: n is not declared
 1 | z = x + y * n
   |             ^
help: _ind.size() is the number of elements; what else the kernel needs is one of its parameters)"},
        {.name = "an elementwise kernel that writes an input",
         .kind = Kind::elementwise,
         .source = R"(x = y)",
         .told = R"(add:1:3: error: an input can't be written
 1 | x = y
   |   ^
help: assign to an output; what is read and written is an output as well)",
         .told_by_nvrtc = R"(add:1:1: error: an input can't be written
 1 | x = y
   | ^
help: assign to an output; what is read and written is an output as well)"},
        {.name = "an elementwise kernel with a misspelt parameter",
         .kind = Kind::elementwise,
         .source = R"(z = x + Y)",
         .told = R"(add:1:9: error: Y is not declared
 1 | z = x + Y
   |         ^
help: did you mean y?)"},
        {.name = "an elementwise kernel without an end",
         .kind = Kind::elementwise,
         .source = R"(z = x +)",
         .told = R"(add:1:8: error: something is missing here: a value is expected
 1 | z = x +
   |        ^)"},
        {.name = "an elementwise kernel with an open brace",
         .kind = Kind::elementwise,
         .source = R"(if (x > y) {
    z = x;)",
         .told = R"(add:1:12: error: this { is never closed: a } is missing
 1 | if (x > y) {
   |            ^
 2 |     z = x;)"},
        {.name = "an elementwise kernel with a brace too many",
         .kind = Kind::elementwise,
         .source = R"(if (x > y) z = x; })",
         .told = R"(add:1:19: error: this } closes nothing: a { is missing before it, or it is one too many
 1 | if (x > y) z = x; }
   |                   ^)"},
        {.name = "an elementwise kernel with an open bracket",
         .kind = Kind::elementwise,
         .source = R"(z = (x + y)",
         .told = R"(add:1:5: error: this ( is never closed: a ) is missing
 1 | z = (x + y
   |     ^)"},
        {.name = "an elementwise kernel that returns its value",
         .kind = Kind::elementwise,
         .source = R"(return x + y)",
         .told = R"(add:1:10: error: nothing is returned here
 1 | return x + y
   |          ^
help: assign the value to the output: z = x + y)",
         .told_by_clang = R"(add:1:1: error: nothing is returned here
 1 | return x + y
   | ^
help: assign the value to the output: z = x + y)",
         .told_by_nvrtc = R"(add:1:8: error: nothing is returned here
 1 | return x + y
   |        ^
help: assign the value to the output: z = x + y)"},
        {.name = "a reduction that adds inputs",
         .kind = Kind::reduction,
         .source = R"(a + x)",
         .told = R"(add (reduce):1:5: error: x is not declared
 1 | a + x
   |     ^
help: the reduce expression joins a and b; what is done with an input belongs in the map expression)"},
        {.name = "a reduction with a statement",
         .kind = Kind::reduction,
         .source = R"(a = a + b;)",
         .told = R"(add (reduce):1:3: error: a and b can't be written
 1 | a = a + b;
   |   ^
help: the reduce expression is only a value: a + b)",
         .told_by_nvrtc = R"(add (reduce):1:1: error: a and b can't be written
 1 | a = a + b;
   | ^
help: the reduce expression is only a value: a + b)"},
    };
}

}  // namespace mistakes
