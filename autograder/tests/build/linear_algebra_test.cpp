// SPDX-License-Identifier: MIT

// Libgpu's linear algebra for the host is built when an exercise needs it: here by a cmake that writes down what it was
// asked for.
#include "build/compile.hpp"

#include <cstdlib>

#include <doctest/doctest.h>

#include "support/files.hpp"
#include "support/folder.hpp"

namespace fs = std::filesystem;
using namespace course;

namespace {

/// A build folder, and a cmake before all others in PATH.
struct FakeBuild {
    test::Folder folder;
    std::string path = std::getenv("PATH");
    Toolchain toolchain;

    explicit FakeBuild(const std::string& commands) {
        fs::create_directories(folder / "bin");
        fs::create_directories(folder / "build/lib");
        write_file_atomically(folder / "bin/cmake", "#!/bin/sh\n" + commands);
        fs::permissions(folder / "bin/cmake", fs::perms::owner_all);
        ::setenv("PATH", ((folder / "bin").string() + ":" + path).c_str(), 1);
        toolchain.build_dir = folder / "build";
        toolchain.library_dir = folder / "build/lib";
    }
    ~FakeBuild() { ::setenv("PATH", path.c_str(), 1); }
    FakeBuild(const FakeBuild&) = delete;
    FakeBuild& operator=(const FakeBuild&) = delete;

    [[nodiscard]] std::string asked() const {
        return fs::exists(folder / "build/asked") ? read_file(folder / "build/asked") : std::string();
    }
};

}  // namespace

TEST_CASE("the host's linear algebra is built if it isn't there, and once") {
    const FakeBuild fake("echo \"$@\" >>asked\necho '[1/2] Building'\ntouch lib/libgpu_host_linalg.so\n");
    build_linear_algebra(fake.toolchain);
    CHECK(fake.asked() == "--build " + fake.toolchain.build_dir.string() + " --target gpu_host_linalg\n");
    build_linear_algebra(fake.toolchain);
    CHECK(fake.asked().find('\n') == fake.asked().size() - 1);
}

TEST_CASE("a build that fails is the machine's fault, and says why") {
    const FakeBuild fake("echo 'No space left on device'\nexit 1\n");
    try {
        build_linear_algebra(fake.toolchain);
        FAIL("no fault");
    } catch (const BuildFault& fault) {
        CHECK(std::string(fault.what()) ==
              "libgpu's linear algebra for the host could not be built; make build says why:\n"
              "No space left on device\n");
    }
    const FakeBuild idle("exit 0\n");   // as good as its word, but without a library
    CHECK_THROWS_AS(build_linear_algebra(idle.toolchain), BuildFault);
}
