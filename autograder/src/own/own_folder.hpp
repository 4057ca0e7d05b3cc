// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "own/signature.hpp"

namespace course {

/// The files of a folder by which a port is judged, and those of the port as it is given: by their names.
struct OwnFiles {
    std::map<std::string, std::string> check, port;
};

/// What the templates make of a function. Pure, but for reading them.
/// @param templates autograder/template/own
/// @param text the CPU version: the file that own_function() read
/// @param file its name, for the compiler's messages
/// @throws FileError
OwnFiles own_files(const std::filesystem::path& templates, const OwnFunction& function, const std::string& text,
                   const std::string& file);

}  // namespace course
