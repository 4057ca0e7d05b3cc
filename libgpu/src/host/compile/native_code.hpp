// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::host {

/// What a checked kernel may not have, and why: "`memcmp` can't be used in a kernel: ...".
struct ForeignCode {
    std::string name, why;
    explicit operator bool() const { return !name.empty(); }
};

/// What stands in a checked kernel's object file, before it is linked with `instrumentation`, that code of a kernel's
/// doesn't have. A kernel may call what `instrumentation` defines and functions of numbers, by name; everything else
/// that it calls, it defines. Its sections are those that a compiler makes of C++, nothing of it runs when it is
/// loaded, and an endbr64, which marks where a pointer may call, stands where a function begins.
ForeignCode foreign_code(std::string_view object, std::string_view instrumentation);

/// Where g++ passes memory to a function by value, or stores a function's result, without telling check mode: a name
/// of such a function in what -fdump-tree-optimized-uid writes. Empty: there is none.
std::string unseen_argument(std::string_view dump);

}  // namespace gpu::detail::host
