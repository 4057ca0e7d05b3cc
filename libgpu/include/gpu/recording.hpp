// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Internal: records what a call asks of the host backend, so that another process, without the host code that made the
/// call, can replay it. Not part of programs that students write.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/check.hpp>
#include <gpu/export.hpp>

/// @cond internal
namespace gpu::detail {

/// A recording that no honest process could have produced.
class RecordingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

using HostBytes = std::span<const std::byte>;

/// From its first use on, this process tracks the kernels that are compiled in it; between begin() and end(), it
/// records all work on the host backend.
class GPU_API CallRecorder {
public:
    static void prepare();
    /// The call's arguments: bytes from them count as the call's input, wherever it is replayed.
    static void begin(std::vector<HostBytes> arguments);
    /// Marks the beginning and end of what is done in check mode.
    static void begin_check();
    static void end_check();
    /// The number of the last copy to the host since begin() that delivered these bytes.
    [[nodiscard]] static std::optional<std::uint64_t> copy_that_gave(HostBytes bytes);
    /// The recording; empty if the call did something that can't be recorded, which `why_not` then gives.
    [[nodiscard]] static std::string end(std::string& why_not);

    /// From its first use on, this process collects the texts of the kernels that the host backend compiles, and
    /// nothing else.
    static void keep_texts();
    /// Those collected since the last call, for compile_for_check(); empty: none, or more than a recording holds.
    [[nodiscard]] static std::string new_kernels();
};

/// The findings of a replay, and the result of each copy to the host, in order.
struct ReplayedCall {
    CheckReport report;
    std::vector<std::string> copies;
    /// What host code put into arrays during the call, in order, except bytes of the call's arguments; several copies
    /// to adjacent places are joined.
    std::vector<std::string> sent = {};
};

/// Replays a recording with these arguments, on the host backend and in check mode.
/// @param left_out a raw kernel not to launch; "add" matches add<float> as well; empty: none
/// @throws RecordingError for one that no honest process could have produced, and what the work itself throws
GPU_API ReplayedCall replay_call(std::string_view recording, std::span<const HostBytes> arguments,
                                 const CheckOptions& options, std::string_view left_out = {});

/// Compiles another process's kernels for check mode, as far as possible, into this one's cache, without loading them.
/// @throws RecordingError for a list that no honest process could have produced
GPU_API void compile_for_check(std::string_view kernels);

}  // namespace gpu::detail
/// @endcond
