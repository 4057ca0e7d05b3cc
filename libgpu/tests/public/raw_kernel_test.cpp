// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>

#include "gate.hpp"
#include "support/messages.hpp"
#include "support/on_host.hpp"

using support::contains;
using support::error_of;

namespace {

const char* const source = R"(
struct Params { float factor; int first; double shift; };
namespace sim { struct Grid { int width, height; }; }
__global__ void scale(const float* x, float* y, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}
__global__ void shifted(const float* x, float* y, Params p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = p.factor * x[i] + i + p.first + p.shift;
}
__global__ void area(sim::Grid grid, int* out) { *out = grid.width * grid.height; }
__global__ void wide(const long long* a, long* b, size_t n, int64_t step, unsigned long long* c) {
    for (size_t k = 0; k < n; ++k) { b[k] = a[k] + step; c[k] = n; }
}
__global__ void reversed(int* x, int n) {
    extern __shared__ int buffer[];
    for (int k = threadIdx.x; k < n; k += blockDim.x) buffer[k] = x[k];
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) x[k] = buffer[n - 1 - k];
}
__global__ void defined(int* x) { x[threadIdx.x] = N; }
)";

struct Params {
    float factor;
    int first;
    double shift;
};
struct Grid {
    int width, height;
};

}  // namespace

//! [kernel_type_name]
template <>
inline constexpr const char* gpu::kernel_type_name<Grid> = "sim::Grid";
//! [kernel_type_name]

TEST_CASE("a raw kernel is launched in either style, on any stream") {
    const gpu::RawKernel<void(const float*, float*, float, int)> scale(source, "scale", {.options = {"-DN=0"}});
    auto x = gpu::arange<float>(1009), y = gpu::zeros<float>({1009});
    scale({.grid = 4, .block = 256}, x, y, 2.f, 1009);
    const std::vector<float> first = gpu::to_host(y);
    scale[{4, 256}](y, y, 2.f, 1009);
    const gpu::Stream stream;
    scale[{.grid = 4, .block = 256, .stream = stream}](x, x, 3.f, 1009);
    stream.synchronize();
    const std::vector<float> second = gpu::to_host(y), third = gpu::to_host(x);
    for (std::size_t k = 0; k < 1009; ++k) {
        REQUIRE(first[k] == 2.f * static_cast<float>(k));
        REQUIRE(second[k] == 4.f * static_cast<float>(k));
        REQUIRE(third[k] == 3.f * static_cast<float>(k));
    }
}

TEST_CASE("structures go by value, and the compiler compares them") {
    const gpu::RawKernel<void(const float*, float*, Params, int)> shifted(source, "shifted", {.options = {"-DN=0"}});
    auto x = gpu::ones<float>({100}), y = gpu::zeros<float>({100});
    shifted({.grid = 1, .block = 128}, x, y, Params{2.f, 10, 0.5}, 100);
    const std::vector<float> h = gpu::to_host(y);
    for (std::size_t k = 0; k < h.size(); ++k) REQUIRE(h[k] == 12.5f + static_cast<float>(k));

    const gpu::RawKernel<void(Grid, int*)> area(source, "area", {.options = {"-DN=0"}});
    auto out = gpu::zeros<int>({});
    area({}, Grid{6, 7}, out);
    CHECK(out.item() == 42);

    {
        struct Params {
            float factor;
            int first;
        };
        const gpu::RawKernel<void(const float*, float*, Params, int)> other(source, "shifted", {.options = {"-DN=0"}});
        const std::string error = error_of([&] { other({.grid = 1, .block = 1}, x, y, Params{1, 2}, 1); });
        CAPTURE(error);
        CHECK(contains(error, "does not compile\nParams has 8 bytes and an alignment of 4 in the C++ code"));
    }
    const gpu::RawKernel<void(Grid)> undeclared("__global__ void k(int grid) {}", "k");
    const std::string error = error_of([&] { undeclared({}, Grid{1, 2}); });
    CAPTURE(error);
    CHECK(contains(error, "a structure that the C++ code passes by value isn't declared in the source"));
}

TEST_CASE("64-bit integers fit long, long long, size_t and int64_t alike") {
    const gpu::RawKernel<void(const std::int64_t*, std::int64_t*, std::size_t, std::int64_t, unsigned long long*)> wide(
        source, "wide", {.options = {"-DN=0"}});
    auto a = gpu::arange<std::int64_t>(5), b = gpu::zeros<std::int64_t>({5});
    auto c = gpu::zeros<std::uint64_t>({5});
    wide({}, a, b, std::size_t{5}, 100, reinterpret_cast<unsigned long long*>(c.data()));
    CHECK(gpu::to_host(b) == std::vector<std::int64_t>{100, 101, 102, 103, 104});
    CHECK(gpu::to_host(c) == std::vector<std::uint64_t>{5, 5, 5, 5, 5});
}

TEST_CASE("options are part of what a kernel is") {
    auto x = gpu::zeros<int>({2});
    for (const char* const n : {"-DN=16", "-DN=17"}) {
        const gpu::RawKernel<void(int*)> defined(source, "defined", {.options = {n}});
        defined({.grid = 1, .block = 2}, x);
        CHECK(gpu::to_host(x)[1] == std::stoi(std::string(n).substr(4)));
    }
    const gpu::RawKernel<void(int*)> undefined(source, "defined");
    CHECK_THROWS_AS(undefined({.grid = 1, .block = 2}, x), gpu::CompileError);
    try {
        gpu::RawKernel<void(int*)>(source, "defined", {.options = {"-DM=1", "--fmad=false"}})({}, x);
        FAIL("it compiled");
    } catch (const gpu::CompileError& error) {
        CAPTURE(error.options());
        CHECK(contains(error.options(), "-std=c++17"));  // libgpu's own options
        CHECK(contains(error.options(), "-DM=1"));       // and the kernel's
        CHECK(contains(error.options(),
                       gpu::Device::current().kind() == gpu::BackendKind::host ? "-ffp-contract=off" : "--fmad=false"));
    }
    const gpu::RawKernel<void(int*)> unknown(source, "defined", {.options = {"-DN=1", "--no-such-option"}});
    CHECK(contains(error_of([&] { unknown({.grid = 1, .block = 2}, x); }), "no-such-option"));
}

TEST_CASE("the loose form takes exactly what the source declares") {
    //! [loose]
    const gpu::RawKernel scale(R"(
__global__ void scale(const float* x, float* y, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
})",
                               "scale");
    auto x = gpu::arange<float>(10), y = gpu::zeros<float>({10});
    scale({.grid = 1, .block = 32}, x, y, 2.f, 10);
    //! [loose]
    CHECK(gpu::to_host(y)[9] == 18.f);
    scale[{1, 32}](x, y(gpu::slice(0, 5)), 3.f, 5);
    CHECK(gpu::to_host(y)[4] == 12.f);
    CHECK(gpu::to_host(y)[9] == 18.f);
    scale({.grid = 1, .block = 32}, std::as_const(x).data(), y.data(), 1.f, 10);
    CHECK(gpu::to_host(y)[9] == 9.f);

    const gpu::LaunchConfig one{.grid = 1, .block = 1};
    CHECK_THROWS_WITH_AS(scale(one, x, y, 2.f), "kernel scale takes 4 arguments, but 3 were given", gpu::Error);
    CHECK_THROWS_WITH_AS(
        scale(one, x, y, 2.0, 10),
        "kernel scale: argument 3 (factor) is of type double, the source declares float: the loose form "
        "converts whole numbers only, so write one of that type",
        gpu::DTypeError);
    CHECK_THROWS_WITH_AS(
        scale(one, gpu::zeros<double>({10}), y, 2.f, 10),
        "kernel scale: argument 1 (x) is an array of double, the source declares const float*: convert "
        "the array by astype",
        gpu::DTypeError);
    CHECK_THROWS_WITH_AS(scale(one, x, 1.f, 2.f, 10),
                         "kernel scale: argument 2 (y) is of type float, the source declares float*", gpu::DTypeError);
    const auto frozen = gpu::zeros<float>({10});
    CHECK_THROWS_WITH_AS(
        scale(one, x, frozen, 2.f, 10),
        "kernel scale: argument 2 (y) is const, and the kernel may write to it: the source declares float*",
        gpu::Error);
    CHECK_THROWS_AS(scale(one, x(gpu::slice(0, 10, 2)), y, 2.f, 5), gpu::ShapeError);
    auto f = x * 2.f, g = y * 2.f;
    scale(one, x, y, 2.f, 1);
    CHECK_THROWS_AS((void)g.eval(), gpu::ExpressionError);  // y was written, x wasn't
    CHECK_NOTHROW((void)f.eval());
}

TEST_CASE("whole numbers go where their value fits, in both forms") {
    //! [whole_numbers]
    const char* const text = R"(
__global__ void put(double* y, double d, float f, unsigned int u, long long l, short s) {
    y[0] = d;  y[1] = f;  y[2] = u;  y[3] = l;  y[4] = s;
})";
    const gpu::RawKernel<void(double*, double, float, unsigned int, long long, short)> put(text, "put");
    auto y = gpu::zeros<double>({5});
    int n = 7;
    std::size_t size = 8;
    put({.grid = 1, .block = 1}, y, n, 2, 3, size, n);  // no 7.0, 2.f or 3u needed
    //! [whole_numbers]
    CHECK(gpu::to_host(y) == std::vector<double>{7, 2, 3, 8, 7});
    const gpu::RawKernel<> loose(text, "put");
    const gpu::LaunchConfig one{.grid = 1, .block = 1};
    loose(one, y, size, -n, n, n, 5);
    CHECK(gpu::to_host(y) == std::vector<double>{8, -7, 7, 7, 5});
    constexpr int exact = 1 << 24;
    put(one, y, std::int64_t{1} << 53, exact, 0u, 0, -32768);
    CHECK(gpu::to_host(y) == std::vector<double>{9007199254740992.0, 16777216, 0, 0, -32768});
    put(one, y, 0, -exact, 4294967295LL, -1, 1);
    CHECK(gpu::to_host(y) == std::vector<double>{0, -16777216, 4294967295.0, -1, 1});
    loose(one, y, 0, -exact, 4294967295LL, -1, 1u);
    CHECK(gpu::to_host(y) == std::vector<double>{0, -16777216, 4294967295.0, -1, 1});

    const auto check_refused = [&](const auto& kernel) {
        CHECK_THROWS_WITH_AS(
            kernel(one, y, 1, exact + 1, 0, 0, 0),
            "argument 3 of a raw kernel is 16777217, its parameter is of type float, which holds whole numbers "
            "exactly up to 16777216: to round it, write float(n)",
            gpu::DTypeError);
        CHECK_THROWS_WITH_AS(
            kernel(one, y, -(std::int64_t{1} << 53) - 1, 1, 0, 0, 0),
            "argument 2 of a raw kernel is -9007199254740993, its parameter is of type double, which holds whole "
            "numbers exactly up to 9007199254740992: to round it, write double(n)",
            gpu::DTypeError);
        CHECK_THROWS_WITH_AS(
            kernel(one, y, 1, 1, -1, 0, 0),
            "argument 4 of a raw kernel is -1, its parameter is of type unsigned int, which holds no negative "
            "numbers",
            gpu::DTypeError);
        CHECK_THROWS_WITH_AS(
            kernel(one, y, 1, 1, std::int64_t{1} << 32, 0, 0),
            "argument 4 of a raw kernel is 4294967296, its parameter is of type unsigned int, which holds 0 to "
            "4294967295",
            gpu::DTypeError);
        CHECK_THROWS_WITH_AS(
            kernel(one, y, 1, 1, 0, ~std::uint64_t{0}, 0),
            "argument 5 of a raw kernel is 18446744073709551615, its parameter is of type long long, which holds "
            "-9223372036854775808 to 9223372036854775807",
            gpu::DTypeError);
        CHECK_THROWS_WITH_AS(
            kernel(one, y, 1, 1, 0, 0, 32768),
            "argument 6 of a raw kernel is 32768, its parameter is of type short, which holds -32768 to 32767",
            gpu::DTypeError);
    };
    check_refused(put);
    check_refused(loose);
    CHECK(gpu::to_host(y) == std::vector<double>{0, -16777216, 4294967295.0, -1, 1});  // nothing was launched
}

TEST_CASE("the loose form knows templates and structures too") {
    const gpu::RawKernel add(R"(
struct Pair { int first, second; };
template <class T> __global__ void add(const T* x, T* y, Pair p) {
    y[threadIdx.x] = x[threadIdx.x] + p.first * p.second;
}
)",
                             "add<double>");
    struct Pair {
        int first, second;
    };
    auto x = gpu::arange<double>(3), y = gpu::zeros<double>({3});
    add({.grid = 1, .block = 3}, x, y, Pair{2, 5});
    CHECK(gpu::to_host(y) == std::vector<double>{10, 11, 12});
    auto z = gpu::zeros<float>({3});
    CHECK_THROWS_AS(add({.grid = 1, .block = 3}, x, z, Pair{2, 5}), gpu::CompileError);
}

TEST_CASE("windows of any strides go to kernels that ask for them") {
    //! [strided]
    const gpu::RawKernel<void(gpu::StridedView<const float, 2>, gpu::StridedView<float, 2>)> copy(R"(
__global__ void copy(StridedView<const float, 2> x, StridedView<float, 2> y) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < y.shape[0] && j < y.shape[1]) y(i, j) = x(i, j);
})",
                                                                                                  "copy");
    auto x = gpu::arange<float>(12).reshape({3, 4});
    auto y = gpu::zeros<float>({4, 3});
    copy({.grid = 1, .block = {16, 16}}, x.transpose(), y);
    //! [strided]
    CHECK(gpu::to_host(y) == gpu::to_host(x.transpose()));
    copy({.grid = 1, .block = {16, 16}}, y(gpu::slice(gpu::none, gpu::none, -1)), gpu::strided<2>(y(gpu::slice(0, 1))));
    CHECK(gpu::to_host(y)[0] == 3.f);
    CHECK_THROWS_WITH_AS(copy({}, x, gpu::zeros<float>({2})),
                         "a raw kernel's StridedView has 2 axes, the array has shape (2,)", gpu::ShapeError);
    const gpu::RawKernel loose(R"(
__global__ void fill(StridedView<int, 1> x) { if (threadIdx.x < x.shape[0]) x(threadIdx.x) = 7; }
)",
                               "fill");
    auto cells = gpu::zeros<int>({6});
    loose({.grid = 1, .block = 32}, gpu::strided<1>(cells(gpu::slice(0, 6, 2))));
    CHECK(gpu::to_host(cells) == std::vector<int>{7, 0, 7, 0, 7, 0});
}

TEST_CASE("a transposed window isn't passed as if it were none") {
    const gpu::RawKernel<void(const float*, float*, float, int)> scale(source, "scale", {.options = {"-DN=0"}});
    const gpu::RawKernel loose(source, "scale", {.options = {"-DN=0"}});
    auto x = gpu::arange<float>(6).reshape({2, 3}), y = gpu::zeros<float>({3, 2});
    const gpu::LaunchConfig one{.grid = 1, .block = 32};
    const std::string error = error_of([&] { scale(one, x.transpose(), y, 2.f, 6); });
    CAPTURE(error);
    CHECK(contains(error, "argument 1 of a raw kernel is a window in column-major order, as after transpose()"));
    CHECK_THROWS_AS(loose(one, x.transpose(), y, 2.f, 6), gpu::ShapeError);
    scale(one, x.transpose().copy(gpu::Layout::row_major), y, 2.f, 6);
    CHECK(gpu::to_host(y) == std::vector<float>{0, 6, 2, 8, 4, 10});
    scale(one, x(1), y, 2.f, 3);  // dense
    CHECK(y(0, 0).item() == 6.f);
    const gpu::Array<float> turned = x.transpose();  // of a window, so row-major
    scale(one, turned, y, 2.f, 6);
    CHECK(gpu::to_host(y) == std::vector<float>{0, 6, 2, 8, 4, 10});
    const gpu::Array<float> columns = x.copy(gpu::Layout::column_major);  // an array goes as it lies in memory
    scale(one, columns, y, 1.f, 6);
    CHECK(gpu::to_host(y) == std::vector<float>{0, 3, 1, 4, 2, 5});
    const gpu::ElementwiseKernel plus_one("T x", "T z", "z = x + 1", "plus_one");
    loose(one, plus_one(x), y, 1.f, 6);  // a kernel's result, whose type is known at run time
    CHECK(y(0, 0).item() == 1.f);
    CHECK_THROWS_AS(loose(one, plus_one(x.astype<int>()), y, 1.f, 6), gpu::DTypeError);
}

TEST_CASE("a launch in two steps outlives its kernel, and what was moved from is still the kernel") {
    auto x = gpu::ones<float>({3}), y = gpu::zeros<float>({3});
    const auto launch =
        gpu::RawKernel<void(const float*, float*, float, int)>(source, "scale", {.options = {"-DN=0"}})[{1, 32}];
    launch(x, y, 3.f, 3);
    CHECK(y(2).item() == 3.f);
    gpu::RawKernel<void(const float*, float*, float, int)> from(source, "scale", {.options = {"-DN=0"}});
    const auto to = std::move(from);
    from({.grid = 1, .block = 32}, x, y, 4.f, 3);
    CHECK(y(2).item() == 4.f);
    CHECK(from.name() == to.name());
}

TEST_CASE("a kernel that is destroyed while its launches are queued still runs them, in every form") {
    struct Kernels {
        gpu::RawKernel<void(const float*, float*, float, int)> scale{source, "scale", {.options = {"-DN=7"}}};
        gpu::RawKernel<> loose{source, "scale", {.options = {"-DN=7"}}};
        gpu::RawModule module{source, {.options = {"-DN=7"}}};
        gpu::RawKernel<void(int*)> defined = module.kernel<void(int*)>("defined");
    };
    Gate gate;
    gpu::Stream stream;
    const gpu::LaunchConfig queued{.grid = 1, .block = 32, .stream = stream};
    auto x = gpu::ones<float>({3}), y = gpu::zeros<float>({3}), z = gpu::zeros<float>({3});
    auto k = gpu::zeros<int>({32});
    gpu::synchronize();
    auto kernels = std::make_unique<Kernels>();
    kernels->scale(queued, x, y, 0.f, 3);  // loaded before the gate closes
    kernels->loose(queued, x, z, 0.f, 3);
    kernels->defined(queued, k);
    stream.synchronize();
    k = gpu::zeros<int>({32});
    gpu::synchronize();
    gate.close_in(stream);
    kernels->scale(queued, x, y, 2.f, 3);
    kernels->loose(queued, y, z, 2.f, 3);
    kernels->defined(queued, k);
    // A GPU's driver unloads code when the work before is done, so that a thread of its own waits there.
    std::thread destroying([&] { kernels.reset(); });
    if (gpu::Device::current().kind() != gpu::BackendKind::host) gate.open();
    destroying.join();
    gate.open();
    stream.synchronize();
    CHECK(gpu::to_host(y) == std::vector<float>{2, 2, 2});
    CHECK(gpu::to_host(z) == std::vector<float>{4, 4, 4});
    CHECK(gpu::to_host(k) == std::vector<int>(32, 7));
}

TEST_CASE("attributes, occupancy and a launch shape to start with") {
    //! [attributes]
    const gpu::RawKernel<void(const float*, float*, float, int)> scale(source, "scale", {.options = {"-DN=0"}});
    const gpu::KernelAttributes facts = scale.attributes();
    const int blocks = scale.active_blocks(256);  // that one multiprocessor works on at once
    const gpu::LaunchConfig config = scale.suggested_config(1000);
    std::string line = scale.name() + ": " + std::to_string(facts.registers) + " registers a thread";
    //! [attributes]
    CHECK(contains(line, "scale: "));
    CHECK(scale.name() == "scale");
    CHECK(facts.static_shared == 0);
    CHECK(facts.max_threads_per_block >= 256);
    CHECK(facts.max_dynamic_shared >= std::size_t{48} << 10);
    CHECK(blocks >= 1);
    CHECK(config.block.x % 32 == 0);
    CHECK(config.grid.x * config.block.x >= 1000);
    CHECK((config.grid.x - 1) * config.block.x < 1000);
    auto x = gpu::ones<float>({1000}), y = gpu::zeros<float>({1000});
    scale(config, x, y, 2.f, 1000);
    CHECK(gpu::sum(y).item() == 2000.f);
    CHECK_THROWS_AS((void)scale.active_blocks(2048), gpu::LaunchError);
    CHECK_THROWS_AS((void)scale.active_blocks(256, std::size_t{1} << 30), gpu::LaunchError);
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) {
        CHECK(facts.registers > 0);
        CHECK(facts.binary_version >= 75);
    } else {
        CHECK(facts.registers == 0);
        CHECK(blocks == 1);
    }
}

TEST_CASE("more dynamic shared memory than 48 KiB needs no further word") {
    const gpu::RawKernel<void(int*, int)> reversed(source, "reversed", {.options = {"-DN=0"}});
    if (reversed.attributes().max_dynamic_shared < std::size_t{96} << 10) return;  // compute capability 7.5 has 64 KiB
    const int n = (96 << 10) / 4;
    auto x = gpu::arange<int>(n);
    reversed({.grid = 1, .block = 256, .shared = 96 << 10}, x, n);
    const std::vector<int> h = gpu::to_host(x);
    for (int k = 0; k < n; ++k) REQUIRE(h[static_cast<std::size_t>(k)] == n - 1 - k);
    CHECK_THROWS_AS(reversed({.grid = 1, .block = 256, .shared = 1 << 20}, x, n), gpu::LaunchError);
}

TEST_CASE("a kernel shows what is compiled, and its PTX") {
    //! [source_and_ptx]
    const gpu::RawKernel<void(float*)> twice(R"(
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
)",
                                             "twice");
    const std::string text = twice.source();
    //! [source_and_ptx]
    CHECK(contains(text, "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }"));
    try {
        const std::string ptx = twice.ptx(90);
        CHECK(contains(ptx, ".target sm_90"));
        CHECK(contains(ptx, "twice"));
        const gpu::RawKernel<void(float*)> wrong("__global__ void wrong(float* x) { x[0] = y; }", "wrong");
        try {
            (void)wrong.ptx(90);
            FAIL("it compiled");
        } catch (const gpu::CompileError& error) {
            CHECK(contains(error.what(), ": error: y is not declared\n"));  // in the learner's line, and with it
            CHECK(contains(error.what(), "{ x[0] = y; }\n"));
            CHECK(contains(error.source(), "#line "));
            CHECK(contains(error.options(), "--gpu-architecture=compute_90"));
        }
        CHECK_THROWS_AS((void)twice.ptx(30), gpu::DeviceError);
    } catch (const gpu::LibraryNotFound& error) {
        std::printf("SKIP: PTX of a raw kernel: %s\n", error.what());
    }
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) {
        CHECK(contains(twice.ptx(), ".visible .entry"));
    } else {
        CHECK_THROWS_AS((void)twice.ptx(), gpu::DeviceError);
    }
}

namespace {

//! [macro]
GPU_KERNEL(add_in_macro, (const float* x, float* y, int n), R"(
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += x[i];
)");
//! [macro]

template <class Kernel>
void check_line(const Kernel& kernel, int line) {
    auto y = gpu::zeros<float>({1});
    const std::string error = error_of([&] { kernel({.grid = 1, .block = 1}, y, 1); });
    CAPTURE(error);
    CHECK(contains(error, "raw_kernel_test.cpp:" + std::to_string(line) + ":"));
    CHECK(contains(error, "nowhere"));
}

}  // namespace

TEST_CASE("a kernel's body may stand in a macro, and errors name its line") {
    auto x = gpu::ones<float>({300}), y = gpu::ones<float>({300});
    add_in_macro({.grid = 2, .block = 256}, x, y, 300);
    add_in_macro[{2, 256}](x, y, 300);
    CHECK(gpu::sum(y).item() == 900.f);
    GPU_KERNEL(on_one_line, (float* y, int n), R"( y[0] = n; )");
    on_one_line({}, y, 5);
    CHECK(gpu::to_host(y)[0] == 5.f);

    GPU_KERNEL(wrong_at_once, (float* y, int n), R"(
        int i = n;
        y[i] = nowhere;
    )");
    check_line(wrong_at_once, __LINE__ - 2);
    // g++ doesn't tell a macro's later lines: libgpu looks into the file, if it is there.
#ifndef __clang__
    if (!std::ifstream(__FILE__)) {
        std::puts("SKIP: the line of a kernel in a macro: " __FILE__ " isn't here");
        return;
    }
#endif
    GPU_KERNEL(wrong_below, (float* y, int n),
               R"(
        y[n] = nowhere;
    )");
    check_line(wrong_below, __LINE__ - 2);
}

TEST_CASE("a stream of another library's is worked in, and an own one is given away") {
    const gpu::Stream own;
    void* const native = own.ref().native();  // a cudaStream_t, on a GPU
    const gpu::StreamRef stream = gpu::StreamRef::from_native(native, gpu::Device::current());
    auto x = gpu::ones<float>({100});
    {
        const gpu::StreamGuard guard(stream);
        x *= 3.f;
    }
    add_in_macro({.grid = 1, .block = 128, .stream = stream}, x, x, 100);
    stream.synchronize();
    CHECK(gpu::sum(x).item() == 600.f);
}

using support::contains;
using support::error_of;

TEST_CASE("what a parameter points to may be volatile, const or both") {
    const char* const text = R"(
__global__ void add(const volatile int* x, volatile int* y, const int* __restrict__ one, volatile int* volatile last) {
    y[threadIdx.x] = y[threadIdx.x] + x[threadIdx.x] + *one;
    if (threadIdx.x == 0) *last = 7;
}
__global__ void meet(volatile int* flag, float* out) {
    __shared__ volatile float part[32];
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) flag[0] = 1;
    while (flag[0] == 0) {}
    out[threadIdx.x] = part[31 - threadIdx.x];
})";
    using Add = void(const volatile int*, volatile int*, const int* __restrict__, volatile int*);
    const gpu::RawKernel<Add> add(text, "add");
    const auto x = gpu::arange<int>(32);
    auto y = gpu::ones<int>({32}), one = gpu::ones<int>({1}), last = gpu::zeros<int>({1});
    add({.grid = 1, .block = 32}, x, y, one, last);
    CHECK(gpu::to_host(y)[31] == 33);
    CHECK(last.item() == 7);
    add({.grid = 1, .block = 32}, x.data(), y.data(), one.data(), last.data());
    CHECK(gpu::to_host(y)[31] == 65);

    const gpu::RawKernel loose(text, "add");
    loose({.grid = 1, .block = 32}, x, y, one, last);
    volatile int* const pointer = y.data();
    loose({.grid = 1, .block = 32}, x, pointer, one, last);
    CHECK(gpu::to_host(y)[31] == 129);
    const auto refused = [&] { loose({.grid = 1, .block = 32}, x, y, pointer, last); };
    CHECK(contains(error_of(refused), "argument 3 (one) is volatile: the source declares const int*"));

    auto out = gpu::zeros<float>({32});
    auto flag = gpu::zeros<int>({1});
    const gpu::RawKernel<void(volatile int*, float*)> meet(text, "meet");
    meet({.grid = 1, .block = 32}, flag, out);
    CHECK(gpu::to_host(out)[0] == 31.f);
    CHECK(flag.item() == 1);
    const gpu::RawKernel<void(int*, float*)> plain(text, "meet");
    CHECK(contains(error_of([&] { plain({.grid = 1, .block = 32}, flag, out); }), "(int*, float*)"));
    if (!support::on_host()) return;
    const gpu::CheckReport report = gpu::check([&] { add({.grid = 1, .block = 32}, x, y, one, last); });
    CHECK(report.clean());
    CHECK(gpu::to_host(y)[31] == 161);
}

// Kernels that take pointers to pointers, pointers to anything, and complex numbers by their other names.
using support::contains;
using support::error_of;

namespace {

const char* const pointer_source = R"(
__global__ void sum(const float* const* parts, int count, float* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float all = 0;
    for (int k = 0; k < count; ++k) all += parts[k][i];
    total[i] = all;
}
__global__ void number(float** rows, int length) {
    for (int i = threadIdx.x; i < length; i += blockDim.x) rows[blockIdx.x][i] = 10 * blockIdx.x + i;
}
__global__ void swap(float** rows) { float* first = rows[0]; rows[0] = rows[1]; rows[1] = first; }
template <class T> __global__ void fill(T* const* rows, T value) { rows[blockIdx.x][threadIdx.x] = value; }
__global__ void clear(void* data, int bytes) {
    if (threadIdx.x < bytes) static_cast<unsigned char*>(data)[threadIdx.x] = 0;
}
__global__ void first(const void* data, const void* const* more, int* out) {
    out[0] = *(const int*)data;
    out[1] = *(const int*)more[1];
}
)";

}  // namespace

TEST_CASE("pointers to several arrays go to kernels that take float**") {
    //! [pointer_array]
    const gpu::RawKernel<void(const float* const*, int, float*, int)> sum(pointer_source, "sum");
    const gpu::Array<float> x = gpu::arange<float>(100), y = gpu::ones<float>({100});
    const gpu::PointerArray<const float> parts({x, y, x});
    gpu::Array<float> total = gpu::empty<float>({100});
    sum({.grid = 1, .block = 128}, parts, 3, total, 100);
    //! [pointer_array]
    const std::vector<float> h = gpu::to_host(total);
    for (std::size_t k = 0; k < h.size(); ++k) REQUIRE(h[k] == 2 * static_cast<float>(k) + 1);

    //! [range]
    const gpu::RawKernel<void(float**, int)> number(pointer_source, "number");
    gpu::Array<float> m = gpu::zeros<float>({4, 8});
    std::vector<gpu::View<float>> views;
    for (int row = 0; row < 4; ++row) views.push_back(m(row));
    const gpu::PointerArray<float> rows(views);
    number({.grid = 4, .block = 32}, rows, 8);
    //! [range]
    for (int row = 0; row < 4; ++row) CHECK(gpu::to_host(m(row))[7] == static_cast<float>(10 * row + 7));

    const gpu::RawKernel loose_number(pointer_source, "number"), loose_sum(pointer_source, "sum"),
        fill(pointer_source, "fill<double>");
    std::vector<gpu::Array<float>> arrays;
    for (int k = 0; k < 3; ++k) arrays.push_back(gpu::zeros<float>({5}));
    loose_number({.grid = 3, .block = 8}, gpu::PointerArray<float>(arrays), 5);
    CHECK(gpu::to_host(arrays[2]) == std::vector<float>{20, 21, 22, 23, 24});
    loose_sum({.grid = 1, .block = 8}, gpu::PointerArray<float>(arrays), 3, total, 5);  // to const float* const*
    CHECK(gpu::to_host(total)[1] == 33);
    auto d = gpu::zeros<double>({3}), e = gpu::zeros<double>({3});
    fill({.grid = 2, .block = 3}, gpu::PointerArray<double>({d, e(gpu::slice(0, 3))}), 2.5);
    CHECK(gpu::to_host(e) == std::vector<double>{2.5, 2.5, 2.5});
    const gpu::RawModule module(pointer_source, {.names = {"fill<int>"}});
    auto i = gpu::zeros<int>({2});
    module.kernel<void(int* const*, int)>("fill<int>")({.grid = 1, .block = 2}, gpu::PointerArray<int>({i}), 7);
    CHECK(gpu::to_host(i) == std::vector<int>{7, 7});
}

TEST_CASE("a device pointer to pointers that the program has made itself goes as well, typed and loose") {
    auto m = gpu::zeros<float>({4, 8});
    std::vector<std::uint64_t> addresses;
    for (int row = 0; row < 4; ++row) addresses.push_back(reinterpret_cast<std::uintptr_t>(m(row).data()));
    auto table = gpu::to_device(addresses);
    const gpu::RawKernel<void(float**, int)> number(pointer_source, "number");
    number({.grid = 4, .block = 8}, reinterpret_cast<float**>(table.data()), 8);
    CHECK(m(3, 7).item() == 37);
    m = 0;
    const gpu::RawKernel loose(pointer_source, "number");
    loose({.grid = 4, .block = 8}, reinterpret_cast<float**>(table.data()), 8);
    CHECK(m(3, 7).item() == 37);
}

TEST_CASE("a PointerArray keeps its arrays, and is read by libraries") {
    const gpu::RawKernel<void(float**, int)> number(pointer_source, "number");
    auto left = gpu::zeros<float>({4});
    const auto make = [&] {
        auto gone = gpu::ones<float>({4});
        return gpu::PointerArray<float>({left, gone});
    };
    //! [data]
    const gpu::PointerArray<float> pointers = make();
    float** const for_cublas = pointers.data();  // as cublasSgemmBatched takes it
    const std::int64_t count = pointers.size();
    const gpu::Device where = pointers.device();
    //! [data]
    CHECK(for_cublas != nullptr);
    CHECK(count == 2);
    CHECK(where == left.device());
    auto others = gpu::zeros<float>({4});  // would take the memory that nobody holds
    gpu::PointerArray<float> from = pointers;
    const gpu::PointerArray<float> to = std::move(from);
    number({.grid = 2, .block = 4}, from, 4);
    CHECK(gpu::to_host(left) == std::vector<float>{0, 1, 2, 3});
    CHECK(gpu::to_host(others) == std::vector<float>{0, 0, 0, 0});
    auto sum = left + 1.f;
    number({.grid = 2, .block = 4}, to, 4);
    CHECK_THROWS_AS((void)sum.eval(), gpu::ExpressionError);  // written through the pointers

    const gpu::PointerArray<float> swapped({left, others});
    const gpu::RawKernel<void(float**)> swap(pointer_source, "swap");
    swap({.grid = 1, .block = 1}, swapped);  // the kernel writes to the pointers themselves
    number({.grid = 1, .block = 4}, swapped, 4);
    CHECK(gpu::to_host(others) == std::vector<float>{0, 1, 2, 3});
    const gpu::PointerArray<float> none({});
    CHECK(none.size() == 0);
}

TEST_CASE("what a PointerArray can't point to, and where it can't go, is said with the rule") {
    auto m = gpu::arange<float>(12).reshape({3, 4}), x = gpu::zeros<float>({4});
    CHECK_THROWS_WITH_AS(gpu::PointerArray<float>({x, m(gpu::all, 1)}),
                         "PointerArray: array 1 of 2 is a window of shape (3,) with strides (4,): a kernel gets its "
                         "address only, and takes the elements for dense in row-major order; make a gpu::Array of it "
                         "first",
                         gpu::ShapeError);
    CHECK_THROWS_AS(gpu::PointerArray<float>({m.transpose()}), gpu::ShapeError);
    gpu::Array<float> columns = m.copy(gpu::Layout::column_major);
    CHECK(gpu::PointerArray<float>({columns}).size() == 1);  // as it lies in memory

    const gpu::LaunchConfig one{.grid = 1, .block = 1};
    const gpu::RawKernel number(pointer_source, "number"), sum(pointer_source, "sum"), clear(pointer_source, "clear");
    CHECK_THROWS_WITH_AS(number(one, x, 4),
                         "kernel number: argument 1 (rows) is an array of float, the source declares float**: pass a "
                         "gpu::PointerArray of the arrays that it points to",
                         gpu::DTypeError);
    auto d = gpu::zeros<double>({4});
    CHECK_THROWS_WITH_AS(number(one, gpu::PointerArray<double>({d}), 4),
                         "kernel number: argument 1 (rows) is a PointerArray of double, the source declares float**",
                         gpu::DTypeError);
    CHECK_THROWS_WITH_AS(
        number(one, gpu::PointerArray<const float>({x}), 4),
        "kernel number: argument 1 (rows) is const, and the kernel may write to it: the source declares float**",
        gpu::Error);
    CHECK_THROWS_WITH_AS(sum(one, gpu::PointerArray<float>({x}), 1, gpu::PointerArray<float>({x}), 4),
                         "kernel sum: argument 3 (total) is a PointerArray of float, the source declares float*: that "
                         "is one array, not pointers to several",
                         gpu::DTypeError);
    CHECK_THROWS_WITH_AS(clear(one, 3.f, 4),
                         "kernel clear: argument 1 (data) is of type float, the source declares void*",
                         gpu::DTypeError);
    const gpu::RawKernel<void(float* const*, int)> other(pointer_source, "number");
    CHECK(contains(error_of([&] { other(one, gpu::PointerArray<float>({x}), 4); }),
                   "expected (float* const*, int), the source has (float** rows, int length)"));
}

TEST_CASE("the arrays of a PointerArray, and the kernel, are on one device") {
    if (!two_devices("pointers to arrays of two devices")) return;
    auto x = gpu::zeros<float>({4});
    const gpu::DeviceGuard guard(gpu::Device(1));
    auto y = gpu::zeros<float>({4});
    const std::string apart = error_of([&] { (void)gpu::PointerArray<float>({x, y}); });
    CHECK_MESSAGE(contains(apart, "PointerArray: array 1 of 2 is on " + gpu::Device(1).to_string()), apart);
    CHECK_MESSAGE(contains(apart, "a kernel runs on one device; move the array, as in x.to(gpu::Device"), apart);
    const gpu::PointerArray<float> elsewhere({x});
    CHECK(elsewhere.device() == x.device());
    const gpu::RawKernel<void(float**, int)> number(pointer_source, "number");
    const std::string error = error_of([&] { number({.grid = 1, .block = 4}, elsewhere, 4); });
    CHECK_MESSAGE(contains(error, "argument 1 of a raw kernel is a PointerArray on " + x.device().to_string()), error);
    CHECK_THROWS_AS(number({.grid = 1, .block = 4}, elsewhere, 4), gpu::DeviceError);
}

TEST_CASE("void* takes any array, and any device pointer") {
    const gpu::RawKernel<void(void*, int)> clear(pointer_source, "clear");
    const gpu::RawKernel<void(const void*, const void* const*, int*)> first(pointer_source, "first");
    const gpu::RawKernel loose(pointer_source, "clear"), loose_first(pointer_source, "first");
    auto x = gpu::ones<float>({4});
    auto y = gpu::ones<std::int64_t>({4});
    const gpu::LaunchConfig one{.grid = 1, .block = 32};
    clear(one, x, 4);
    clear(one, y(gpu::slice(1, 3)), 8);
    CHECK(gpu::to_host(x) == std::vector<float>{0, 1, 1, 1});
    CHECK(gpu::to_host(y) == std::vector<std::int64_t>{1, 0, 1, 1});
    loose(one, x, 8);
    loose(one, y.data(), 8);
    loose(one, static_cast<void*>(x.data()), 12);
    CHECK(gpu::to_host(x) == std::vector<float>{0, 0, 0, 1});
    CHECK(gpu::to_host(y) == std::vector<std::int64_t>{0, 0, 1, 1});
    const gpu::Array<int> a = gpu::to_device({3, 4});
    const gpu::Array<std::int64_t> b = gpu::to_device({std::int64_t{5}});
    auto out = gpu::zeros<int>({2});
    first(one, a, gpu::PointerArray<const std::int64_t>({b, b}), out);
    CHECK(gpu::to_host(out) == std::vector<int>{3, 5});
    loose_first(one, b, gpu::PointerArray<const int>({a, a}), out);
    CHECK(gpu::to_host(out) == std::vector<int>{5, 3});
    CHECK_THROWS_WITH_AS(
        loose(one, a, 4),
        "kernel clear: argument 1 (data) is const, and the kernel may write to it: the source declares void*",
        gpu::Error);
    CHECK_THROWS_AS(clear(one, x(gpu::slice(0, 4, 2)), 4), gpu::ShapeError);
}

TEST_CASE("check mode follows pointers to pointers, and calls the arrays by them") {
    const gpu::DeviceGuard guard(gpu::Device::host(0));
    const gpu::RawKernel<void(float**, int)> number(pointer_source, "number");
    const gpu::RawKernel<void(const float* const*, int, float*, int)> sum(pointer_source, "sum");
    auto x = gpu::zeros<float>({8}), y = gpu::zeros<float>({8});
    const gpu::PointerArray<float> both({x, y});
    const gpu::CheckReport clean = gpu::check([&] { number({.grid = 2, .block = 32}, both, 8); });
    CHECK_MESSAGE(clean.findings.empty(), clean.to_text());
    CHECK(gpu::to_host(y)[7] == 17);

    const gpu::CheckReport outside = gpu::check([&] { number({.grid = 2, .block = 32}, both, 9); });
    REQUIRE(!outside.findings.empty());
    CHECK(outside.findings[0].kind == gpu::FindingKind::out_of_bounds);
    CHECK(outside.findings[0].variable == "rows[0]");
    CHECK_MESSAGE(contains(outside.findings[0].what, "rows[0][8]"), outside.to_text());

    const gpu::CheckReport unset = gpu::check([&] {
        auto never = gpu::empty<float>({8});
        auto total = gpu::empty<float>({8});
        sum({.grid = 1, .block = 8}, gpu::PointerArray<const float>({x, never}), 2, total, 8);
    });
    REQUIRE(unset.findings.size() == 1);
    CHECK(unset.findings[0].kind == gpu::FindingKind::uninitialized_read);
    CHECK(unset.findings[0].variable == "parts[1]");

    auto made = gpu::empty<float>({8});
    number({.grid = 1, .block = 8}, gpu::PointerArray<float>({made}), 8);  // not in check mode
    const gpu::CheckReport later = gpu::check([&] { gpu::Array<float> z = made + 1.f; });
    CHECK_MESSAGE(later.findings.empty(), later.to_text());
}

TEST_CASE("a write past the end of an array that a pointer points to is reported on the host") {
    if (!support::on_host()) return;
    const gpu::RawKernel<void(float**, int)> number(pointer_source, "number");
    auto x = gpu::zeros<float>({8}), y = gpu::zeros<float>({8}), odd = gpu::zeros<float>({3});
    const std::string far = error_of([&] {
        number({.grid = 2, .block = 32}, gpu::PointerArray<float>({x, y}), 9);
        gpu::synchronize();
    });
    CHECK_MESSAGE(contains(far, "rows["), far);
    const std::string near = error_of([&] {
        number({.grid = 1, .block = 32}, gpu::PointerArray<float>({odd}), 4);  // 12 bytes end at a multiple of 16
        gpu::synchronize();
    });
    CHECK_MESSAGE(contains(near, "rows[0]"), near);
}
