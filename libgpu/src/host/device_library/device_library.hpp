// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/backend.hpp"
#include "host/base/abi.hpp"

namespace gpu::detail::host {

/// CUDA's initial cudaLimitMallocHeapSize.
inline constexpr std::size_t device_heap_bytes = std::size_t{8} << 20;

/// For the kernels' malloc() and new: a piece of this process's heap for kernels. It lasts until it is freed, by this
/// launch or another. Null if not enough is left.
void* allocate_in_kernel(unsigned long long bytes) noexcept;
/// False: no allocated piece begins there. Null is accepted.
bool release_in_kernel(void* data) noexcept;

/// True for any address that a piece may have.
[[nodiscard]] bool is_on_kernels_heap(const void* address) noexcept;

/// How much of the heap a piece of this size takes.
constexpr std::size_t heap_piece(std::size_t bytes) { return bytes < 16 ? 16 : (bytes + 15) / 16 * 16; }

/// Advances the five words of Marsaglia's xorwow generator by `n` steps, or by `n` times 2^67 steps: the distance of
/// cuRAND's subsequences. (Its sixth word is a plain counter.)
void skip_xorwow(unsigned* words, unsigned long long n, bool sequences) noexcept;

/// What a texture's layout doesn't say: programs of CUDA have it.
struct TextureRows {
    std::size_t pitch = 0;  ///< bytes from one row to the next
    TextureAddressing along_y = TextureAddressing::clamp;
};
/// Registers a texture for this process's kernels, until it is ended, and returns their handle for it. `texels` stay
/// there, in row-major order. @throws Error if there are too many
std::uint64_t begin_texture(const TextureLayout& layout, void* texels, const TextureRows& rows);
/// The same for texels that are dense, and addressed alike along both axes.
std::uint64_t begin_texture(const TextureLayout& layout, void* texels);

struct EndedTexture {
    void* texels = nullptr;
    std::size_t bytes = 0;
};
/// No kernel may still be reading it.
EndedTexture end_texture(std::uint64_t handle) noexcept;

/// The texels that a kernel's call reads, after the CUDA C++ Programming Guide's "Texture Fetching". Null, or what is
/// wrong with the call.
const char* find_texels(const gpu_fetch* fetch, gpu_texels* texels) noexcept;

}  // namespace gpu::detail::host
