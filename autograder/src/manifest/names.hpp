// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
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

/// A counter of a kernel's work in check mode: a member of gpu::WorkCounts, or two added up. Neither: it isn't part of
/// them.
struct WorkCounter {
    std::string_view name;
    std::uint64_t gpu::WorkCounts::*value = nullptr;
    std::uint64_t gpu::WorkCounts::*more = nullptr;
};

inline constexpr std::array work_counters = [] {
    using Work = gpu::WorkCounts;
    const auto member = [](std::uint64_t Work::*value) {
        for (const gpu::WorkFacts& facts : gpu::work_facts)
            if (facts.value == value) return WorkCounter{facts.name, value};
        return WorkCounter{};
    };
    return std::array{member(&Work::global_reads),
                      member(&Work::global_writes),
                      WorkCounter{"global_bytes", &Work::global_bytes_read, &Work::global_bytes_written},
                      member(&Work::global_requests),
                      member(&Work::global_sectors),
                      member(&Work::global_segments),
                      member(&Work::shared_reads),
                      member(&Work::shared_writes),
                      WorkCounter{"shared_bytes", &Work::shared_bytes_read, &Work::shared_bytes_written},
                      member(&Work::shared_requests),
                      member(&Work::shared_wavefronts),
                      member(&Work::warp_operations),
                      member(&Work::divergent_requests),
                      member(&Work::global_atomics),
                      member(&Work::double_operations),
                      WorkCounter{"threads_started"}};
}();
static_assert(std::none_of(work_counters.begin(), work_counters.end(),
                           [](const WorkCounter& counter) { return counter.name.empty(); }));

inline constexpr std::array work_counter_names = [] {
    std::array<std::string_view, work_counters.size()> names;
    for (std::size_t k = 0; k < names.size(); ++k) names[k] = work_counters[k].name;
    return names;
}();

/// Ratios of these, for the kernel where they are worst. For bytes_used_percent that is the lowest: the share of the
/// bytes in all sectors moved that threads asked for.
inline constexpr std::array<std::string_view, 4> ratio_names = {"sectors_per_request", "bank_conflict_ways",
                                                                "atomic_turns", "bytes_used_percent"};

/// Additional counters of a required kernel: its launches; blocks, threads per block and threads of each launch;
/// barriers per block; its atomic operations.
inline constexpr std::array<std::string_view, 6> kernel_counter_names = {"launches", "grid",    "block",
                                                                         "threads",  "barriers_per_block", "atomics"};

/// Kinds of work that a kernel's threads must share: its accesses to global memory, to shared memory, its atomic
/// operations, and all of these between barriers. `parallelism` of a required kernel lists them; a budget's counter is
/// "global_accesses parallelism".
inline constexpr std::array<std::string_view, 4> shared_work_names = {"global_accesses", "shared_accesses", "atomics",
                                                                      "between_barriers"};

/// True if check mode counts it, or it is a ratio of such counts.
bool is_counted_in_check_mode(std::string_view counter) noexcept;
bool is_ratio(std::string_view counter) noexcept;

/// True for "global_accesses parallelism" and its kin.
bool is_parallelism(std::string_view counter) noexcept;

/// True if kernels' work is judged by it: either of the above.
bool is_about_work(std::string_view counter) noexcept;

/// The verdicts that an exercise.toml may require.
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

/// One of the names below: host code computes the result from what is copied to it.
inline constexpr std::string_view computed_by_host = "results that host code computes";

/// What keeps a call from being replayed although a right answer may need it, under libgpu's names.
inline constexpr std::array<std::string_view, 12> not_replayed_names = {
    "streams", "events", "asynchronous copies", "page-locked memory", "several devices", "copies between devices",
    "linear algebra", "arrays that the host writes in place", "arrays that the host uses in place",
    "arrays that were there before the call", "addresses of arrays in memory", computed_by_host};

/// NumPy's names of the element types, in the order of protocol::Type.
inline constexpr std::array<std::string_view, 11> type_names = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"};

/// "array<float32>", "vector<int32>", "float64" -> a type; nothing for other text.
std::optional<protocol::ValueType> parse_value_type(std::string_view text);

/// The reverse: a type in exercise.toml's spelling.
std::string to_string(protocol::ValueType type);

// ASCII only, independent of the locale.

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Letters, digits and _.
constexpr bool is_of_identifier(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

constexpr bool is_identifier(std::string_view text) noexcept {
    return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), is_of_identifier);
}

/// An exercise as identified by its folder's name, before its manifest is read.
struct ExerciseFolder {
    std::filesystem::path path;
    int number = 0;
    std::string name;
};

/// exercises/08-raw-add is exercise 8, raw_add. @throws ManifestError for other names.
ExerciseFolder name_exercise(const std::filesystem::path& path);

/// The exercises below root/exercises, by number: a broken manifest doesn't hide the others.
/// @throws ManifestError for a misnamed folder, or a duplicate number or name.
std::vector<ExerciseFolder> exercise_folders(const std::filesystem::path& root);

/// The former names of exercises, with their current ones; unreadable manifests are skipped. The name of an exercise of
/// this edition isn't a former one.
std::map<std::string, std::string> former_names(const std::filesystem::path& root);

}  // namespace course
