// SPDX-License-Identifier: MIT
#pragma once

// What untrusted code may access: a description without any effect. Sandbox (sandbox.hpp) enforces it.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/separate_user.hpp"
#include "sandbox/syscall_filter.hpp"

namespace course {

/// Access rights to a file, or to everything below a folder.
enum class Access {
    read,     ///< read files, list folders
    run,      ///< that, and start programs
    own,      ///< `read`, and create, change and remove files and folders: never links, pipes or devices
    device,   ///< read, write, and use ioctl
};

struct PathRule {
    std::filesystem::path path;
    Access access;
    friend bool operator==(const PathRule&, const PathRule&) = default;
};

/// Everything that is allowed; the rest is refused.
struct Policy {
    std::vector<PathRule> paths;
    CallList calls = CallList::runner;
    bool forks = false; ///< processes may fork: a compiler that is a shell script does
    std::optional<SeparateUser> as = {};   ///< the user who may access the paths; none: the grader's own
};

/// What the kit's own programs and the compiler need on the machine, and what must stay hidden even below a system
/// folder, as a course in /opt.
struct Surroundings {
    std::vector<std::filesystem::path> readable;   ///< may be read and run
    std::vector<std::filesystem::path> hidden;     ///< the course, homes, other answers
    bool compiler_is_script = false;
};

/// The entries of a folder that aren't links; none if it can't be read.
using ListFolder = std::function<std::vector<std::filesystem::path>(const std::filesystem::path&)>;
std::vector<std::filesystem::path> entries_without_links(const std::filesystem::path& folder);

/// The folder, if it contains nothing hidden; otherwise those of its entries, at any depth, that contain nothing
/// hidden. Entries of hidden folders aren't included. Paths are canonical.
std::vector<std::filesystem::path> without_hidden(const std::filesystem::path& folder,
                                                  const std::vector<std::filesystem::path>& hidden,
                                                  const ListFolder& list = entries_without_links);

/// The rules that every program needs: the system's libraries and programs, and the parts of /dev, /etc and /proc that
/// reveal nothing about others. Folders that don't exist are skipped.
std::vector<PathRule> system_rules(const Surroundings& around);

/// The rules for a GPU's driver, on a machine that has one.
std::vector<PathRule> gpu_rules();

/// Hides this user's home and the folders of temporary files, and makes readable what LD_LIBRARY_PATH, CUDA_HOME,
/// CUDA_PATH, COURSE_SANDBOX_READ and libgpu's own variables name.
Surroundings surroundings_of_environment();

}  // namespace course
