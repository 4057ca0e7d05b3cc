// SPDX-License-Identifier: MIT
// An object as students hand it in: functions on libgpu's arrays, named by COURSE_BIND.

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <course/bind.hpp>

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

float answer() { return 42; }

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

gpu::Array<float> wrong_shapes(const gpu::Array<float>& x, const gpu::Array<float>& y) { return x + y; }

}  // namespace exercise

COURSE_BIND(exercise::add)
COURSE_BIND(exercise::scale)
COURSE_BIND(exercise::transposed)
COURSE_BIND(exercise::host)
COURSE_BIND(exercise::fill)
COURSE_BIND(exercise::answer)
COURSE_BIND(exercise::calls)
COURSE_BIND(exercise::on_the_host)
COURSE_BIND(exercise::does_not_compile)
COURSE_BIND(exercise::writes_nowhere)
COURSE_BIND(exercise::wrong_shapes)
