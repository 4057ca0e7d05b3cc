// SPDX-License-Identifier: MIT
// Leaves out one event after the other, and lets check mode say whether it is missing.
#include <cstdio>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>

const gpu::ElementwiseKernel add_one("float x", "float y", "y = x + 1", "add_one");
const gpu::ElementwiseKernel square("float y", "float z", "z = y * y", "square");
const gpu::ElementwiseKernel add("float y, float z", "float sum", "sum = y + z", "add");
const gpu::ElementwiseKernel drop_one("float x", "float y", "y = x - 1", "drop_one");

template <class F>
static void in(const gpu::Stream& stream, F work) {
    const gpu::StreamGuard guard(stream);
    work();
}

// What comes into `later` from here on comes after what is in `earlier` now.
static void edge(const gpu::Stream& earlier, const gpu::Stream& later) {
    gpu::Event event;
    event.record(earlier);
    later.wait(event);
}

static void work(int left_out) {
    const int n = 1000;
    const gpu::Array<float> x = gpu::full<float>(n, 2.f);
    gpu::Array<float> y = gpu::empty<float>(n), z = gpu::empty<float>(n), sum = gpu::empty<float>(n);
    // [three_streams]
    const gpu::Stream a, b, c;
    in(a, [&] { add_one(x, gpu::out(y)); });
    if (left_out != 1) edge(a, b);  // edge 1
    in(b, [&] { square(y, gpu::out(z)); });
    if (left_out != 2) edge(b, c);  // edge 2
    if (left_out != 3) edge(a, c);  // edge 3
    in(c, [&] { add(y, z, gpu::out(sum)); });
    if (left_out != 4) edge(c, a);  // edge 4
    in(a, [&] { drop_one(x, gpu::out(y)); });
    // [/three_streams]
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // the host backend has check mode
    int needless = 0;
    for (int k = 0; k <= 4; ++k) {
        const gpu::CheckReport report = gpu::check([&] { work(k); });
        if (k == 0) std::printf("with all edges: %zu findings\n", report.findings.size());
        else if (report.clean()) std::printf("without edge %d: still in order\n", needless = k);
        else std::printf("without edge %d: %s\n", k, report.findings[0].what.c_str());
    }
    std::printf("Answer: edge %d\n", needless);
}
