// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lessons/check_page.hpp"
#include "lessons/glossary.hpp"
#include "manifest/lesson.hpp"

namespace course {

/// What speaks against the order of the course: lessons that need missing or later ones; a lesson and its exercises
/// that don't name each other; an exercise that needs one of a lesson that its own lesson doesn't build upon; a term
/// that is introduced twice. An exercise may name a lesson that is yet to be written, beyond the last one.
std::vector<std::string> faults_of_order(const std::vector<Lesson>& lessons,
                                         const std::map<std::string, Manifest>& exercises, const Glossary& glossary);

Introductions introductions(const std::vector<Lesson>& lessons, const Glossary& glossary);

/// Lines in which a row is computed from threadIdx.x, or a column from threadIdx.y: x is the column everywhere. Looked
/// at are programs, kernels and the code blocks of pages below lessons/, exercises/ and solutions/, but no planted
/// answers, and no line or file with a comment that says "planted mistake" or "a thread per row".
std::vector<std::string> faults_of_columns(const std::filesystem::path& root);

/// The same, of one text.
std::vector<std::string> faults_of_columns(const std::string& name, const std::string& text);

}  // namespace course
