// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace course {

/// A user that owns nothing but its process's folders, and is nobody else's.
struct SeparateUser {
    uid_t user = 0;
    gid_t group = 0;
    friend bool operator==(const SeparateUser&, const SeparateUser&) = default;
};

/// The numbers that are drawn from: those that systemd keeps for users of the moment.
constexpr std::uint32_t first_separate_id = 61184, last_separate_id = 65519;

/// True if this process is root, with the rights to start others as other users, to end them, and to see what memory
/// they take. Looks once, at the first call.
bool can_separate_users();

/// True if all of these numbers exist here; `map` is /proc/self/uid_map: where a namespace's users begin, where they
/// begin outside, and how many there are, in each line. Pure.
bool maps_separate_ids(std::string_view map) noexcept;

/// Users of no running process, in a group that they alone share.
std::vector<SeparateUser> draw_separate_users(std::size_t count);

/// True if that user can read the path, and pass every folder above it.
bool is_open_to(const SeparateUser& user, const std::filesystem::path& path);

/// The folder is then that user's alone. @throws std::system_error
void give_folder(const SeparateUser& user, const std::filesystem::path& folder);

/// The folder can then be passed by that group, and listed by nobody but its owner. @throws std::system_error
void let_pass(gid_t group, const std::filesystem::path& folder);

}  // namespace course
