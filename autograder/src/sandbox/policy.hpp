// SPDX-License-Identifier: MIT
#pragma once

// What code that isn't trusted may touch: a description, without any effect. Sandbox (sandbox.hpp) puts it in force.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/separate_user.hpp"
#include "sandbox/syscall_filter.hpp"

namespace course {

/// What may be done with a file, or with all that lies below a folder.
enum class Access {
    read,     ///< files are read, folders listed
    run,      ///< that, and programs started
    own,      ///< that of `read`, and files and folders made, changed and removed: never links, pipes or devices
    device,   ///< read, written, and asked by ioctl
};

struct PathRule {
    std::filesystem::path path;
    Access access;
    friend bool operator==(const PathRule&, const PathRule&) = default;
};

/// All that is allowed; what isn't named is refused.
struct Policy {
    std::vector<PathRule> paths;
    CallList calls = CallList::runner;
    bool forks = false; ///< processes may copy themselves: a compiler that is a shell script does
    std::optional<SeparateUser> as = {};   ///< to whom the paths are open; none: the grader's own
};

/// What of the machine the kit's own programs and the compiler need, and what must stay hidden even where it lies below
/// a folder of the system's, as a course below /opt does.
struct Surroundings {
    std::vector<std::filesystem::path> readable;   ///< read and run
    std::vector<std::filesystem::path> hidden;     ///< the course, homes, other answers
    bool compiler_is_script = false;
};

/// The entries of a folder that aren't links; none if it can't be read.
using ListFolder = std::function<std::vector<std::filesystem::path>(const std::filesystem::path&)>;
std::vector<std::filesystem::path> entries_without_links(const std::filesystem::path& folder);

/// The folder, if nothing hidden lies in it; else those of its entries, however deep, that contain nothing hidden. What
/// lies in something hidden is none of them. Paths are canonical.
std::vector<std::filesystem::path> without_hidden(const std::filesystem::path& folder,
                                                  const std::vector<std::filesystem::path>& hidden,
                                                  const ListFolder& list = entries_without_links);

/// The rules for what every program needs: the system's libraries and programs, and what of /dev, /etc and /proc tells
/// nothing about others. Folders that don't exist are left out.
std::vector<PathRule> system_rules(const Surroundings& around);

/// The rules for a GPU's driver, on a machine that has one.
std::vector<PathRule> gpu_rules();

/// This user's home and the folders of temporary files are hidden, and what LD_LIBRARY_PATH, CUDA_HOME, CUDA_PATH,
/// COURSE_SANDBOX_READ and libgpu's own variables name is readable.
Surroundings surroundings_of_environment();

}  // namespace course
