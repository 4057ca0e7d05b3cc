// SPDX-License-Identifier: MIT
#include "support/digest.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace course {

std::string digest(std::string_view bytes) {
    const XXH128_hash_t value = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{:016x}{:016x}", value.high64, value.low64);
}

}  // namespace course
