// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "driver_run.hpp"

// nvcc's options as Makefiles and build systems write them.
namespace gpucc_test {

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
    return count;
}

/// A folder with a small program in two files, and a header.
struct Project {
    TemporaryDirectory folder;
    Project() {
        write("size.h", "#define SIZE 3\n");
        write("a.cu",
              "#include <cstdio>\n#include \"size.h\"\nextern \"C\" int added(int);\n"
              "__global__ void k(int* p) { *p = SIZE; }\nint main(int n, char** words) {\n    int *d, h;\n"
              "    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n"
              "    printf(\"%d %s\\n\", added(h), n > 1 ? words[1] : \"\");\n    cudaFree(d);\n}\n");
        write("b.c", "int added(int class) { return class + EXTRA; }\n");
    }
    void write(const std::string& name, const std::string& text) const {
        gpu::detail::host::write_file(folder.path() + "/" + name, text);
    }
    [[nodiscard]] ProcessResult run(const std::string& command) const {
        return gpucc_test::run("cd " + folder.path() + " && " + command);
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        return gpu::detail::host::read_file(folder.path() + "/" + name);
    }
};

}  // namespace

TEST_CASE("C files are C, and make learns what files are needed") {
    const Project project;
    CHECK(project
              .run(GPUCC_DRIVER " -DEXTRA=4 -MMD -c b.c -odir . && " GPUCC_DRIVER
                                " -c a.cu -o a.o -MD -MF a.dep -MT target && " GPUCC_DRIVER " a.o b.o -o ab && ./ab")
              .output == "7 \n");
    CHECK(holds(project.read("b.d"), "b.o: b.c"));
    CHECK(holds(project.read("a.dep"), "target: a.cu"));
    CHECK(holds(project.read("a.dep"), "size.h"));
    CHECK(project.run(GPUCC_DRIVER " -MM a.cu").output == "a.o: a.cu size.h\n");
    CHECK(holds(project.run(GPUCC_DRIVER " -M a.cu").output, "cuda_runtime.h"));
    CHECK(project.run(GPUCC_DRIVER " -MMD -MP -DEXTRA=1 a.cu b.c -o both && cat a.d").output ==
          "both: a.cu size.h\nsize.h:\n");
    CHECK(holds(project.run("printf '#include <cuda_runtime.h>\\n' > c.c && " GPUCC_DRIVER " -c c.c").output,
                "name this file .cpp or .cu"));
}

TEST_CASE("libraries, languages, files of options, and programs that run at once") {
    const Project project;
    CHECK(project.run(GPUCC_DRIVER " -lib -DEXTRA=2 b.c -o libb.a && " GPUCC_DRIVER " a.cu -L. -lb -o one && ./one")
              .output == "5 \n");
    CHECK(project
              .run("cp a.cu a.txt && " GPUCC_DRIVER " -x cu -c a.txt -o t.o && " GPUCC_DRIVER
                   " t.o libb.a -o two && ./two")
              .output == "5 \n");
    CHECK(project
              .run("printf -- '-D EXTRA=5 \"-DTEXT=a b\"\\n-O2\\n' > all.rsp && " GPUCC_DRIVER
                   " --options-file all.rsp -run -run-args word a.cu b.c")
              .output == "8 word\n");
    CHECK(project
              .run(GPUCC_DRIVER
                   " -shared -Xcompiler -fPIC,-DEXTRA=1 -Xcompiler '-Wall -Wextra' b.c -o libc1.so && " GPUCC_DRIVER
                   " a.cu -L. -lc1 -Xlinker -rpath,. -o three && ./three")
              .output == "4 \n");
    const Built library(
        "__global__ void k(int* p) { *p = 6; }\nextern \"C\" int six() {\n    int *d, h;\n"
        "    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n"
        "    return h;\n}\n",
        "-shared -Xcompiler -fPIC");
    REQUIRE(library.is_there());
    CHECK(run("cd " + library.folder.path() +
              " && printf '#include <cstdio>\\nextern \"C\" int six();\\nint main() { printf(\"%%d\", six()); }' > "
              "m.cpp && "
              "g++ m.cpp ./prog -o m && ./m")
              .output == "6");
}

TEST_CASE("what Makefiles say beside that is taken, or refused by name") {
    const Project project;
    CHECK(
        project
            .run(GPUCC_DRIVER
                 " -arch sm_70 -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -Xptxas -v,-O3 "
                 "--ptxas-options=-v -lineinfo -maxrregcount=32 -cudart shared -t 4 --threads=2 -rdc false -O 2 -m64 "
                 "-Wno-deprecated-gpu-targets -Werror cross-execution-space-call -prec-div=true -ftz true --restrict "
                 "-default-stream legacy -std c++17 -I . --include-path=. -DEXTRA=1 -forward-unknown-to-host-compiler "
                 "-Wall -g -G -lcudart -lcuda -lm -fmad=true -diag-suppress 20012 -keep --expt-relaxed-constexpr a.cu "
                 "b.c -o many && ./many")
            .output == "4 \n");
    const auto refusal = [&](const std::string& options) {
        const ProcessResult ran = project.run(GPUCC_DRIVER " a.cu " + options);
        CHECK(ran.code == 1);
        return ran.output;
    };
    CHECK(holds(refusal("-dc"), "-dc"));
    CHECK(holds(refusal("-rdc true"), "-rdc=true"));
    CHECK(holds(refusal("-ptx"), "-ptx is for GPUs alone"));
    CHECK(holds(refusal("-static"), "libgpucc is a shared library"));
    CHECK(holds(refusal("--default-stream per-thread"), "a default stream of each thread"));
    CHECK(holds(refusal("-default-stream=per-thread"), "a default stream of each thread"));
    CHECK(holds(refusal("-x fortran"), "-x takes cu, c++ or c, not fortran"));
    CHECK(holds(refusal("-optf nowhere.rsp"), "nowhere.rsp can't be read"));
    CHECK(holds(refusal("-o"), "-o needs a value"));
    CHECK(holds(refusal("-ccbin no-such-compiler"), "no-such-compiler, which -ccbin names, isn't there"));
    CHECK(holds(project.run("GPUCC_CXX=nothing++ " GPUCC_DRIVER " a.cu").output, "nothing++, which GPUCC_CXX names"));
}

TEST_CASE("--dryrun shows the commands, and does nothing") {
    const Project project;
    const ProcessResult ran = project.run(GPUCC_DRIVER " --dryrun a.cu b.c -o ab; ls");
    CHECK(holds(ran.output, " -E "));
    CHECK(holds(ran.output, "-x c "));
    CHECK(holds(ran.output, "-lgpucc"));
    CHECK(holds(ran.output, "\na.cu\nb.c\nsize.h\n"));
    CHECK(!holds(ran.output, "\nab\n"));
}

TEST_CASE("advice on kernels is in CUDA's words") {
    const auto advice = [](const std::string& body) {
        const Built built("__global__ void k(float* p) {\n    " + body + "\n}\nint main() {}\n");
        CHECK(built.result.code == 1);
        CHECK(holds(built.result.output, "prog.cu:2:"));
        CHECK(!holds(built.result.output, "gpu::"));
        return built.result.output;
    };
    CHECK(holds(advice("cudaMalloc(&p, 4);"), "kernels don't call CUDA's runtime"));
    CHECK(holds(advice("atomicMax(p, 1.0f);"), "atomicCAS()"));
    advice("std::cout << p[0];");
}

TEST_CASE("a kernel without a body, launches in macros, and two kernels of one name") {
    const Built declared("__global__ void k(int* p);\nint main() {\n    k<<<1, 1>>>(nullptr);\n}\n");
    CHECK(declared.result.code == 1);
    CHECK(holds(declared.result.output, "prog.cu:3"));
    CHECK(holds(declared.result.output,
                "help: kernel k is declared and launched, and no file of the program has its body"));
    const Built macro(
        "#include <cstdio>\n#define LAUNCH(kernel, n, ...) kernel<<<((n) + 31) / 32, 32>>>(__VA_ARGS__)\n"
        "// k<<<1, 1>>>(\n__global__ void k(int* p, int n) { if (threadIdx.x == 0) *p = n << 2; }\n"
        "int main() {\n    int *d, h;\n    cudaMalloc(&d, 4);\n    LAUNCH(k, 1 << 3, d, 5);\n"
        "    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n    printf(\"<<<%d>>>\\n\", h);\n}\n");
    REQUIRE(macro.is_there());
    CHECK(run(macro.program).output == "<<<20>>>\n");
    const Project project;
    for (const char* const file : {"x", "y"})
        project.write(std::string(file) + ".cu",
                      "#include <cstdio>\nstatic __global__ void k(int* p) { *p = '" + std::string(file) +
                          "'; }\nvoid " + file +
                          "() {\n    int *d, h;\n    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n"
                          "    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n    putchar(h);\n}\n");
    project.write("m.cpp", "void x();\nvoid y();\nint main() { x(); y(); }\n");
    CHECK(project.run(GPUCC_DRIVER " x.cu y.cu m.cpp -o xy && ./xy").output == "xy");
}

TEST_CASE("an error is printed once, though both halves of the file have it") {
    const Built missing("#include \"nothing.h\"\nint main() {}\n");
    CHECK(count_of(missing.result.output, "error:") == 1);
    const Built both(
        "__host__ __device__ int twice(int x) { return 2 * y; }\n"
        "__global__ void k(int* p) { *p = twice(*p); }\nint main() {}\n");
    CHECK(count_of(both.result.output, "error:") == 1);
    CHECK(holds(both.result.output, "prog.cu:1:"));
    const Built two("__global__ void k(int* p) {\n    *p = nothing;\n}\nint main() {\n    return missing;\n}\n");
    CHECK(holds(two.result.output, "prog.cu:2:"));
    CHECK(holds(two.result.output, "prog.cu:5:"));
    const Built warned("#warning look here\n__global__ void k() {}\nint main() {}\n");
    CHECK(warned.is_there());
    CHECK(count_of(warned.result.output, "warning:") == 1);
}

}  // namespace gpucc_test
