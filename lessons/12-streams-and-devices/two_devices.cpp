// SPDX-License-Identifier: MIT
// Two devices: where an array lies, what doesn't mix, and what goes over the link between them.
#include <cstdio>
#include <cstdlib>

#include <gpu/gpu.hpp>

int main() {
    ::setenv("LIBGPU_HOST_DEVICES", "2", 0);  // without two GPUs: two devices of the host backend
    if (gpu::Device::count() < 2) {
        std::puts("This machine has one GPU: LIBGPU_DEVICE=host runs this program on two devices of the host backend.");
        return 0;
    }
    // [two]
    const gpu::Device first(0), second(1);
    gpu::Array<float> x = gpu::arange<float>(1000);  // on the current device, the first one
    gpu::Array<float> y;
    {
        const gpu::DeviceGuard guard(second);
        y = gpu::ones<float>(1000);  // on the second one
    }  // the first one is current again
    // [/two]
    try {
        const gpu::Array<float> sum = x + y;
        std::printf("sum on %s\n", sum.device().to_string().c_str());
        std::puts("Answer: it works");
    } catch (const gpu::DeviceError& error) {
        std::puts(error.what());
        std::puts("Answer: an exception");
    }
    const gpu::Counts before = gpu::counts();
    // [last]
    const gpu::Array<float> last = x(gpu::slice(999, 1000)).to(second);  // one element goes over
    y(gpu::slice(0, 1)) = last;
    // [/last]
    const gpu::Counts work = gpu::counts() - before;
    std::printf("between the devices: %d copy, %d bytes; over the host: %d bytes\n", int(work.copies_between_devices),
                int(work.bytes_between_devices), int(work.bytes_to_host + work.bytes_to_device));
    std::printf("y begins with %g, and %s is current\n", gpu::to_host(y)[0],
                gpu::Device::current().to_string().c_str());
}
