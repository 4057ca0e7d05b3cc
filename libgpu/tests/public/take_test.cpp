// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("take gives the elements that an index array names") {
    auto x = gpu::arange<float>(12).reshape({3, 4});
    //! [take]
    auto index = gpu::to_device({3, 0, -1});
    auto flat = x.take(index);                                            // 3 0 11: counted in row-major order
    auto columns = x.take(index, {.axis = 1});                            // (3,3)
    auto around = x.take(index + 3, {.axis = 0, .mode = gpu::IndexMode::wrap});  // rows 0, 0 and 2
    //! [take]
    CHECK(gpu::to_host(flat) == Floats{3, 0, 11});
    CHECK(gpu::to_host(columns) == Floats{3, 0, 3, 7, 4, 7, 11, 8, 11});
    CHECK(gpu::to_host(around) == Floats{0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11});
    CHECK(gpu::to_host(x.take(gpu::to_device({-7, 1, 9}), {.axis = -1, .mode = gpu::IndexMode::clip})) ==
          Floats{0, 1, 3, 4, 5, 7, 8, 9, 11});
    CHECK(gpu::to_host(gpu::take(x * 2.f, index)) == Floats{6, 0, 22});
}

TEST_CASE("the index' shape takes the axis' place") {
    auto x = gpu::arange<int>(24).reshape({2, 3, 4});
    auto index = gpu::to_device({0, 2, 1, 0}).reshape({2, 2});
    auto taken = x.take(index, {.axis = 1});
    CHECK(taken.shape() == gpu::Shape{2, 2, 2, 4});
    std::vector<int> expected;
    for (int plane = 0; plane < 2; ++plane) {
        for (int row : {0, 2, 1, 0}) {
            for (int column = 0; column < 4; ++column) expected.push_back(12 * plane + 4 * row + column);
        }
    }
    CHECK(gpu::to_host(taken) == expected);
    CHECK(x.take(gpu::zeros<int>({}), {.axis = 0}).shape() == gpu::Shape{3, 4});
    CHECK(x.take(gpu::zeros<int>({0, 5})).shape() == gpu::Shape{0, 5});
    CHECK(gpu::full<int>({}, 7).take(gpu::zeros<int>({2})).shape() == gpu::Shape{2});
    CHECK_THROWS_AS((void)x.take(gpu::zeros<int>({1, 1, 1, 1, 1, 1, 1}), {.axis = 0}), gpu::ShapeError);  // 9 axes
}

TEST_CASE("views are indexed as they are") {
    auto x = gpu::arange<double>(12).reshape({3, 4});
    auto index = gpu::to_device({std::int64_t{2}, std::int64_t{0}});
    auto turned = x.transpose();   // (4,3)
    CHECK(gpu::to_host(turned.take(gpu::to_device({1, 5}))) == std::vector<double>{4, 9});
    CHECK(gpu::to_host(turned.take(index, {.axis = 0})) == std::vector<double>{2, 6, 10, 0, 4, 8});
    CHECK(gpu::to_host(x(gpu::all, gpu::slice(3, -5, -2)).take(gpu::to_device({1, 0}), {.axis = 1})) ==
          std::vector<double>{1, 3, 5, 7, 9, 11});
    auto strided = gpu::to_device({0, 9, 1, 9});
    CHECK(gpu::to_host(turned.take(strided(gpu::slice(0, 4, 2)))) == std::vector<double>{0, 4});
    turned.put(gpu::to_device({1, 5}), -1.0);
    CHECK(gpu::to_host(x) == std::vector<double>{0, 1, 2, 3, -1, 5, 6, 7, 8, -1, 10, 11});
}

TEST_CASE("indices of every integer type, elements of every size") {
    auto x = gpu::arange<float>(300);
    const Floats expected{7, 250};
    CHECK(gpu::to_host(x.take(gpu::to_device({std::uint8_t{7}, std::uint8_t{250}}))) == expected);
    CHECK(gpu::to_host(x.take(gpu::to_device({std::uint64_t{7}, std::uint64_t{250}}))) == expected);
    CHECK(gpu::to_host(x.take(gpu::to_device({std::int16_t{7}, std::int16_t{-50}}))) == expected);
    CHECK(gpu::to_host(gpu::arange<std::int8_t>(5).take(gpu::to_device({4, 1}))) == std::vector<std::int8_t>{4, 1});
    CHECK(gpu::to_host(gpu::arange<std::int16_t>(5).take(gpu::to_device({4, 1}))) == std::vector<std::int16_t>{4, 1});
    CHECK(gpu::to_host(gpu::Array<bool>(x > 8.f).take(gpu::to_device({4, 9}))) == std::vector<std::uint8_t>{0, 1});
    auto c = gpu::full<gpu::complex<double>>({3}, gpu::complex<double>(1, 2));
    c[gpu::to_device({1})] = gpu::complex<double>(3, 4);
    CHECK(gpu::to_host(c.take(gpu::to_device({1, 0})))[0] == gpu::complex<double>(3, 4));
    auto h = gpu::arange<float>(3).astype<gpu::half>();
    CHECK(static_cast<float>(gpu::to_host(h.take(gpu::to_device({2})))[0]) == 2.f);
}

TEST_CASE("put writes to the places that an index array names") {
    auto x = gpu::zeros<float>({2, 3});
    auto index = gpu::to_device({0, -1});
    //! [put]
    x.put(index, gpu::to_device({1.f, 2.f}));      // x(0, 0) and x(1, 2)
    x.put(index, 5.f, {.axis = 1});                // two whole columns
    //! [put]
    CHECK(gpu::to_host(x) == Floats{5, 0, 5, 5, 0, 5});
    x.put(gpu::to_device({7, 4}), gpu::to_device({1.f, 2.f}) * 3.f, {.mode = gpu::IndexMode::wrap});
    CHECK(gpu::to_host(x) == Floats{5, 3, 5, 5, 6, 5});
    x.put(gpu::to_device({1}), gpu::to_device({8.f, 9.f}).reshape({2, 1}), {.axis = 1});
    CHECK(gpu::to_host(x) == Floats{5, 8, 5, 5, 9, 5});
    x.put(gpu::to_device({1, 1, 1}), 4.f);   // one place, one value
    CHECK(gpu::to_host(x) == Floats{5, 4, 5, 5, 9, 5});
    x.put(gpu::to_device({5, 4, 3}), x(0, gpu::all));   // values from the array itself
    CHECK(gpu::to_host(x) == Floats{5, 4, 5, 5, 4, 5});
    CHECK_THROWS_WITH_AS(x.put(index, gpu::ones<float>({3})), doctest::Contains("could not be broadcast"),
                         gpu::ShapeError);
}

TEST_CASE("x[index] reads and writes along the first axis") {
    auto x = gpu::arange<float>(6);
    auto index = gpu::to_device({1, 3});
    //! [index_array]
    gpu::Array<float> picked = x[index];   // 1 3
    x[index] = 10.f;
    x[{0, -1}] += 0.5f;
    //! [index_array]
    CHECK(gpu::to_host(picked) == Floats{1, 3});
    CHECK(gpu::to_host(x) == Floats{0.5f, 10, 2, 10, 4, 5.5f});
    x[index] = x[index + 1] * 2.f;
    CHECK(gpu::to_host(x) == Floats{0.5f, 4, 2, 8, 4, 5.5f});
    x[index] = x[gpu::to_device({3, 1})];
    CHECK(gpu::to_host(x) == Floats{0.5f, 8, 2, 4, 4, 5.5f});
    auto a = gpu::arange<float>(6).reshape({3, 2});
    a[gpu::to_device({2, 0})] = gpu::to_device({7.f, 8.f});
    CHECK(gpu::to_host(a) == Floats{7, 8, 2, 3, 7, 8});
    auto self = gpu::to_device({2, 0, 1});
    self[self] = gpu::to_device({10, 20, 30});
    CHECK(gpu::to_host(self) == std::vector<int>{20, 30, 10});
}

TEST_CASE("add_at adds all values that go to one place") {
    //! [add_at]
    auto counts = gpu::zeros<int>({4});
    counts.add_at(gpu::to_device({1, 3, 1, 1}), 1);   // 0 3 0 1: a histogram
    //! [add_at]
    CHECK(gpu::to_host(counts) == std::vector<int>{0, 3, 0, 1});
    auto sums = gpu::ones<double>({2});
    sums.add_at(gpu::to_device({0, 0}), gpu::to_device({0.5, 0.25}));
    CHECK(gpu::to_host(sums) == std::vector<double>{1.75, 1});
    auto large = gpu::full<std::int64_t>({1}, std::int64_t{1} << 40);
    large.add_at(gpu::zeros<int>({3}), std::int64_t{-1});
    CHECK(large.item() == (std::int64_t{1} << 40) - 3);
    auto small = gpu::zeros<std::int8_t>({2});
    CHECK_THROWS_AS(small.add_at(gpu::zeros<int>({3}), std::int8_t{1}), gpu::DTypeError);
}

TEST_CASE("an index out of bounds is reported by the next call that waits, once") {
    auto x = gpu::arange<float>(5);
    auto bad = gpu::to_device({1, 2, 7});
    auto taken = x.take(bad);
    CHECK_THROWS_WITH_AS(gpu::synchronize(),
                         "index 7 is out of bounds for axis 0 with size 5: element 2 of the index array "
                         "(IndexMode::wrap and clip take any index)",
                         gpu::IndexError);
    CHECK(gpu::to_host(taken) == Floats{1, 2, 0});
    x[bad] = 9.f;
    CHECK_THROWS_AS((void)gpu::to_host(x), gpu::IndexError);
    CHECK(gpu::to_host(x) == Floats{0, 9, 9, 3, 4});   // the others were written
    auto a = gpu::zeros<float>({2, 3});
    auto below = a.take(gpu::to_device({-4}), {.axis = 1});
    CHECK_THROWS_WITH_AS((void)gpu::sum(a).item(),
                         doctest::Contains("index -4 is out of bounds for axis 1 with size 3"), gpu::IndexError);
    auto huge = x.take(gpu::full<std::uint64_t>({1}, std::numeric_limits<std::uint64_t>::max()));
    gpu::Event done;
    done.record();
    CHECK_THROWS_WITH_AS(done.synchronize(), doctest::Contains("index 18446744073709551615 is out of bounds"),
                         gpu::IndexError);
    const auto stream_error = [&] {
        gpu::Stream stream;
        const gpu::StreamGuard guard(stream);
        x.put(bad, 1.f);
        stream.synchronize();
    };
    CHECK_THROWS_AS(stream_error(), gpu::IndexError);
    gpu::synchronize();
}

// CTest runs it with LIBGPU_LAUNCH_BLOCKING=1: gpu.index_blocking.
TEST_CASE("a launch that waits reports an index out of bounds itself" *
          doctest::skip(std::getenv("LIBGPU_LAUNCH_BLOCKING") == nullptr)) {
    auto x = gpu::arange<float>(5);
    auto bad = gpu::to_device({5});
    CHECK_THROWS_AS((void)x.take(bad), gpu::IndexError);
    CHECK_THROWS_AS(x.put(bad, 1.f), gpu::IndexError);
    gpu::synchronize();
}

TEST_CASE("arrays of two devices don't index each other") {
    if (gpu::Device::count() < 2) {
        std::puts("SKIP: arrays of two devices in an index: there is one device");
        return;
    }
    auto x = gpu::arange<float>(5);
    const gpu::DeviceGuard guard(gpu::Device(1));
    auto index = gpu::to_device({1});
    auto mask = gpu::ones<bool>({5});
    CHECK_THROWS_WITH_AS((void)x.take(index), doctest::Contains("take: one array is on "), gpu::DeviceError);
    CHECK_THROWS_AS(x.put(index, 1.f), gpu::DeviceError);
    CHECK_THROWS_AS((void)(x[mask] = 1.f), gpu::DeviceError);
    CHECK_THROWS_AS((void)x[mask].compress(), gpu::DeviceError);
    CHECK(x[{1, -1}].eval().device() == x.device());
    CHECK(gpu::cumsum(x).device() == x.device());
}

TEST_CASE("an axis without elements takes no index") {
    auto none = gpu::zeros<float>({0, 3});
    CHECK_THROWS_AS((void)none.take(gpu::zeros<int>({1}), {.axis = 0}), gpu::IndexError);
    CHECK_THROWS_AS((void)none.take(gpu::zeros<int>({1}), {.axis = 0, .mode = gpu::IndexMode::wrap}), gpu::IndexError);
    CHECK(none.take(gpu::zeros<int>({0}), {.axis = 0}).shape() == gpu::Shape{0, 3});
    CHECK(none.take(gpu::zeros<int>({2}), {.axis = 1}).shape() == gpu::Shape{0, 2});
    CHECK_THROWS_WITH_AS((void)none.take(gpu::zeros<int>({1}), {.axis = 2}),
                         "axis 2 is out of bounds for an array of shape (0,3)", gpu::AxisError);
}

TEST_CASE("an array that was moved from can't be indexed") {
    auto x = gpu::arange<float>(3);
    const auto mask = gpu::ones<bool>({3});
    const auto index = gpu::zeros<int>({1});
    auto y = std::move(x);
    // NOLINTBEGIN(bugprone-use-after-move)
    CHECK_THROWS_WITH_AS(x.put(index, 1.f), "put: this array was moved from; assign to it first", gpu::Error);
    CHECK_THROWS_AS((void)x.take(index), gpu::Error);
    CHECK_THROWS_AS((void)(x[mask] = 1.f), gpu::Error);
    // NOLINTEND(bugprone-use-after-move)
    CHECK(y.size() == 3);
}

TEST_CASE("an index out of bounds of a(...) is reported at once") {
    auto x = gpu::zeros<float>({5});
    CHECK_THROWS_WITH_AS((void)x(7), "index 7 is out of bounds for axis 0 with size 5", gpu::IndexError);
}

TEST_CASE("check mode finds nothing in indexing, masks and scans") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: check mode of indexing: it is the host backend's");
        return;
    }
    const gpu::CheckReport report = gpu::check([] {
        auto x = gpu::arange<float>(300);
        x.put(x.take(gpu::to_device({0, 299, -1, 77})).astype<int>(), 1.f);
        x[x > 200.f] = x[x > 200.f] * 2.f;
        auto kept = gpu::cumsum(x[x > 150.f].compress());
        x[x > 150.f] = kept;
    });
    for (const auto& finding : report.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.what << " " << finding.who);
}

TEST_CASE("unravel_index: positions in the flat array become indices along each axis") {
    //! [unravel_index]
    auto x = gpu::arange<int>(6).reshape({2, 3});
    auto indices = gpu::unravel_index(gpu::argmax(x), x.shape());  // 1 and 2
    //! [unravel_index]
    REQUIRE(indices.size() == 2);
    CHECK(indices[0].item() == 1);
    CHECK(indices[1].item() == 2);
    const auto many = gpu::unravel_index(gpu::to_device({{0, 23}, {-1, 5}}), {2, 3, 4});
    REQUIRE(many.size() == 3);
    CHECK(many[0].shape() == gpu::Shape{2, 2});
    CHECK(gpu::to_host(many[0]) == std::vector<std::int64_t>{0, 1, 1, 0});
    CHECK(gpu::to_host(many[1]) == std::vector<std::int64_t>{0, 2, 2, 1});
    CHECK(gpu::to_host(many[2]) == std::vector<std::int64_t>{0, 3, 3, 1});
    CHECK(gpu::to_host(gpu::unravel_index(gpu::to_device<std::uint8_t>({200}), {300})[0]) ==
          std::vector<std::int64_t>{200});
    CHECK(gpu::unravel_index(gpu::zeros<int>({0}), {2, 3})[1].shape() == gpu::Shape{0});
    CHECK(gpu::unravel_index(gpu::zeros<int>({2}), {}).empty());
    (void)gpu::unravel_index(gpu::to_device({6}), {2, 3});
    CHECK_THROWS_AS(gpu::synchronize(), gpu::IndexError);
}
