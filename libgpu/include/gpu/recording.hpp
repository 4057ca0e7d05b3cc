// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Internal: what a call asks of the host backend is written down, and done again by another process, which has none of
/// the host code that made the call. Part of no program that students write.

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

/// A recording that no honest process has made.
class RecordingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

using HostBytes = std::span<const std::byte>;

/// From its first use on this process knows the kernels that are made in it; between begin() and end() it writes down
/// all work on the host backend.
class GPU_API CallRecorder {
public:
    static void prepare();
    /// The call's arguments: bytes that come from them are the call's input, wherever it is replayed.
    static void begin(std::vector<HostBytes> arguments);
    /// Around what is done in check mode.
    static void begin_check();
    static void end_check();
    /// The number of the last copy to the host that has given these bytes, of those since begin().
    [[nodiscard]] static std::optional<std::uint64_t> copy_that_gave(HostBytes bytes);
    /// The recording; empty if the call did what can't be recorded, which `why_not` then says.
    [[nodiscard]] static std::string end(std::string& why_not);

    /// From its first use on this process keeps the texts of the kernels that the host backend makes, and nothing else.
    static void keep_texts();
    /// Those that were made since the last time, for compile_for_check(); empty: none, or more than a recording holds.
    [[nodiscard]] static std::string new_kernels();
};

/// What a replay found, and what each copy to the host gave, in order.
struct ReplayedCall {
    CheckReport report;
    std::vector<std::string> copies;
    /// What host code has put into arrays during the call, in order, but for bytes of the call's arguments: those of
    /// several copies to places one behind the other are together.
    std::vector<std::string> sent = {};
};

/// Does what the recording says, with these arguments, on the host backend and in check mode.
/// @param left_out a raw kernel that isn't launched, "add" for add<float> as well; empty: none
/// @throws RecordingError for one that nobody honest has made, and what the work itself throws
GPU_API ReplayedCall replay_call(std::string_view recording, std::span<const HostBytes> arguments,
                                 const CheckOptions& options, std::string_view left_out = {});

/// Compiles kernels from another process for check mode, as far as it can, into this one's cache. None of them is
/// loaded. @throws RecordingError for a list that nobody honest has made
GPU_API void compile_for_check(std::string_view kernels);

}  // namespace gpu::detail
/// @endcond
