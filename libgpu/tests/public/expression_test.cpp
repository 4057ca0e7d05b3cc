// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ranges>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

TEST_CASE("an expression is one kernel") {
    auto x = gpu::to_device({1.f, 2.f, 3.f}), y = gpu::to_device({10.f, 20.f, 30.f});
    const auto before = gpu::counts();
    //! [expression]
    gpu::Array<float> z = gpu::pow(x, 2) + 2.f * y;
    //! [expression]
    const auto work = gpu::counts() - before;
    CHECK(work.launches == 1);
    CHECK(work.allocations == 1);
    CHECK(work.copies_to_device == 0);
    CHECK(gpu::to_host(z) == std::vector<float>{21, 44, 69});

    const auto again = gpu::counts();
    z = x - y;
    CHECK((gpu::counts() - again).allocations == 0);
    CHECK(gpu::to_host(z) == std::vector<float>{-9, -18, -27});
}

TEST_CASE("operands broadcast as in NumPy") {
    auto a = gpu::arange<float>(6).reshape({2, 3});
    auto row = gpu::to_device({10.f, 20.f, 30.f});
    gpu::Array<float> sum = a + row;
    CHECK(gpu::to_host(sum) == std::vector<float>{10, 21, 32, 13, 24, 35});
    gpu::Array<float> outer = row.reshape({3, 1}) * gpu::arange<float>(2);
    CHECK(outer.shape() == gpu::Shape{3, 2});
    CHECK(gpu::to_host(outer) == std::vector<float>{0, 10, 0, 20, 0, 30});
    CHECK_THROWS_AS((void)(a + gpu::arange<float>(2)), gpu::ShapeError);
}

TEST_CASE("products aren't fused with sums: a * b - c * d is 0 where both products are equal") {
    const auto a = gpu::random::Generator(1).uniform<float>({1000});
    const auto b = gpu::random::Generator(2).uniform<float>({1000});
    const auto c = b.copy(), d = a.copy();
    CHECK_FALSE(gpu::any(a * b - c * d).item());
    const gpu::Array<float> roots = gpu::sqrt(a * b - c * d);  // NaN where the difference were below 0
    CHECK(gpu::to_host(roots) == std::vector<float>(1000, 0.f));
    CHECK(gpu::sum(gpu::abs(a * b - c * d)).item() == 0.f);
    auto masked = gpu::ones<float>({1000});
    masked[a < 2.f] = a * b - c * d;
    CHECK(gpu::max(gpu::abs(masked)).item() == 0.f);
    using Z = gpu::complex<float>;
    const gpu::Array<Z> z = gpu::real(a * Z(1, 0)) + b * Z(0, 1);
    CHECK_FALSE(gpu::any(gpu::imag(z * gpu::conj(z))).item());
    // fma() is fused, whatever else is.
    const auto exact = gpu::to_host(gpu::fma(a, b, -(a * b)).eval());
    const auto x = gpu::to_host(a), y = gpu::to_host(b);
    for (std::size_t k = 0; k < exact.size(); ++k) {
        const double product = static_cast<double>(x[k]) * static_cast<double>(y[k]);
        REQUIRE(static_cast<double>(exact[k]) == product - static_cast<double>(static_cast<float>(product)));
    }
}

TEST_CASE("strided, transposed and reversed windows are read where they are") {
    auto a = gpu::arange<float>(12).reshape({3, 4});
    gpu::Array<float> mixed = a.transpose() * 1.f + a(gpu::slice(2, -4, -1), gpu::slice(0, 3)).transpose()(0, gpu::all);
    CHECK(mixed.shape() == gpu::Shape{4, 3});
    // row 0 of the transposed window: a(2,0) a(1,0) a(0,0) = 8 4 0
    CHECK(gpu::to_host(mixed) == std::vector<float>{8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11});
}

TEST_CASE("an expression may be kept: it keeps its arrays alive") {
    auto e = [] {
        auto x = gpu::to_device({1.f, 2.f});
        return x + 1.f;
    }();
    CHECK(gpu::to_host(e.eval()) == std::vector<float>{2, 3});
}

TEST_CASE("an expression whose input was written since says so") {
    auto x = gpu::zeros<float>({2, 3});
    auto e = x + 1.f;
    x = x * 2.f;
    CHECK_THROWS_WITH_AS((void)e.eval(),
                         "an expression is evaluated after its input, a float32 array of shape (2,3), was written: the "
                         "value that it was built from is gone. Write gpu::Array<T> y = ... instead of auto y = ... to "
                         "keep a value",
                         gpu::ExpressionError);
    auto f = x + 1.f;
    (void)x.data();  // an address to write through counts as a write
    CHECK_THROWS_AS((void)f.eval(), gpu::ExpressionError);
    auto g = x + 1.f;
    (void)std::as_const(x).data();
    CHECK_NOTHROW((void)g.eval());
}

TEST_CASE("output and input may be the same array, or overlap") {
    auto x = gpu::arange<float>(4);
    x = x + x;
    CHECK(gpu::to_host(x) == std::vector<float>{0, 2, 4, 6});
    auto a = gpu::arange<float>(9).reshape({3, 3});
    a = a + a.transpose();
    CHECK(gpu::to_host(a) == std::vector<float>{0, 4, 8, 4, 8, 12, 8, 12, 16});
    auto shift = gpu::arange<float>(5);
    shift(gpu::slice(1, 5)) = shift(gpu::slice(0, 4));
    CHECK(gpu::to_host(shift) == std::vector<float>{0, 0, 1, 2, 3});
}

TEST_CASE("types: arrays promote, numbers are weak, comparisons are bool") {
    auto i = gpu::to_device({1, 2, 3});
    auto x = gpu::to_device({0.5f, 2.f, 3.5f});
    gpu::Array<double> both = i + x;
    CHECK(gpu::to_host(both) == std::vector<double>{1.5, 4, 6.5});
    gpu::Array<float> scaled = x * 2.0;
    CHECK(gpu::to_host(scaled) == std::vector<float>{1, 4, 7});
    gpu::Array<int> halves = i / 2;
    CHECK(gpu::to_host(halves) == std::vector<int>{0, 1, 1});
    gpu::Array<bool> more = x > i;
    CHECK(gpu::to_host(more) == std::vector<std::uint8_t>{0, 0, 1});
    gpu::Array<float> picked = gpu::where(x > 1.f && x < 3.f, x, -1.f);
    CHECK(gpu::to_host(picked) == std::vector<float>{-1, 2, -1});
    auto small = gpu::to_device<std::int8_t>({std::int8_t{100}});
    gpu::Array<std::int8_t> wrapped = small + small;
    CHECK(gpu::to_host(wrapped) == std::vector<std::int8_t>{-56});
}

TEST_CASE("math functions agree with the host's within a few units in the last place") {
    std::vector<float> host{0.1f, 0.5f, 0.9f};
    auto x = gpu::to_device(host);
    const auto check = [&](const gpu::Array<float>& got, float (*want)(float)) {
        const auto values = gpu::to_host(got);
        for (std::size_t k = 0; k < host.size(); ++k) {
            CHECK(values[k] == doctest::Approx(want(host[k])).epsilon(1e-6));
        }
    };
    check(gpu::sqrt(x), std::sqrt);
    check(gpu::exp(x), std::exp);
    check(gpu::log(x), std::log);
    check(gpu::sin(x), std::sin);
    check(gpu::cos(x), std::cos);
    check(gpu::tan(x), std::tan);
    check(gpu::asin(x), std::asin);
    check(gpu::tanh(x), std::tanh);
    check(gpu::log1p(x), std::log1p);
    check(gpu::floor(x), std::floor);
    gpu::Array<float> combined = gpu::abs(-x) + gpu::maximum(x, 0.4f) + gpu::minimum(x, 0.4f) + gpu::atan2(x, x);
    CHECK(gpu::to_host(combined)[0] == doctest::Approx(0.1 + 0.4 + 0.1 + std::atan(1.0)));
    CHECK(gpu::to_host(gpu::round(gpu::to_device({0.5f, 1.5f, 2.5f})).eval()) == std::vector<float>{0, 2, 2});
    CHECK(std::isnan(gpu::to_host(gpu::maximum(gpu::to_device({NAN}), 1.f).eval())[0]));
}

TEST_CASE("arrays without elements are no work") {
    auto none = gpu::zeros<float>({0, 3});
    const auto before = gpu::counts();
    gpu::Array<float> still = none + 1.f;
    CHECK(still.shape() == gpu::Shape{0, 3});
    CHECK((gpu::counts() - before).launches == 0);
}

TEST_CASE("every size around warps and blocks is computed whole") {
    for (int n : {1, 31, 32, 33, 255, 256, 257, 1009, 100'003}) {
        CAPTURE(n);
        auto x = gpu::arange<float>(n);
        const auto host = gpu::to_host((x * 2.f + 1.f).eval());
        REQUIRE(host.size() == static_cast<std::size_t>(n));
        int wrong = 0;
        for (int k = 0; k < n; ++k) wrong += host[static_cast<std::size_t>(k)] != 2.f * static_cast<float>(k) + 1.f;
        CHECK(wrong == 0);
    }
}

// Expressions that are too deep for a stack or too large for one kernel.
TEST_CASE("ten thousand operations are evaluated in pieces, without recursion") {
    auto x = gpu::to_device({0.f, 1.f});
    {
        auto deep = x + 0.f;
        for (int k = 1; k < 10'000; ++k) deep = deep + static_cast<float>(k % 3);
        const auto before = gpu::counts();
        CHECK(gpu::to_host(deep.eval()) == std::vector<float>{9999, 10000});
        CHECK((gpu::counts() - before).launches < 300);
        CHECK(gpu::sum(deep).item() == 19999);
    }
    // Nodes that are destroyed one in the other would end the stack here.
    auto deeper = x + 0.f;
    for (int k = 0; k < 200'000; ++k) deeper = -deeper;
    deeper = x + 1.f;
    CHECK(gpu::to_host(deeper.eval()) == std::vector<float>{1, 2});
}

TEST_CASE("what occurs more than once is computed once") {
    auto x = gpu::to_device({1.f, 2.f});
    auto power = x + 0.f;
    for (int k = 0; k < 60; ++k) power = power + power;  // as a tree 2^60 operations
    CHECK(gpu::to_host(power.eval()) == std::vector<float>{0x1p60f, 0x1p61f});
    auto s = gpu::sqrt(x);
    const auto before = gpu::counts();
    gpu::Array<float> y = s * s + s;
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(gpu::to_host(y)[1] == doctest::Approx(2 + std::sqrt(2.)));
    CHECK(gpu::sum(s * s - s / s).item() == doctest::Approx(1));
}

TEST_CASE("an expression of a hundred arrays is evaluated in pieces") {
    std::vector<gpu::Array<float>> arrays;
    for (int k = 0; k < 100; ++k) arrays.push_back(gpu::full<float>({3}, static_cast<float>(k)));
    auto total = arrays[0] + 0.f;
    for (const auto& array : arrays) total = total + array;
    CHECK(gpu::to_host(total.eval()) == std::vector<float>{4950, 4950, 4950});
    auto balanced = [&](auto&& self, std::size_t first, std::size_t count) -> gpu::Expr<float> {
        if (count == 1) return arrays[first] + 0.f;
        return self(self, first, count / 2) + self(self, first + count / 2, count - count / 2);
    };
    CHECK(gpu::to_host(balanced(balanced, 0, 100).eval()) == std::vector<float>{4950, 4950, 4950});
    arrays[50] = arrays[50] + 1.f;
    CHECK_THROWS_AS((void)total.eval(), gpu::ExpressionError);
}

TEST_CASE("a mask and a value that are too large together are evaluated in pieces") {
    auto z = gpu::zeros<float>({3});
    auto mask = z == 0.f;
    auto value = gpu::zeros<float>({}) + 1.f;
    for (int k = 1; k < 15; ++k) {
        mask = mask && gpu::full<float>({3}, static_cast<float>(k)) > 0.f;
        value = value + gpu::full<float>({}, static_cast<float>(k));
    }
    const auto before = gpu::counts();
    z[mask] = value;
    CHECK((gpu::counts() - before).launches == 2);  // together 46 arrays and numbers
    CHECK(gpu::to_host(z) == std::vector<float>{106, 106, 106});
}

TEST_CASE("a fused function takes arrays, Eigen's arrays and numbers") {
    //! [fuse]
    auto square_sum = gpu::fuse([](auto x, auto y) { return gpu::sum(x * y, {.axis = -1}); });
    auto x = gpu::arange<float>(6).reshape({2, 3}), y = gpu::ones<float>({2, 3});
    gpu::Array<float> rows = square_sum(x, y);  // one kernel
    Eigen::ArrayXXf u{{0, 1, 2}, {3, 4, 5}}, v = Eigen::ArrayXXf::Ones(2, 3);
    Eigen::ArrayXf host = square_sum(u, v);  // Eigen
    float one = square_sum(3.f, 4.f);        // a number
    //! [fuse]
    CHECK(gpu::to_host(rows) == std::vector<float>{3, 12});
    CHECK(host.size() == 2);
    CHECK(host(1) == 12);
    CHECK(one == 12);
    const auto before = gpu::counts();
    rows = square_sum(x, y);
    const auto work = gpu::counts() - before;
    CHECK(work.launches == 1);
    CHECK(work.copies_on_device == 0);
    CHECK(gpu::to_host(square_sum(x + 1.f, y(gpu::slice(0, 2), gpu::all))) == std::vector<float>{6, 15});
}

TEST_CASE("a fused expression is evaluated where it is called") {
    auto difference = gpu::fuse([](auto a, auto b) { return (a - b) * (a - b); });
    auto x = gpu::to_device({1.f, 2.f}), y = gpu::to_device({4.f, 4.f});
    auto z = difference(x, y);
    static_assert(std::is_same_v<decltype(z), gpu::Array<float>>);
    x = x * 0.f;
    CHECK(gpu::to_host(z) == std::vector<float>{9, 4});
    Eigen::ArrayXd a{{1, 2}}, b{{4, 4}};
    auto w = difference(a, b);
    static_assert(std::is_same_v<decltype(w), Eigen::ArrayXd>);
    a.setZero();
    CHECK(w(0) == 9);
    CHECK(difference(5, 2) == 9);
    auto same = gpu::fuse([](auto same_one) { return same_one; });
    static_assert(std::is_same_v<decltype(same(y)), gpu::Array<float>>);
    CHECK(gpu::to_host(same(y)) == std::vector<float>{4, 4});
}

namespace {

using Bits = std::vector<std::uint8_t>;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Bits bits(const gpu::Expr<bool>& value) { return gpu::to_host(value.eval()); }

}  // namespace

TEST_CASE("isclose: relative to the second number, with an absolute part; infinities and NaN") {
    //! [isclose]
    auto a = gpu::to_device({1.0, 1.0, 1e-9, 100.0});
    auto b = gpu::to_device({1.000001, 1.1, 0.0, 100.01});
    gpu::Array<bool> close = gpu::isclose(a, b);                   // true false true false
    gpu::Array<bool> roughly = gpu::isclose(a, b, {.rtol = 0.2});  // all true
    //! [isclose]
    CHECK(gpu::to_host(close) == Bits{1, 0, 1, 0});
    CHECK(gpu::to_host(roughly) == Bits{1, 1, 1, 1});
    CHECK(bits(gpu::isclose(a, b, {.rtol = 0, .atol = 0})) == Bits{0, 0, 0, 0});
    const auto x = gpu::to_device({inf, inf, -inf, 1.0, inf, not_a_number, not_a_number, 0.0});
    const auto y = gpu::to_device({inf, -inf, -inf, inf, 1.0, not_a_number, 1.0, -0.0});
    CHECK(bits(gpu::isclose(x, y)) == Bits{1, 0, 1, 0, 0, 0, 0, 1});
    CHECK(bits(gpu::isclose(x, y, {.equal_nan = true})) == Bits{1, 0, 1, 0, 0, 1, 0, 1});
    // The limit is relative to the second operand.
    CHECK(bits(gpu::isclose(gpu::to_device({10.0}), 9.0, {.rtol = 0.105, .atol = 0})) == Bits{0});
    CHECK(bits(gpu::isclose(gpu::to_device({9.0}), 10.0, {.rtol = 0.105, .atol = 0})) == Bits{1});
}

TEST_CASE("isclose of other types: whole numbers as doubles, halves as floats, complex numbers by their distance") {
    CHECK(bits(gpu::isclose(gpu::to_device({1000000, 5}), gpu::to_device({1000001, 6}))) == Bits{1, 0});
    CHECK(bits(gpu::isclose(gpu::to_device<bool>({true, false}), gpu::to_device<bool>({true, true}))) == Bits{1, 0});
    const auto half = gpu::to_device({1.f, 0.f}).astype<gpu::half>();
    CHECK(bits(gpu::isclose(half, gpu::to_device({1.0009766f, 1e-7f}).astype<gpu::half>(), {.rtol = 1e-3})) ==
          Bits{1, 0});
    using Z = gpu::complex<float>;
    CHECK(bits(gpu::isclose(gpu::to_device({Z(3, 4), Z(3, 4)}), gpu::to_device({Z(3, 4.04f), Z(3, -4)}),
                            {.rtol = 0.01})) == Bits{1, 0});
    CHECK(bits(gpu::isclose(gpu::to_device({Z(NAN, 1)}), Z(NAN, 2), {.equal_nan = true})) == Bits{1});
    CHECK_THROWS_AS((void)gpu::isclose(gpu::zeros<float>({2}), gpu::zeros<float>({3})), gpu::ShapeError);
}

TEST_CASE("allclose is one truth value on the device, and waits for nothing") {
    //! [allclose]
    auto x = gpu::linspace<float>(0, 1, 1000);
    const bool same = gpu::allclose(gpu::sqrt(x * x), x).item();  // true
    //! [allclose]
    CHECK(same);
    CHECK_FALSE(gpu::allclose(x, x + 1e-3f).item());
    CHECK(gpu::allclose(x, x + 1e-3f, {.atol = 1e-2}).item());
    CHECK(gpu::allclose(gpu::zeros<float>({0, 3}), 1.f).item());  // nothing differs
    CHECK(gpu::allclose(gpu::ones<float>({2, 3}), gpu::ones<float>({3})).item());
    const auto before = gpu::counts();
    (void)gpu::allclose(x, x);
    CHECK((gpu::counts() - before).synchronizations == 0);
    CHECK((gpu::counts() - before).launches == 1);
}

TEST_CASE("array_equal: same shape and equal elements") {
    //! [array_equal]
    auto a = gpu::arange<int>(6).reshape({2, 3});
    const bool equal = gpu::array_equal(a, a + 0).item();               // true
    const bool flat = gpu::array_equal(a, gpu::arange<int>(6)).item();  // false: another shape
    //! [array_equal]
    CHECK(equal);
    CHECK_FALSE(flat);
    CHECK_FALSE(gpu::array_equal(a, a(0)).item());  // nothing broadcasts
    CHECK(gpu::array_equal(a, a.astype<double>()).item());
    CHECK_FALSE(gpu::array_equal(a, a + 1).item());
    const auto x = gpu::to_device({1.f, NAN});
    CHECK_FALSE(gpu::array_equal(x, x).item());
    CHECK(gpu::array_equal(x, x, {.equal_nan = true}).item());
    CHECK_FALSE(gpu::array_equal(x, gpu::to_device({NAN, 1.f}), {.equal_nan = true}).item());
    CHECK(gpu::array_equal(gpu::zeros<float>({0}), gpu::zeros<float>({0})).item());
}

// What arrays, shapes, types, devices, streams and errors tell of themselves.
TEST_CASE("arrays and views say what they are") {
    //! [array_facts]
    gpu::Array<float> a = gpu::zeros<float>({2, 3});
    auto column = a(gpu::all, 1);
    bool plain = a.shape() == gpu::Shape{2, 3} && a.rank() == 2 && a.size() == 6;
    auto steps = column.strides();        // {3}: from row to row
    bool dense = column.is_contiguous();  // false
    gpu::Device where = a.device();
    float* address = a.data();  // for CUDA code of your own; counts as a write
    //! [array_facts]
    CHECK(plain);
    CHECK(steps == gpu::Strides{3});
    CHECK_FALSE(dense);
    CHECK(where == gpu::Device::current());
    CHECK(address != nullptr);
    CHECK(column.data() == address + 1);
    CHECK(column.rank() == 1);
    CHECK(column.size() == 2);
    CHECK(column.device() == where);

    //! [copy_from]
    std::vector<float> host{1, 2, 3, 4, 5, 6};
    a.copy_from(host);
    column.copy_to(std::span(host).first(2));  // 2 and 5
    float corner = a(0, 0).item();
    auto later = a + 1.f;  // an expression: nothing is computed yet
    gpu::Array<float> now = later.eval();
    //! [copy_from]
    CHECK(host == std::vector<float>{2, 5, 3, 4, 5, 6});
    CHECK(corner == 1);
    CHECK(gpu::to_host(now)[0] == 2);

    //! [any_array]
    gpu::ElementwiseKernel twice("T x", "T y", "y = 2 * x", "twice");
    gpu::AnyArray result = twice(a);  // the kernel's placeholder decides the type
    if (result.dtype() == gpu::DType::float32 && result.shape() == a.shape() && result.device() == a.device()) {
        gpu::Array<float> typed = result;  // another type would throw a DTypeError
        CHECK(gpu::to_host(typed) == std::vector<float>{2, 4, 6, 8, 10, 12});
    }
    //! [any_array]
    CHECK(result.dtype() == gpu::DType::float32);
}

TEST_CASE("shapes are lists of lengths") {
    //! [shapes]
    gpu::Shape shape{4, 1};
    shape.append(3);  // (4,1,3)
    std::int64_t product = 1;
    for (std::int64_t length : shape) product *= length;  // begin() and end()
    bool same = product == shape.size() && shape.rank() == 3 && shape[2] == 3;
    gpu::Shape both = gpu::broadcast(shape, {5, 1});  // (4,5,3), as NumPy
    gpu::Strides columns = gpu::dense_strides(both, gpu::Layout::column_major);
    columns.push_back(60);                    // one axis more
    std::string text = gpu::to_string(both);  // "(4,5,3)"
    //! [shapes]
    CHECK(same);
    CHECK(both == gpu::Shape{4, 5, 3});
    CHECK(columns == gpu::Strides{1, 4, 20, 60});
    CHECK(text == "(4,5,3)");
    CHECK(columns.rank() == 4);
}

TEST_CASE("element types say what they are") {
    //! [dtypes]
    gpu::DType type = gpu::promote(gpu::DType::int32, gpu::DType::float32);  // float64, as NumPy
    auto numpys = gpu::name(type);                                           // "float64"
    auto inside_a_kernel = gpu::kernel_name(type);                           // "double"
    bool wide = gpu::size_of(type) == 8 && gpu::is_floating(type) && !gpu::is_unsigned(type) && !gpu::is_complex(type);
    gpu::DType parts = gpu::real_dtype(gpu::DType::complex64);  // float32
    gpu::DType pairs = gpu::complex_dtype(type);                // complex128
    //! [dtypes]
    CHECK(numpys == "float64");
    CHECK(inside_a_kernel == "double");
    CHECK(wide);
    CHECK(parts == gpu::DType::float32);
    CHECK(pairs == gpu::DType::complex128);

    //! [half_bits]
    gpu::half one(1.0);
    bool exact = one.bits() == 0x3c00 && gpu::half::from_bits(0x3c00) == one;
    //! [half_bits]
    CHECK(exact);
    //! [complex_parts]
    gpu::complex<float> z{3, 4};
    bool mirrored = z.real() == gpu::real(z) && gpu::imag(gpu::conj(z)) == -z.imag();
    //! [complex_parts]
    CHECK(mirrored);
}

TEST_CASE("devices and streams say what they are") {
    //! [device_facts]
    gpu::Device device = gpu::Device::current();
    std::string which = device.to_string();  // "cuda:0", "host:0"
    bool on_cpu = device.kind() == gpu::BackendKind::host;
    bool known = device.index() < gpu::Device::count() && !device.properties().name.empty();
    std::string reason = gpu::why_no_gpu();  // empty if there is a usable GPU
    gpu::Device by_name = on_cpu ? gpu::Device::host(device.index()) : gpu::Device::cuda(device.index());
    //! [device_facts]
    CHECK(known);
    CHECK(by_name == device);
    CHECK(which == (on_cpu ? "host:" : "cuda:") + std::to_string(device.index()));
    CHECK((on_cpu || reason.empty()));

    //! [stream_ref]
    gpu::Stream stream;
    gpu::StreamRef same = stream.ref();  // owns nothing; what launches take
    gpu::StreamRef again = gpu::StreamRef::from_native(same.native(), stream.device());
    gpu::StreamGuard guard(again);
    bool here = gpu::Stream::current().device() == device && !again.is_current();
    //! [stream_ref]
    CHECK(here);
    CHECK(gpu::Stream::current().native() == stream.ref().native());
    CHECK(gpu::Event().device() == device);
}

TEST_CASE("errors carry what a program may want to know") {
    //! [compile_error]
    try {
        gpu::ElementwiseKernel("T x", "T y", "y = x +", "broken")(gpu::ones<float>({1}));
    } catch (const gpu::CompileError& error) {
        std::string first_error = error.what(), everything = error.log();
        std::string text = error.source(), options = error.options();
        CHECK(error.kernel() == "broken");
        CHECK(first_error.find("broken") != std::string::npos);
        CHECK_FALSE(everything.empty());
        CHECK(text.find("y = x +") != std::string::npos);
        CHECK(options.find("-std=c++17") != std::string::npos);
    }
    //! [compile_error]
    //! [out_of_memory]
    try {
        (void)gpu::empty<double>({std::int64_t{1} << 50});
        FAIL("no machine has that much");
    } catch (const gpu::OutOfMemory& error) {
        CHECK(error.requested() >= std::size_t{1} << 53);
        CHECK(error.held() + error.free() < error.requested());
        CHECK(error.used() <= error.held());
        CHECK((error.total() == 0 || error.total() < error.requested()));
        CHECK(error.limit() == error.memory().limit);
    }
    //! [out_of_memory]
    //! [memory_limits]
    gpu::MemoryPool pool = gpu::memory_pool();
    gpu::PinnedPool pinned = gpu::pinned_pool();
    const std::size_t limits[] = {pool.limit(), pinned.limit()};
    pool.set_limit(pool.use().used + (64u << 20));  // 64 MiB more than now
    pinned.set_limit(pinned.used_bytes() + (1u << 20));
    auto scratch = gpu::Pinned<float>::uninitialized(1000);
    gpu::LaunchLog log;
    log.clear();
    pool.set_limit(limits[0]);
    pinned.set_limit(limits[1]);
    //! [memory_limits]
    CHECK(scratch.size() == 1000);
    CHECK(log.entries().empty());
    CHECK(pool.limit() == limits[0]);
    //! [source]
    gpu::Source source("extern \"C\" __global__ void nothing() {}", "nothing.cu", 10);
    std::string place = source.file() + ":" + std::to_string(source.line());  // "nothing.cu:10"
    bool has_text = source.text().find("nothing") != std::string::npos;
    //! [source]
    CHECK(place == "nothing.cu:10");
    CHECK(has_text);
    //! [axes]
    gpu::Axes axes{0, -1};
    bool two = axes.count() == 2 && axes[1] == -1 && !axes.all();
    //! [axes]
    CHECK(two);
}

namespace {

using Floats = std::vector<float>;

// f of an expression is f of the array that it becomes, in one kernel, whose result nothing else sees.
template <class E, class F>
void check_same(const E& expression, const F& f) {
    const gpu::Array<typename E::value_type> array = expression;
    const auto wanted = f(array);
    const auto before = gpu::counts();
    const auto got = f(expression);
    CHECK((gpu::counts() - before).launches <= 1);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(got)>, gpu::Array<typename E::value_type>>);
    CHECK(got.shape() == wanted.shape());
    CHECK(got.is_contiguous());
    CHECK(gpu::to_host(got) == gpu::to_host(wanted));
}

template <class A>
concept HasSum = requires(const A& a) { a.sum(); };

// Functions of a program that has one for the host and one for the device.
int which(float) { return 1; }
int which(const std::vector<float>&) { return 2; }
int which(const gpu::Array<float>&) { return 3; }

}  // namespace

TEST_CASE("an expression is an array where its value is asked for") {
    //! [as_array]
    auto x = gpu::arange<float>(6).reshape({2, 3}), y = gpu::ones<float>({2, 3});
    auto e = x * 2.f + y;                              // [[1 3 5] [7 9 11]], not computed yet
    gpu::Array<float> row = e(1);                      // 7 9 11: one kernel, which computes a row
    float last = e(-1, -1).item();                     // 11
    gpu::Array<float> turned = e.transpose();          // shape (3,2)
    float ratio = (gpu::sum(x) / gpu::sum(y)).item();  // 15 / 6
    //! [as_array]
    CHECK(gpu::to_host(row) == Floats{7, 9, 11});
    CHECK(last == 11);
    CHECK(gpu::to_host(turned) == Floats{1, 7, 3, 9, 5, 11});
    CHECK(ratio == 2.5f);
    CHECK(e.rank() == 2);
    CHECK(e.size() == 6);
    CHECK(e.shape() == gpu::Shape{2, 3});
    CHECK(e.device() == x.device());
    CHECK_THROWS_AS((void)e.item(), gpu::ShapeError);
    CHECK_THROWS_AS((void)e(2), gpu::IndexError);
    CHECK_THROWS_AS((void)e(0, 0, 0), gpu::IndexError);
    CHECK_THROWS_AS((void)e.reshape(4, 2), gpu::ShapeError);
    CHECK_THROWS_AS((void)e.swapaxes(0, 2), gpu::AxisError);
    Floats host(6);
    e.copy_to(host);
    CHECK(host == Floats{1, 3, 5, 7, 9, 11});
}

TEST_CASE("windows on an expression are those on its value, and one kernel computes no other elements") {
    const auto a = gpu::arange<float>(24).reshape({2, 3, 4}).copy();
    const auto row = gpu::arange<float>(4), column = gpu::arange<float>(3).reshape({3, 1}).copy();
    // Arrays that broadcast, a transposed and a reversed window, numbers, a value that occurs twice, another type.
    const auto twice = gpu::exp(row * 0.25f);
    const auto e = gpu::where(a.flip() > 7.f, a * twice + column, twice - 2.f) + a.astype<int>().astype<float>();
    using namespace gpu;
    check_same(e, [](const auto& x) { return Array<float>(x(0)); });
    check_same(e, [](const auto& x) { return Array<float>(x(-1, all, slice(none, none, -2))); });
    check_same(e, [](const auto& x) { return Array<float>(x(ellipsis, 1, newaxis)); });
    check_same(e, [](const auto& x) { return Array<float>(x(all, slice(1, 1))); });
    check_same(e, [](const auto& x) { return Array<float>(x(1, 2, 3)); });
    check_same(e, [](const auto& x) { return Array<float>(x.transpose()); });
    check_same(e, [](const auto& x) { return Array<float>(x.transpose({2, 0, 1})); });
    check_same(e, [](const auto& x) { return Array<float>(x.swapaxes(0, -1)); });
    check_same(e, [](const auto& x) { return Array<float>(x.moveaxis(0, 2)); });
    check_same(e, [](const auto& x) { return Array<float>(x.moveaxis({0, 1}, {1, 2})); });
    check_same(e, [](const auto& x) { return Array<float>(x.diagonal(1, 1, 2)); });
    check_same(e, [](const auto& x) { return Array<float>(x.flip()); });
    check_same(e, [](const auto& x) { return Array<float>(x.flip({0})); });
    check_same(e, [](const auto& x) { return Array<float>(x.expand_dims(1)); });
    check_same(e, [](const auto& x) { return Array<float>(x.broadcast_to({5, 2, 3, 4})); });
    check_same(e, [](const auto& x) { return Array<float>(x.reshape({4, -1})); });
    check_same(e, [](const auto& x) { return Array<float>(x.reshape(4, 6)); });
    check_same(e, [](const auto& x) { return Array<float>(x.ravel()); });
    check_same(e, [](const auto& x) { return Array<float>(x.flatten()); });
    check_same(e, [](const auto& x) { return Array<float>(x.copy()); });
}

TEST_CASE("flatten and copy of an expression take a layout; squeeze removes axes") {
    const auto x = gpu::arange<float>(6).reshape({2, 3}).copy();
    const auto e = x + 1.f;
    CHECK(gpu::to_host(e.flatten(gpu::Layout::column_major)) == Floats{1, 4, 2, 5, 3, 6});
    CHECK(gpu::to_host(e.reshape({3, 2}, gpu::Layout::column_major)) == Floats{1, 5, 4, 3, 2, 6});
    CHECK(e.copy(gpu::Layout::column_major).is_contiguous(gpu::Layout::column_major));
    CHECK(gpu::to_host(e.copy(gpu::Layout::column_major)) == gpu::to_host(e));
    const auto thin = gpu::ones<float>({1, 3, 1}) * 2.f;
    CHECK(thin.squeeze().shape() == gpu::Shape{3});
    CHECK(thin.squeeze({0}).shape() == gpu::Shape{3, 1});
    CHECK_THROWS_AS((void)thin.squeeze({1}), gpu::ShapeError);
    CHECK(gpu::to_host(e.to(e.device())) == gpu::to_host(e));
}

TEST_CASE("a window on an expression of ten thousand operations, and on one of 0 axes") {
    const auto x = gpu::arange<double>(8);
    gpu::Expr<double> e = x + 0.0;
    for (int k = 0; k < 10'000; ++k) e = e + 1.0;
    CHECK(gpu::to_host(e(gpu::slice(2, 4))) == std::vector<double>{10'002, 10'003});
    const auto s = gpu::sum(x) * 2.0;  // 56
    CHECK(s(gpu::newaxis).shape() == gpu::Shape{1});
    CHECK(s().item() == 56);
    CHECK(s.item() == 56);
    CHECK_THROWS_AS((void)s(0), gpu::IndexError);
}

TEST_CASE("a window on an expression whose input was written since says so") {
    auto x = gpu::ones<float>({4});
    const auto e = x + 1.f;
    x = 3;
    CHECK_THROWS_AS((void)e(0), gpu::ExpressionError);
    CHECK_THROWS_AS((void)e.item(), gpu::ExpressionError);
}

TEST_CASE("functions of arrays take expressions, elements under a mask and those at positions") {
    const auto x = gpu::to_device({3.f, -1.f, 2.f, -5.f});
    const auto e = x * 2.f;                     // 6 -2 4 -10
    const auto kept = x[x > 0.f];               // 3 2
    const auto at = x[gpu::to_device({3, 0})];  // -5 3
    CHECK(gpu::to_host(gpu::repeat(e, 2)) == Floats{6, 6, -2, -2, 4, 4, -10, -10});
    CHECK(gpu::to_host(gpu::repeat(kept, 2)) == Floats{3, 3, 2, 2});
    CHECK(gpu::to_host(gpu::tile(e, {2})) == Floats{6, -2, 4, -10, 6, -2, 4, -10});
    CHECK(gpu::to_host(gpu::tile(at, {2, 1})) == Floats{-5, 3, -5, 3});
    const auto halves = gpu::split(e, 2);
    REQUIRE(halves.size() == 2);
    CHECK(gpu::to_host(halves[1]) == Floats{4, -10});
    CHECK(gpu::to_host(gpu::split(kept, {1})[0]) == Floats{3});
    CHECK(gpu::array_split(e, 3)[0].size() == 2);
    const auto [gx, gy] = gpu::meshgrid(e, kept);
    CHECK(gx.shape() == gpu::Shape{2, 4});
    CHECK(gpu::to_host(gy(gpu::all, 0)) == Floats{3, 2});
    CHECK(gpu::to_host(gpu::roll(kept, 1)) == Floats{2, 3});
    CHECK(gpu::to_host(gpu::diff(e)) == Floats{-8, 6, -14});
    CHECK(gpu::to_host(gpu::diag(kept)) == Floats{3, 0, 0, 2});
    CHECK(gpu::trace(e.reshape(2, 2) + 1.f).item() == -2);
    CHECK(gpu::to_host(gpu::take(e, gpu::to_device({2}))) == Floats{4});
    CHECK(gpu::to_host(e.take(gpu::to_device({2, 2}))) == Floats{4, 4});
    CHECK(gpu::to_host(gpu::cumsum(kept)) == Floats{3, 5});
    CHECK(gpu::to_host(gpu::sort(at)) == Floats{-5, 3});
    CHECK(gpu::sum(kept).item() == 5);
    CHECK(gpu::max(at).item() == 3);
    CHECK(gpu::to_host(gpu::concatenate<float>({kept, e, at})).size() == 8);
    CHECK(gpu::to_host(gpu::unravel_index(gpu::arange<int>(2) + 3, {2, 3})[1]) == std::vector<std::int64_t>{0, 1});
    std::ostringstream text;
    text << kept << e << at << kept * 2.f;
    CHECK(text.str() == "[3. 2.][  6.  -2.   4. -10.][-5.  3.][6. 4.]");
}

TEST_CASE("an array like an expression: nothing is evaluated") {
    const auto x = gpu::arange<float>(6).reshape({2, 3}).copy();
    auto y = x.copy();
    const auto e = x * y;
    y = 0;  // evaluating e would throw
    const auto before = gpu::counts();
    const gpu::Array<float> zeros = gpu::zeros_like(e), sevens = gpu::full_like(e, 7);
    const gpu::Array<int> ones = gpu::ones_like<int>(e);
    CHECK((gpu::counts() - before).launches == 3);
    CHECK(gpu::empty_like(e).shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(zeros) == Floats(6));
    CHECK(gpu::to_host(sevens) == Floats(6, 7));
    CHECK(gpu::to_host(ones) == std::vector<int>(6, 1));
    CHECK(gpu::zeros_like(x[x > 1.f]).shape() == gpu::Shape{4});
}

TEST_CASE("eval: an array itself, a view's copy, an expression's value") {
    //! [eval]
    gpu::Array<float> x = gpu::arange<float>(4);
    const auto mean_of = [](const auto& a) {  // an array, a view or an expression, which is then computed once
        const auto& values = a.eval();
        return (gpu::sum(values) / float(values.size())).item();
    };
    float mean = mean_of(x), first = mean_of(x(gpu::slice(0, 2))), twice = mean_of(x * 2.f);
    //! [eval]
    CHECK(mean == 1.5f);
    CHECK(first == 0.5f);
    CHECK(twice == 3);
    CHECK(&x.eval() == &x);
    static_assert(std::is_same_v<decltype(x.eval()), const gpu::Array<float>&>);
    static_assert(std::is_same_v<decltype(std::move(x).eval()), gpu::Array<float>>);
    auto part = x(gpu::slice(0, 2));
    const auto kept = part.eval();
    part = 9;
    CHECK(gpu::to_host(kept) == Floats{0, 1});
    CHECK(x[x > 5.f].eval().size() == 2);
}

TEST_CASE("what is refused in words disturbs neither overloads nor concepts") {
    const gpu::Array<float> x = gpu::ones<float>({2});
    CHECK(which(x) == 3);
    CHECK(which(x + 1.f) == 3);
    CHECK(which(std::vector<float>{1}) == 2);
    CHECK(which(1.f) == 1);
    static_assert(!HasSum<gpu::Array<float>> && !HasSum<gpu::View<float>> && !HasSum<gpu::Expr<float>>);
    static_assert(!gpu::Arithmetic<gpu::Array<float>> && !gpu::detail::HostMemory<gpu::Array<float>>);
    static_assert(!gpu::detail::HostMemory<gpu::Expr<float>>);
    static_assert(std::is_nothrow_move_assignable_v<gpu::Array<float>> && std::is_copy_assignable_v<gpu::Array<float>>);
    static_assert(std::movable<gpu::Array<float>> && std::swappable<gpu::Array<float>>);
    static_assert(!std::is_convertible_v<gpu::Expr<float>, float>);
    static_assert(!std::is_convertible_v<gpu::View<float>, std::vector<float>>);
    static_assert(!std::ranges::range<gpu::Array<float>> && !std::ranges::range<gpu::View<float>>);
    std::vector<gpu::Array<float>> many{x, x + 1.f, x[x > 0.f]};
    CHECK(many.size() == 3);
    many.assign(2, x);
    CHECK(gpu::to_host(many[1]) == Floats{1, 1});
}

TEST_CASE("long long and std::complex name the elements that arrays have for them") {
    static_assert(std::is_same_v<decltype(gpu::zeros<long long>(3)), gpu::Array<std::int64_t>>);
    static_assert(std::is_same_v<decltype(gpu::ones<std::complex<float>>({2})), gpu::Array<gpu::complex<float>>>);
    CHECK(gpu::to_host(gpu::arange<long long>(3)) == std::vector<std::int64_t>{0, 1, 2});
    CHECK(gpu::to_host(gpu::full<unsigned long long>({2}, 7)) == std::vector<std::uint64_t>{7, 7});
    CHECK(gpu::trace(gpu::eye<long long>(3)).item() == 3);
}
