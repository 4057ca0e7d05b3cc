// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "support/patches.hpp"

namespace test {

/// An exercise.toml without mistakes; line numbers of it stand in golden texts.
inline const std::string good_toml = R"(format = 1
title = "Raw kernels"
lesson = "06-raw-kernels"
objective = "Guard the index"
minutes = 20
edit = ["raw_add.cpp", "raw_add.cu"]
stub_fails = "wrong"
hints = ["nudge", "where"]

[[function]]
name = "add"
takes = ["array<float32>", "vector<float64>", "int32"]
returns = ["array<float32>", "bool"]

[[task]]
id = "add"
title = "z = x + y"
points = 2
budgets = { launches = 1, atomics = { plus = 3, each = 1, per = 256 } }
speed = { at_least = 5, elements = 1024 }

[[distractor]]
file = "raw_add.cu"
line = "if (i <= n) z[i] = 0;"
why = "one too many"

[[distractor]]
file = "raw_add.cpp"
line = "n / 256"
why = "rounded down"
)";

inline const std::string solved_cpp = "int add() { return 1; }\n", solved_cu = "// solved kernels\n";

/// Two wrong answers below an exercise's folder, and two lazy ones.
inline void write_planted(const Folder& root, const std::string& home) {
    root.write(home + "wrong/no-guard.patch",
               patch("verdict = \"crashed\"\nsays = \"past the end\"\n", "raw_add.cu", solved_cu, "// no guard\n"));
    root.write(home + "wrong/one-block.patch", patch("verdict = \"wrong\"\nsays = \"never written\"\ntask = \"add\"\n",
                                                     "raw_add.cpp", solved_cpp, "// one block\n"));
    root.write(home + "lazy/host.patch",
               patch("kind = \"on the CPU\"\nverdict = \"not as asked\"\nsays = \"launches: 0\"\n", "raw_add.cpp",
                     solved_cpp, "// a host loop\n"));
    root.write(home + "lazy/one-thread.patch", patch("kind = \"one thread\"\nsays = \"it ran with 1\"\n", "raw_add.cpp",
                                                     solved_cpp, "// one thread\n"));
}

/// The exercise's files below root/exercises/08-raw-add, and its solution.
inline void write_exercise(const Folder& root, const std::string& toml = good_toml) {
    const std::string home = "exercises/08-raw-add/";
    root.write(home + "exercise.toml", toml);
    root.write(home + "raw_add.cpp", "// the stub\nint add() { return 0; }\n");
    root.write(home + "raw_add.cu", "// kernels\n");
    write_planted(root, home);
    root.write("solutions/08-raw-add/raw_add.cpp", solved_cpp);
    root.write("solutions/08-raw-add/raw_add.cu", solved_cu);
}

}  // namespace test
