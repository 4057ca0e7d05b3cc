// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "support/folder.hpp"

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

[[wrong]]
name = "no-guard"
verdict = "crashed"
says = "past the end"

[[wrong]]
name = "one-block"
verdict = "wrong"
says = "never written"
task = "add"

[[distractor]]
file = "raw_add.cu"
line = "if (i <= n) z[i] = 0;"
why = "one too many"

[[distractor]]
file = "raw_add.cpp"
line = "n / 256"
why = "rounded down"

[[lazy]]
kind = "on the CPU"
name = "host"
verdict = "not as asked"
says = "launches: 0"

[[lazy]]
kind = "one thread"
name = "one-thread"
says = "it ran with 1"
)";

/// The exercise's files below root/exercises/08-raw-add, and its solution.
inline void write_exercise(const Folder& root, const std::string& toml = good_toml) {
    const std::string home = "exercises/08-raw-add/";
    root.write(home + "exercise.toml", toml);
    root.write(home + "raw_add.cpp", "// the stub\nint add() { return 0; }\n");
    root.write(home + "raw_add.cu", "// kernels\n");
    root.write(home + "wrong/no-guard/raw_add.cu", "// no guard\n");
    root.write(home + "wrong/one-block/raw_add.cpp", "// one block\n");
    root.write(home + "lazy/host/raw_add.cpp", "// a host loop\n");
    root.write(home + "lazy/one-thread/raw_add.cpp", "// one thread\n");
    root.write("solutions/08-raw-add/raw_add.cpp", "int add() { return 1; }\n");
    root.write("solutions/08-raw-add/raw_add.cu", "// solved kernels\n");
}

}  // namespace test
