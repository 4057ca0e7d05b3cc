// SPDX-License-Identifier: MIT
// gpu::Texture as a program meets it: made, passed to kernels, and what is refused.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/on_host.hpp"
#include "two_devices.hpp"

using support::contains;
using support::error_of;

namespace {

const char* const source = R"(
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
    const gpu::RawKernel<void(gpu::Texture, float*, float)> shift(source, "shift");
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
    gpu::RawKernel<>(source, "shift")({.grid = 2, .block = 2}, same, out, 0.F);
    CHECK(gpu::to_host(out) == std::vector<float>(4, 7.F));
    out = gpu::zeros<float>({2, 2});
    gpu::RawModule(source).kernel<void(gpu::Texture, float*, float)>("shift")({.grid = 2, .block = 2}, same, out, 9.F);
    CHECK(gpu::to_host(out) == std::vector<float>(4, 7.F));
}

TEST_CASE("tex1Dfetch reads linear memory, and 0 beyond it") {
    //! [linear_memory]
    const gpu::Texture table(gpu::arange<int>(100), {.linear_memory = true});
    const gpu::RawKernel<void(gpu::Texture, const int*, int*)> gather(source, "gather");
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
    const gpu::RawKernel<void(gpu::Texture, float*)> wave(source, "wave");
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
        return error_of<gpu::DTypeError>([&] { gpu::RawKernel<>(source, name)(one, argument, out); });
    };
    CHECK(refuse("wave", ones()) == "kernel wave: argument 1 (samples) is an array of float, the source declares "
                                    "cudaTextureObject_t: make a gpu::Texture for it");
    CHECK(refuse("wave", 5ULL) == "kernel wave: argument 1 (samples) is of type unsigned long long, the source "
                                  "declares cudaTextureObject_t: make a gpu::Texture for it");
    CHECK(refuse("plain", samples) == "kernel plain: argument 1 (n) is a gpu::Texture, the source declares int: a "
                                      "texture goes where it is a cudaTextureObject_t");
    CHECK(error_of<gpu::DTypeError>([&] { gpu::RawKernel<>(source, "wave")(one, samples, samples); }) ==
          "kernel wave: argument 2 (out) is a gpu::Texture, the source declares float*: a texture goes where it is a "
          "cudaTextureObject_t");
    CHECK(error_of<gpu::DTypeError>([&] { gpu::RawKernel<void(unsigned long long, float*)>(source, "wave"); }) ==
          "kernel wave: parameter 1 (samples) is unsigned long long in the C++ signature, the source declares "
          "cudaTextureObject_t: write gpu::Texture");
    CHECK(error_of<gpu::DTypeError>([&] { gpu::RawKernel<void(gpu::Texture, float*)>(source, "number"); }) ==
          "kernel number: parameter 1 (handle) is gpu::Texture in the C++ signature, the source declares unsigned long "
          "long: there it must be cudaTextureObject_t");
    const std::string in_capture = error_of<gpu::Error>([&] {
        gpu::GraphCapture capture;
        gpu::RawKernel<>(source, "wave")(one, samples, out);
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
                       gpu::RawKernel<>(source, "wave")({.grid = 1, .block = 1}, samples, out);
                   }),
                   "argument 1 of a raw kernel is a Texture on "));
}
