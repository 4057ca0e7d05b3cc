// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <course/binding.hpp>

#include "protocol/protocol_canaries.hpp"

namespace course::runner {

/// What stands in place of a student's functions in `course-runner --reference`: one function, which copies on the
/// device and delivers arrays of given shapes. The grader's clock is held against it.
const binding::Function* reference_functions();

/// The true values of a timed call's arguments, in place of those that a few elements were prepared with.
class TrueValues {
public:
    /// On a GPU the kernel that will write them is compiled here, and launched once: the clock doesn't run yet.
    TrueValues(binding::Call& call, const protocol::Request& request);

    /// Writes what is on the page, less what fits no argument. On a GPU one launch does it, in the order of the default
    /// stream; nothing is waited for.
    void write(const protocol::CanaryPage& page) const;

private:
    const protocol::Request& request_;
    std::array<binding::Storage, protocol::max_values> storage_{};
    bool has_device_arrays_ = false;
};

}  // namespace course::runner
