// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "run/protocol.hpp"

namespace course {

/// The names of gpu::Counts' members, in the order of protocol::CountsRecord.
inline constexpr std::array<std::string_view, 12> counter_names = {
    "copies_to_device", "copies_to_host",  "copies_on_device", "bytes_to_device", "bytes_to_host", "bytes_on_device",
    "allocations",      "bytes_allocated", "synchronizations", "launches",        "barriers",      "atomics"};

/// Counters of a kernel's work in check mode; `global_bytes` and `shared_bytes` are those read and written together.
inline constexpr std::array<std::string_view, 13> work_counter_names = {
    "global_reads",  "global_writes", "global_bytes",  "global_requests",   "global_sectors",  "global_segments",
    "shared_reads",  "shared_writes", "shared_bytes",  "shared_requests",   "shared_wavefronts", "warp_operations",
    "divergent_requests"};

/// Ratios of them, of the kernel where they are worst.
inline constexpr std::array<std::string_view, 2> ratio_names = {"sectors_per_request", "bank_conflict_ways"};

/// True if check mode counts it, or it is a ratio of what check mode counts.
bool is_counted_in_check_mode(std::string_view counter) noexcept;
bool is_ratio(std::string_view counter) noexcept;

/// The verdicts that an exercise.toml may ask for.
inline constexpr std::array<std::string_view, 6> failing_verdicts = {
    "wrong", "too slow", "crashed", "timed out", "out of memory", "does not compile"};

/// NumPy's names of the element types, numbered as protocol::Type.
inline constexpr std::array<std::string_view, 11> type_names = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"};

/// "array<float32>", "vector<int32>", "float64" -> a type; nothing if it is none.
std::optional<protocol::ValueType> parse_value_type(std::string_view text);

/// The way back: what exercise.toml writes for a type.
std::string to_string(protocol::ValueType type);

}  // namespace course
