// SPDX-License-Identifier: MIT
#include <gpu/recording.hpp>

#include "fuzz/fuzz_target.hpp"
#include "record/recording.hpp"

namespace fuzz {

FUZZ_TARGET(recorded_call, std::size_t{1} << 20) {
    using namespace gpu::detail;
    std::vector<record::Step> steps;
    try {
        steps = record::from_bytes(input);
    } catch (const RecordingError& error) {
        require(std::string_view(error.what()).starts_with("the recording "), "an error that doesn't say of what");
        return;
    }
    require(steps.size() <= record::max_steps, "more steps than are allowed");
    require(record::to_bytes(steps) == input, "what is written isn't what was read");
}

}  // namespace fuzz
