// SPDX-License-Identifier: MIT
#include "answer/reference_runner.hpp"

#include <doctest/doctest.h>

#include "support/files.hpp"
#include "support/folder.hpp"

using namespace course;
namespace fs = std::filesystem;

TEST_CASE("kernels go from the course's own runner to others, as copies, and nothing else does") {
    const test::Folder folder;
    folder.write("solution/1f/add-1f20.kernel", "add");
    folder.write("solution/1f/add-1f20.kernel.77.1", "half of it");
    folder.write("solution/notes.txt", "notes");
    const SharedKernels shared(folder / "shared", SharedKernels::Author::course);
    shared.bring_to(folder / "early");   // there are none yet
    CHECK_FALSE(fs::exists(folder / "early"));
    shared.take_from(folder / "solution");

    fs::create_directories(folder / "answer");
    shared.bring_to(folder / "answer");
    CHECK(read_file(folder / "answer/1f/add-1f20.kernel") == "add");
    CHECK(std::distance(fs::recursive_directory_iterator(folder / "answer"), {}) == 2);

    folder.write("answer/1f/add-1f20.kernel", "another thing");
    fs::create_directories(folder / "next");
    shared.bring_to(folder / "next");
    CHECK(read_file(folder / "next/1f/add-1f20.kernel") == "add");
    const SharedKernels of_student(folder / "shared", SharedKernels::Author::student);
    folder.write("answer/2a/add-2a30.kernel", "a student's");
    of_student.take_from(folder / "answer");
    CHECK_FALSE(fs::exists(folder / "shared/2a"));
    of_student.bring_to(folder / "other");
    CHECK(read_file(folder / "other/1f/add-1f20.kernel") == "add");

    folder.write("solution/1f/add-1f20.kernel", "changed later");
    shared.take_from(folder / "solution");   // the first one counts
    CHECK(read_file(folder / "shared/1f/add-1f20.kernel") == "add");
}
