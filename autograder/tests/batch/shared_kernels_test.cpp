// SPDX-License-Identifier: MIT
#include "answer/shared_kernels.hpp"

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
    const SharedKernels shared(folder / "shared");
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
    folder.write("solution/1f/add-1f20.kernel", "changed later");
    shared.take_from(folder / "solution");   // the first one counts
    CHECK(read_file(folder / "shared/1f/add-1f20.kernel") == "add");
}
