// SPDX-License-Identifier: MIT
#include "kit/kit.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/collect.hpp"
#include "kit_config.hpp"

namespace fs = std::filesystem;

namespace course {

ExerciseFolder Kit::find(int number) const {
    std::vector<std::string> others;
    for (const ExerciseFolder& folder : exercise_folders(root)) {
        if (folder.number == number) return folder;
        others.push_back(fmt::format("{} {}", folder.number, folder.name));
    }
    if (others.empty()) throw UsageError(fmt::format("there are no exercises in {}", (root / "exercises").string()));
    throw UsageError(fmt::format("exercise {} is not in this edition; it has: {}", number, fmt::join(others, ", ")));
}

std::string Kit::command() const { return shown_path(toolchain.program_dir / "course", root); }

fs::path find_root(const std::string& named) {
    const auto is_root = [](const fs::path& path) {
        std::error_code error;
        return fs::is_directory(path / "exercises", error);
    };
    const auto checked = [&](const std::string& path, const char* source) {
        if (!is_root(path)) throw UsageError(fmt::format("{} {}: there is no folder exercises in it", source, path));
        return fs::canonical(path);
    };
    if (!named.empty()) return checked(named, "--root");
    const char* variable = std::getenv("COURSE_ROOT");
    if (variable && *variable) return checked(variable, "COURSE_ROOT");
    std::error_code error;
    for (fs::path path = fs::current_path(error); !error; path = path.parent_path()) {
        if (is_root(path)) return path;
        if (path == path.root_path()) break;
    }
    return checked(kit::source_dir, "the kit's folder");
}

}  // namespace course
