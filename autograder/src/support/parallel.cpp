// SPDX-License-Identifier: MIT
#include "support/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include <sys/mman.h>

namespace course {

void in_pieces(std::int64_t count, std::int64_t piece, const std::function<void(std::int64_t, std::int64_t)>& work,
               int threads) {
    const std::int64_t pieces = (count + piece - 1) / piece;
    if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const std::int64_t helpers = std::min<std::int64_t>(pieces, threads) - 1;
    std::atomic<std::int64_t> next{0};
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(std::max<std::int64_t>(pieces, 0)));
    const auto take_pieces = [&] {
        for (std::int64_t k; (k = next.fetch_add(1)) < pieces;) {
            try {
                work(k * piece, std::min(count, (k + 1) * piece));
            } catch (...) {
                failures[static_cast<std::size_t>(k)] = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> team;
        for (std::int64_t k = 0; k < helpers; ++k) team.emplace_back(take_pieces);
        take_pieces();
    }
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

void prefer_large_pages(void* data, std::size_t bytes) noexcept {
    constexpr std::size_t worth_it = std::size_t{32} << 20, page = 4096;
    if (bytes < worth_it) return;
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
    ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // a wish: nothing depends on it
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
    constexpr std::int64_t piece = std::int64_t{4} << 20;
    if (bytes == 0) return;
    in_pieces(static_cast<std::int64_t>(bytes), piece, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                    static_cast<std::size_t>(end - begin));
    });
}

}  // namespace course
