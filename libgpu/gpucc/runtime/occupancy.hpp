// SPDX-License-Identifier: MIT
#pragma once

// How many blocks of a kernel a multiprocessor of compute capability 9.0 works on at once, by CUDA's own rules.

#include <algorithm>
#include <cstddef>

#include "gpucc/seam/seam.hpp"

namespace gpucc {

inline constexpr std::size_t shared_unit = 128;       ///< shared memory is handed out by these

/// What a block needs of a multiprocessor.
struct BlockNeeds {
    int threads = 1;         ///< 1 or more
    int registers = 0;       ///< of each thread
    std::size_t shared = 0;  ///< bytes of shared memory, static and dynamic
};

/// 0 if there is no room for even one.
[[nodiscard]] constexpr int blocks_at_once(const BlockNeeds& needs) {
    namespace limits = gpu::detail::host::limits;
    if (needs.threads > static_cast<int>(limits::block_threads)) return 0;
    const int warps = (needs.threads + 31) / 32;
    int blocks = std::min(limits::multiprocessor_blocks, limits::multiprocessor_threads / 32 / warps);
    if (needs.registers > 0) {
        constexpr int quarters = 4, of_quarter = 65536 / quarters;  // a warp's registers lie in one of them
        const int of_warp = (32 * needs.registers + 255) / 256 * 256;
        blocks = std::min(blocks, quarters * (of_quarter / of_warp) / warps);
    }
    const std::size_t of_block = (needs.shared + limits::reserved_shared + shared_unit - 1) / shared_unit * shared_unit;
    return static_cast<int>(std::min(static_cast<std::size_t>(blocks), limits::multiprocessor_shared / of_block));
}

/// The block size with the most threads at once, of up to `limit`; the largest of several. 0 threads if no block fits.
struct SuggestedBlock {
    int threads = 0, blocks = 0;
};
template <class BlocksOf>
[[nodiscard]] SuggestedBlock suggested_block(int limit, const BlocksOf& blocks_of) {
    SuggestedBlock best;
    constexpr int all = gpu::detail::host::limits::block_threads;
    const int largest = limit > 0 ? std::min(limit, all) : all;
    for (int whole = (largest + 31) / 32 * 32; whole > 0; whole -= 32) {
        const int threads = std::min(whole, largest), blocks = blocks_of(threads);
        if (threads * blocks > best.threads * best.blocks) best = {threads, blocks};
    }
    return best;
}

}  // namespace gpucc
