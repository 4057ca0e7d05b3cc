// SPDX-License-Identifier: MIT
#include <cstdlib>

#include <sys/stat.h>

#include <doctest/doctest.h>

#include "build/scratch.hpp"
#include "build/toolchain.hpp"
#include "support/folder.hpp"

using namespace course;
namespace fs = std::filesystem;

namespace {

/// TMPDIR for one test.
struct TemporaryFolder {
    explicit TemporaryFolder(const fs::path& path) : before(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "") {
        ::setenv("TMPDIR", path.c_str(), 1);
    }
    ~TemporaryFolder() { before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1); }
    std::string before;
};

}  // namespace

TEST_CASE("a scratch folder is private, and gone at the end with all that is in it") {
    const test::Folder parent;
    const TemporaryFolder variable(parent.path());
    fs::path path;
    {
        const Scratch scratch = Scratch::make(parent / "otherwise");
        path = scratch.path();
        CHECK(path.parent_path() == parent.path());
        struct stat info {};
        REQUIRE(::stat(path.c_str(), &info) == 0);
        CHECK((info.st_mode & 0777) == 0700);
        fs::create_directories(path / "deep/er");
        const Scratch other = Scratch::make(parent / "otherwise");
        CHECK(other.path() != path);
        CHECK(fs::exists(path));  // a folder in use isn't taken for one left over
    }
    CHECK(fs::is_empty(parent.path()));
}

TEST_CASE("a scratch folder that a killed run left behind is removed by the next") {
    const test::Folder parent;
    const TemporaryFolder variable(parent.path());
    parent.write("course-scratch-abcdef/lock", "");
    parent.write("course-scratch-abcdef/student/raw_add.cpp", "x");
    parent.write("somebody-else/lock", "");
    const Scratch scratch = Scratch::make(parent / "otherwise");
    CHECK_FALSE(fs::exists(parent / "course-scratch-abcdef"));
    CHECK(fs::exists(parent / "somebody-else/lock"));
}

TEST_CASE("where TMPDIR can't be written the scratch folder is elsewhere") {
    const test::Folder parent;
    const TemporaryFolder variable(parent / "nowhere");
    const Scratch scratch = Scratch::make(parent / "otherwise");
    CHECK(scratch.path().parent_path() == parent / "otherwise");
}

TEST_CASE("where nothing can be written the folder is named") {
    const test::Folder parent;
    parent.write("file", "");
    const TemporaryFolder variable(parent / "nowhere");
    CHECK_THROWS_WITH_AS(Scratch::make(parent / "file/otherwise"),
                         ("could not write " + (parent / "nowhere").string() +
                          ": No such file or directory\nThe kit needs a "
                          "folder for temporary files: set TMPDIR to one that has room and can be written.")
                             .c_str(),
                         BuildFault);
}
