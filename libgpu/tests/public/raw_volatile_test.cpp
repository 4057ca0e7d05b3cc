// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/on_host.hpp"

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
