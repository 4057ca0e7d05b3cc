// SPDX-License-Identifier: MIT
#pragma once

namespace course::runner {

/// Makes the call that run/recorded_call.hpp wrote to a file, in check mode, and prints what that found: for a
/// debugger. Returns the program's exit code.
int replay(const char* file, const char* object);

}  // namespace course::runner
