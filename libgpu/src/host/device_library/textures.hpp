// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/backend.hpp"
#include "host/base/abi.hpp"

namespace gpu::detail::host {

/// A texture of this process's kernels, until it is ended: the handle that they know it by. `texels` lie densely in
/// row-major order, and stay there. @throws Error if there are too many
std::uint64_t begin_texture(const TextureLayout& layout, void* texels);

struct EndedTexture {
    void* texels = nullptr;
    std::size_t bytes = 0;
};
/// No kernel may still read it.
EndedTexture end_texture(std::uint64_t handle) noexcept;

/// Which texels a kernel's call reads, after the CUDA C++ Programming Guide's "Texture Fetching". Null, or what is
/// wrong with the call.
const char* find_texels(const gpu_fetch* fetch, gpu_texels* texels) noexcept;

}  // namespace gpu::detail::host
