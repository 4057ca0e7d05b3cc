// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/source.hpp>

#include "jit/includes.hpp"

namespace gpu::detail {

/// A source as backends get it: with the files that it includes in their places.
inline Snippet snippet_of(const Source& source, const std::vector<std::string>& options = {}) {
    return with_includes({source.text(), source.file(), source.line()}, source.folder(), options);
}

}  // namespace gpu::detail
