// SPDX-License-Identifier: MIT
#include "sandbox/policy.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace fs = std::filesystem;

namespace course {

namespace {

// Where systems install libraries, compilers and drivers. /run/opengl-driver is NixOS's place for libcuda.
constexpr const char* system_folders[] = {"/usr",  "/bin",  "/sbin",  "/lib",      "/lib32",     "/lib64",
                                          "/opt",  "/libx32", "/nix/store", "/gnu/store", "/cvmfs",
                                          "/run/opengl-driver"};
constexpr const char* readable_files[] = {"/etc/ld.so.cache", "/proc", "/sys/devices/system"};

bool is_inside(const fs::path& path, const fs::path& folder) {   // or the folder itself
    const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    static_cast<void>(in_path);
    return in_folder == folder.end();
}

/// Empty if it doesn't exist.
fs::path real_path(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::canonical(path, error);
    return error ? fs::path() : real;
}

std::vector<fs::path> real_paths(const std::vector<fs::path>& paths) {
    std::vector<fs::path> real;
    for (const fs::path& path : paths)
        if (fs::path one = real_path(path); !one.empty()) real.push_back(std::move(one));
    return real;
}

std::vector<fs::path> folders_in(std::string_view list) {
    std::vector<fs::path> folders;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(':'), list.size());
        if (list.starts_with('/')) folders.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return folders;
}

}  // namespace

std::vector<fs::path> entries_without_links(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (!entry.is_symlink(error)) entries.push_back(entry.path());
    return entries;
}

std::vector<fs::path> without_hidden(const fs::path& folder, const std::vector<fs::path>& hidden,
                                     const ListFolder& list) {
    const auto hides_it = [&](const fs::path& one) { return is_inside(folder, one); };
    if (std::any_of(hidden.begin(), hidden.end(), hides_it)) return {};
    const auto lies_in_it = [&](const fs::path& one) { return is_inside(one, folder); };
    if (std::none_of(hidden.begin(), hidden.end(), lies_in_it)) return {folder};
    std::vector<fs::path> all;
    for (const fs::path& entry : list(folder))
        for (fs::path& one : without_hidden(entry, hidden, list)) all.push_back(std::move(one));
    return all;
}

std::vector<PathRule> system_rules(const Surroundings& around) {
    std::vector<fs::path> hidden = real_paths(around.hidden);
    std::erase(hidden, fs::path("/"));   // a home of "/" can't be hidden
    std::vector<PathRule> rules;
    for (const char* name : system_folders)
        if (const fs::path folder = real_path(name); !folder.empty())
            for (fs::path& one : without_hidden(folder, hidden)) rules.push_back({std::move(one), Access::run});
    for (const fs::path& one : real_paths(around.readable)) rules.push_back({one, Access::run});
    for (const char* name : readable_files) rules.push_back({name, Access::read});
    rules.push_back({"/dev/null", Access::device});
    std::erase_if(rules, [](const PathRule& rule) { return ::access(rule.path.c_str(), F_OK) != 0; });
    // /bin is /usr/bin on most systems: one rule suffices.
    std::vector<PathRule> unique;
    for (PathRule& rule : rules)
        if (std::find(unique.begin(), unique.end(), rule) == unique.end()) unique.push_back(std::move(rule));
    return unique;
}

std::vector<PathRule> gpu_rules() {
    std::vector<PathRule> rules{{"/sys", Access::read}};
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/dev", error)) {
        const std::string name = entry.path().filename().string();
        // dxg is a GPU's device under Windows; nvmap and nvhost-* are those of embedded boards.
        if (name.starts_with("nvidia") || name.starts_with("nvhost") || name == "nvmap" || name == "dxg")
            rules.push_back({entry.path(), Access::device});
    }
    return rules;
}

Surroundings surroundings_of_environment() {
    Surroundings around;
    for (const char* name : {"HOME", "TMPDIR"})
        if (const char* value = std::getenv(name); value != nullptr && *value == '/') around.hidden.emplace_back(value);
    around.hidden.insert(around.hidden.end(), {"/home", "/root", "/tmp", "/var"});
    for (char** entry = ::environ; *entry != nullptr; ++entry) {
        const std::string_view variable = *entry, name = variable.substr(0, variable.find('='));
        const bool is_path = name == "LD_LIBRARY_PATH" || name == "CUDA_HOME" || name == "CUDA_PATH" ||
                             name == "COURSE_SANDBOX_READ" ||
                             (name.starts_with("LIBGPU_") && name != "LIBGPU_CACHE_DIR" && name != "LIBGPU_DUMP");
        if (!is_path || name.size() == variable.size()) continue;
        std::error_code error;
        for (const fs::path& path : folders_in(variable.substr(name.size() + 1)))   // a library needs others next to it
            around.readable.push_back(fs::is_regular_file(path, error) ? path.parent_path() : path);
    }
    return around;
}

}  // namespace course
