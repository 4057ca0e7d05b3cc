// SPDX-License-Identifier: MIT
// The texts that the skeletons make, against golden files. UPDATE_GOLDEN=1 writes them anew; look at the diff.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "host/compile/generate.hpp"
#include "host/support.hpp"

using namespace support;
using gpu::detail::ElementwiseText;
using gpu::detail::KernelSource;
using gpu::detail::ReductionText;

namespace {

void check_golden(const std::string& name, const KernelSource& source) {
    const std::string path = std::string(__FILE__).substr(0, std::string(__FILE__).rfind('/')) + "/golden/" + name;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path) << source.text;
    std::ifstream file(path);
    REQUIRE_MESSAGE(file.good(), "no golden file " << path);
    std::stringstream expected;
    expected << file.rdbuf();
    CHECK(source.text == expected.str());
}

ElementwiseText squared_diff() {
    return {.name = "squared_diff", .parameters = {input("T", "x"), scalar("T", "y"), output("T", "z")}, .rank = 1,
            .typedefs = "typedef float T;\n", .preamble = {}, .body = {"z = (x - y) * (x - y)", "squared_diff", 1}};
}

ReductionText sum() {
    return {.name = "sum",
            .parameters = {input("float", "x"), output("double", "y")},
            .kept_rank = 0,
            .reduced_rank = 1,
            .accumulator = "double",
            .typedefs = "",
            .preamble = {},
            .map = {"x", "sum (map)", 1},
            .reduce = {"a + b", "sum (reduce)", 1},
            .post = {"y = a", "sum (post)", 1},
            .identity = "0"};
}

}  // namespace

TEST_CASE("an elementwise kernel of linear parameters is one loop") {
    check_golden("elementwise_linear.cpp", gpu::detail::host::generate_elementwise(squared_diff()));
}

TEST_CASE("an elementwise kernel of strided parameters goes row by row") {
    ElementwiseText text = squared_diff();
    text.parameters[0].strided = text.parameters[2].strided = true;
    text.parameters.push_back(output("int", "k"));
    text.rank = 3;
    text.preamble = {"#define HALF 0.5f\n", "lesson.cpp", 12};
    text.body = {"z = x * HALF;\nk = i", "lesson.cpp", 15};
    check_golden("elementwise_strided.cpp", gpu::detail::host::generate_elementwise(text));
    check_golden("elementwise_checked.cpp", gpu::detail::host::generate_checked(text));
}

TEST_CASE("a reduction of a whole linear array") {
    check_golden("reduction_whole.cpp", gpu::detail::host::generate_reduction(sum()));
}

TEST_CASE("a reduction over axes, without identity, with a scalar") {
    ReductionText text = sum();
    text.name = "largest";
    text.parameters = {input("float", "x", true), input("float", "w", true), scalar("float", "s"),
                       output("float", "y", true)};
    text.kept_rank = 2;
    text.reduced_rank = 1;
    text.accumulator = "float";
    text.map = {"x * w * s", "largest (map)", 1};
    text.reduce = {"a > b ? a : b  // no semicolon", "largest (reduce)", 1};
    text.post = {"y = a / s;", "largest (post)", 1};
    text.identity = "";
    check_golden("reduction_axes.cpp", gpu::detail::host::generate_reduction(text));
    check_golden("reduction_checked.cpp", gpu::detail::host::generate_checked(text));
}

TEST_CASE("a raw kernel without barriers is in loop mode, with its text as it stands") {
    auto text = raw_text(
        "add",
        "// adds \"numbers\"\n__global__ void add(const float* x, float* z, int n) {}\n__global__ void other() {}\n",
        "(const float*, float*, int)", "dir/add \"1\".cu", 7);
    text.options = {"-DN=4", "-DM", "-std=c++17"};
    const KernelSource source = gpu::detail::host::generate_raw(text);
    check_golden("raw_loop.cpp", source);
    CHECK(source.options == text.options);
}

TEST_CASE("a raw kernel with a barrier is in fiber mode, and its dynamic shared memory is redirected") {
    check_golden("raw_fiber.cpp", gpu::detail::host::generate_raw(
                                      raw_text("ns::k<int>",
                                               "namespace ns { template <class T> __global__ void k(T* x) {\n    "
                                               "extern __shared__ __align__(16) T s[]; __syncthreads();\n} }\n")));
}

TEST_CASE("what is known of a kernel stands beside its text") {
    using gpu::detail::KernelMode;
    using Kind = gpu::detail::Unresolved::Kind;
    using gpu::detail::host::generate_raw;
    const KernelSource refused = generate_raw(raw_text("k", "__global__ void k() { asm(\"\"); }\n"));
    CHECK(refused.refusals ==
          "test.cu:1:23: error: asm: inline PTX can't run on the host backend; use CUDA C++, or a GPU\n");
    const char* const two = "__global__ void k() {}\n__global__ void l(int* x) { __syncthreads(); }\n";
    auto module = raw_text("k", two);
    module.more = {{"l", "(int*)"}};
    const KernelSource fibers = generate_raw(module);
    CHECK(fibers.mode == KernelMode::fiber);
    CHECK(fibers.entries == std::vector<std::string>{"libgpu_module", "libgpu_module_1"});
    CHECK(fibers.refusals.empty());
    CHECK(generate_raw(raw_text("k", two), true).mode == KernelMode::check);
    const KernelSource loop = generate_raw(raw_text("k", "__global__ void k() {}\nvoid f() {}\n"));
    CHECK(loop.mode == KernelMode::loop);
    CHECK(gpu::detail::host::in_fiber_mode(loop).mode == KernelMode::fiber);
    CHECK(gpu::detail::host::in_fiber_mode(fibers).text.empty());
    const KernelSource no_kernel = generate_raw(raw_text("f", "__global__ void k() {}\nvoid f() {}\n"));
    CHECK(no_kernel.unresolved.kind == Kind::no_kernel);
    CHECK(no_kernel.unresolved.is_certain);
    CHECK(no_kernel.unresolved.there == "k");
    const KernelSource body = gpu::detail::host::generate_elementwise(squared_diff());
    CHECK(body.mode == KernelMode::elementwise);
    CHECK(body.heads == "(const T x, const T y, T& z, const long long i, const gpu_indexer _ind)\n");
    for (const std::size_t mark : body.marks) CHECK(body.text.compare(mark, 6, "#line ") == 0);
    CHECK(body.marks.size() == 2);
    CHECK(gpu::detail::host::generate_reduction(sum()).mode == KernelMode::reduction);
    CHECK(gpu::detail::host::generate_checked(sum()).mode == KernelMode::check);
}

TEST_CASE("macros of the learner don't reach the skeletons") {
    const char* const macros =
        "#define N 3\n#define call 1\n#define begin 2\n#define end 3\n#define count 4\n#define list 5\n"
        "#define block 6\n#define name 7\n#define k 8\n#define left 9\n#define used 10\n#define P 11\n"
        "#define thread 12\n#define state 13\n#define output 14\n#define r 15\n";
    ElementwiseText text = squared_diff();
    text.parameters[0].strided = true;
    text.preamble = {macros, "macros", 1};
    (void)build(text);
    ReductionText reduction = sum();
    reduction.preamble = {macros, "macros", 1};
    (void)build(reduction);
    (void)build_raw("f", std::string(macros) + "__global__ void f(int* x) { *x = N; }\n");
    (void)build_raw("f", std::string(macros) + "__global__ void f(int* x) { *x = N; __syncthreads(); }\n");
}
