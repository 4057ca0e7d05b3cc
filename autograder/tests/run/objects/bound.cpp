// SPDX-License-Identifier: MIT
// An object as students hand it in: functions on libgpu's arrays, named by COURSE_BIND.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <course/bind.hpp>
#include <gpu/check.hpp>

namespace exercise {

gpu::Array<float> add(const gpu::Array<float>& x, const gpu::Array<float>& y) { return x + y; }

void scale(gpu::Array<float>& x, double factor) { x = x * static_cast<float>(factor); }

std::pair<gpu::Array<float>, int> transposed(const gpu::Array<float>& x) { return {x.transpose(), x.rank()}; }

std::tuple<std::vector<double>, bool, std::uint64_t> host(std::vector<double> x, const std::vector<std::uint8_t>& mask,
                                                         std::vector<std::int64_t>& counted, std::int16_t step) {
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (mask[k] != 0) ++counted[k];
        x[k] += step;
    }
    return {x, x.size() > 2, std::accumulate(mask.begin(), mask.end(), std::uint64_t{0})};
}

void fill(gpu::View<int> to, const gpu::View<const int>& from) noexcept { to = from + 1; }

gpu::Pinned<float> pinned(const gpu::Pinned<float>& x, gpu::Pinned<double>& changed) {
    auto y = gpu::Pinned<float>::uninitialized(x.size());
    auto device = gpu::empty<float>(x.size());
    device.copy_from_async(x);
    device = 2.f * device;
    device.copy_to_async(y).synchronize();
    changed[0] = 3;
    return y;
}

float answer() { return 42; }

/// How many devices there are; leaves the last one, or a stream, the current one.
int leaves_device() {
    static const gpu::DeviceGuard guard{gpu::Device(gpu::Device::count() - 1)};
    return gpu::Device::count();
}
int leaves_stream() {
    static const gpu::Stream stream;
    new gpu::StreamGuard(stream);
    return 1;
}

/// The device's number, and how many GPUs can be seen.
std::pair<int, int> device() {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return {gpu::Device::current().index(), visible != nullptr && *visible == '\0' ? 0 : -1};
}

int calls() {
    static int count = 0;
    return ++count;
}

gpu::Array<float> on_the_host(const gpu::Array<float>& x) {
    std::vector<float> values = gpu::to_host(x);
    for (float& value : values) value *= 2;
    return gpu::to_device(values);
}

gpu::Array<float> does_not_compile(const gpu::Array<float>& x) {
    static gpu::RawKernel<void(const float*, float*)> broken(
        R"(extern "C" __global__ void broken(const float* x, float* y) { y[0] = nosuchname; })", "broken");
    auto y = gpu::empty<float>(x.shape());
    broken({.grid = 1, .block = 1}, x, y);
    return y;
}

gpu::Array<float> writes_nowhere(const gpu::Array<float>& x) {
    static gpu::RawKernel<void(const float*, float*)> nowhere(
        R"(extern "C" __global__ void nowhere(const float* x, float*) { *(float*)(unsigned long long)64 = x[0]; })",
        "nowhere");
    auto y = gpu::empty<float>(x.shape());
    nowhere({.grid = 1, .block = 1}, x, y);
    return y;
}

gpu::Array<float> never_written(const gpu::Array<float>& x) { return gpu::empty<float>(x.shape()); }

// --- for checked calls -----------------------------------------------------------------------------------------------
using Copy = void(const float*, float*, int);

const gpu::RawKernel<Copy>& unguarded() {
    static const gpu::RawKernel<Copy> kernel(R"(
        __global__ void unguarded(const float* x, float* y, int n) {
            int i = threadIdx.x;
            y[i] = 2 * x[i];
        })", "unguarded");
    return kernel;
}

gpu::Array<float> past_the_end(const gpu::Array<float>& x) {
    auto y = gpu::empty<float>(x.shape());
    unguarded()({.grid = 1, .block = 64}, x, y, static_cast<int>(x.size()));
    return y;
}

gpu::Array<float> doubled(const gpu::Array<float>& x) {
    auto y = gpu::empty<float>(x.shape());
    unguarded()({.grid = 1, .block = static_cast<int>(x.size())}, x, y, static_cast<int>(x.size()));
    return y;
}

gpu::Array<float> past_the_end_and_throws(const gpu::Array<float>& x) {
    past_the_end(x);
    gpu::synchronize();
    throw std::runtime_error("enough");
}

// Wants to see its own findings, and to keep them to itself.
gpu::Array<float> checks_itself(const gpu::Array<float>& x) {
    const gpu::CheckReport report = gpu::check([&] { past_the_end(x); });
    std::printf("found %zu myself\n", report.findings.size());
    return doubled(x);
}

gpu::Array<float> adds_to_nothing(const gpu::Array<float>& x) {
    static const gpu::RawKernel<void(const float*, float*)> kernel(
        "__global__ void adds(const float* x, float* y) { y[threadIdx.x] += x[threadIdx.x]; }", "adds");
    auto y = gpu::empty<float>(x.shape());
    kernel({.grid = 1, .block = static_cast<int>(x.size())}, x, y);
    return y;
}

// A check that never ends: later calls would be inside it.
gpu::Array<float> leaves_a_check_open(const gpu::Array<float>& x) {
    new gpu::detail::CheckScope({});
    return doubled(x);
}

gpu::Array<float> twenty_kernels(const gpu::Array<float>& x) {
    auto y = gpu::empty<float>(x.shape());
    for (int k = 0; k < 20; ++k) {
        const std::string name = "number" + std::to_string(k);
        const gpu::RawKernel<void(const float*, float*)> kernel(
            gpu::Source("__global__ void " + name +
                        "(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }\n"),
            name);
        kernel({.grid = 1, .block = static_cast<int>(x.size())}, x, y);
    }
    return y;
}

// One line a mistake, 40 of them in each of 100 launches; the last one's name is a trap for terminals.
gpu::Array<float> full_of_mistakes(const gpu::Array<float>& x) {
    std::string text = "__global__ void full(const float* x, float* y, int n) {\n";
    for (int line = 0; line < 40; ++line) text += "if (threadIdx.x == 1) y[n + " + std::to_string(line) + "] = 1;\n";
    text += "}\n#line 1 \"\x1b[2J\x1b[31mPASSED\"\n";
    text += "__global__ void trap(const float* x, float* y, int n) { y[-1 - threadIdx.x] = x[n]; }\n";
    auto y = gpu::empty<float>(x.shape());
    for (int repeat = 0; repeat < 100; ++repeat) {
        const gpu::RawKernel<Copy> full(text + "//" + std::to_string(repeat % 3), "full"), trap(text, "trap");
        full({.grid = 1, .block = 32}, x, y, static_cast<int>(x.size()));
        trap({.grid = 1, .block = 32}, x, y, static_cast<int>(x.size()));
    }
    return y;
}

gpu::Array<float> loops_on_the_host(const gpu::Array<float>& x) {
    auto y = gpu::empty<float>(x.shape());
    for (int i = 0; i < x.size(); ++i) y.data()[i] = 2 * x.data()[i];
    return y;
}

gpu::Array<float> passes_a_host_pointer(const gpu::Array<float>& x) {
    const std::vector<float> values = gpu::to_host(x);
    auto y = gpu::empty<float>(x.shape());
    unguarded()({.grid = 1, .block = 6}, values.data(), y, 6);
    return y;
}

gpu::Array<float> wrong_shapes(const gpu::Array<float>& x, const gpu::Array<float>& y) { return x + y; }

}  // namespace exercise

COURSE_BIND(exercise::add)
COURSE_BIND(exercise::scale)
COURSE_BIND(exercise::transposed)
COURSE_BIND(exercise::host)
COURSE_BIND(exercise::fill)
COURSE_BIND(exercise::pinned)
COURSE_BIND(exercise::leaves_device)
COURSE_BIND(exercise::leaves_stream)
COURSE_BIND(exercise::answer)
COURSE_BIND(exercise::device)
COURSE_BIND(exercise::calls)
COURSE_BIND(exercise::on_the_host)
COURSE_BIND(exercise::does_not_compile)
COURSE_BIND(exercise::writes_nowhere)
COURSE_BIND(exercise::wrong_shapes)
COURSE_BIND(exercise::never_written)
COURSE_BIND(exercise::past_the_end)
COURSE_BIND(exercise::doubled)
COURSE_BIND(exercise::adds_to_nothing)
COURSE_BIND(exercise::past_the_end_and_throws)
COURSE_BIND(exercise::checks_itself)
COURSE_BIND(exercise::leaves_a_check_open)
COURSE_BIND(exercise::twenty_kernels)
COURSE_BIND(exercise::full_of_mistakes)
COURSE_BIND(exercise::loops_on_the_host)
COURSE_BIND(exercise::passes_a_host_pointer)
