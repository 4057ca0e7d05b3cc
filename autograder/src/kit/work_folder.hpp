// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kit/kit.hpp"

namespace course {

/// Copies the stub to work/NN-topic/ if that folder doesn't exist yet; true if it did. Never overwrites anything. If
/// the exercise's number or name has changed since it was begun, renames the old folder.
/// @throws FileError
bool make_work_folder(const Kit& kit, const Manifest& manifest);

/// True for the patch of a planted answer, named with or without ".patch".
bool is_patch(const std::filesystem::path& path);

/// The meaning of --from, a folder or a patch: relative to here, otherwise to the course's root. @throws UsageError
std::filesystem::path named_folder(const Kit& kit, const std::string& from);

/// The folder of the answer to look at: the named one or, without a name, the one in work/, created if need be.
/// @throws UsageError, FileError
std::filesystem::path answer_folder(const Kit& kit, const Manifest& manifest, const std::string& from);

/// A sentence about files in exercises/ that were saved after those of the same name in work/, since only the latter
/// are judged; empty if there are none, or if they are equal.
std::string saved_beside_work(const Kit& kit, const Manifest& manifest);

/// Restores the stub; changed files are kept next to it as NAME.bak (or .bak2, ... if that is taken).
/// Returns the names of the copies. @throws FileError
std::vector<std::string> reset_work_folder(const Kit& kit, const Manifest& manifest);

/// Writes work/compile_commands.json and work/.clangd, with which editors read the files of work/, exercises/ and
/// solutions/ as the kit compiles them, unless they are up to date: the kit may have moved. A .clangd of the student's
/// own is left alone. Ignores write errors: an editor never blocks a verdict.
void refresh_editor_files(const Kit& kit) noexcept;

/// Creates a small working exercise, and its solution's folder, from autograder/template. @throws FileError
void make_from_template(const Kit& kit, const ExerciseFolder& exercise, const std::filesystem::path& solution);

}  // namespace course
