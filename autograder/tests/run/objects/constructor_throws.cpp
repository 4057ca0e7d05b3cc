// SPDX-License-Identifier: MIT
// A global object whose constructor throws: the exception has nobody to catch it but the program that loads it.
#include <stdexcept>

#include <course/binding.hpp>

namespace {
struct Table {
    Table() { throw std::runtime_error("the table is empty"); }
};
Table table;
}  // namespace

const course::binding::Function* course_bindings() { return nullptr; }
