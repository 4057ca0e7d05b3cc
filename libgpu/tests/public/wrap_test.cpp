// SPDX-License-Identifier: MIT
// Memory of others as views.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("foreign memory is seen without a copy") {
    gpu::Array<int> other = gpu::arange<int>(6);  // stands for another library's memory on the device
    //! [wrap]
    int* pointer = other.data();
    auto x = gpu::wrap(pointer, {2, 3});  // a View<int>; nothing is copied
    x(0) = 7;
    auto columns = gpu::wrap(pointer, {3, 2}, {.strides = {1, 3}});
    //! [wrap]
    CHECK(gpu::to_host(other) == Ints{7, 7, 7, 3, 4, 5});
    CHECK(gpu::to_host(columns) == Ints{7, 3, 7, 4, 7, 5});
    CHECK(x.data() == pointer);
    CHECK(gpu::to_host(gpu::wrap(pointer + 5, {3}, {.strides = {-2}})) == Ints{5, 3, 7});
    CHECK(gpu::wrap(pointer, {2, 3}, {.layout = gpu::Layout::column_major}).strides() == gpu::Strides{1, 2});
    const int* reads = pointer;
    static_assert(std::is_same_v<decltype(gpu::wrap(reads, {6})), gpu::View<const int>>);
    const gpu::Array<int> sum = gpu::wrap(reads, {6}) + 1;
    CHECK(gpu::to_host(sum) == Ints{8, 8, 8, 4, 5, 6});
    CHECK(gpu::wrap(static_cast<int*>(nullptr), {0, 3}).size() == 0);
    CHECK_THROWS_AS((void)gpu::wrap(static_cast<int*>(nullptr), {3}), gpu::DeviceError);
    CHECK_THROWS_WITH_AS((void)gpu::wrap(pointer, {2, 3}, {.strides = {1}}),
                         "wrap: strides (1,) for an array of shape (2,3): each axis needs one", gpu::ShapeError);
}

TEST_CASE("strides that reach too far and addresses within an element are refused") {
    gpu::Array<gpu::complex<double>> other = gpu::zeros<gpu::complex<double>>({4});
    auto* const pointer = reinterpret_cast<double*>(other.data());
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 2;
    CHECK_THROWS_WITH_AS(
        (void)gpu::wrap(pointer, {3, 2}, {.strides = {far, 1}}),
        "wrap: strides (4611686018427387903,1) for an array of shape (3,2): its elements would be more "
        "than 2^63 - 1 bytes apart",
        gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::wrap(pointer, {5, 5, 5}, {.strides = {-far, -far, -far}}), gpu::ShapeError);
    CHECK(gpu::wrap(pointer, {1, 0, 2}, {.strides = {far, far, 1}}).size() == 0);
    CHECK_THROWS_WITH_AS((void)gpu::wrap(reinterpret_cast<gpu::complex<double>*>(pointer + 1), {3}),
                         "wrap: complex128 elements lie at multiples of 16 bytes, and the address isn't one",
                         gpu::DeviceError);
}

TEST_CASE("two views on one piece of foreign memory may overlap") {
    gpu::Array<int> other = gpu::arange<int>(6);
    int* const pointer = other.data();
    auto target = gpu::wrap(pointer + 1, {5});
    target = gpu::wrap(pointer, {5}) + 0;  // as if the right side were read first
    CHECK(gpu::to_host(other) == Ints{0, 0, 1, 2, 3, 4});
}

TEST_CASE("the owner of wrapped memory lives as long as its last view") {
    gpu::Array<float> other = gpu::ones<float>({1000});
    int freed = 0;
    {
        auto owner = std::shared_ptr<void>(other.data(), [&](void*) { ++freed; });
        auto x = gpu::wrap(other.data(), {1000}, {.owner = std::move(owner)});
        auto part = x(gpu::slice(10, 20));
        x = gpu::zeros<float>({1});
        gpu::Array<float> copy = x * 2.f;
        { const auto gone = std::move(x); }
        CHECK(freed == 0);
        CHECK(gpu::to_host(part) == std::vector<float>(10, 0.f));
        CHECK(gpu::to_host(copy) == std::vector<float>(1000, 0.f));
    }
    CHECK(freed == 1);
}

TEST_CASE("on the host backend ordinary memory can be wrapped, by kernels of all kinds") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;  // a GPU can't read it
    std::vector<float> memory{1, 2, 3, 4};
    auto x = gpu::wrap(memory.data(), {4});
    x = x * 10.f;
    gpu::synchronize();
    CHECK(memory == std::vector<float>{10, 20, 30, 40});
    CHECK(gpu::sum(x).item() == 100);
    const gpu::RawKernel<void(float*, int)> add_one(
        "extern \"C\" __global__ void add_one(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] += 1; }",
        "add_one");
    add_one({.grid = 1, .block = 32}, x, 4);
    gpu::synchronize();
    CHECK(memory == std::vector<float>{11, 21, 31, 41});
    gpu::Array<float> copy = x;
    CHECK(gpu::to_host(copy) == memory);
    // Check mode knows wrapped memory, too, and where it ends.
    const gpu::CheckReport report = gpu::check([&] { add_one({.grid = 1, .block = 32}, x, 4); });
    CHECK(report.to_text() == "");
    CHECK(memory == std::vector<float>{12, 22, 32, 42});
    const gpu::CheckReport past = gpu::check([&] { add_one({.grid = 1, .block = 32}, x, 5); });
    REQUIRE(past.findings.size() == 1);
    CHECK(past.findings[0].kind == gpu::FindingKind::out_of_bounds);
    memory = {12, 22, 32, 42};
    // Freed by its owner once a queued kernel is done with it.
    auto* const allocated = static_cast<float*>(std::malloc(4096 * sizeof(float)));
    {
        auto y = gpu::wrap(allocated, {4096}, {.owner = std::shared_ptr<void>(allocated, std::free)});
        y = gpu::arange<float>(4096);
        y = y + 1.f;
    }
    gpu::synchronize();
}
