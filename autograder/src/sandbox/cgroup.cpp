// SPDX-License-Identifier: MIT
#include "sandbox/cgroup.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "support/files.hpp"
#include "support/process.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::string_view name_begin = "course-";

bool has_word(std::string_view text, char separator, std::string_view word) {
    const std::vector<std::string> words = split(text, separator);
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// A cgroup's path from /proc/self/cgroup as a folder; `root` is the part of the hierarchy that is mounted.
fs::path folder_of(const std::string& path, const std::string& root, const std::string& mounted) {
    const std::string below = root == "/" ? "" : root;
    const bool is_below = path == below || path.starts_with(below + "/");
    if (!is_below || path.starts_with("/..")) return {};
    return mounted + (path == "/" ? "" : path.substr(below.size()));
}

/// The text without its final newline; empty if it can't be read.
std::string text_of(const fs::path& file) {
    try {
        std::string text = read_file(file);
        if (text.ends_with('\n')) text.pop_back();
        return text;
    } catch (const FileError&) {
        return {};
    }
}

/// Process numbers are meaningful only within their namespace.
std::string namespace_of_processes() {
    struct stat info {};
    return ::stat("/proc/self/ns/pid", &info) == 0 ? std::to_string(info.st_ino) : "0";
}

/// "course-4026531836-812-99120-3": the creator's namespace, process number and start time.
std::string new_name() {
    static std::atomic<unsigned> count = 0;
    return fmt::format("{}{}-{}-{}-{}", name_begin, namespace_of_processes(), ::getpid(), stat_of(::getpid()).begin,
                       count++);
}

bool is_left_over(const std::string& name) {
    const std::vector<std::string> parts = split(name, '-');
    return parts.size() == 5 && name.starts_with(name_begin) && parts[1] == namespace_of_processes() &&
           std::to_string(stat_of(std::atoi(parts[2].c_str())).begin) != parts[3];
}

void write_setting(const fs::path& file, std::string_view text) {
    const UniqueFd open(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (!open || ::write(open.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
}

/// If the kernel doesn't have the setting, there is nothing to set.
void write_setting_if_there(const fs::path& file, std::string_view text) {
    if (::access(file.c_str(), F_OK) == 0) write_setting(file, text);
}

bool remove_group(const fs::path& folder) noexcept {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    for (;;) {
        if (::rmdir(folder.c_str()) == 0 || errno == ENOENT) return true;
        if (errno != EBUSY || std::chrono::steady_clock::now() > end) return false;
        try {
            for (const std::string& process : split(read_file(folder / "cgroup.procs"), '\n'))
                if (const int number = std::atoi(process.c_str()); number > 0) ::kill(number, SIGKILL);
        } catch (const std::exception&) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

bool can_write(const fs::path& path) noexcept { return ::access(path.c_str(), W_OK) == 0; }

/// The nearest folder from `own` upwards in which groups get memory limits and whose processes may be moved.
fs::path folder_that_delegates(const fs::path& own, const fs::path& top) {
    for (fs::path folder = own;; folder = folder.parent_path()) {
        const bool hands_on = has_word(text_of(folder / "cgroup.subtree_control"), ' ', "memory");
        if (hands_on && can_write(folder) && can_write(folder / "cgroup.procs")) return folder;
        if (folder == top || folder == folder.root_path()) return {};
    }
}

CgroupPlaces find_usable() {
    fs::path top;
    CgroupPlaces places = own_cgroups(text_of("/proc/self/cgroup"), text_of("/proc/self/mountinfo"), &top);
    if (places.version == 2) places.memory = folder_that_delegates(places.memory, top);
    if (places.memory.empty() || !can_write(places.memory)) return {};
    if (!places.pids.empty() && !can_write(places.pids)) places.pids.clear();
    try {
        remove_left_over_cgroups(places);
        const Cgroup tried(places, {.memory_bytes = std::size_t{1} << 30, .processes = 64});
        return places;
    } catch (const std::system_error&) {
        return {};
    }
}

}  // namespace

CgroupPlaces own_cgroups(std::string_view cgroups, std::string_view mounts, fs::path* top) {
    CgroupPlaces first, second;
    fs::path second_top;
    for (const std::string& mount : split(mounts, '\n')) {   // 36 35 0:30 ROOT FOLDER OPTIONS ... - TYPE SOURCE OPTIONS
        const std::size_t dash = mount.find(" - ");
        if (dash == mount.npos) continue;
        const std::vector<std::string> place = split(std::string_view(mount).substr(0, dash), ' ');
        const std::vector<std::string> kind = split(std::string_view(mount).substr(dash + 3), ' ');
        if (place.size() < 5 || kind.size() < 3) continue;
        for (const std::string& line : split(cgroups, '\n')) {   // 4:memory:/path, or 0::/path
            const std::size_t colon = line.find(':'), path = line.find(':', colon + 1);
            if (colon == line.npos || path == line.npos) continue;
            const std::string_view controllers = std::string_view(line).substr(colon + 1, path - colon - 1);
            const auto is_of = [&](const char* one) {
                return kind[0] == "cgroup" && has_word(controllers, ',', one) && has_word(kind[2], ',', one);
            };
            const fs::path folder = folder_of(line.substr(path + 1), place[3], place[4]);
            if (is_of("memory") && first.memory.empty()) first.memory = folder;
            if (is_of("pids") && first.pids.empty()) first.pids = folder;
            if (kind[0] == "cgroup2" && controllers.empty() && second.memory.empty()) {
                second.memory = folder;
                second_top = place[4];
            }
        }
    }
    if (top != nullptr) *top = second_top;
    if (!first.memory.empty()) return first.version = 1, first;
    if (!second.memory.empty()) return second.version = 2, second;
    return {};
}

const CgroupPlaces& usable_cgroups() {
    static const CgroupPlaces places = find_usable();
    return places;
}

void remove_left_over_cgroups(const CgroupPlaces& places) {
    for (const fs::path& place : {places.memory, places.pids}) {
        if (place.empty()) continue;
        std::vector<fs::path> left_over;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(place, error))
            if (is_left_over(entry.path().filename().string())) left_over.push_back(entry.path());
        for (const fs::path& folder : left_over) remove_group(folder);
    }
}

Cgroup::Cgroup(const CgroupPlaces& places, const Limits& limits) {
    try {
        make(places, limits);
        signal_cleanup_.emplace([this] { remove(); });
    } catch (...) {
        remove();
        throw;
    }
}

Cgroup::~Cgroup() { remove(); }

void Cgroup::make(const CgroupPlaces& places, const Limits& limits) {
    const std::string name = new_name();
    for (const fs::path& place : {places.memory, places.pids}) {
        if (place.empty()) continue;
        const fs::path folder = place / name;
        if (::mkdir(folder.c_str(), 0755) != 0)
            throw std::system_error(errno, std::generic_category(), "cannot make the cgroup " + folder.string());
        folders_.push_back(folder);
        doors_.emplace_back(::open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
        if (!doors_.back())
            throw std::system_error(errno, std::generic_category(), "cannot use the cgroup " + folder.string());
    }
    const std::string bytes = std::to_string(limits.memory_bytes), processes = std::to_string(limits.processes);
    const fs::path& memory = folders_.front();
    events_ = memory / (places.version == 1 ? "memory.oom_control" : "memory.events");
    if (places.version == 1) {
        write_setting(memory / "memory.limit_in_bytes", bytes);
        write_setting_if_there(memory / "memory.memsw.limit_in_bytes", bytes);   // including swap
        write_setting_if_there(memory / "memory.swappiness", "0");
    } else {
        write_setting(memory / "memory.max", bytes);
        write_setting_if_there(memory / "memory.swap.max", "0");
        write_setting_if_there(memory / "memory.oom.group", "1");   // kill the whole group at once
    }
    write_setting_if_there(folders_.back() / "pids.max", processes);
}

// The process lists are closed later: a group may be removed while they are open.
void Cgroup::remove() noexcept {
    for (const fs::path& folder : folders_) remove_group(folder);
}

bool Cgroup::enter() const noexcept {
    return std::all_of(doors_.begin(), doors_.end(),
                       [](const UniqueFd& door) { return ::write(door.get(), "0", 1) == 1; });
}

bool Cgroup::ran_out_of_memory() const noexcept {
    try {
        const std::string text = text_of(events_);
        const std::size_t at = text.find("\noom_kill ");
        return at != text.npos && std::atoi(text.c_str() + at + 10) > 0;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace course
