// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "verdict/verdict.hpp"

namespace course {

/// Writes the result's images into `folder`, as NAME.png, and notes in each where it lies, as it is shown from `root`.
/// What an earlier verdict has left there is removed first; other files stay. Makes no folder if there is nothing to
/// write.
/// @throws FileError if the folder can't be written to; those images that have a file by then are there.
void write_images(Result& result, const std::filesystem::path& folder, const std::filesystem::path& root);

}  // namespace course
