// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/facts.hpp>

#include "manifest/manifest.hpp"
#include "protocol/protocol.hpp"
#include "support/text.hpp"

namespace course {

/// The names of gpu::Counts' members, in their order; what is printed is free.
inline constexpr std::array counter_names = [] {
    std::array<std::string_view, gpu::count_facts.size() - 1> names;
    std::size_t k = 0;
    for (const gpu::CountFacts& facts : gpu::count_facts)
        if (facts.value != &gpu::Counts::prints) names[k++] = facts.name;
    return names;
}();

/// Counters of a kernel's work in check mode; `global_bytes` and `shared_bytes` are those read and written together.
inline constexpr std::array<std::string_view, 16> work_counter_names = {
    "global_reads",  "global_writes", "global_bytes",  "global_requests",   "global_sectors",  "global_segments",
    "shared_reads",  "shared_writes", "shared_bytes",  "shared_requests",   "shared_wavefronts", "warp_operations",
    "divergent_requests", "global_atomics", "double_operations", "threads_started"};

/// Ratios of them, of the kernel where they are worst. Of bytes_used_percent that is the lowest: the share of the bytes
/// in all sectors moved that threads asked for.
inline constexpr std::array<std::string_view, 4> ratio_names = {"sectors_per_request", "bank_conflict_ways",
                                                                "atomic_turns", "bytes_used_percent"};

/// What a required kernel is asked for besides: how often it is launched; blocks, threads of a block and all threads of
/// each launch; barriers that a block passes; its atomic operations.
inline constexpr std::array<std::string_view, 6> kernel_counter_names = {"launches", "grid",    "block",
                                                                         "threads",  "barriers_per_block", "atomics"};

/// Kinds of work that a kernel's threads have to share: its accesses to global memory, to shared memory, its atomic
/// operations, and all of these from each barrier to the next. `parallelism` of a required kernel lists them; a
/// budget's counter is "global_accesses parallelism".
inline constexpr std::array<std::string_view, 4> shared_work_names = {"global_accesses", "shared_accesses", "atomics",
                                                                      "between_barriers"};

/// True if check mode counts it, or it is a ratio of what check mode counts.
bool is_counted_in_check_mode(std::string_view counter) noexcept;
bool is_ratio(std::string_view counter) noexcept;

/// True for "global_accesses parallelism" and its kin.
bool is_parallelism(std::string_view counter) noexcept;

/// True if kernels' work is judged by it: either of both.
bool is_about_work(std::string_view counter) noexcept;

/// The verdicts that an exercise.toml may ask for.
inline constexpr std::array<std::string_view, 9> failing_verdicts = {
    "wrong",     "not as asked",  "over budget",     "too slow", "review",
    "crashed",   "timed out",     "out of memory",   "does not compile"};

/// How an answer can avoid the work of its exercise.
inline constexpr std::array<std::string_view, 11> lazy_kinds = {
    "on the CPU", "library call", "kernel untouched", "one thread", "one warp", "one block",
    "block of one", "grid ignored", "a launch each", "hard-coded", "written anew"};

/// The names of gpu::Picture.
inline constexpr std::array<std::string_view, 7> picture_names = {"map",   "requests", "banks", "lanes",
                                                                  "races", "schedule", "source"};

/// One of the names below: from what is copied down to a result the way is the answer's host code.
inline constexpr std::string_view computed_by_host = "results that host code computes";

/// What keeps a call from being replayed and a right answer may need, as libgpu names it.
inline constexpr std::array<std::string_view, 12> not_replayed_names = {
    "streams", "events", "asynchronous copies", "page-locked memory", "several devices", "copies between devices",
    "linear algebra", "arrays that the host writes in place", "arrays that the host uses in place",
    "arrays that were there before the call", "addresses of arrays in memory", computed_by_host};

/// NumPy's names of the element types, numbered as protocol::Type.
inline constexpr std::array<std::string_view, 11> type_names = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"};

/// "array<float32>", "vector<int32>", "float64" -> a type; nothing if it is none.
std::optional<protocol::ValueType> parse_value_type(std::string_view text);

/// The way back: what exercise.toml writes for a type.
std::string to_string(protocol::ValueType type);

// For ASCII alone: they don't depend on the locale.

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Letters, digits and _.
constexpr bool is_of_identifier(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

constexpr bool is_identifier(std::string_view text) noexcept {
    return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), is_of_identifier);
}

/// An exercise as its folder's name tells it, before its manifest is read.
struct ExerciseFolder {
    std::filesystem::path path;
    int number = 0;
    std::string name;
};

/// exercises/08-raw-add is exercise 8, raw_add. @throws ManifestError for another kind of name.
ExerciseFolder name_exercise(const std::filesystem::path& path);

/// The exercises below root/exercises, by number: one broken manifest doesn't hide the others.
/// @throws ManifestError for a misnamed folder, and for a number or a name that is there twice.
std::vector<ExerciseFolder> exercise_folders(const std::filesystem::path& root);

/// The names that exercises had before, and what they are called now; of manifests that can't be read, none. A name
/// that an exercise of this edition has isn't a former one.
std::map<std::string, std::string> former_names(const std::filesystem::path& root);

}  // namespace course
