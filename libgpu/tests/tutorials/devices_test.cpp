// SPDX-License-Identifier: MIT
// The basics: arrays, the current device, transfers, arrays on several devices, code for both sides.
#include "support.hpp"

#include <Eigen/Core>

#include <gpu/eigen.hpp>
#include <gpu/xp.hpp>

TEST_CASE("basics: an array and its norm, on the host and on the device") {
    // x_cpu = np.array([1, 2, 3]);  l2_cpu = np.linalg.norm(x_cpu)
    const Eigen::Vector3d x_cpu(1, 2, 3);
    const double l2_cpu = x_cpu.norm();
    // x_gpu = cp.array([1, 2, 3]);  l2_gpu = cp.linalg.norm(x_gpu)
    const gpu::Array<int> x_gpu = gpu::to_device({1, 2, 3});
    const gpu::Array<double> l2_gpu = gpu::linalg::norm(x_gpu);
    CHECK(l2_gpu.rank() == 0);  // array(3.74165739)
    CHECK(l2_gpu.item() == doctest::Approx(3.74165739));
    CHECK(l2_gpu.item() == doctest::Approx(l2_cpu).epsilon(1e-15));
}

TEST_CASE("basics: the current device") {
    // x_on_gpu0 = cp.array([1, 2, 3, 4, 5])
    const gpu::Array<int> x_on_gpu0 = gpu::to_device({1, 2, 3, 4, 5});
    CHECK(x_on_gpu0.device() == gpu::Device(0));  // <CUDA Device 0>
    CHECK(gpu::Device::current() == gpu::Device(0));
    if (gpu::Device::count() < 2) {
        std::puts("SKIP: arrays on another device: there is one device only");
        return;
    }
    {
        // with cp.cuda.Device(1): x_on_gpu1 = cp.array([1, 2, 3, 4, 5])
        const gpu::DeviceGuard guard(gpu::Device(1));
        const gpu::Array<int> x_on_gpu1 = gpu::to_device({1, 2, 3, 4, 5});
        CHECK(x_on_gpu1.device() == gpu::Device(1));
        CHECK(gpu::Device::current() == gpu::Device(1));
    }
    CHECK(gpu::Device::current() == gpu::Device(0));  // the guard puts it back
    const gpu::Array<int> x_on_gpu0_again = gpu::to_device({1, 2, 3, 4, 5});
    CHECK(x_on_gpu0_again.device() == gpu::Device(0));
}

TEST_CASE("basics: moving arrays to a device, between devices, and back") {
    // x_cpu = np.array([1, 2, 3]);  x_gpu = cp.asarray(x_cpu)
    const std::vector<int> x_cpu{1, 2, 3};
    const gpu::Array<int> x_gpu_0 = gpu::to_device(x_cpu);
    // with cp.cuda.Device(1): x_gpu_1 = cp.asarray(x_gpu_0)
    const gpu::Device other(gpu::Device::count() - 1);
    const gpu::Array<int> x_gpu_1 = x_gpu_0.to(other);
    CHECK(x_gpu_1.device() == other);
    // x_cpu = cp.asnumpy(x_gpu);  x_cpu = x_gpu.get()
    CHECK(gpu::to_host(x_gpu_0) == x_cpu);
    CHECK(gpu::to_host(x_gpu_1) == x_cpu);
}

TEST_CASE("basics: arrays of another device in one operation are an error that says how to move one") {
    if (gpu::Device::count() < 2) {
        std::puts("SKIP: arrays of two devices: there is one device only");
        return;
    }
    // with cp.cuda.Device(0): x = cp.array(...);   with cp.cuda.Device(1): x * 2
    const gpu::Array<int> here = gpu::to_device({1, 2});
    const gpu::Array<int> there = here.to(gpu::Device(1));
    CHECK_THROWS_AS(gpu::Array<int>(here + there), gpu::DeviceError);
    try {
        const gpu::Array<int> sum = here + there;
    } catch (const gpu::DeviceError& error) {
        CHECK(std::string(error.what()).find("x.to(gpu::Device(0))") != std::string::npos);
    }
    const gpu::Array<int> sum = here + there.to(gpu::Device(0));
    CHECK(values(sum) == std::vector<int>{2, 4});
}

namespace {

// def softplus(x):
//     xp = cp.get_array_module(x)
//     return xp.maximum(0, x) + xp.log1p(xp.exp(-abs(x)))
template <class A>
auto softplus(const A& x) {
    using namespace gpu::xp;
    return maximum(0, x) + log1p(exp(-abs(x)));
}

}  // namespace

TEST_CASE("basics: softplus of an array on the device, of one on the host, and of a number") {
    const std::vector<double> want{0.31326168751822286, 0.69314718055994529, 2.1269280110429727, 1000.0};
    const Eigen::Array4d x_cpu(-1, 0, 2, 1000);
    const gpu::Array<double> x = gpu::to_device({-1.0, 0.0, 2.0, 1000.0});
    const gpu::Array<double> y = softplus(x);
    CHECK(close(values(y), want));
    const Eigen::Array4d y_cpu = softplus(x_cpu);
    CHECK(close(std::vector<double>(y_cpu.data(), y_cpu.data() + 4), want));
    CHECK(close(std::vector<double>{softplus(-1.0)}, {want[0]}));
}

TEST_CASE("basics: host and device memory are never mixed by accident") {
    // z_cpu = x_cpu + 1;  x_gpu + z_cpu is a TypeError; here it doesn't compile
    const std::vector<float> z_cpu{1, 2, 3};
    gpu::Array<float> x_gpu = gpu::to_device({1.f, 2.f, 3.f});
    // z_gpu = cp.asarray(z_cpu);  x_gpu + z_gpu
    const gpu::Array<float> z_gpu = gpu::to_device(z_cpu);
    const gpu::Array<float> sum = x_gpu + z_gpu;
    CHECK(values(sum) == std::vector<float>{2, 4, 6});
    // x_gpu.set(z_cpu)
    x_gpu.copy_from(z_cpu);
    CHECK(values(x_gpu) == z_cpu);
}
