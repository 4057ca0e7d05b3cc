// SPDX-License-Identifier: MIT
// Where a GPU's arrays differ from NumPy's: random numbers, results without axes, promotion, casts, NaN.
#include "support.hpp"

#include <limits>

TEST_CASE("differences: random numbers of a type") {
    // cp.random.uniform / randn take dtype=; the state is seeded once:  cp.random.seed(42)
    gpu::random::seed(42);
    const gpu::Array<float> u = gpu::random::uniform<float>({1000}, -1, 1);
    const gpu::Array<double> n = gpu::random::normal<double>({1000});
    CHECK(gpu::max(gpu::abs(u)).item() <= 1);
    CHECK(std::fabs(gpu::mean(n).item()) < 0.1);
    // the same seed on two devices: the same numbers
    gpu::random::seed(42);
    const gpu::DeviceGuard guard(gpu::Device(gpu::Device::count() - 1));
    const gpu::Array<float> again = gpu::random::uniform<float>({1000}, -1, 1);
    CHECK(values(again) == values(u));
}

TEST_CASE("differences: reductions give arrays without axes, and nobody waits") {
    // type(np.sum(np.arange(3))) == np.int64;  type(cp.sum(cp.arange(3))) == cp.ndarray
    const gpu::Counts before = gpu::counts();
    const gpu::Array<std::int64_t> total = gpu::sum(gpu::arange<std::int64_t>(3));
    CHECK((gpu::counts() - before).synchronizations == 0);
    CHECK(total.rank() == 0);
    CHECK(total.shape() == gpu::Shape{});
    // cp.sum(cp.arange(3)).item()
    CHECK(total.item() == 3);
}

TEST_CASE("differences: an array without axes promotes like any other, a number doesn't") {
    // cp.array(1, dtype=cp.int32) * cp.ones(3, dtype=cp.float32)  is float64;  1 * ...  stays float32
    const gpu::Array<float> x = gpu::ones<float>({3});
    const gpu::Array<std::int32_t> one = gpu::full<std::int32_t>({}, 1);
    const gpu::Array<double> promoted = one * x;
    const gpu::Array<float> weak = 1 * x;
    const gpu::Array<float> weak_double = 1.0 * x;
    CHECK(values(promoted) == std::vector<double>{1, 1, 1});
    CHECK(values(weak) == values(weak_double));
}

TEST_CASE("differences: NaN in a minimum, a maximum, and in comparisons") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const gpu::Array<float> x = gpu::to_device({1.f, nan, 3.f});
    // cp.max(x), cp.min(x)  are nan;  cp.argmax(x)  is its index
    CHECK(std::isnan(gpu::max(x).item()));
    CHECK(std::isnan(gpu::min(x).item()));
    CHECK(gpu::argmax(x).item() == 1);
    const gpu::Array<bool> equal = x == x;
    CHECK(gpu::count_nonzero(equal).item() == 2);
}

TEST_CASE("differences: casts from floating-point numbers to integers") {
    // np.array([-1], dtype=np.float32).astype(np.uint32)  is  array([4294967295]),  cp.array: array([0])
    const gpu::Array<float> negative = gpu::to_device({-1.f});
    CHECK(values(negative.astype<std::uint32_t>()) == std::vector<std::uint32_t>{0});
    // np.array([float('inf')], dtype=np.float32).astype(np.int32)  is  array([-2147483648]),  cp.array: [2147483647]
    const gpu::Array<float> infinite = gpu::to_device({std::numeric_limits<float>::infinity()});
    CHECK(values(infinite.astype<std::int32_t>()) == std::vector<std::int32_t>{2147483647});
}
