// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
// What transforms ask of cuFFT, which a stand-in writes down, and of CUDA's runtime.
#include <doctest/doctest.h>

#include <dlfcn.h>

#include <cstdint>
#include <string>

#include <gpu/gpu.hpp>

#include "calls/fake_runtime.hpp"
#include "cuda/fft/cuda_fft.hpp"
#include "cuda/with_nvrtc.hpp"
#include "support/messages.hpp"

namespace {

using gpu::complex;
using Options = gpu::fft::FftOptions;

template <class Function>
Function* in_cufft(const char* name) {
    static void* const library = ::dlopen(CALLS_CUFFT, RTLD_NOW);
    REQUIRE(library != nullptr);
    return reinterpret_cast<Function*>(::dlsym(library, name));
}

/// The lines that the stand-in writes during a call.
template <class F>
std::string asked_of_cufft(const F& call) {
    in_cufft<void()>("fake_cufft_forget")();
    call();
    return in_cufft<const char*()>("fake_cufft_log")();
}

void fail_plans(int status, int times) { in_cufft<void(int, int)>("fake_cufft_fail")(status, times); }

const std::string run = "default stream\nworkspace\nexec ";

std::string plan(const std::string& text) { return "allocates 0\nplan " + text + "\n"; }

}  // namespace

TEST_CASE("a plan is made once for both directions, with the pool's workspace, and transforms wait for nothing") {
    if (!with_nvrtc("plans of cuFFT")) return;
    const auto z = gpu::empty<complex<float>>({5, 12});
    const auto forward = [&] { (void)gpu::fft::fft(z); };
    CHECK(asked_of_cufft(forward) == plan("12 from 12 1 12 type 4 to 12 1 12 type 4 batch 5 in 4") + run + "forward\n");
    CHECK(asked_of_cufft(forward) == run + "forward\n");
    CHECK(asked_of_cufft([&] { (void)gpu::fft::ifft(z, {.norm = gpu::fft::Norm::forward}); }) == run + "inverse\n");
    // What is copied anyway is transformed where the copy is.
    CHECK(asked_of_cufft([&] { (void)gpu::fft::fft(z + z); }) == run + "forward in place\n");
    fake_runtime::forget();
    forward();
    fake_runtime::Calls made = fake_runtime::calls();
    CHECK(made["cudaStreamSynchronize"] + made["cudaDeviceSynchronize"] + made["cudaMalloc"] == 0);
    CHECK(made["cudaLaunchKernel"] == 0);
    CHECK(asked_of_cufft([&] { (void)gpu::fft::fft(gpu::empty<complex<float>>({1000})); }) ==
          plan("1000 from 1000 1 1000 type 4 to 1000 1 1000 type 4 batch 1 in 4") + "default stream\nexec forward\n");
}

TEST_CASE("the first axis is transformed where it is, one in the middle is moved, and neighbours go together") {
    if (!with_nvrtc("axes of cuFFT's plans")) return;
    const auto z = gpu::empty<complex<double>>({2, 3, 4});
    const auto lines = [&](const gpu::fft::FftnOptions& options) {
        return asked_of_cufft([&] { (void)gpu::fft::fftn(z, options); });
    };
    const std::string types = " type 5 to ";
    CHECK(lines({.axes = 0}) == plan("2 from 2 12 1" + types + "2 12 1 type 5 batch 12 in 5") + run + "forward\n");
    CHECK(lines({.axes = 1}) ==
          plan("3 from 3 1 3" + types + "3 1 3 type 5 batch 8 in 5") + run + "forward in place\n");
    CHECK(lines({.axes = {0, 1}}) ==
          plan("2x3 from 2x3 4 1" + types + "2x3 4 1 type 5 batch 4 in 5") + run + "forward\n");
    CHECK(lines({.axes = {2, 1}}) ==
          plan("3x4 from 3x4 1 12" + types + "3x4 1 12 type 5 batch 2 in 5") + run + "forward\n");
    CHECK(lines({}) == plan("2x3x4 from 2x3x4 1 24" + types + "2x3x4 1 24 type 5 batch 1 in 5") + run + "forward\n");
    CHECK(lines({.axes = {0, 2}}) ==
          run + "forward\n" + plan("4 from 4 1 4" + types + "4 1 4 type 5 batch 6 in 5") + run + "forward in place\n");
}

TEST_CASE("real transforms: half spectra, several axes at once, and the half axis where it isn't the last") {
    if (!with_nvrtc("real transforms with cuFFT")) return;
    const auto x = gpu::empty<float>({2, 3, 4});
    const auto half = gpu::empty<complex<float>>({2, 3, 3});
    CHECK(asked_of_cufft([&] { (void)gpu::fft::rfft2(x); }) ==
          plan("3x4 from 3x4 1 12 type 0 to 3x3 1 9 type 4 batch 2 in 4") + run + "forward\n");
    CHECK(asked_of_cufft([&] { (void)gpu::fft::irfft2(half); }) ==
          plan("3x4 from 3x3 1 9 type 4 to 3x4 1 12 type 0 batch 2 in 4") + run + "inverse\n");
    CHECK(asked_of_cufft([&] { (void)gpu::fft::rfft(x, {.axis = 0}); }) ==
          plan("2 from 2 12 1 type 0 to 2 12 1 type 4 batch 12 in 4") + run + "forward\n");
    // Along axis 1 half of the numbers, then all along axis 2.
    CHECK(asked_of_cufft([&] {
              (void)gpu::fft::rfftn(x, {.axes = {2, 1}});
          }) == plan("3 from 3 1 3 type 0 to 2 1 2 type 4 batch 8 in 4") + run + "forward\n" +
                    plan("4 from 4 1 4 type 4 to 4 1 4 type 4 batch 4 in 4") + run + "forward in place\n");
}

TEST_CASE("a plan works in the stream of each call") {
    if (!with_nvrtc("streams of cuFFT's plans")) return;
    const auto z = gpu::empty<complex<float>>({16});
    (void)gpu::fft::fft(z);
    const gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    CHECK(asked_of_cufft([&] { (void)gpu::fft::fft(z); }) == "stream\nworkspace\nexec forward\n");
}

TEST_CASE("only so many plans are kept, those used last") {
    if (!with_nvrtc("the number of cuFFT's plans")) return;
    using gpu::detail::cuda::CudaFourierTransforms;
    const auto transform = [](std::int64_t n) {
        return asked_of_cufft([&] { (void)gpu::fft::fft(gpu::empty<complex<float>>({n})); });
    };
    constexpr auto most = static_cast<std::int64_t>(CudaFourierTransforms::max_plans);
    for (std::int64_t n = 2001; n <= 2000 + most; ++n) (void)transform(n);
    CHECK(transform(2001).find("plan") == std::string::npos);
    const std::string one_more = transform(3000);  // in place of 2002
    CHECK(one_more.find("destroy\n") == 0);
    CHECK(one_more.find("destroy\n", 1) == std::string::npos);
    CHECK(transform(2001).find("plan") == std::string::npos);
    CHECK(transform(2002).find("plan 2002") != std::string::npos);
}

TEST_CASE("what cuFFT refuses is reported; where it has no memory, plans and the pool make room first") {
    if (!with_nvrtc("failures of cuFFT")) return;
    const auto z = gpu::empty<complex<double>>({3, 4001});
    const auto transform = [&] { (void)gpu::fft::fft(z); };
    fail_plans(CUFFT_INVALID_SIZE, 1);
    CHECK(support::error_of<gpu::DeviceError>(transform) ==
          "cufftXtMakePlanMany (complex128, 4001, 3 of them): CUFFT_INVALID_SIZE: a length that isn't supported");
    fail_plans(CUFFT_ALLOC_FAILED, 1);
    fake_runtime::forget();
    const std::string asked = asked_of_cufft(transform);
    CHECK(asked.find("allocates 0\ndestroy\ndestroy\n") == 0);  // the failed one, and others
    CHECK(asked.find("plan 4001") != std::string::npos);
    CHECK(fake_runtime::calls()["cudaMemPoolTrimTo"] == 1);
    fail_plans(CUFFT_ALLOC_FAILED, 2);
    CHECK(support::error_of<gpu::DeviceError>([&] { (void)gpu::fft::fft(gpu::empty<complex<double>>({4003})); }) ==
          "cufftXtMakePlanMany (complex128, 4003): CUFFT_ALLOC_FAILED: no memory for the library itself");
    fail_plans(0, 0);
}
#endif
