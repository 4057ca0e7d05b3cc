// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/export.hpp>

#include "host/base/abi.hpp"

// What a debugger sees of the host backend: share/gdb/gpu.py reads these records by their layout, so that it needs no
// debug information of libgpu's own. All of it is inactive unless LIBGPU_DEBUG_KERNELS is set.
namespace gpu::detail::host {

/// Whether kernels are compiled and run for a debugger: LIBGPU_DEBUG_KERNELS is set, and isn't 0.
bool kernels_are_debugged() noexcept;

/// The threads of the block that an OS thread runs. A change of the layout needs a new version and a change in gpu.py.
struct DebuggedBlock {
    std::uint64_t version = 1;
    DebuggedBlock* next = nullptr;
    std::uint64_t os_thread = 0;
    const int* threads = nullptr;  ///< how many there are
    const int* current = nullptr;  ///< the running one
    const bool* running = nullptr;
    const uint3* index = nullptr;  ///< of each thread, as are those below; with these distances in bytes
    std::uint64_t index_bytes = 0;
    void* const* fiber = nullptr;  ///< where its registers are saved
    const int* line = nullptr;     ///< where it waits, or last waited
    const gpu_thread_state* state = nullptr;
    const void* warps = nullptr;  ///< records of this size in bytes, with these fields at their offsets
    std::uint64_t warp_bytes = 0, live = 0, runnable = 0, begun = 0, at_barrier = 0, waiting = 0, instruction = 0;
    const char* const* operation_names = nullptr;
    std::uint64_t own_switch = 0;  ///< 1: registers are saved in the layout of context_switch.cpp's own assembly
};

/// Keeps a block's record in the list that the debugger reads, for its lifetime.
class BlockForDebugger {
public:
    explicit BlockForDebugger(const DebuggedBlock& record);
    ~BlockForDebugger();
    BlockForDebugger(const BlockForDebugger&) = delete;
    BlockForDebugger& operator=(const BlockForDebugger&) = delete;

    void set_state(const gpu_thread_state* state) noexcept { record_.state = state; }
    /// A breakpoint location: the block in the state is about to begin.
    void begins() const noexcept;

private:
    DebuggedBlock record_;
};

/// An array that a kernel's argument points into.
struct DebuggedArray {
    std::uint64_t start = 0, bytes = 0;
};

/// The running launch, in the form that the debugger reads.
struct DebuggedLaunch {
    std::uint64_t version = 1;
    const char* kernel = "";
    uint3 grid{}, block{};
    std::uint64_t dynamic_shared = 0;
    const DebuggedArray* arrays = nullptr;
    std::uint64_t array_count = 0;
};

/// The argument of gpu_debug_finding(). In the text, "<here>:0" and "<there>:0" stand for the lines of the two
/// addresses, which the debugger knows.
struct DebuggedFinding {
    std::uint64_t version = 1;
    const char* text = "";
    std::uint64_t here = 0, there = 0;  ///< after the instructions; 0: none
    uint3 thread{};
};

}  // namespace gpu::detail::host

extern "C" {
GPU_API extern gpu::detail::host::DebuggedBlock* gpu_debug_blocks;
GPU_API extern gpu::detail::host::DebuggedLaunch gpu_debug_launch;
/// Breakpoint locations.
GPU_API void gpu_debug_finding(const gpu::detail::host::DebuggedFinding* finding) noexcept;
GPU_API void gpu_debug_block_begins(const gpu::detail::host::DebuggedBlock* block) noexcept;
}
