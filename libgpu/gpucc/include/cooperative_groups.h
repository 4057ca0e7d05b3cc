// SPDX-License-Identifier: MIT
#pragma once

// The names of CUDA's groups, for the host's half of a program: kernels get what they do from libgpu.
namespace cooperative_groups {
class grid_group;
class thread_block;
class coalesced_group;
class thread_group;
template <unsigned int Size, class Parent = void>
class thread_block_tile;
}  // namespace cooperative_groups
