// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "build/compile.hpp"
#include "build/scratch.hpp"
#include "support/files.hpp"
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

TEST_CASE("a folder is removed whatever its owner has done to it: closed, deep, full of links") {
    const test::Folder parent;
    const fs::path folder = parent / "folder";
    parent.write("kept", "1");
    parent.write("folder/closed/inner/file", "1");
    parent.write("folder/other/file", "1");
    fs::create_symlink(parent / "kept", folder / "link");
    fs::create_directory_symlink(parent.path(), folder / "other/link");
    for (const char* name : {"folder/closed/inner", "folder/closed", "folder/other"})
        ::chmod((parent / name).c_str(), 0);
    const int here = ::open(".", O_RDONLY | O_DIRECTORY);
    REQUIRE(::chdir(folder.c_str()) == 0);
    for (int depth = 0; depth < 2000; ++depth)
        if (::mkdir("deeper-than-a-path", 0700) != 0 || ::chdir("deeper-than-a-path") != 0) break;
    REQUIRE(::fchdir(here) == 0);
    ::close(here);
    CHECK(remove_tree(folder));
    CHECK_FALSE(fs::exists(folder));
    CHECK(test::read(parent / "kept") == "1");
    CHECK(remove_tree(folder));   // it is gone
    CHECK(remove_tree(parent / "kept"));
}

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

TEST_CASE(
    "where TMPDIR is mounted noexec the scratch folder is elsewhere, and if there is no other place that is said") {
    const test::Folder parent;
    const fs::path mounted = parent / "noexec";
    fs::create_directories(mounted);
    if (::mount("tmpfs", mounted.c_str(), "tmpfs", MS_NOEXEC, "size=64k") != 0) {
        std::puts("SKIP: a TMPDIR that is mounted noexec: mounting a tmpfs needs root");
        return;
    }
    const TemporaryFolder variable(mounted);
    const std::string elsewhere = Scratch::make(parent / "otherwise").path().parent_path().string();
    std::string message;
    try {
        static_cast<void>(Scratch::make(mounted / "otherwise"));
    } catch (const BuildFault& fault) {
        message = fault.what();
    }
    ::umount(mounted.c_str());
    CHECK(elsewhere == (parent / "otherwise").string());
    CHECK_MESSAGE(message.starts_with(mounted.string() + " is mounted noexec, and answers run there\n"), message);
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
