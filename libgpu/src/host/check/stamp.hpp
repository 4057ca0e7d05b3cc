// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// A stamp says when, by whom and where a cell of memory was accessed, in one word:
// block's serial (24 bits) | tick of the block's clock (16) | thread (10) | atomic (1) | site (13). 0: never.
namespace gpu::detail::host {

using Stamp = std::uint64_t;

inline constexpr int serial_shift = 40, tick_shift = 24, thread_shift = 14;
inline constexpr Stamp atomic_bit = Stamp{1} << 13;
inline constexpr Stamp site_mask = atomic_bit - 1;
inline constexpr Stamp thread_mask = Stamp{1023} << thread_shift;
inline constexpr Stamp serial_mask = ~Stamp{0} << serial_shift;
inline constexpr std::uint32_t last_tick = 0xffff;  // of no synchronisation, see under_way()
inline constexpr std::uint64_t last_serial = (std::uint64_t{1} << 24) - 1;

constexpr std::uint64_t serial_of(Stamp stamp) noexcept { return stamp >> serial_shift; }
constexpr std::uint32_t tick_of(Stamp stamp) noexcept {
    return static_cast<std::uint32_t>(stamp >> tick_shift) & 0xffff;
}
constexpr unsigned thread_of(Stamp stamp) noexcept { return static_cast<unsigned>(stamp >> thread_shift) & 1023; }
constexpr unsigned site_of(Stamp stamp) noexcept { return static_cast<unsigned>(stamp & site_mask); }
constexpr bool is_atomic(Stamp stamp) noexcept { return (stamp & atomic_bit) != 0; }
constexpr Stamp time_of(std::uint64_t serial, std::uint32_t tick) noexcept {
    return Stamp{serial} << serial_shift | Stamp{tick} << tick_shift;
}

/// In a cell that an asynchronous copy is reading or writing: no thread has this number at this tick, so whoever comes,
/// the copy's own thread as well, finds an access that it isn't behind. (Of 1024 threads one other does have it.)
constexpr Stamp under_way(std::uint64_t serial, unsigned thread, unsigned site) noexcept {
    return time_of(serial, last_tick) | Stamp{1023 - thread} << thread_shift | site;
}
constexpr bool is_under_way(Stamp stamp) noexcept { return tick_of(stamp) == last_tick; }
/// Of such a stamp: the thread whose copy it is.
constexpr unsigned copying_thread(Stamp stamp) noexcept { return 1023 - thread_of(stamp); }

/// What is known of some bytes of memory: who wrote them last, and two who have read them since.
struct Cell {
    Stamp write, read[2];
};

// Whose further reads of a cell change nothing and are no race: everybody's of a block or those of one warp at a
// moment, which is a stamp without thread and site; or everybody's in the launch that began with a stamp.
constexpr Stamp vetted_for_block(Stamp moment) noexcept { return moment; }
constexpr Stamp vetted_for_warp(Stamp moment, unsigned thread) noexcept { return moment + 1 + thread / 32; }
constexpr Stamp vetted_for_launch(Stamp floor) noexcept { return floor | site_mask; }

}  // namespace gpu::detail::host
