// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>
#include <gpu/recording.hpp>

namespace support {

using gpu::detail::CallRecorder;
using gpu::detail::HostBytes;
using gpu::detail::ReplayedCall;
using Floats = std::vector<float>;

inline HostBytes bytes_of(const Floats& values) { return std::as_bytes(std::span(values)); }

inline gpu::Source cu(const std::string& text) { return gpu::Source(text, "test.cu", 1); }

/// A call of `function` with an array made of `argument`, as course-runner makes one.
struct Recorded {
    std::string recording, why_not;
    Floats result;
    std::size_t copy = 0;   ///< that gave the result
    gpu::CheckReport report;
};

template <class F>
Recorded recorded(const Floats& argument, const F& function) {
    Recorded made;
    CallRecorder::prepare();
    CallRecorder::begin({bytes_of(argument)});
    const gpu::Array<float> x = gpu::to_device(argument);
    gpu::Array<float> y;
    made.report = gpu::check([&] {
        CallRecorder::begin_check();
        y = function(x);
        CallRecorder::end_check();
    });
    made.result = gpu::to_host(y);
    made.copy = CallRecorder::copy_that_gave(bytes_of(made.result)).value_or(99);
    made.recording = CallRecorder::end(made.why_not);
    return made;
}

inline ReplayedCall replayed(const std::string& recording, const Floats& argument) {
    const HostBytes arguments[] = {bytes_of(argument)};
    return gpu::detail::replay_call(recording, arguments, {});
}

inline Floats floats_of(const std::string& bytes) {
    Floats values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// The result of a replay with these values in place of the call's.
inline Floats result_with(const Recorded& made, const Floats& argument) {
    const ReplayedCall again = replayed(made.recording, argument);
    REQUIRE(made.copy < again.copies.size());
    return floats_of(again.copies[made.copy]);
}

inline gpu::Array<float> doubled(const gpu::Array<float>& x) {
    static const gpu::RawKernel<void(const float*, float*, int)> kernel(cu(R"(
__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
)"), "twice");
    auto y = gpu::empty<float>({x.size()});
    kernel({.grid = (x.size() + 31) / 32, .block = 32}, x, y, static_cast<int>(x.size()));
    return y;
}

}  // namespace support
