// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace course {

/// A user that owns nothing but its process's folders, and that nobody else uses.
struct SeparateUser {
    uid_t user = 0;
    gid_t group = 0;
    friend bool operator==(const SeparateUser&, const SeparateUser&) = default;
};

/// The range that numbers are drawn from: systemd reserves it for transient users.
constexpr std::uint32_t first_separate_id = 61184, last_separate_id = 65519;

/// True if this process is root, with the rights to start processes as other users, to kill them, and to read their
/// memory use. Determined once, on the first call.
bool can_separate_users();

/// True if all of these numbers exist here; `map` is /proc/self/uid_map, each line of which gives the first user inside
/// the namespace, the first one outside, and their number. Pure.
bool maps_separate_ids(std::string_view map) noexcept;

/// Draws users that no running process has, in a group that only they share.
std::vector<SeparateUser> draw_separate_users(std::size_t count);

/// True if that user can read the path and traverse every folder above it.
bool is_open_to(const SeparateUser& user, const std::filesystem::path& path);

/// Gives the folder to that user alone. @throws std::system_error
void give_folder(const SeparateUser& user, const std::filesystem::path& folder);

/// Lets that group traverse the folder; only its owner can list it. @throws std::system_error
void let_pass(gid_t group, const std::filesystem::path& folder);

}  // namespace course
