// SPDX-License-Identifier: MIT
#include "judge/baselines.hpp"

#include <ctime>
#include <fstream>

#include <sys/stat.h>

#include <doctest/doctest.h>

#include "support/files.hpp"
#include "support/folder.hpp"

using namespace course;
using ::test::Folder;
namespace fs = std::filesystem;

TEST_CASE("a baseline is found again under the circumstances that it was measured in") {
    const Folder folder;
    const fs::path file = folder.path() / "baselines";
    Baselines here(file, "a CPU\n-O2");
    CHECK_FALSE(here.find("add add 1000"));
    here.keep("add add 1000", 0.125);
    here.keep("mul mul 1000", 0.25);
    CHECK(here.find("add add 1000") == 0.125);
    CHECK(Baselines(file, "a CPU\n-O2").find("mul mul 1000") == 0.25);
    CHECK_FALSE(here.find("add add 2000"));
    Baselines elsewhere(file, "another CPU\n-O2");
    CHECK_FALSE(elsewhere.find("add add 1000"));
    elsewhere.keep("add add 1000", 1);
    CHECK_FALSE(here.find("mul mul 1000"));
    struct stat info {};
    REQUIRE(::stat(file.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("a baseline of yesterday, of tomorrow or of no sense isn't believed") {
    const Folder folder;
    const fs::path file = folder.path() / "baselines";
    const Baselines here(file, "here");
    const long long now = std::time(nullptr);
    const auto found = [&](const std::string& entry) {
        write_file_atomically(file, "baselines of speed lines, format 1\nhere\n" + entry + "\n", 0600);
        return here.find("add").has_value();
    };
    const auto entry = [&](const std::string& seconds, long long at) {
        return "add\t" + seconds + " " + std::to_string(at);
    };
    CHECK(found(entry("0.5", now - 60)));
    CHECK(found("nonsense\n" + entry("0.5", now - 60)));
    CHECK_FALSE(found(entry("0.5", now - 25 * 3600)));
    CHECK_FALSE(found(entry("0.5", now + 3600)));
    for (const char* seconds : {"0", "-1", "nan", "inf", "1e9", "x", ""}) CHECK_FALSE(found(entry(seconds, now)));
    write_file_atomically(file, "another format\nhere\n" + entry("0.5", now) + "\n", 0600);
    CHECK_FALSE(here.find("add"));
}

TEST_CASE("baselines that others may read or write, or that aren't a file, aren't believed") {
    const Folder folder;
    const fs::path file = folder.path() / "baselines";
    Baselines here(file, "here");
    here.keep("add", 0.5);
    CHECK(here.find("add"));
    for (const int mode : {0604, 0620, 0644, 0602}) {
        REQUIRE(::chmod(file.c_str(), static_cast<mode_t>(mode)) == 0);
        CHECK_FALSE(here.find("add"));
    }
    REQUIRE(::chmod(file.c_str(), 0600) == 0);
    fs::rename(file, folder.path() / "elsewhere");
    fs::create_symlink(folder.path() / "elsewhere", file);
    CHECK_FALSE(here.find("add"));
    fs::remove(file);
    fs::create_directory(file);
    here.keep("add", 0.5);  // can't be written: nothing happens
    CHECK_FALSE(here.find("add"));
}
