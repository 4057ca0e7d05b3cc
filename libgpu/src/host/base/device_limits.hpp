// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// What a launch on the host may ask for: as much as on a current GPU (compute capability 9.0), so that what runs here
/// runs there.
namespace gpu::detail::host::limits {

inline constexpr std::uint32_t grid_x = 2147483647, grid_yz = 65535;
inline constexpr std::uint32_t block_xy = 1024, block_z = 64, block_threads = 1024;

// Bytes of shared memory of a block: static arrays, and all of it where a launch doesn't ask for more; all that it may
// ask for.
inline constexpr std::size_t shared = std::size_t{48} << 10, max_shared = std::size_t{227} << 10;

// Of a multiprocessor.
inline constexpr int multiprocessor_threads = 2048, multiprocessor_blocks = 32;
inline constexpr std::size_t multiprocessor_shared = std::size_t{228} << 10;
inline constexpr std::size_t reserved_shared = 1024;   ///< bytes of it for each block

}  // namespace gpu::detail::host::limits
