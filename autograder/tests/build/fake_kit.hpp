// SPDX-License-Identifier: MIT
#pragma once

#include "build/compile.hpp"
#include "collect/collect.hpp"
#include "support/process.hpp"
#include "support/toy_manifest.hpp"

namespace test {

/// A kit in a folder of its own, just large enough to build an exercise: one libgpu header, a libgpu.so, one header for
/// checks.
struct FakeKit {
    Folder folder;
    course::Toolchain toolchain;
    course::Manifest manifest;

    FakeKit() {
        write_exercise(folder);
        const std::string home = "exercises/08-raw-add/";
        folder.write(home + "exercise.hpp", "#pragma once\n#include <gpu/gpu.hpp>\nint add(int x);\n");
        folder.write(home + "bind.cpp", "#include \"exercise.hpp\"\nint bound() { return add(1); }\n");
        folder.write(home + "check.cpp", "#include <course/check.hpp>\nint check() { return COURSE_CHECK; }\n");
        folder.write(
            "libgpu/include/gpu/gpu.hpp",
            "#pragma once\nint fake_gpu();\n"
            "template <class T> int only_int(T) { static_assert(sizeof(T) == 4, \"pass a float: write float(x)\");"
            " return 0; }\n");
        folder.write("autograder/include/course/check.hpp", "#define COURSE_CHECK 1\n");
        folder.write("gpu.cpp", "int fake_gpu() { return 7; }\n");
        toolchain = course::Toolchain::configured();
        toolchain.source_dir = folder.path();
        toolchain.build_dir = folder / "build";
        toolchain.library_dir = folder / "build";
        toolchain.gpu_include = folder / "libgpu/include";
        toolchain.course_include = folder / "autograder/include";
        std::filesystem::create_directories(folder / "build");
        std::filesystem::create_directories(folder / "scratch");
        course::Command command;
        command.arguments = {toolchain.compiler, "-shared", "-fPIC", "gpu.cpp", "-o", "build/libgpu.so"};
        command.environment = course::Toolchain::environment(scratch());
        command.folder = folder.path();
        const course::ProcessResult made = run_process(command);
        if (!made.succeeded()) throw std::runtime_error(made.output);
        manifest = course::read_manifest(folder / "exercises/08-raw-add");
    }

    [[nodiscard]] std::filesystem::path scratch() const { return folder / "scratch"; }

    /// An answer as collect() gives it.
    [[nodiscard]] course::Answer answer(const std::string& cpp, const std::string& cu = "// kernels\n") const {
        course::Answer answer;
        answer.files = {{"raw_add.cpp", "work/08-raw-add/raw_add.cpp", cpp},
                        {"raw_add.cu", "work/08-raw-add/raw_add.cu", cu}};
        return answer;
    }
};

}  // namespace test
