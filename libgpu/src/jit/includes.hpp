// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// The text with its included files inserted, so that both backends get the same source, the cache's key covers the
/// files' contents, and errors name their own lines.
///
/// `#include "x.cuh"` is searched for in the including file's folder, in the folders that options name (-Ifolder,
/// --include-path=folder), and in the working folder; `#include <x.cuh>` only in those that options name. A line whose
/// file isn't found stays: it may be inactive, or name one of CUDA's headers.
/// @throws Error if files include each other without end or bring in more than 4 MB
[[nodiscard]] SourceText with_includes(const SourceText& source, const std::string& folder,
                                    const std::vector<std::string>& options);

/// The folders that compiler options name, in order.
[[nodiscard]] std::vector<std::string> include_folders(const std::vector<std::string>& options);

}  // namespace gpu::detail
