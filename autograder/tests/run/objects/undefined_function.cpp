// SPDX-License-Identifier: MIT
// A function that bind.cpp names and the student's file doesn't define.
#include <vector>

#include <course/binding.hpp>

namespace exercise {
void scale(std::vector<float>& x, float factor);
}

const course::binding::Function* course_bindings() {
    std::vector<float> x;
    exercise::scale(x, 2);
    return nullptr;
}
