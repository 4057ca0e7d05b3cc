// SPDX-License-Identifier: MIT
#pragma once

// What gpu::check found during one call, as the untrusted runner reports it: one fixed-size record in the output
// memory. Part of the protocol; the runner's side includes it as well.

#include <cstdint>

namespace course::protocol {

// The maximum numbers sent: a report that is read at a glance needs no more.
inline constexpr std::uint32_t max_findings = 16;
inline constexpr std::uint32_t max_kernels = 16;
inline constexpr std::uint32_t max_lines = 512;
inline constexpr std::uint32_t max_shapes = 8;  ///< per kernel's launches

/// gpu::WorkCounts, member by member.
struct WorkRecord {
    std::uint64_t global_reads, global_writes, global_bytes_read, global_bytes_written, global_bytes_used;
    std::uint64_t global_requests, global_sectors, global_segments;
    std::uint64_t shared_reads, shared_writes, shared_bytes_read, shared_bytes_written;
    std::uint64_t shared_requests, shared_wavefronts;
    std::uint64_t atomics, global_atomics, atomic_requests, atomic_turns;
    std::uint64_t barriers, warp_operations, divergent_requests, double_operations;
    friend bool operator==(const WorkRecord&, const WorkRecord&) = default;
};

// Texts end at their first zero byte, or fill their array.

struct FindingRecord {
    std::uint32_t kind;  ///< a gpu::FindingKind
    std::uint32_t rule;  ///< the one it breaks, from 1
    std::uint32_t reserved;
    std::int32_t line;
    std::uint64_t times;
    char kernel[128], file[256], variable[128];
    char what[768], who[768], advice[768];
};

/// Launches of a kernel with the same shape.
struct ShapeRecord {
    std::uint64_t grid[3], block[3], launches;
};

/// How one kind of access is distributed over a launch: gpu::WorkSpread.
struct SpreadRecord {
    std::uint64_t total, busiest_thread, busiest_warp, busiest_block, working_threads, working_warps, working_blocks;
    std::uint64_t grid[3], block[3];
};

struct KernelRecord {
    char name[128], file[256];
    char made_in[256];      ///< the C++ file that creates an elementwise or reduction kernel; empty: libgpu itself
    std::uint64_t launches, blocks, threads;
    ShapeRecord shapes[max_shapes];
    std::uint64_t shape_count;
    WorkRecord work;
    SpreadRecord global, shared, atomic;   ///< each from the launch that has the most
    std::uint64_t accesses, span;          ///< work and span of all launches
    char rewritten[512];                   ///< gpu::KernelCounts::rewritten
    std::uint32_t first_line, line_count;  ///< its part of CheckRecord::lines; the parts are consecutive
};

struct LineRecord {
    char file[256];
    std::int32_t line;
    std::uint32_t reserved;
    WorkRecord work;
};

struct CheckRecord {
    std::uint32_t finding_count, kernel_count, line_count;
    std::uint32_t cut;           ///< 1: there were more kernels or lines than the record holds
    std::uint64_t all_findings;  ///< including those that the record doesn't hold
    FindingRecord findings[max_findings];
    KernelRecord kernels[max_kernels];
    LineRecord lines[max_lines];
};

}  // namespace course::protocol
