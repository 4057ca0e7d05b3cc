// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <complex>
#include <cstdio>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/on_host.hpp"
#include "support/temporary_folder.hpp"

using support::contains;
using support::error_of;
using support::on_host;

namespace {

const char* const source = R"(
__constant__ float coef[3];
__device__ int calls = 5;
static __device__ double bias[2];
namespace filter { __constant__ int order = 2; }
template <class T>
__global__ void mul(const T* x, T* y, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}
__global__ void polynomial(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = coef[0] + x[i] * (coef[1] + x[i] * coef[2]);
    if (i == 0) atomicAdd(&calls, 1);
}
__global__ void order_of(int* out) { *out = filter::order; }
__global__ void sum_bias(double* out) { *out = bias[0] + bias[1]; }
__global__ void block_sums(const int* x, int* out) {
    __shared__ int part[64];
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
)";

}  // namespace

TEST_CASE("a module's kernel may be declared before it is defined, and one that nobody defines isn't there") {
    const gpu::RawModule kernels("__global__ void k(float*);\n__global__ void gone(float* x);\n"
                                 "__global__ void k(float* x) { x[0] = 7; }\n");
    auto x = gpu::zeros<float>(1);
    kernels.kernel<void(float*)>("k")({.grid = 1, .block = 1}, x);
    CHECK(gpu::to_host(x)[0] == 7);
    const auto gone = kernels.kernel<void(float*)>("gone");
    CHECK_THROWS_WITH_AS(gone({.grid = 1, .block = 1}, x), doctest::Contains("gone"), gpu::Error);
}

TEST_CASE("a module has its kernels in #if, those of macros, and templates over types that it doesn't name") {
    const gpu::RawModule kernels(R"(
#ifndef COURSE_KERNELS
#define COURSE_KERNELS
#define KERNEL(name, op) __global__ void name(float* x) { x[0] = x[1] op x[2]; }
#define TYPED(T) extern "C" __global__ void fill_##T(T* x)
KERNEL(add, +)
KERNEL(subtract, -)
TYPED(int) { x[0] = 7; }
#if defined(FANCY)
__global__ void fancy(float* x) { x[0] = 1; }
#else
__global__ void simple(float* x) { x[0] = 2; }
#endif
#endif
template <class T> __global__ void square(T* x) { x[0] = x[1] * x[1]; }
)",
                                 {.names = {"square<complex<float>>", "square<half>"}});
    auto x = gpu::to_device(std::vector<float>{0, 5, 3});
    const auto first = [&](const char* name) {
        kernels.kernel<void(float*)>(name)({.grid = 1, .block = 1}, x);
        return gpu::to_host(x)[0];
    };
    CHECK(first("add") == 8.0F);
    CHECK(first("subtract") == 2.0F);
    CHECK(first("simple") == 2.0F);
    CHECK_THROWS_AS((void)first("fancy"), gpu::CompileError);
    auto n = gpu::zeros<int>({1});
    kernels.kernel<void(int*)>("fill_int")({.grid = 1, .block = 1}, n);
    CHECK(gpu::to_host(n)[0] == 7);
    auto z = gpu::to_device(std::vector<std::complex<float>>{{0, 0}, {1, 2}});
    kernels.kernel<void(std::complex<float>*)>("square<complex<float>>")({.grid = 1, .block = 1}, z);
    CHECK(gpu::to_host(z)[0] == std::complex<float>(-3, 4));
    auto h = gpu::to_device(std::vector<gpu::half>{gpu::half(0.0F), gpu::half(3.0F)});
    kernels.kernel<void(gpu::half*)>("square<half>")({.grid = 1, .block = 1}, h);
    CHECK(static_cast<float>(gpu::to_host(h)[0]) == 9.0F);
}

TEST_CASE("a module's kernels share one source: instances of templates, plain ones, loose ones") {
    //! [raw_module]
    const gpu::RawModule kernels(source, {.names = {"mul<float>", "mul<double>"}});
    const auto mul = kernels.kernel<void(const float*, float*, float, int)>("mul<float>");
    auto x = gpu::arange<float>(100), y = gpu::zeros<float>({100});
    mul({.grid = 1, .block = 128}, x, y, 2.f, 100);
    //! [raw_module]
    CHECK(gpu::to_host(y)[99] == 198.f);

    kernels.kernel<void(const float*, float*, float, int)>(" mul< float >")({.grid = 1, .block = 128}, x, y, 3.f, 100);
    CHECK(gpu::to_host(y)[99] == 297.f);
    mul({.grid = 1, .block = 128}, x, y, 2.f, 100);

    // Asked for after the module was compiled.
    const auto mul_double = kernels.kernel<void(const double*, double*, double, int)>("mul<double>");
    auto d = gpu::ones<double>({3});
    mul_double({.grid = 1, .block = 32}, d, d, 5.0, 3);
    CHECK(gpu::to_host(d) == std::vector<double>{5, 5, 5});
    auto sums = gpu::zeros<int>({2});
    kernels.kernel<void(const int*, int*)>("block_sums")({.grid = 2, .block = 64}, gpu::arange<int>(128), sums);
    CHECK(gpu::to_host(sums) == std::vector<int>{2016, 6112});
    CHECK(kernels.kernel("block_sums").attributes().static_shared == 256);
    const auto loose = kernels.kernel("mul<float>");
    loose[{1, 128}](y, y, 0.5f, 100);
    CHECK(gpu::to_host(y)[99] == 99.f);

    auto z = gpu::zeros<int>({1});
    const auto wrong = kernels.kernel<void(const double*, int*)>("block_sums");
    CHECK(contains(error_of([&] { wrong({.grid = 1, .block = 64}, d, z); }), "(const double*, int*)"));
    const auto unnamed = kernels.kernel<void(const int*, int*, int, int)>("mul<int>");
    const std::string error = error_of([&] { unnamed({.grid = 1, .block = 64}, z, z, 1, 1); });
    CAPTURE(error);
    CHECK((contains(error, "compiled without a kernel mul<int>") && contains(error, ".names")));
}

TEST_CASE("a kernel that was asked for wrongly fails where it is used, and spoils no other") {
    const gpu::RawModule kernels(source, {.names = {"mul<float>"}});
    const auto wrong = kernels.kernel<void(const float*, double*, int)>("polynomial");
    const auto missing = kernels.kernel<void(const float*)>("monomial");
    const auto right = kernels.kernel<void(const float*, float*, float, int)>("mul<float>");
    auto x = gpu::ones<float>({1});
    auto d = gpu::ones<double>({1});
    right({.grid = 1, .block = 1}, x, x, 3.f, 1);
    CHECK(x.item() == 3.f);
    const std::string error = error_of([&] { wrong({.grid = 1, .block = 1}, x, d, 1); });
    CAPTURE(error);
    CHECK(contains(error, "kernel polynomial"));
    CHECK(contains(error, "(const float*, double*, int)"));
    CHECK(contains(error_of([&] { missing({.grid = 1, .block = 1}, x); }), "monomial"));
    kernels.kernel<void(const float*, float*, int)>("polynomial")({.grid = 1, .block = 1}, x, x, 1);
    CHECK(x.item() == 0.f);

    const gpu::RawModule misnamed(source, {.names = {"div<float>"}});
    CHECK(contains(error_of([&] { (void)misnamed.symbol<float>("coef"); }), "div<float>"));
    CHECK_THROWS_AS((void)gpu::RawModule("int x;").symbol<int>("x"), gpu::Error);
}

TEST_CASE("a module that is asked for a kernel that it hasn't tells those that it has") {
    const std::string there =
        "no kernel named monomial; the source defines: mul, polynomial, order_of, sum_bias, block_sums";
    auto x = gpu::ones<float>({1});
    const gpu::LaunchConfig one{.grid = 1, .block = 1};
    const gpu::RawModule kernels(source, {.names = {"mul<float>"}});
    const auto before = kernels.kernel<void(const float*)>("monomial");
    CHECK(contains(error_of([&] { before(one, x); }), there));  // the module is compiled without it
    const auto after = kernels.kernel<void(const float*)>("monomial");
    CHECK(contains(error_of([&] { after(one, x); }), there));
    CHECK(contains(error_of([&] { kernels.kernel("monomial")(one, x); }), there));
    const std::string facts = error_of([&] { (void)kernels.kernel("monomial").attributes(); });
    CAPTURE(facts);
    CHECK(contains(facts, "without a kernel monomial; it has mul<float>, polynomial, order_of, sum_bias, block_sums"));
    CHECK(contains(error_of([&] { (void)before.attributes(); }), there));
    const auto similar = kernels.kernel<void(const float*, float*, int)>("polynomal");
    CHECK(contains(error_of([&] { similar(one, x, x, 1); }), "help: did you mean polynomial?"));

    // Named when the module is made: it must be there.
    for (const char* const name : {"monomial", "monomial<float>"}) {
        const gpu::RawModule misnamed(source, {.names = {"mul<float>", name}});
        CHECK(contains(error_of([&] { (void)misnamed.symbol<float>("coef"); }), there));
        CHECK(contains(error_of([&] { misnamed.kernel("polynomial")(one, x, x, 1); }), there));
    }
    try {  // NVRTC needs no GPU for this
        const std::string ptx = kernels.kernel<void(int*)>("order_of").ptx(90);
        CHECK(contains(ptx, "order_of"));
        CHECK(contains(error_of([&] { (void)before.ptx(90); }), there));
        CHECK(contains(error_of([&] { (void)kernels.kernel("monomial").ptx(90); }), there));
    } catch (const gpu::LibraryNotFound& error) {
        std::printf("SKIP: PTX of a module's kernel: %s\n", error.what());
    }
    kernels.kernel<void(const float*, float*, int)>("polynomial")(one, x, x, 1);
    CHECK(x.item() == 0.f);
}

TEST_CASE("variables of a module are read, written and shared by its kernels") {
    //! [symbol]
    const gpu::RawModule kernels(source);
    kernels.symbol<float>("coef").copy_from({1.f, 2.f, 3.f});
    const auto polynomial = kernels.kernel<void(const float*, float*, int)>("polynomial");
    auto x = gpu::arange<float>(4), y = gpu::zeros<float>({4});
    polynomial({.grid = 1, .block = 32}, x, y, 4);
    //! [symbol]
    CHECK(gpu::to_host(y) == std::vector<float>{1, 6, 17, 34});
    CHECK(kernels.symbol<float>("coef").shape() == gpu::Shape{3});
    CHECK(gpu::to_host(kernels.symbol<float>("coef")) == std::vector<float>{1, 2, 3});
    CHECK(kernels.symbol<int>("calls").item() == 6);
    kernels.symbol<int>("calls") = 40;
    polynomial({.grid = 1, .block = 32}, x, y, 4);
    CHECK(kernels.symbol<int>("calls").item() == 41);
    kernels.symbol<float>("coef") = 0.f;
    polynomial({.grid = 1, .block = 32}, x, y, 4);
    CHECK(gpu::to_host(y) == std::vector<float>{0, 0, 0, 0});

    kernels.symbol<int>("filter::order").copy_from({7});
    auto out = gpu::zeros<int>({});
    kernels.kernel<void(int*)>("order_of")({}, out);
    CHECK(out.item() == 7);

    const gpu::RawModule letters(
        "__device__ int v = 4;\n__constant__ float f[2];\n__global__ void k(int* x) { *x = v; }");
    CHECK(letters.symbol<int>("v").item() == 4);
    CHECK(letters.symbol<float>("f").shape() == gpu::Shape{2});

    // Another module of the same source is another one.
    const gpu::RawModule other(source), copy = kernels;
    CHECK(other.symbol<int>("calls").item() == 5);
    CHECK(copy.symbol<int>("calls").item() == 42);
    CHECK(contains(error_of([&] { (void)kernels.symbol<float>("coeff"); }),
                   "has no __constant__ or __device__ variable coeff; it declares coef, calls, bias, order"));
    CHECK_THROWS_AS((void)kernels.symbol<int>("coef"), gpu::DTypeError);
    CHECK_THROWS_AS((void)kernels.symbol<double>("calls"), gpu::DTypeError);
}

TEST_CASE("a window on a variable keeps its module, and so does a kernel") {
    std::optional<gpu::RawModule> kernels(std::in_place, source);
    auto coef = kernels->symbol<float>("coef");
    const auto polynomial = kernels->kernel<void(const float*, float*, int)>("polynomial");
    auto x = gpu::ones<float>({1}), y = gpu::zeros<float>({1});
    coef.copy_from({1.f, 10.f, 100.f});
    kernels.reset();
    polynomial({.grid = 1, .block = 32}, x, y, 1);
    CHECK(y.item() == 111.f);
    CHECK(gpu::to_host(coef) == std::vector<float>{1, 10, 100});
}

TEST_CASE("each device has variables of its own") {
    if (gpu::Device::count() < 2) return;
    const gpu::RawModule kernels(source);
    kernels.symbol<int>("calls") = 1;
    const gpu::DeviceGuard guard(gpu::Device(1));
    CHECK(kernels.symbol<int>("calls").item() == 5);
    auto x = gpu::ones<float>({1}), y = gpu::zeros<float>({1});
    kernels.kernel("polynomial")({.grid = 1, .block = 32}, x, y, 1);
    CHECK(kernels.symbol<int>("calls").item() == 6);
}

TEST_CASE("in check mode a module's variables have the same values") {
    if (!on_host()) return;
    const gpu::RawModule kernels(source);
    kernels.symbol<float>("coef").copy_from({1.f, 2.f, 3.f});
    kernels.symbol<int>("calls") = 10;
    const auto polynomial = kernels.kernel<void(const float*, float*, int)>("polynomial");
    auto x = gpu::ones<float>({1}), y = gpu::zeros<float>({1});
    const gpu::CheckReport report = gpu::check([&] { polynomial({.grid = 1, .block = 32}, x, y, 1); });
    CHECK(report.findings.empty());
    CHECK(y.item() == 6.f);
    CHECK(kernels.symbol<int>("calls").item() == 11);

    const gpu::RawModule inside(source);  // first used within a check
    const auto again = inside.kernel<void(const float*, float*, int)>("polynomial");
    (void)gpu::check([&] {
        inside.symbol<float>("coef").copy_from({4.f, 5.f, 6.f});
        again({.grid = 1, .block = 32}, x, y, 1);
    });
    CHECK(y.item() == 15.f);
    again({.grid = 1, .block = 32}, x, y, 1);
    CHECK(y.item() == 15.f);
    CHECK(inside.symbol<int>("calls").item() == 7);
}

TEST_CASE("a module of machine code: PTX on a GPU, a refusal by name on the host") {
    const support::TemporaryFolder folder;
    const std::string path = folder / "times.ptx";
    const gpu::RawKernel<void(float*, float)> twice(R"(
extern "C" __global__ void times(float* x, float factor) { x[threadIdx.x] *= factor; }
)",
                                                    "times");
    std::string ptx;
    try {
        ptx = twice.ptx(75);
    } catch (const gpu::LibraryNotFound& error) {
        std::printf("SKIP: PTX of a module's kernel: %s\n", error.what());
        ptx = "//";
    }
    folder.write("times.ptx", ptx);
    //! [load]
    const gpu::RawModule kernels = gpu::RawModule::load(path);
    const auto times = kernels.kernel<void(float*, float)>("times");
    //! [load]
    auto x = gpu::ones<float>({4});
    if (on_host()) {
        const std::string error = error_of([&] { times({.grid = 1, .block = 4}, x, 3.f); });
        CHECK(contains(error, "is a GPU's machine code: the host backend builds kernels from their source"));
    } else {
        times({.grid = 1, .block = 4}, x, 3.f);
        kernels.kernel("times")({.grid = 1, .block = 4}, x, 2.f);
        CHECK(gpu::to_host(x) == std::vector<float>{6, 6, 6, 6});
        CHECK_THROWS_AS(kernels.kernel<void(float*)>("times")({.grid = 1, .block = 4}, x), gpu::LaunchError);
        CHECK_THROWS_AS(kernels.kernel<void(float*)>("no_such")({.grid = 1, .block = 4}, x), gpu::LaunchError);
    }
    CHECK_THROWS_AS((void)gpu::RawModule::load("no_such.cubin"), gpu::FileError);
}

TEST_CASE("a char goes by value, and what can't be compiled or launched is said before") {
    const gpu::RawKernel<void(char, int*)> letter("__global__ void letter(char c, int* x) { *x = c; }", "letter");
    auto x = gpu::zeros<int>({});
    letter({}, 'a', x);
    CHECK(x.item() == 'a');
    CHECK_THROWS_WITH_AS(gpu::RawKernel(std::string(" \n"), "scale"), "kernel scale: its source, kernel source, is empty",
                         gpu::Error);
    CHECK_THROWS_AS(gpu::RawKernel(source, ""), gpu::Error);
    CHECK(contains(error_of([&] { letter({.grid = std::int64_t{1} << 40}, 'a', x); }),
                   "a grid length of 1099511627776 is beyond any device's limit"));
    CHECK(contains(error_of([&] { (void)letter.active_blocks({1 << 20, 1 << 20}); }), "1048576"));
}
