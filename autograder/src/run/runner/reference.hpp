// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <course/binding.hpp>

#include "protocol/protocol_canaries.hpp"

namespace course::runner {

/// Replaces a student's functions in `course-runner --reference`: one function, which copies on the device and delivers
/// arrays of given shapes. The grader's clock is compared with it.
const binding::Function* reference_functions();

/// The true values of a timed call's arguments, a few elements of which were prepared with others.
class TrueValues {
public:
    /// On a GPU, compiles the kernel that will write them and launches it once: the clock isn't running yet.
    TrueValues(binding::Call& call, const protocol::Request& request);

    /// Writes the page's values, except those that fit no argument. On a GPU this is one launch in the default stream;
    /// nothing waits.
    void write(const protocol::CanaryPage& page) const;

private:
    const protocol::Request& request_;
    std::array<binding::Storage, protocol::max_values> storage_{};
    bool has_device_arrays_ = false;
};

}  // namespace course::runner
