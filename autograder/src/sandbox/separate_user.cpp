// SPDX-License-Identifier: MIT
#include "sandbox/separate_user.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include <linux/capability.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

// /proc requires PTRACE for access to another user's memory.
constexpr unsigned needed_capabilities[] = {CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_FOWNER,  CAP_KILL,
                                            CAP_SETGID, CAP_SETUID,       CAP_SETPCAP, CAP_SYS_PTRACE};

bool has_needed_capabilities() noexcept {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2]{};
    if (::syscall(SYS_capget, &header, sets) != 0) return false;
    for (const unsigned one : needed_capabilities)
        if ((sets[0].effective & 1u << one) == 0) return false;
    return true;
}

bool maps_all() {
    try {
        return maps_separate_ids(course::read_file("/proc/self/uid_map")) &&
               maps_separate_ids(course::read_file("/proc/self/gid_map"));
    } catch (const FileError&) {
        return false;
    }
}

std::set<uid_t> users_of_processes() {
    std::set<uid_t> users;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        struct stat info {};
        if (::stat(entry.path().c_str(), &info) == 0) users.insert(info.st_uid);
    }
    return users;
}

std::uint32_t draw_id() {
    std::uint32_t number = 0;
    while (::getrandom(&number, sizeof number, 0) != sizeof number) {}
    return first_separate_id + number % (last_separate_id - first_separate_id + 1);
}

mode_t bits_for(const SeparateUser& user, const struct stat& info) noexcept {
    if (info.st_uid == user.user) return info.st_mode >> 6;
    return info.st_gid == user.group ? info.st_mode >> 3 : info.st_mode;
}

}  // namespace

bool maps_separate_ids(std::string_view map) noexcept {
    while (!map.empty()) {
        const std::string_view line = map.substr(0, map.find('\n'));
        map.remove_prefix(std::min(line.size() + 1, map.size()));
        std::uint64_t numbers[3]{};
        const char* at = line.data();
        const char* const end = at + line.size();
        for (std::uint64_t& number : numbers) {
            while (at != end && *at == ' ') ++at;
            at = std::from_chars(at, end, number).ptr;
        }
        if (numbers[0] <= first_separate_id && last_separate_id < numbers[0] + numbers[2]) return true;
    }
    return false;
}

bool can_separate_users() {
    static const bool can = ::geteuid() == 0 && has_needed_capabilities() && maps_all();
    return can;
}

std::vector<SeparateUser> draw_separate_users(std::size_t count) {
    std::set<uid_t> taken = users_of_processes();
    const gid_t group = draw_id();
    std::vector<SeparateUser> users;
    while (users.size() < count)
        if (const uid_t user = draw_id(); taken.insert(user).second) users.push_back({user, group});
    return users;
}

bool is_open_to(const SeparateUser& user, const fs::path& path) {
    constexpr mode_t pass = 1, read = 4;
    const fs::path whole = fs::absolute(path);
    for (fs::path one = whole;; one = one.parent_path()) {
        struct stat info {};
        if (::stat(one.c_str(), &info) != 0) return false;
        const mode_t wanted = (one == whole ? read : 0) | (S_ISDIR(info.st_mode) ? pass : 0);
        if ((bits_for(user, info) & wanted) != wanted) return false;
        if (one == one.root_path()) return true;
    }
}

void give_folder(const SeparateUser& user, const fs::path& folder) {
    if (::chmod(folder.c_str(), 0700) != 0) throw_errno(("chmod of " + folder.string()).c_str());
    if (::lchown(folder.c_str(), user.user, user.group) != 0) throw_errno(("chown of " + folder.string()).c_str());
}

void let_pass(gid_t group, const fs::path& folder) {
    if (::lchown(folder.c_str(), static_cast<uid_t>(-1), group) != 0)
        throw_errno(("chown of " + folder.string()).c_str());
    if (::chmod(folder.c_str(), 0710) != 0) throw_errno(("chmod of " + folder.string()).c_str());
}

}  // namespace course
