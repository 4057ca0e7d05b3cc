// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace course {

/// The machine can't make calls: no runner, no memory. Neither the student's fault nor the check's.
class CallFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace course
