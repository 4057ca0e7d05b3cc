// SPDX-License-Identifier: MIT
#include <complex>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "gate.hpp"
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
    CHECK_THROWS_WITH_AS(gpu::RawKernel(std::string(" \n"), "scale"),
                         "kernel scale: its source, kernel source, is empty", gpu::Error);
    CHECK_THROWS_AS(gpu::RawKernel(source, ""), gpu::Error);
    CHECK(contains(error_of([&] { letter({.grid = std::int64_t{1} << 40}, 'a', x); }),
                   "a grid length of 1099511627776 is beyond any device's limit"));
    CHECK(contains(error_of([&] { (void)letter.active_blocks({1 << 20, 1 << 20}); }), "1048576"));
}

// gpu::Texture as a program meets it: made, passed to kernels, and what is refused.
using support::contains;
using support::error_of;

namespace {

const char* const texture_source = R"(
__global__ void shift(cudaTextureObject_t image, float* out, float by) {
    const int x = threadIdx.x, y = blockIdx.x;
    out[y * blockDim.x + x] = tex2D<float>(image, x + 0.5f + by, y + 0.5f);
}
__global__ void gather(cudaTextureObject_t table, const int* at, int* out) {
    out[threadIdx.x] = tex1Dfetch<int>(table, at[threadIdx.x]);
}
__global__ void wave(cudaTextureObject_t samples, float* out) { out[0] = tex1D<float>(samples, 0.5f); }
__global__ void number(unsigned long long handle, float* out) { out[0] = tex1Dfetch<float>(handle, 0); }
__global__ void plain(int n, float* out) { out[0] = n; }
)";

gpu::Array<float> ones() { return gpu::ones<float>({8}); }

// What a launch says that reads a texture of these options, or with a handle of the program's own.
template <class T>
std::string said(const std::string& body, const gpu::Array<T>& values, const gpu::TextureOptions& options) {
    const gpu::RawKernel<> kernel(
        gpu::Source("__global__ void k(cudaTextureObject_t t, float* out) {\n    " + body + "\n}\n", "k.cu", 1), "k");
    auto out = gpu::zeros<float>({4});
    return error_of<gpu::LaunchError>([&] {
        kernel({.grid = 1, .block = 32}, gpu::Texture(values, options), out);
        gpu::synchronize();
    });
}

std::string refused(const gpu::AnyArray& values, const gpu::TextureOptions& options) {
    return error_of<gpu::Error>([&] { (void)gpu::Texture(values, options); });
}

}  // namespace

TEST_CASE("a kernel reads an array as a texture, between its elements and beyond its edges") {
    //! [texture]
    const gpu::Array<float> pixels = gpu::arange<float>(12).reshape(3, 4);
    const gpu::Texture image(pixels, {.addressing = gpu::TextureAddressing::clamp,
                                      .filter = gpu::TextureFilter::linear});
    const gpu::RawKernel<void(gpu::Texture, float*, float)> shift(texture_source, "shift");
    gpu::Array<float> shifted = gpu::empty<float>({3, 4});
    shift({.grid = 3, .block = 4}, image, shifted, 0.5F);  // halfway to the right neighbour; at the edge there is none
    //! [texture]
    CHECK(gpu::to_host(shifted) ==
          std::vector<float>{0.5F, 1.5F, 2.5F, 3, 4.5F, 5.5F, 6.5F, 7, 8.5F, 9.5F, 10.5F, 11});

    // The loose form, and a module's kernel; the array may go, and copies are the same texture.
    std::optional<gpu::Texture> copy;
    {
        gpu::Array<float> gone = gpu::full<float>({2, 2}, 7);
        copy = gpu::Texture(gone);
        gone = gpu::zeros<float>({2, 2});
    }
    const gpu::Texture same = *copy;
    copy.reset();
    auto out = gpu::zeros<float>({2, 2});
    gpu::RawKernel<>(texture_source, "shift")({.grid = 2, .block = 2}, same, out, 0.F);
    CHECK(gpu::to_host(out) == std::vector<float>(4, 7.F));
    out = gpu::zeros<float>({2, 2});
    gpu::RawModule(texture_source)
        .kernel<void(gpu::Texture, float*, float)>("shift")({.grid = 2, .block = 2}, same, out, 9.F);
    CHECK(gpu::to_host(out) == std::vector<float>(4, 7.F));
}

TEST_CASE("tex1Dfetch reads linear memory, and 0 beyond it") {
    //! [linear_memory]
    const gpu::Texture table(gpu::arange<int>(100), {.linear_memory = true});
    const gpu::RawKernel<void(gpu::Texture, const int*, int*)> gather(texture_source, "gather");
    const gpu::Array<int> at = gpu::to_device(std::vector<int>{7, 99, 100, -1});
    gpu::Array<int> out = gpu::empty<int>({4});
    gather({.grid = 1, .block = 4}, table, at, out);  // 7, 99, 0, 0
    //! [linear_memory]
    CHECK(gpu::to_host(out) == std::vector<int>{7, 99, 0, 0});
}

TEST_CASE("a texture says what it was made of") {
    //! [facts]
    const gpu::Texture image(gpu::zeros<std::uint8_t>({3, 5}), {.normalized_values = true});
    CHECK(image.shape() == gpu::Shape{3, 5});
    CHECK(image.options().normalized_values);
    CHECK(image.device() == gpu::Device::current());
    //! [facts]
}

TEST_CASE("a launch that is queued reads its texture although the last handle goes") {
    auto out = gpu::zeros<float>({1});
    const gpu::RawKernel<void(gpu::Texture, float*)> wave(texture_source, "wave");
    for (int k = 0; k < 50; ++k) wave({.grid = 1, .block = 1}, gpu::Texture(gpu::full<float>({4}, float(k))), out);
    CHECK(out.item() == 49);
}

TEST_CASE("what no GPU can make a texture of is refused") {
    const gpu::TextureOptions usual, linear{.filter = gpu::TextureFilter::linear}, memory{.linear_memory = true};
    CHECK(contains(refused(gpu::zeros<double>({4}), usual), "Texture: its elements can't be float64: take float32"));
    CHECK(contains(refused(gpu::zeros<std::int64_t>({4}), usual), "its elements can't be int64"));
    CHECK(contains(refused(gpu::zeros<float>({4, 4, 4}), usual),
                   "Texture: the array has shape (4,4,4): a texture has one axis or two"));
    CHECK(contains(refused(gpu::zeros<float>({}), usual), "a texture has one axis or two"));
    CHECK(contains(refused(gpu::zeros<float>({0, 3}), usual), "there is nothing to read"));
    CHECK(contains(refused(gpu::zeros<float>({4, 4}), memory), "a texture in linear memory has one axis"));
    CHECK(contains(refused(gpu::zeros<float>({131073}), usual),
                   "Texture: 131073 texels along x: GPUs have textures of at most 131072"));
    CHECK(contains(refused(gpu::zeros<std::int8_t>({65537, 1}), usual), "65537 texels along y"));
    CHECK(contains(refused(gpu::zeros<int>({4}), linear), "Texture: a linear filter with elements of type int32"));
    CHECK(contains(refused(gpu::zeros<float>({4}), {.normalized_values = true}),
                   "Texture: normalized_values with elements of type float32"));
    CHECK(contains(refused(gpu::zeros<float>({4}), {.filter = gpu::TextureFilter::linear, .linear_memory = true}),
                   "Texture: linear_memory with a filter"));
    CHECK(contains(refused(gpu::zeros<float>({4, 3}), {.channels = 3}), "Texture: channels is 3: texels have 1, 2"));
    CHECK(contains(refused(gpu::zeros<float>({4, 3}), {.channels = 2}),
                   "shape (4,3), and channels = 2 needs a last axis of that length"));
    CHECK_THROWS_AS(gpu::Texture(gpu::zeros<double>({4})), gpu::DTypeError);
    CHECK_THROWS_AS(gpu::Texture(gpu::zeros<float>({4, 4, 4})), gpu::ShapeError);
}

TEST_CASE("a texture goes to a cudaTextureObject_t, and nothing else does") {
    auto out = gpu::zeros<float>({1});
    const gpu::LaunchConfig one{.grid = 1, .block = 1};
    const gpu::Texture samples(ones());
    const auto refuse = [&](const char* name, const auto& argument) {
        return error_of<gpu::DTypeError>([&] { gpu::RawKernel<>(texture_source, name)(one, argument, out); });
    };
    CHECK(refuse("wave", ones()) == "kernel wave: argument 1 (samples) is an array of float, the source declares "
                                    "cudaTextureObject_t: make a gpu::Texture for it");
    CHECK(refuse("wave", 5ULL) == "kernel wave: argument 1 (samples) is of type unsigned long long, the source "
                                  "declares cudaTextureObject_t: make a gpu::Texture for it");
    CHECK(refuse("plain", samples) == "kernel plain: argument 1 (n) is a gpu::Texture, the source declares int: a "
                                      "texture goes where it is a cudaTextureObject_t");
    CHECK(error_of<gpu::DTypeError>([&] { gpu::RawKernel<>(texture_source, "wave")(one, samples, samples); }) ==
          "kernel wave: argument 2 (out) is a gpu::Texture, the source declares float*: a texture goes where it is a "
          "cudaTextureObject_t");
    CHECK(
        error_of<gpu::DTypeError>([&] { gpu::RawKernel<void(unsigned long long, float*)>(texture_source, "wave"); }) ==
        "kernel wave: parameter 1 (samples) is unsigned long long in the C++ signature, the source declares "
        "cudaTextureObject_t: write gpu::Texture");
    CHECK(error_of<gpu::DTypeError>([&] { gpu::RawKernel<void(gpu::Texture, float*)>(texture_source, "number"); }) ==
          "kernel number: parameter 1 (handle) is gpu::Texture in the C++ signature, the source declares unsigned long "
          "long: there it must be cudaTextureObject_t");
    const std::string in_capture = error_of<gpu::Error>([&] {
        gpu::GraphCapture capture;
        gpu::RawKernel<>(texture_source, "wave")(one, samples, out);
    });
    CHECK(contains(in_capture, "a raw kernel with a texture: not while a gpu::GraphCapture"));
    CHECK(contains(error_of<gpu::Error>([&] {
                       const auto x = ones();
                       gpu::GraphCapture capture;
                       (void)gpu::Texture(x);
                   }),
                   "Texture: not while a gpu::GraphCapture"));
}

TEST_CASE("on the host a wrong call of a texture function is an error that says so") {
    if (!support::on_host()) return;  // a GPU gives anything
    const gpu::TextureOptions memory{.linear_memory = true};
    const auto floats = ones();
    CHECK(contains(said("out[0] = tex1Dfetch<float>(t, 0);", floats, {}), "tex1Dfetch reads textures in linear"));
    CHECK(contains(said("out[0] = tex1Dfetch<float>(t, 0);", floats, {}), "k.cu:2"));
    CHECK(contains(said("out[0] = tex1D<float>(t, 0);", floats, memory), "tex1D doesn't read textures in linear"));
    CHECK(contains(said("tex2D(out, t, 0, 0);", floats, memory), "tex2D doesn't read textures in linear memory"));
    CHECK(contains(said("out[0] = tex2D<float>(t, 0, 0);", floats, {}), "tex2D of a texture with one axis: call"));
    CHECK(contains(said("out[0] = tex1D<int>(t, 0);", floats, {}), "the texture's elements are of type float"));
    CHECK(contains(said("out[0] = tex1D<float>(t, 0);", gpu::zeros<std::uint8_t>({4}), {}),
                   "the texture's elements are of type unsigned char"));
    CHECK(contains(said("out[0] = tex1D<int>(t, 0);", gpu::zeros<std::int16_t>({4}), {.normalized_values = true}),
                   "the texture's values are normalized: ask for float"));
    CHECK(contains(said("out[0] = tex1D<float2>(t, 0).x;", floats, {}), "the texture's texels are single numbers"));
    CHECK(contains(said("out[0] = tex1D<float>(t, 0);", gpu::zeros<float>({4, 2}), {.channels = 2}),
                   "the texture's texels have 2 channels"));
    CHECK(contains(said("out[0] = tex1D<float>(0, 0);", floats, {}), "no texture has the handle 0"));
    CHECK(contains(said("out[0] = tex1D<float>(t + 1, 0);", floats, {}), "no living texture has this handle"));
    CHECK(contains(said("out[0] = tex1D<float>(123456789, 0);", floats, {}), "no living texture has this handle"));
    // A handle that a kernel has kept, of a texture that is gone.
    const gpu::RawModule module(
        "__device__ cudaTextureObject_t kept;\n"
        "__global__ void keep(cudaTextureObject_t t) { kept = t; }\n"
        "__global__ void use(float* out) { out[0] = tex1D<float>(kept, 0); }\n");
    module.kernel<void(gpu::Texture)>("keep")({.grid = 1, .block = 1}, gpu::Texture(floats));
    auto out = gpu::zeros<float>({1});
    CHECK(contains(error_of<gpu::LaunchError>([&] {
                       module.kernel<void(float*)>("use")({.grid = 1, .block = 1}, out);
                       gpu::synchronize();
                   }),
                   "no living texture has this handle"));
}

TEST_CASE("a texture is read on its own device") {
    if (!two_devices("a texture is read on its own device")) return;
    const gpu::Texture samples(ones());
    const gpu::DeviceGuard guard(gpu::Device(1));
    auto out = gpu::zeros<float>({1});
    CHECK(contains(error_of<gpu::DeviceError>([&] {
                       gpu::RawKernel<>(texture_source, "wave")({.grid = 1, .block = 1}, samples, out);
                   }),
                   "argument 1 of a raw kernel is a Texture on "));
}

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
    CHECK(text.find("raw_module_test.cpp:" + std::to_string(line) + ":") != std::string::npos);
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
