// SPDX-License-Identifier: MIT
#pragma once

#include "kit/kit.hpp"

namespace course {

/// Writes work/compile_commands.json and work/.clangd, by which editors read the files of work/, exercises/ and
/// solutions/ as the kit compiles them, unless they are as they should be: the kit may have moved. A .clangd of the
/// student's own is left alone. What can't be written is left out: an editor is never in the way of a verdict.
void refresh_editor_files(const Kit& kit) noexcept;

}  // namespace course
