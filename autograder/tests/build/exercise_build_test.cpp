// SPDX-License-Identifier: MIT
#include <future>

#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "build/exercise_build.hpp"
#include "build/fake_kit.hpp"
#include "build/scratch.hpp"

using namespace course;
using test::FakeKit;
namespace fs = std::filesystem;

namespace {

/// Which of the two objects the call has built anew: "b", "c", "bc" or "".
std::string built(const FakeKit& kit) {
    const fs::path folder = kit.folder / "build/exercises/08-raw-add";
    const auto inode = [&](const char* name) {
        struct stat info {};
        return ::stat((folder / name).c_str(), &info) == 0 ? info.st_mtim.tv_nsec + 1'000'000'000 * info.st_mtim.tv_sec
                                                           : 0;
    };
    const auto bind = inode("bind.o"), check = inode("check.so");
    const ExerciseObjects objects = build_exercise(kit.toolchain, kit.manifest, kit.scratch());
    CHECK(objects.bind == folder / "bind.o");
    CHECK(objects.check == folder / "check.so");
    return std::string(inode("bind.o") == bind ? "" : "b") + (inode("check.so") == check ? "" : "c");
}

}  // namespace

TEST_CASE("an exercise's objects are built once, and again when what they are made from changes") {
    const FakeKit kit;
    const std::string home = "exercises/08-raw-add/";
    CHECK(built(kit) == "bc");
    CHECK(built(kit) == "");
    kit.folder.write(home + "raw_add.cpp", "// another stub\n");
    CHECK(built(kit) == "");
    kit.folder.write(home + "check.cpp", "#include <course/check.hpp>\nint check() { return 2; }\n");
    CHECK(built(kit).find('c') != std::string::npos);
    kit.folder.write("libgpu/include/gpu/gpu.hpp", "int fake_gpu();\nint more();\n");
    CHECK(built(kit) == "b");
    kit.folder.write("libgpu/include/gpu/new.hpp", "\n");
    CHECK(built(kit) == "b");
    kit.folder.write("autograder/include/course/check.hpp", "#define COURSE_CHECK 3\n");
    CHECK(built(kit) == "bc");
    fs::remove(kit.folder / "build/exercises/08-raw-add/bind.o");
    CHECK(built(kit) == "b");
    kit.folder.write("build/exercises/08-raw-add/check.so.key", "");  // a power cut
    CHECK(built(kit) == "c");
    CHECK(built(kit) == "");
    kit.folder.write("build/exercises/08-raw-add/check.so",
                     test::read(kit.folder / "build/exercises/08-raw-add/check.so") + "somebody's bytes");
    CHECK(built(kit) == "c");
    CHECK(built(kit) == "");
}

TEST_CASE("libgpu's headers aren't read where their key is known already") {
    FakeKit kit;
    CHECK(built(kit) == "bc");
    kit.toolchain.gpu_headers = gpu_headers_key(kit.toolchain);
    kit.folder.write("libgpu/include/gpu/gpu.hpp", "int fake_gpu();\nint more();\n");
    CHECK(built(kit) == "");
    kit.toolchain.gpu_headers.clear();
    CHECK(built(kit) == "b");
}

TEST_CASE("a named pipe in place of a built object or its key is replaced, and nobody waits at it") {
    const FakeKit kit;
    CHECK(built(kit) == "bc");
    for (const char* name : {"check.so.key", "check.so"}) {
        CAPTURE(name);
        const fs::path file = kit.folder / "build/exercises/08-raw-add" / name;
        fs::remove(file);
        REQUIRE(::mkfifo(file.c_str(), 0644) == 0);
        const ExerciseObjects objects = build_exercise(kit.toolchain, kit.manifest, kit.scratch());
        CHECK(fs::is_regular_file(objects.check));
    }
}

TEST_CASE("a check that doesn't compile is named with its first error") {
    const FakeKit kit;
    kit.folder.write("exercises/08-raw-add/check.cpp", "int check() { return 1 }\n");
    CHECK_THROWS_WITH_AS(build_exercise(kit.toolchain, kit.manifest, kit.scratch()),
                         "exercises/08-raw-add/check.cpp could not be built:\n"
                         "exercises/08-raw-add/check.cpp:1:23: error: expected ';' before '}' token",
                         BuildFault);
    fs::remove(kit.folder / "exercises/08-raw-add/check.cpp");
    CHECK_THROWS_WITH_AS(build_exercise(kit.toolchain, kit.manifest, kit.scratch()),
                         "exercises/08-raw-add/check.cpp is missing; an exercise has one", BuildFault);
}

TEST_CASE("several builders at once build one good object") {
    const FakeKit kit;
    for (int round = 0; round < 3; ++round) {
        kit.folder.write("exercises/08-raw-add/check.cpp", "int check() { return " + std::to_string(round) + "; }\n");
        std::vector<std::future<ExerciseObjects>> builders;
        for (int k = 0; k < 4; ++k)
            builders.push_back(std::async(std::launch::async,
                                          [&] { return build_exercise(kit.toolchain, kit.manifest, kit.scratch()); }));
        for (auto& builder : builders) CHECK(fs::exists(builder.get().check));
        CHECK(built(kit) == "");
    }
    for (const auto& entry : fs::directory_iterator(kit.folder / "build/exercises/08-raw-add"))
        CHECK(entry.path().extension() != ".tmp");
}

TEST_CASE("a course elsewhere has its objects apart from the kit's") {
    const FakeKit kit;
    const test::Folder other;
    fs::copy(kit.folder / "exercises", other / "exercises", fs::copy_options::recursive);
    const Manifest manifest = read_manifest(other / "exercises/08-raw-add");
    const ExerciseObjects objects = build_exercise(kit.toolchain, manifest, kit.scratch());
    CHECK(fs::exists(objects.check));
    CHECK(objects.check.string().starts_with((kit.folder / "build/other-exercises").string()));
}

TEST_CASE("in a build folder of somebody else's the objects are made in the scratch folder") {
    const FakeKit kit;
    const uid_t self = ::geteuid();
    ::chmod(kit.folder.path().c_str(), 0755);
    ::chmod(kit.scratch().c_str(), 0777);
    ::chmod((kit.folder / "build").c_str(), 0555);
    if (self == 0) REQUIRE(::seteuid(65534) == 0);
    const ExerciseObjects objects = build_exercise(kit.toolchain, kit.manifest, kit.scratch());
    REQUIRE(::seteuid(self) == 0);
    ::chmod((kit.folder / "build").c_str(), 0755);
    CHECK(objects.check == kit.scratch() / "exercise/check.so");
    CHECK(fs::exists(objects.check));
}
