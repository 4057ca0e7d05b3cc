// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace course {

/// Calls work(begin, end) for the pieces of [0, count) on several threads, and waits for all of them. The pieces don't
/// depend on the number of threads, nor on which thread takes which; a single piece is done by the caller's own.
/// Rethrows what the first piece that failed has thrown.
/// @param threads 0: as many as this program may use
void in_pieces(std::int64_t count, std::int64_t piece, const std::function<void(std::int64_t, std::int64_t)>& work,
               int threads = 0);

/// Asks for large pages for a fresh buffer that is worth it: touching it first costs less.
void prefer_large_pages(void* data, std::size_t bytes) noexcept;

/// memcpy, by several threads where it pays: these touch a fresh buffer's pages first.
void copy_bytes(void* to, const void* from, std::size_t bytes);

}  // namespace course
