// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/check/array_resolver.hpp"
#include "host/check/launch_facts.hpp"
#include "host/fibers/block_scheduler.hpp"

namespace gpu::detail::host {

/// Records a watch's findings about its running block: who, what and where, as far as it is known at that moment.
class FindingBuilder {
public:
    /// @param recorder keeps the block of a race or an unwritten value, and knows both sides' values; or null
    FindingBuilder(LaunchFacts& facts, const BlockScheduler& scheduler, ArrayResolver& arrays,
                  AccessRecorder* recorder)
        : facts_(facts), scheduler_(scheduler), arrays_(arrays), recorder_(recorder) {}

    void begin_block(std::uint64_t block) noexcept { block_ = block; }

    // Findings about the running thread. The fatal ones fill in an existing finding: nothing is destroyed where they
    // happen.
    void outside(RawFinding& finding, const char* verb, std::uintptr_t address, std::size_t size,
                 std::size_t site) const;
    void bounds(RawFinding& finding, const void* description, unsigned long index, std::size_t site) const;
    void misaligned(RawFinding& finding, const void* description, std::uintptr_t address, std::size_t alignment,
                    std::size_t site) const;
    void fatal(RawFinding& finding, FindingKind kind, std::size_t site) const;
    [[nodiscard]] RawFinding access(FindingKind kind, const char* verb, const CheckedArray& array, std::size_t offset,
                                    std::size_t size, std::size_t site) const;

    /// Logs the finding.
    void uninitialized_local(FoundAt at, const LocalArray& array, std::uintptr_t address, std::size_t site) const;

    /// Two accesses to one element, `before` and `now`.
    [[nodiscard]] RawFinding two_sides(FindingKind kind, const CheckedArray& array, std::size_t offset, Stamp before,
                                       Stamp now, bool before_wrote, bool now_writes, std::size_t size,
                                       std::size_t site) const;

    /// The same with an access by other work, in another stream.
    [[nodiscard]] RawFinding missing_event(const CheckedArray& array, std::size_t offset, const StreamOperation& other,
                                           Stamp before, Stamp now, bool before_wrote, bool now_writes,
                                           std::size_t size, std::size_t site) const;

    [[nodiscard]] RawFinding wide_shift(const void* description, unsigned long by, std::size_t site) const;
    [[nodiscard]] RawFinding skipped_barrier(int line, int ended) const;
    [[nodiscard]] RawFinding ended_lanes(const WarpArrival& arrival) const;
    [[nodiscard]] RawFinding inactive_lane(const WarpArrival& arrival) const;

private:
    [[nodiscard]] Action running(const char* verb, std::size_t site) const;
    /// The type of a variable of the module: "float"; "T" if unknown.
    [[nodiscard]] std::string declared_type_or_t(const CheckedArray& array) const;
    [[nodiscard]] RawFinding at_line(FindingKind kind, int line, int thread) const;

    LaunchFacts& facts_;
    const BlockScheduler& scheduler_;
    ArrayResolver& arrays_;
    AccessRecorder* const recorder_;
    std::uint64_t block_ = 0;
};

}  // namespace gpu::detail::host
