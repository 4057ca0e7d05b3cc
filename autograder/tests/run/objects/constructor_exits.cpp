// SPDX-License-Identifier: MIT
// Claims to have passed and leaves, before any function is called.
#include <cstdio>
#include <unistd.h>

#include <course/binding.hpp>

namespace {
__attribute__((constructor)) void claim() {
    std::puts("PASS");
    std::fflush(stdout);
    ::_exit(0);
}
}  // namespace

const course::binding::Function* course_bindings() { return nullptr; }
