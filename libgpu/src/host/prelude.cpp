// SPDX-License-Identifier: MIT
#include "host/prelude.hpp"

#include <xxhash.h>

#include "host/abi.hpp"

namespace gpu::detail::host {

const std::vector<PreludeFile>& prelude_files() {
    static const auto* const files = new std::vector<PreludeFile>{
        {"libgpu/abi.hpp", text::abi},
        {"libgpu/types.hpp", text::types},
        {"libgpu/vectors.hpp", text::vectors},
        {"libgpu/math.hpp", text::math},
        {"libgpu/math_more.hpp", text::math_more},
        {"libgpu/atomics.hpp", text::atomics},
        {"libgpu/raw.hpp", text::raw},
        {"libgpu/sync.hpp", text::sync},
        {"libgpu/raw_loop.hpp", text::raw_loop},
        {"libgpu/raw_fiber.hpp", text::raw_fiber},
        {"libgpu/generated.hpp", text::generated},
    };
    return *files;
}

std::string prelude_fingerprint() {
    XXH64_hash_t hash = GPU_ABI;
    for (const PreludeFile& file : prelude_files()) hash = XXH64(file.text.data(), file.text.size(), hash);
    return std::to_string(hash);
}

}  // namespace gpu::detail::host
