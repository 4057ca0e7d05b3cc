// SPDX-License-Identifier: MIT
#include "host/base/debugger.hpp"

#include <cstdlib>
#include <mutex>
#include <string_view>

#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
gpu::detail::host::DebuggedBlock* gpu_debug_blocks = nullptr;
gpu::detail::host::DebuggedLaunch gpu_debug_launch;

// Must not be inlined or omitted: a debugger stops here.
__attribute__((noinline)) void gpu_debug_finding(
    [[maybe_unused]] const gpu::detail::host::DebuggedFinding* finding) noexcept {
    asm volatile("" ::"r"(finding) : "memory");
}
__attribute__((noinline)) void gpu_debug_block_begins(
    [[maybe_unused]] const gpu::detail::host::DebuggedBlock* block) noexcept {
    asm volatile("" ::"r"(block) : "memory");
}
}

namespace gpu::detail::host {

namespace {

std::mutex& list_mutex() {
    static auto* const mutex = new std::mutex;  // leaked: threads may end after main
    return *mutex;
}

}  // namespace

bool kernels_are_debugged() noexcept {
    static const bool are = [] {
        const char* const value = std::getenv("LIBGPU_DEBUG_KERNELS");
        return value != nullptr && *value != '\0' && std::string_view(value) != "0";
    }();
    return are;
}

BlockForDebugger::BlockForDebugger(const DebuggedBlock& record) : record_(record) {
    record_.os_thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
    const std::lock_guard lock(list_mutex());
    record_.next = gpu_debug_blocks;
    gpu_debug_blocks = &record_;
}

BlockForDebugger::~BlockForDebugger() {
    const std::lock_guard lock(list_mutex());
    for (DebuggedBlock** at = &gpu_debug_blocks; *at != nullptr; at = &(*at)->next) {
        if (*at != &record_) continue;
        *at = record_.next;
        return;
    }
}

void BlockForDebugger::begins() const noexcept { gpu_debug_block_begins(&record_); }

}  // namespace gpu::detail::host
