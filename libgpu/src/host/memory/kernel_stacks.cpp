// SPDX-License-Identifier: MIT
#include "host/memory/kernel_stacks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <gpu/error.hpp>

#include "host/base/machine.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t usable_pages = 16;
constexpr std::size_t loop_pages = 256;

// Stacks are an odd number of pages apart, and their tops a cache line, so that they don't compete for cache sets.
std::size_t colour(int stack) noexcept { return static_cast<std::size_t>(stack % 32) * 64; }

char* reserve(std::size_t bytes) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw OutOfMemory(bytes, {}, "the host backend (stacks of threads)");
    return static_cast<char*>(memory);
}

}  // namespace

std::size_t page_size() noexcept {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

bool guard_page(void* page) noexcept {
#ifndef MADV_GUARD_INSTALL
    constexpr int MADV_GUARD_INSTALL = 102;
#endif
#ifndef MADV_POPULATE_READ
    constexpr int MADV_POPULATE_READ = 22;
#endif
    // QEMU's user emulation of arm64 accepts any advice and ignores it: then reading the page succeeds.
    static const bool guards_are_kept = ::madvise(page, page_size(), MADV_GUARD_INSTALL) == 0 &&
                                        ::madvise(page, page_size(), MADV_POPULATE_READ) != 0;
    if (guards_are_kept && ::madvise(page, page_size(), MADV_GUARD_INSTALL) == 0) return true;
    return ::mprotect(page, page_size(), PROT_NONE) == 0;
}

KernelStacks::~KernelStacks() {
    if (fibers_ != nullptr) ::munmap(fibers_, stride() * max_block_threads);
    if (loop_ != nullptr) ::munmap(loop_, (loop_pages + 1) * page_size());
}

void KernelStacks::reset(int threads) {
    if (fibers_ == nullptr) fibers_ = reserve(stride() * max_block_threads);
    // A machine may run out of mappings for guards: then overflows go unnoticed, but kernels still run.
    for (; ready_ < threads; ++ready_) {
        char* const stack = fibers_ + static_cast<std::size_t>(ready_) * stride();
        guard_page(stack);
        tops_[ready_] = stack + stride() - colour(ready_);
    }
    unpoison(fibers_, stride() * static_cast<std::size_t>(ready_));
    free_count_ = 0;
    for (int stack = threads - 1; stack >= 0; --stack) give_back(stack);
}

std::size_t KernelStacks::size() noexcept {
    static const std::size_t size = usable_pages * page_size() - colour(31);
    return size;
}

void* KernelStacks::loop_top() {
    if (loop_ == nullptr) {
        loop_ = reserve((loop_pages + 1) * page_size());
        guard_page(loop_);
    }
    return loop_ + (loop_pages + 1) * page_size();
}

std::size_t KernelStacks::loop_size() noexcept { return loop_pages * page_size(); }

std::size_t KernelStacks::stride() noexcept {
    static const std::size_t length = (usable_pages + 1) * page_size();
    return length;
}

int KernelStacks::stack_of(std::uintptr_t address) const noexcept {
    const auto start = reinterpret_cast<std::uintptr_t>(fibers_);
    if (fibers_ == nullptr || address - start >= stride() * static_cast<std::size_t>(ready_)) return -1;
    return static_cast<int>((address - start) / stride());
}

std::uintptr_t KernelStacks::bottom(int stack) const noexcept {
    return reinterpret_cast<std::uintptr_t>(fibers_) + static_cast<std::size_t>(stack) * stride();
}

bool KernelStacks::is_guard(std::uintptr_t address) const noexcept {
    const auto inside = [address](const char* base, std::size_t length) {
        const auto start = reinterpret_cast<std::uintptr_t>(base);
        return base != nullptr && address >= start && address < start + length;
    };
    if (inside(loop_, page_size())) return true;
    if (!inside(fibers_, stride() * static_cast<std::size_t>(ready_))) return false;
    return (address - reinterpret_cast<std::uintptr_t>(fibers_)) % stride() < page_size();
}

}  // namespace gpu::detail::host
