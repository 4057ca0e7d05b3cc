// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kit/kit.hpp"

namespace course {

/// Copies the stub to work/NN-topic/ if that folder isn't there yet; true if it did. Never overwrites anything. If the
/// exercise has got another number or name since it was begun, the folder of then gets the name of now.
/// @throws FileError
bool make_work_folder(const Kit& kit, const Manifest& manifest);

/// Whether this is the patch of a planted answer, named with or without ".patch".
bool is_patch(const std::filesystem::path& path);

/// --from as the user means it, a folder or a patch: from here, else from the course's root. @throws UsageError
std::filesystem::path named_folder(const Kit& kit, const std::string& from);

/// Where an answer to look at lies: in the named folder, or without a name in work/, made if need be.
/// @throws UsageError, FileError
std::filesystem::path answer_folder(const Kit& kit, const Manifest& manifest, const std::string& from);

/// A sentence on files that were saved in exercises/ after those of the same name in work/, which alone are judged;
/// empty if there are none, or if they hold the same.
std::string saved_beside_work(const Kit& kit, const Manifest& manifest);

/// Puts the stub back; changed files are kept beside it as NAME.bak (or .bak2, ... if that is taken).
/// Returns the names of the copies. @throws FileError
std::vector<std::string> reset_work_folder(const Kit& kit, const Manifest& manifest);

/// Writes work/compile_commands.json and work/.clangd, by which editors read the files of work/, exercises/ and
/// solutions/ as the kit compiles them, unless they are as they should be: the kit may have moved. A .clangd of the
/// student's own is left alone. What can't be written is left out: an editor is never in the way of a verdict.
void refresh_editor_files(const Kit& kit) noexcept;

/// Makes a small exercise that works, and its solution's folder, from autograder/template. @throws FileError
void make_from_template(const Kit& kit, const ExerciseFolder& exercise, const std::filesystem::path& solution);

}  // namespace course
