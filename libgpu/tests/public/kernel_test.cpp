// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"

TEST_CASE("an elementwise kernel takes its types from its arrays") {
    //! [elementwise_kernel]
    gpu::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
    auto x = gpu::arange<float>(4), y = gpu::full<float>({4}, 1.f);
    gpu::Array<float> z = squared_diff(x, y);
    squared_diff(x, 5, gpu::out(z));   // a number takes the arrays' type
    //! [elementwise_kernel]
    CHECK(gpu::to_host(z) == std::vector<float>{25, 16, 9, 4});
    gpu::Array<int> ints = squared_diff(gpu::to_device({1, 5}), gpu::to_device({4, 4}));
    CHECK(gpu::to_host(ints) == std::vector<int>{9, 1});
    CHECK_THROWS_AS((void)squared_diff(x, gpu::arange<double>(4)), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::Array<double>(squared_diff(x, y)), gpu::DTypeError);
    CHECK_THROWS_WITH_AS((void)squared_diff(x), "kernel squared_diff takes 2 operands, or 3 with outputs; 1 were given",
                         gpu::Error);
    CHECK_THROWS_AS((void)squared_diff(1, 2), gpu::DTypeError);
}

TEST_CASE("inputs of an elementwise kernel broadcast, windows and expressions are taken") {
    gpu::ElementwiseKernel add("T x, T y", "T z", "z = x + y", "add");
    auto a = gpu::arange<float>(6).reshape({2, 3});
    gpu::Array<float> sum = add(a, gpu::to_device({10.f, 20.f, 30.f}));
    CHECK(gpu::to_host(sum) == std::vector<float>{10, 21, 32, 13, 24, 35});
    gpu::Array<float> turned = add(a.transpose(), a.transpose() * 2.f);
    CHECK(turned.shape() == gpu::Shape{3, 2});
    CHECK(gpu::to_host(turned) == std::vector<float>{0, 9, 3, 12, 6, 15});
    auto window = gpu::zeros<float>({2, 3});
    add(a, 1, gpu::out(window(gpu::all, gpu::slice(2, -4, -1))));
    CHECK(gpu::to_host(window) == std::vector<float>{3, 2, 1, 6, 5, 4});
    CHECK_THROWS_AS((void)add(a, gpu::arange<float>(2)), gpu::ShapeError);
}

TEST_CASE("i counts elements in row-major order, _ind.size() is how many") {
    gpu::ElementwiseKernel last_first("T x", "long long z", "z = _ind.size() - 1 - i", "last_first");
    gpu::Array<std::int64_t> z = last_first(gpu::zeros<float>({2, 2}));
    CHECK(gpu::to_host(z) == std::vector<std::int64_t>{3, 2, 1, 0});
}

TEST_CASE("other output types, several statements, a preamble") {
    gpu::ElementwiseKernel split("X x", "Z z", "X half = x / 2; z = helper(half)", "split",
                                 {.preamble = "__device__ double helper(double v) { return v + 0.5; }"});
    auto z = gpu::empty<double>({2});
    split(gpu::to_device({2.f, 4.f}), gpu::out(z));
    CHECK(gpu::to_host(z) == std::vector<double>{1.5, 2.5});
    CHECK_THROWS_AS((void)split(gpu::to_device({2.f})), gpu::DTypeError);
}

TEST_CASE("in place, an elementwise kernel's input keeps its value until the element is done") {
    const gpu::ElementwiseKernel steps("T x", "T y, T z", "y = 2 * x; z = y + x", "steps");
    for (const int stride : {1, 2}) {
        auto x = gpu::arange<float>(8)(gpu::slice(0, gpu::none, stride));
        auto z = gpu::zeros<float>(x.shape());
        const std::vector<float> before = gpu::to_host(x);
        steps(x, gpu::out(x), gpu::out(z));
        const std::vector<float> twice = gpu::to_host(x), thrice = gpu::to_host(z);
        for (std::size_t k = 0; k < before.size(); ++k) {
            CHECK(twice[k] == 2 * before[k]);
            CHECK(thrice[k] == 3 * before[k]);
        }
    }
}

TEST_CASE("a kernel that does not compile shows the learner's own line and a caret") {
    gpu::ElementwiseKernel wrong("T x", "T z", "z = x + w", "plus_w");
    try {
        (void)wrong(gpu::zeros<float>({1}));
        FAIL("it compiled");
    } catch (const gpu::CompileError& error) {
        const std::string text = error.what();
        CAPTURE(text);
        CHECK(text.find("kernel plus_w does not compile\nplus_w:1:") == 0);
        CHECK(text.find("z = x + w") != std::string::npos);
        CHECK(text.find("\n   |         ^") != std::string::npos);
        CHECK(error.kernel() == "plus_w");
        CHECK(error.source().find("z = x + w") != std::string::npos);
        CHECK_FALSE(error.log().empty());
    }
}

TEST_CASE("a reduction kernel maps, reduces and finishes") {
    //! [reduction_kernel]
    gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    auto a = gpu::to_device({3.f, 4.f, 6.f, 8.f}).reshape({2, 2});
    gpu::Array<float> rows = l2norm(a, {.axis = 1});
    //! [reduction_kernel]
    CHECK(gpu::to_host(rows) == std::vector<float>{5, 10});
    gpu::Array<float> whole = l2norm(gpu::to_device({3.f, 4.f}));
    CHECK(whole.item() == 5.f);
}

TEST_CASE("without an identity the first element starts") {
    gpu::ReductionKernel largest("T x", "T y", "x", "a < b ? b : a", "y = a", "", "largest");
    gpu::Array<float> top = largest(gpu::to_device({-5.f, -3.f, -9.f}));
    CHECK(top.item() == -3.f);
    for (int n : {1, 31, 33, 255, 257, 5000}) {
        gpu::Array<int> i = largest(gpu::arange<int>(-n, 0));
        CHECK(i.item() == -1);
    }
    CHECK_THROWS_WITH_AS((void)largest(gpu::zeros<float>({0})),
                         "kernel largest: an empty array of shape (0,) can't be reduced, the kernel has no identity",
                         gpu::ShapeError);
}

namespace {

const char* const raw_source = R"(
__global__ void scale(const float* x, float* y, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}
__global__ void block_sum(const float* x, float* total, int n) {
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0.f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
__global__ void warp_sum(const int* x, int* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? x[i] : 0;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0) atomicAdd(total, value);
}
)";

}  // namespace

TEST_CASE("a raw kernel is launched over a grid of blocks") {
    //! [raw_kernel]
    gpu::RawKernel<void(const float*, float*, float, int)> scale(raw_source, "scale");
    const int n = 1000, block = 256, blocks = (n + block - 1) / block;
    auto x = gpu::arange<float>(n), y = gpu::empty<float>({n});
    scale({.grid = blocks, .block = block}, x, y, 2.f, n);
    //! [raw_kernel]
    CHECK(gpu::to_host(y)[999] == 1998.f);
    auto e = y + 1.f;
    scale({.grid = blocks, .block = block}, x, y, 3.f, n);
    CHECK_THROWS_AS((void)e.eval(), gpu::ExpressionError);   // the kernel may have written y
    auto f = x + 1.f;
    scale({.grid = blocks, .block = block}, x, y, 3.f, n);
    CHECK_NOTHROW((void)f.eval());                           // but not x
    CHECK_THROWS_AS(scale({.grid = 1, .block = 1}, x, y(gpu::slice(0, n, 2)), 1.f, 1), gpu::ShapeError);
}

TEST_CASE("shared memory, barriers, shuffles and atomics") {
    gpu::RawKernel<void(const float*, float*, int)> block_sum(raw_source, "block_sum");
    gpu::RawKernel<void(const int*, int*, int)> warp_sum(raw_source, "warp_sum");
    for (int n : {1, 255, 256, 257, 10'000}) {
        CAPTURE(n);
        const int blocks = (n + 255) / 256;
        auto total = gpu::zeros<float>({});
        block_sum({.grid = blocks, .block = 256}, gpu::ones<float>({n}), total, n);
        CHECK(total.item() == static_cast<float>(n));
        auto count = gpu::zeros<int>({});
        warp_sum({.grid = blocks, .block = 256}, gpu::ones<int>({n}), count, n);
        CHECK(count.item() == n);
    }
}

TEST_CASE("a launch that can't be done says which number is wrong") {
    gpu::RawKernel<void(const float*, float*, float, int)> scale(raw_source, "scale");
    auto x = gpu::zeros<float>({4}), y = gpu::zeros<float>({4});
    CHECK_THROWS_AS(scale({.grid = 1, .block = 2048}, x, y, 1.f, 4), gpu::LaunchError);
    CHECK_THROWS_WITH_AS(scale({.grid = 0, .block = 256}, x, y, 1.f, 4),
                         "kernel scale: a grid length of 0: it must be 1 or more (n / 256 rounds down, "
                         "(n + 255) / 256 up; nothing to do? then don't launch)",
                         gpu::LaunchError);
    CHECK_THROWS_AS(scale({.grid = 1, .block = -1}, x, y, 1.f, 4), gpu::LaunchError);
}

TEST_CASE("a wrong signature, a missing kernel and a missing file are said in words") {
    gpu::RawKernel<void(const double*, float*, float, int)> other(raw_source, "scale");
    auto d = gpu::zeros<double>({4});
    auto y = gpu::zeros<float>({4});
    const std::string text =
        support::error_of<gpu::CompileError>([&] { other({.grid = 1, .block = 4}, d, y, 1.f, 4); });
    CAPTURE(text);
    CHECK(text.find("its parameters are not those that the C++ code declares") != std::string::npos);
    CHECK(text.find("const double*, float*, float, int") != std::string::npos);
    gpu::RawKernel<void(float*)> missing(raw_source, "scales");
    const std::string misnamed = support::error_of<gpu::CompileError>([&] { missing({.grid = 1, .block = 1}, y); });
    CAPTURE(misnamed);
    CHECK(misnamed.find("no kernel named scales; the source defines: ") != std::string::npos);
    CHECK(misnamed.find("help: did you mean scale?") != std::string::npos);
    CHECK_THROWS_AS((void)gpu::file("no_such.cu"), gpu::Error);
}

TEST_CASE("the line of an error in a raw string is the line of the C++ file") {
    gpu::RawKernel<void(float*)> wrong(R"(
__global__ void bad(float* x) {
    x[0] = nothing;
})", "bad");
    const int line = __LINE__ - 2;   // where x[0] = nothing stands
    auto y = gpu::zeros<float>({1});
    const std::string text = support::error_of<gpu::CompileError>([&] { wrong({.grid = 1, .block = 1}, y); });
    CAPTURE(text);
    CHECK(text.find("kernel_test.cpp:" + std::to_string(line) + ":") != std::string::npos);
}

TEST_CASE("a missing } and a function that is no kernel are said in words") {
    auto y = gpu::zeros<float>({1});
    const auto said = [&](const char* text) {
        gpu::RawKernel<void(float*)> wrong(text, "bad");
        return support::error_of<gpu::CompileError>([&] { wrong({.grid = 1, .block = 1}, y); });
    };
    CHECK(said("__global__ void bad(float* x) {\n    if (x[0] == 0) {\n        x[0] = 1;\n}\n")
              .find(":2:20: error: this { is never closed: a } is missing") != std::string::npos);
    CHECK(said("__device__ void bad(float* x) { x[0] = 1; }") ==
          "kernel bad does not compile\nkernel source:1:17: error: bad is a function, not a kernel\n"
          " 1 | __device__ void bad(float* x) { x[0] = 1; }\n   |                 ^\n"
          "help: write __global__ instead of __device__");
}

TEST_CASE("parameters may be called what a skeleton could call its own variables") {
    gpu::ElementwiseKernel kernel("T step, T space, T k, T data", "T size", "size = step + space + k + data", "names");
    auto x = gpu::ones<float>({3});
    gpu::Array<float> four = kernel(x, x, x, x);
    CHECK(gpu::to_host(four) == std::vector<float>{4, 4, 4});
    gpu::ReductionKernel total("T begin, T at", "T lanes", "begin * at", "a + b", "lanes = a", "0", "names");
    gpu::Array<float> three = total(x, x);
    CHECK(three.item() == 3.f);
}

TEST_CASE("an array made of a kernel's result is nobody else's") {
    const gpu::ElementwiseKernel twice("T x", "T y", "y = 2 * x", "twice");
    gpu::Array<float> x = gpu::arange<float>(4);
    const auto before = gpu::counts();
    const gpu::Array<float> taken = twice(x);
    CHECK((gpu::counts() - before).launches == 1);  // the buffer itself
    CHECK((gpu::counts() - before).copies_on_device == 0);

    const gpu::AnyArray result = twice(x);
    gpu::Array<float> first = result;
    const gpu::Array<float> second = result;
    first = gpu::zeros<float>({4});
    CHECK(gpu::to_host(second) == std::vector<float>{0, 2, 4, 6});
    CHECK(gpu::to_host(gpu::Array<float>(result)) == std::vector<float>{0, 2, 4, 6});

    gpu::Array<float> z = gpu::zeros<float>({4});
    const gpu::Array<float> copy = twice(x, gpu::out(z));
    z = gpu::ones<float>({4});
    CHECK(gpu::to_host(copy) == std::vector<float>{0, 2, 4, 6});

    gpu::Array<float> table = gpu::zeros<float>({4, 2});
    const gpu::Array<float> column = twice(x, gpu::out(table(gpu::all, 1)));
    CHECK(column.is_contiguous());
    CHECK(gpu::to_host(column) == std::vector<float>{0, 2, 4, 6});
    CHECK(gpu::to_host(table) == std::vector<float>{0, 0, 0, 2, 0, 4, 0, 6});
}
