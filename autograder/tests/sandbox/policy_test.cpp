// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "sandbox/landlock.hpp"
#include "sandbox/policy.hpp"
#include "support/folder.hpp"

using namespace course;
namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

namespace {

Paths listed(const fs::path& folder) {
    static const std::map<std::string, Paths> tree{{"/opt", {"/opt/cuda", "/opt/course", "/opt/notes"}},
                                                   {"/opt/course", {"/opt/course/bin", "/opt/course/exercises"}}};
    const auto found = tree.find(folder.string());
    return found == tree.end() ? Paths() : found->second;
}

}  // namespace

TEST_CASE("a folder that hides nothing is allowed as a whole, one that does entry by entry") {
    CHECK(without_hidden("/opt", {"/home", "/optional"}, listed) == Paths{"/opt"});
    CHECK(without_hidden("/opt", {"/opt/course"}, listed) == Paths{"/opt/cuda", "/opt/notes"});
    CHECK(without_hidden("/opt", {"/opt/course/exercises", "/opt/notes"}, listed) ==
          Paths{"/opt/cuda", "/opt/course/bin"});
    CHECK(without_hidden("/opt", {"/opt"}, listed).empty());
    CHECK(without_hidden("/opt/course/bin", {"/opt/course"}, listed).empty());
}

TEST_CASE("a link beside the hidden folder doesn't lead into it") {
    const test::Folder folder;
    folder.write("course/check.cpp", "");
    folder.write("cuda/libcudart.so", "");
    fs::create_symlink(folder / "course", folder / "latest");
    CHECK(without_hidden(folder.path(), {folder / "course"}) == Paths{folder / "cuda"});
}

TEST_CASE("the system's folders are run, this machine's secrets aren't among them") {
    const std::vector<PathRule> rules = system_rules({.readable = {}, .hidden = {}});
    const auto has = [&](const char* path, Access access) {
        return std::find(rules.begin(), rules.end(), PathRule{path, access}) != rules.end();
    };
    CHECK(has("/usr", Access::run));
    CHECK(has("/proc", Access::read));
    CHECK(has("/dev/null", Access::device));
    for (const PathRule& rule : rules)
        for (const char* secret : {"/", "/etc", "/home", "/root", "/tmp", "/var", "/dev", "/run"})
            CHECK(rule.path != secret);
}

TEST_CASE("rights are those that the kernel's Landlock knows, and a file has none of a folder's") {
    CHECK(landlock_rights(Access::read, 1, true) == 0b1100);
    CHECK(landlock_rights(Access::read, 7, false) == 0b100);
    CHECK(landlock_rights(Access::run, 7, false) == 0b101);
    CHECK((landlock_rights(Access::own, 2, true) >> 14) == 0);       // truncation came with 3
    CHECK((landlock_rights(Access::own, 3, true) >> 14) == 1);
    CHECK((landlock_rights(Access::own, 7, true) & (0b1111111u << 6)) == (1u << 7 | 1u << 8));   // folders, files
    CHECK(landlock_rights(Access::device, 4, false) == (0b110u | 1u << 14));
    CHECK(landlock_rights(Access::device, 5, false) == (0b110u | 1u << 14 | 1u << 15));
}

TEST_CASE("what the environment names can be read; homes are hidden") {
    ::setenv("LD_LIBRARY_PATH", "/sw/gcc/lib64:relative:/sw/cuda/lib64", 1);
    ::setenv("COURSE_SANDBOX_READ", "/apps", 1);
    ::setenv("HOME", "/users/ada", 1);
    const Surroundings around = surroundings_of_environment();
    for (const char* path : {"/sw/gcc/lib64", "/sw/cuda/lib64", "/apps"})
        CHECK(std::find(around.readable.begin(), around.readable.end(), path) != around.readable.end());
    CHECK(std::find(around.readable.begin(), around.readable.end(), "relative") == around.readable.end());
    CHECK(std::find(around.hidden.begin(), around.hidden.end(), "/users/ada") != around.hidden.end());
    ::unsetenv("LD_LIBRARY_PATH");
    ::unsetenv("COURSE_SANDBOX_READ");
}
