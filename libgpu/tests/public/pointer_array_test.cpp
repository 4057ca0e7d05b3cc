// SPDX-License-Identifier: MIT
// Kernels that take pointers to pointers, pointers to anything, and complex numbers by their other names.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"
#include "support/on_host.hpp"
#include "two_devices.hpp"

using support::contains;
using support::error_of;

namespace {

const char* const source = R"(
__global__ void sum(const float* const* parts, int count, float* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float all = 0;
    for (int k = 0; k < count; ++k) all += parts[k][i];
    total[i] = all;
}
__global__ void number(float** rows, int length) {
    for (int i = threadIdx.x; i < length; i += blockDim.x) rows[blockIdx.x][i] = 10 * blockIdx.x + i;
}
__global__ void swap(float** rows) { float* first = rows[0]; rows[0] = rows[1]; rows[1] = first; }
template <class T> __global__ void fill(T* const* rows, T value) { rows[blockIdx.x][threadIdx.x] = value; }
__global__ void clear(void* data, int bytes) {
    if (threadIdx.x < bytes) static_cast<unsigned char*>(data)[threadIdx.x] = 0;
}
__global__ void first(const void* data, const void* const* more, int* out) {
    out[0] = *(const int*)data;
    out[1] = *(const int*)more[1];
}
)";

}  // namespace

TEST_CASE("pointers to several arrays go to kernels that take float**") {
    //! [pointer_array]
    const gpu::RawKernel<void(const float* const*, int, float*, int)> sum(source, "sum");
    const gpu::Array<float> x = gpu::arange<float>(100), y = gpu::ones<float>({100});
    const gpu::PointerArray<const float> parts({x, y, x});
    gpu::Array<float> total = gpu::empty<float>({100});
    sum({.grid = 1, .block = 128}, parts, 3, total, 100);
    //! [pointer_array]
    const std::vector<float> h = gpu::to_host(total);
    for (std::size_t k = 0; k < h.size(); ++k) REQUIRE(h[k] == 2 * static_cast<float>(k) + 1);

    //! [range]
    const gpu::RawKernel<void(float**, int)> number(source, "number");
    gpu::Array<float> m = gpu::zeros<float>({4, 8});
    std::vector<gpu::View<float>> views;
    for (int row = 0; row < 4; ++row) views.push_back(m(row));
    const gpu::PointerArray<float> rows(views);
    number({.grid = 4, .block = 32}, rows, 8);
    //! [range]
    for (int row = 0; row < 4; ++row) CHECK(gpu::to_host(m(row))[7] == static_cast<float>(10 * row + 7));

    const gpu::RawKernel loose_number(source, "number"), loose_sum(source, "sum"), fill(source, "fill<double>");
    std::vector<gpu::Array<float>> arrays;
    for (int k = 0; k < 3; ++k) arrays.push_back(gpu::zeros<float>({5}));
    loose_number({.grid = 3, .block = 8}, gpu::PointerArray<float>(arrays), 5);
    CHECK(gpu::to_host(arrays[2]) == std::vector<float>{20, 21, 22, 23, 24});
    loose_sum({.grid = 1, .block = 8}, gpu::PointerArray<float>(arrays), 3, total, 5);  // to const float* const*
    CHECK(gpu::to_host(total)[1] == 33);
    auto d = gpu::zeros<double>({3}), e = gpu::zeros<double>({3});
    fill({.grid = 2, .block = 3}, gpu::PointerArray<double>({d, e(gpu::slice(0, 3))}), 2.5);
    CHECK(gpu::to_host(e) == std::vector<double>{2.5, 2.5, 2.5});
    const gpu::RawModule module(source, {.names = {"fill<int>"}});
    auto i = gpu::zeros<int>({2});
    module.kernel<void(int* const*, int)>("fill<int>")({.grid = 1, .block = 2}, gpu::PointerArray<int>({i}), 7);
    CHECK(gpu::to_host(i) == std::vector<int>{7, 7});
}

TEST_CASE("a device pointer to pointers that the program has made itself goes as well, typed and loose") {
    auto m = gpu::zeros<float>({4, 8});
    std::vector<std::uint64_t> addresses;
    for (int row = 0; row < 4; ++row) addresses.push_back(reinterpret_cast<std::uintptr_t>(m(row).data()));
    auto table = gpu::to_device(addresses);
    const gpu::RawKernel<void(float**, int)> number(source, "number");
    number({.grid = 4, .block = 8}, reinterpret_cast<float**>(table.data()), 8);
    CHECK(m(3, 7).item() == 37);
    m = 0;
    const gpu::RawKernel loose(source, "number");
    loose({.grid = 4, .block = 8}, reinterpret_cast<float**>(table.data()), 8);
    CHECK(m(3, 7).item() == 37);
}

TEST_CASE("a PointerArray keeps its arrays, and is read by libraries") {
    const gpu::RawKernel<void(float**, int)> number(source, "number");
    auto left = gpu::zeros<float>({4});
    const auto make = [&] {
        auto gone = gpu::ones<float>({4});
        return gpu::PointerArray<float>({left, gone});
    };
    //! [data]
    const gpu::PointerArray<float> pointers = make();
    float** const for_cublas = pointers.data();  // as cublasSgemmBatched takes it
    const std::int64_t count = pointers.size();
    const gpu::Device where = pointers.device();
    //! [data]
    CHECK(for_cublas != nullptr);
    CHECK(count == 2);
    CHECK(where == left.device());
    auto others = gpu::zeros<float>({4});  // would take the memory that nobody holds
    gpu::PointerArray<float> from = pointers;
    const gpu::PointerArray<float> to = std::move(from);
    number({.grid = 2, .block = 4}, from, 4);
    CHECK(gpu::to_host(left) == std::vector<float>{0, 1, 2, 3});
    CHECK(gpu::to_host(others) == std::vector<float>{0, 0, 0, 0});
    auto sum = left + 1.f;
    number({.grid = 2, .block = 4}, to, 4);
    CHECK_THROWS_AS((void)sum.eval(), gpu::ExpressionError);  // written through the pointers

    const gpu::PointerArray<float> swapped({left, others});
    const gpu::RawKernel<void(float**)> swap(source, "swap");
    swap({.grid = 1, .block = 1}, swapped);  // the kernel writes to the pointers themselves
    number({.grid = 1, .block = 4}, swapped, 4);
    CHECK(gpu::to_host(others) == std::vector<float>{0, 1, 2, 3});
    const gpu::PointerArray<float> none({});
    CHECK(none.size() == 0);
}

TEST_CASE("what a PointerArray can't point to, and where it can't go, is said with the rule") {
    auto m = gpu::arange<float>(12).reshape({3, 4}), x = gpu::zeros<float>({4});
    CHECK_THROWS_WITH_AS(gpu::PointerArray<float>({x, m(gpu::all, 1)}),
                         "PointerArray: array 1 of 2 is a window of shape (3,) with strides (4,): a kernel gets its "
                         "address only, and takes the elements for dense in row-major order; make a gpu::Array of it "
                         "first",
                         gpu::ShapeError);
    CHECK_THROWS_AS(gpu::PointerArray<float>({m.transpose()}), gpu::ShapeError);
    gpu::Array<float> columns = m.copy(gpu::Layout::column_major);
    CHECK(gpu::PointerArray<float>({columns}).size() == 1);  // as it lies in memory

    const gpu::LaunchConfig one{.grid = 1, .block = 1};
    const gpu::RawKernel number(source, "number"), sum(source, "sum"), clear(source, "clear");
    CHECK_THROWS_WITH_AS(number(one, x, 4),
                         "kernel number: argument 1 (rows) is an array of float, the source declares float**: pass a "
                         "gpu::PointerArray of the arrays that it points to",
                         gpu::DTypeError);
    auto d = gpu::zeros<double>({4});
    CHECK_THROWS_WITH_AS(number(one, gpu::PointerArray<double>({d}), 4),
                         "kernel number: argument 1 (rows) is a PointerArray of double, the source declares float**",
                         gpu::DTypeError);
    CHECK_THROWS_WITH_AS(
        number(one, gpu::PointerArray<const float>({x}), 4),
        "kernel number: argument 1 (rows) is const, and the kernel may write to it: the source declares float**",
        gpu::Error);
    CHECK_THROWS_WITH_AS(sum(one, gpu::PointerArray<float>({x}), 1, gpu::PointerArray<float>({x}), 4),
                         "kernel sum: argument 3 (total) is a PointerArray of float, the source declares float*: that "
                         "is one array, not pointers to several",
                         gpu::DTypeError);
    CHECK_THROWS_WITH_AS(clear(one, 3.f, 4),
                         "kernel clear: argument 1 (data) is of type float, the source declares void*",
                         gpu::DTypeError);
    const gpu::RawKernel<void(float* const*, int)> other(source, "number");
    CHECK(contains(error_of([&] { other(one, gpu::PointerArray<float>({x}), 4); }),
                   "expected (float* const*, int), the source has (float** rows, int length)"));
}

TEST_CASE("the arrays of a PointerArray, and the kernel, are on one device") {
    if (!two_devices("pointers to arrays of two devices")) return;
    auto x = gpu::zeros<float>({4});
    const gpu::DeviceGuard guard(gpu::Device(1));
    auto y = gpu::zeros<float>({4});
    const std::string apart = error_of([&] { (void)gpu::PointerArray<float>({x, y}); });
    CHECK_MESSAGE(contains(apart, "PointerArray: array 1 of 2 is on " + gpu::Device(1).to_string()), apart);
    CHECK_MESSAGE(contains(apart, "a kernel runs on one device; move the array, as in x.to(gpu::Device"), apart);
    const gpu::PointerArray<float> elsewhere({x});
    CHECK(elsewhere.device() == x.device());
    const gpu::RawKernel<void(float**, int)> number(source, "number");
    const std::string error = error_of([&] { number({.grid = 1, .block = 4}, elsewhere, 4); });
    CHECK_MESSAGE(contains(error, "argument 1 of a raw kernel is a PointerArray on " + x.device().to_string()), error);
    CHECK_THROWS_AS(number({.grid = 1, .block = 4}, elsewhere, 4), gpu::DeviceError);
}

TEST_CASE("void* takes any array, and any device pointer") {
    const gpu::RawKernel<void(void*, int)> clear(source, "clear");
    const gpu::RawKernel<void(const void*, const void* const*, int*)> first(source, "first");
    const gpu::RawKernel loose(source, "clear"), loose_first(source, "first");
    auto x = gpu::ones<float>({4});
    auto y = gpu::ones<std::int64_t>({4});
    const gpu::LaunchConfig one{.grid = 1, .block = 32};
    clear(one, x, 4);
    clear(one, y(gpu::slice(1, 3)), 8);
    CHECK(gpu::to_host(x) == std::vector<float>{0, 1, 1, 1});
    CHECK(gpu::to_host(y) == std::vector<std::int64_t>{1, 0, 1, 1});
    loose(one, x, 8);
    loose(one, y.data(), 8);
    loose(one, static_cast<void*>(x.data()), 12);
    CHECK(gpu::to_host(x) == std::vector<float>{0, 0, 0, 1});
    CHECK(gpu::to_host(y) == std::vector<std::int64_t>{0, 0, 1, 1});
    const gpu::Array<int> a = gpu::to_device({3, 4});
    const gpu::Array<std::int64_t> b = gpu::to_device({std::int64_t{5}});
    auto out = gpu::zeros<int>({2});
    first(one, a, gpu::PointerArray<const std::int64_t>({b, b}), out);
    CHECK(gpu::to_host(out) == std::vector<int>{3, 5});
    loose_first(one, b, gpu::PointerArray<const int>({a, a}), out);
    CHECK(gpu::to_host(out) == std::vector<int>{5, 3});
    CHECK_THROWS_WITH_AS(
        loose(one, a, 4),
        "kernel clear: argument 1 (data) is const, and the kernel may write to it: the source declares void*",
        gpu::Error);
    CHECK_THROWS_AS(clear(one, x(gpu::slice(0, 4, 2)), 4), gpu::ShapeError);
}

TEST_CASE("check mode follows pointers to pointers, and calls the arrays by them") {
    const gpu::DeviceGuard guard(gpu::Device::host(0));
    const gpu::RawKernel<void(float**, int)> number(source, "number");
    const gpu::RawKernel<void(const float* const*, int, float*, int)> sum(source, "sum");
    auto x = gpu::zeros<float>({8}), y = gpu::zeros<float>({8});
    const gpu::PointerArray<float> both({x, y});
    const gpu::CheckReport clean = gpu::check([&] { number({.grid = 2, .block = 32}, both, 8); });
    CHECK_MESSAGE(clean.findings.empty(), clean.to_text());
    CHECK(gpu::to_host(y)[7] == 17);

    const gpu::CheckReport outside = gpu::check([&] { number({.grid = 2, .block = 32}, both, 9); });
    REQUIRE(!outside.findings.empty());
    CHECK(outside.findings[0].kind == gpu::FindingKind::out_of_bounds);
    CHECK(outside.findings[0].variable == "rows[0]");
    CHECK_MESSAGE(contains(outside.findings[0].what, "rows[0][8]"), outside.to_text());

    const gpu::CheckReport unset = gpu::check([&] {
        auto never = gpu::empty<float>({8});
        auto total = gpu::empty<float>({8});
        sum({.grid = 1, .block = 8}, gpu::PointerArray<const float>({x, never}), 2, total, 8);
    });
    REQUIRE(unset.findings.size() == 1);
    CHECK(unset.findings[0].kind == gpu::FindingKind::uninitialized_read);
    CHECK(unset.findings[0].variable == "parts[1]");

    auto made = gpu::empty<float>({8});
    number({.grid = 1, .block = 8}, gpu::PointerArray<float>({made}), 8);  // not in check mode
    const gpu::CheckReport later = gpu::check([&] { gpu::Array<float> z = made + 1.f; });
    CHECK_MESSAGE(later.findings.empty(), later.to_text());
}

TEST_CASE("a write past the end of an array that a pointer points to is reported on the host") {
    if (!support::on_host()) return;
    const gpu::RawKernel<void(float**, int)> number(source, "number");
    auto x = gpu::zeros<float>({8}), y = gpu::zeros<float>({8}), odd = gpu::zeros<float>({3});
    const std::string far = error_of([&] {
        number({.grid = 2, .block = 32}, gpu::PointerArray<float>({x, y}), 9);
        gpu::synchronize();
    });
    CHECK_MESSAGE(contains(far, "rows["), far);
    const std::string near = error_of([&] {
        number({.grid = 1, .block = 32}, gpu::PointerArray<float>({odd}), 4);  // 12 bytes end at a multiple of 16
        gpu::synchronize();
    });
    CHECK_MESSAGE(contains(near, "rows[0]"), near);
}
