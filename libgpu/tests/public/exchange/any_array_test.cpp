// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"

// Arrays whose element type is known at run time.
namespace {

template <class T>
gpu::AnyArray any_of(std::vector<T> values) {
    return gpu::to_device(values);
}

// The type that a typed operation has.
template <class A>
gpu::DType type_of(const A&) {
    return gpu::dtype_of<typename A::value_type>;
}

}  // namespace

TEST_CASE("an AnyArray tells its facts, and gives its elements") {
    //! [any_array]
    gpu::AnyArray any = gpu::to_device<float>({{1, 2, 3}, {4, 5, 6}});
    bool is_float = any.dtype() == gpu::DType::float32;  // and any.shape(), any.rank(), any.size(), any.device()
    std::vector<float> host = any.to_host<float>();      // another type is a DTypeError
    float total = gpu::sum(any).item<float>();           // 21
    gpu::AnyArray other = any.copy();                    // also any.to(device)
    gpu::Array<float> typed = any;                       // the same elements with a type
    //! [any_array]
    CHECK(is_float);
    CHECK(any.rank() == 2);
    CHECK(any.size() == 6);
    CHECK(any.shape() == gpu::Shape{2, 3});
    CHECK(any.dtype() == gpu::DType::float32);
    CHECK(any.device() == gpu::Device::current());
    CHECK(host == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(gpu::to_host<float>(any) == host);
    CHECK(total == 21);
    CHECK(other.to_host<float>() == host);
    CHECK(any.to(any.device()).to_host<float>() == host);
    CHECK(gpu::to_host(typed) == host);
    CHECK(any_of<std::uint8_t>({7}).item<std::uint8_t>() == 7);
    CHECK(gpu::AnyArray(gpu::to_device({true, false})).to_host<bool>() == std::vector<std::uint8_t>{1, 0});
    CHECK(support::says<gpu::DTypeError>("item: the AnyArray has float32 elements, not float64",
                                         [&] { (void)gpu::sum(any).item<double>(); }));
    CHECK(support::says<gpu::DTypeError>("to_host: the AnyArray has float32 elements, not int32",
                                         [&] { (void)any.to_host<int>(); }));
    CHECK_THROWS_AS((void)any.item<float>(), gpu::ShapeError);
    const gpu::Array<float> x = gpu::arange<float>(4);
    CHECK(gpu::AnyArray(x(gpu::slice(gpu::none, gpu::none, -1))).to_host<float>() == std::vector<float>{3, 2, 1, 0});
    CHECK(gpu::AnyArray(x * 2).to_host<float>() == std::vector<float>{0, 2, 4, 6});
    gpu::AnyArray moved = std::move(other);
    CHECK_THROWS_AS((void)other.copy(), gpu::Error);  // NOLINT(bugprone-use-after-move)
    CHECK(moved.size() == 6);
}

TEST_CASE("an AnyArray is converted to a type, or to one known at run time") {
    //! [astype]
    gpu::AnyArray any = gpu::to_device({1.75, -2.5, 300.0});
    gpu::Array<int> whole = any.astype<int>();            // 1 -2 300
    gpu::AnyArray bytes = any.astype(gpu::DType::uint8);  // 1 0 255: astype saturates
    //! [astype]
    CHECK(gpu::to_host(whole) == std::vector<int>{1, -2, 300});
    CHECK(bytes.dtype() == gpu::DType::uint8);
    CHECK(bytes.to_host<std::uint8_t>() == std::vector<std::uint8_t>{1, 0, 255});
    const gpu::AnyArray same = any.astype(gpu::DType::float64);
    CHECK(same.to_host<double>() == std::vector<double>{1.75, -2.5, 300});
    const gpu::AnyArray z = gpu::to_device(std::vector<gpu::complex<float>>{{1, 2}, {0, 0}});
    CHECK(gpu::to_host(z.astype<bool>()) == std::vector<std::uint8_t>{1, 0});
    CHECK(z.astype<gpu::complex<double>>().shape() == gpu::Shape{2});
    CHECK(support::says<gpu::DTypeError>("complex64 elements can't become float32", [&] { (void)z.astype<float>(); }));
    CHECK(support::says<gpu::DTypeError>("complex64 elements can't become int8",
                                         [&] { (void)z.astype(gpu::DType::int8); }));
    const gpu::AnyArray columns = gpu::to_device({2, 3}, {1., 2., 3., 4., 5., 6.}, gpu::Layout::column_major);
    CHECK(columns.astype<float>().strides() == gpu::Strides{1, 2});
    CHECK(columns.astype<float>()(1, 2).item() == 6);
}

TEST_CASE("a function visits an AnyArray with the type of its elements") {
    //! [visit]
    gpu::AnyArray any = gpu::to_device({4.f, 9.f});
    double largest = any.visit<float, double, int>([](const auto& x) { return double(gpu::max(x).item()); });
    gpu::AnyArray roots = any.visit([](const auto& x) { return gpu::sqrt(x); });
    gpu::AnyArray floors = any.visit<float, double>([](const auto& x) { return gpu::floor(x); });  // no complex ones
    //! [visit]
    CHECK(largest == 9);
    CHECK(roots.dtype() == gpu::DType::float32);
    CHECK(roots.to_host<float>() == std::vector<float>{2, 3});
    CHECK(floors.to_host<float>() == std::vector<float>{4, 9});
    const gpu::AnyArray whole = any_of<int>({4, 9});
    CHECK(whole.visit([](const auto& x) { return gpu::sqrt(x); }).dtype() == gpu::DType::float64);
    CHECK(whole.visit([](const auto& x) { return std::string(gpu::name(type_of(x))); }) == "int32");
    CHECK(support::says<gpu::DTypeError>(
        "visit: the AnyArray has int32 elements; the function is for float32, float64",
        [&] { (void)whole.visit<float, double>([](const auto& x) { return x.size(); }); }));
    int calls = 0;
    whole.visit([&](const auto&) { ++calls; });
    CHECK(calls == 1);
    gpu::Array<int> same = whole.visit<int>([](const gpu::Array<int>& x) { return gpu::Array<int>(x + 1); });
    CHECK(gpu::to_host(same) == std::vector<int>{5, 10});
}

TEST_CASE("operators promote AnyArrays at run time") {
    //! [operators]
    gpu::AnyArray any = gpu::to_device({1, 2, 3});  // int32, as only the file knows
    gpu::Array<float> x = gpu::to_device({0.5f, 0.25f, 0.f});
    gpu::AnyArray sums = any + x;                                // float64, as int32 + float32 is
    gpu::AnyArray doubled = 2 * any;                             // int32: a number takes the array's type
    gpu::AnyArray halves = any / 2.0;                            // float64
    gpu::AnyArray is_large = any > 1;                            // bool
    gpu::AnyArray mixed = -any + x(gpu::slice(0, 1)) * (x + 1);  // views and expressions
    //! [operators]
    CHECK(sums.dtype() == gpu::DType::float64);
    CHECK(sums.to_host<double>() == std::vector<double>{1.5, 2.25, 3});
    CHECK(doubled.dtype() == gpu::DType::int32);
    CHECK(doubled.to_host<int>() == std::vector<int>{2, 4, 6});
    CHECK(halves.to_host<double>() == std::vector<double>{0.5, 1, 1.5});
    CHECK(is_large.to_host<bool>() == std::vector<std::uint8_t>{0, 1, 1});
    CHECK(mixed.to_host<double>() == std::vector<double>{-0.25, -1.375, -2.5});
    CHECK((any / 2).to_host<int>() == std::vector<int>{0, 1, 1});
    CHECK((7 % any).to_host<int>() == std::vector<int>{0, 1, 1});
    CHECK((any << 2).to_host<int>() == std::vector<int>{4, 8, 12});
    CHECK((any & 1).to_host<int>() == std::vector<int>{1, 0, 1});
    CHECK((any == any).to_host<bool>() == std::vector<std::uint8_t>{1, 1, 1});
    CHECK((!(any != 2)).to_host<bool>() == std::vector<std::uint8_t>{0, 1, 0});
    CHECK((any > 1 && x > 0).to_host<bool>() == std::vector<std::uint8_t>{0, 1, 0});
    CHECK((~any).to_host<int>() == std::vector<int>{-2, -3, -4});
    CHECK((~is_large).to_host<bool>() == std::vector<std::uint8_t>{1, 0, 0});
    CHECK((+any).to_host<int>() == std::vector<int>{1, 2, 3});
    CHECK(gpu::multiply(any, x).to_host<double>() == std::vector<double>{0.5, 0.5, 0});
    const gpu::AnyArray column = gpu::to_device({{1.0}, {2.0}});
    CHECK((column * any).shape() == gpu::Shape{2, 3});
    CHECK_THROWS_AS((void)(any + gpu::AnyArray(gpu::arange<int>(2))), gpu::ShapeError);
    CHECK((any_of<float>({1, NAN}) == any_of<float>({1, NAN})).to_host<bool>() == std::vector<std::uint8_t>{1, 0});
}

TEST_CASE("operators in place keep the elements' type") {
    gpu::AnyArray any = any_of<int>({1, 2, 3});
    const gpu::AnyArray before = any;
    any += 1;
    any *= any;
    CHECK(any.to_host<int>() == std::vector<int>{4, 9, 16});
    CHECK(before.to_host<int>() == std::vector<int>{1, 2, 3});
    gpu::Array<double> x = gpu::to_device({1., 1., 1.});
    x += any;
    x(gpu::slice(0, 2)) -= any_of<float>({1, 2});
    CHECK(gpu::to_host(x) == std::vector<double>{4, 8, 17});
    CHECK(support::says<gpu::DTypeError>("the result has float64 elements, and the array keeps its int32 ones",
                                         [&] { any += 0.5; }));
    gpu::Array<float> narrow = gpu::to_device({1.f, 1.f, 1.f});
    CHECK(support::says<gpu::DTypeError>("the array keeps its float32 ones", [&] { narrow += any; }));
    CHECK(gpu::to_host(narrow) == std::vector<float>{1, 1, 1});
}

TEST_CASE("what typed operators refuse is a DTypeError of AnyArrays") {
    const gpu::AnyArray bits = gpu::to_device({true, false}), x = any_of<float>({1, 2});
    const gpu::AnyArray z = gpu::to_device(std::vector<gpu::complex<float>>{{1, 2}, {0, 0}});
    CHECK(support::says<gpu::DTypeError>("an AnyArray's - of bool and bool: bools don't subtract",
                                         [&] { (void)(bits - bits); }));
    CHECK(support::says<gpu::DTypeError>("a bool has no negative", [&] { (void)-bits; }));
    CHECK(support::says<gpu::DTypeError>("an AnyArray's < of complex64 and float32: complex numbers have no order",
                                         [&] { (void)(z < x); }));
    CHECK(support::says<gpu::DTypeError>("complex numbers have no remainder", [&] { (void)(z % x); }));
    CHECK(support::says<gpu::DTypeError>("an AnyArray's & of float32 and a number of type int32: bits are those",
                                         [&] { (void)(x & 1); }));
    CHECK(support::says<gpu::DTypeError>("bits are those of integers", [&] { (void)~x; }));
    CHECK(support::says<gpu::DTypeError>("complex numbers have no order", [&] { (void)gpu::max(z); }));
    CHECK_THROWS_AS((void)(any_of<std::uint8_t>({1}) + 300), gpu::DTypeError);  // as of a typed array
}

// No kernel runs for arrays without elements, so all pairs of types are cheap.
TEST_CASE("each pair of types gives the type that typed operators give") {
    const gpu::AnyArray empty = gpu::Array<float>();
    const auto each = [&](auto check) {
        for (int type = 0; type < gpu::detail::dtype_count; ++type) check(empty.astype(static_cast<gpu::DType>(type)));
    };
    const auto visit_some = [](const gpu::AnyArray& a, auto f) {  // typed pairs take long to compile
        a.visit<bool, std::int8_t, std::int64_t, std::uint32_t, std::uint64_t, gpu::half, float, gpu::complex<double>>(
            f);
    };
    const auto is_visited = [](const gpu::AnyArray& a) {
        using enum gpu::DType;
        for (const gpu::DType type : {boolean, int8, int64, uint32, uint64, float16, float32, complex128})
            if (a.dtype() == type) return true;
        return false;
    };
    int pairs = 0, typed_pairs = 0;
    each([&](const gpu::AnyArray& a) {
        a.visit([&](const auto& x) {
            using X = typename std::decay_t<decltype(x)>::value_type;
            CHECK((a + 1).dtype() == type_of(x + 1));
            CHECK((a * 1.5).dtype() == type_of(x * 1.5));
            CHECK((1.5f / a).dtype() == type_of(1.5f / x));
            CHECK((a == true).dtype() == gpu::DType::boolean);
            CHECK((a + true).dtype() == type_of(x + true));
            CHECK((a * gpu::complex<double>(1, 1)).dtype() == type_of(x * gpu::complex<double>(1, 1)));
            CHECK(gpu::sum(a).dtype() == type_of(gpu::sum(x)));
            CHECK(gpu::prod(a).dtype() == type_of(gpu::prod(x)));
            CHECK(gpu::mean(a).dtype() == type_of(gpu::mean(x)));
            if constexpr (!std::is_same_v<X, bool>) CHECK((-a).dtype() == type_of(-x));
        });
        each([&](const gpu::AnyArray& b) {
            ++pairs;
            CHECK((a + b).dtype() == gpu::promote(a.dtype(), b.dtype()));
            if (!is_visited(a) || !is_visited(b)) return;
            visit_some(a, [&](const auto& x) {
                visit_some(b, [&](const auto& y) {
                    ++typed_pairs;
                    CHECK((a / b).dtype() == type_of(x / y));
                });
            });
        });
    });
    CHECK(pairs == 225);
    CHECK(typed_pairs == 64);
}

TEST_CASE("reductions of AnyArrays") {
    //! [reductions]
    gpu::AnyArray any = gpu::to_device({{3, 1, 2}, {9, 7, 8}});
    gpu::AnyArray total = gpu::sum(any);                                   // 30, an int64
    gpu::AnyArray means = gpu::mean(any, {.axis = 0});                     // 6 4 5, doubles
    gpu::AnyArray largest = gpu::max(any, {.axis = 1, .keepdims = true});  // 3 9, as int32
    gpu::AnyArray spread = gpu::stddev(any, {.axis = 0});                  // 3 3 3, doubles
    gpu::Array<std::int64_t> place = gpu::argmin(any);                     // 1
    gpu::Array<bool> positive = gpu::all(any > 0);
    //! [reductions]
    CHECK(total.item<std::int64_t>() == 30);
    CHECK(means.to_host<double>() == std::vector<double>{6, 4, 5});
    CHECK(largest.shape() == gpu::Shape{2, 1});
    CHECK(largest.to_host<int>() == std::vector<int>{3, 9});
    CHECK(spread.to_host<double>() == std::vector<double>{3, 3, 3});
    CHECK(gpu::var(any, {.axis = 1, .ddof = 1}).to_host<double>() == std::vector<double>{1, 1});
    CHECK(gpu::var(any_of<float>({1, 3})).dtype() == gpu::DType::float32);
    CHECK(gpu::stddev(gpu::AnyArray(gpu::to_device({gpu::complex<float>(0, 3), gpu::complex<float>(0, -3)})))
              .item<float>() == 3);
    CHECK(place.item() == 1);
    CHECK(positive.item());
    CHECK(gpu::min(any).item<int>() == 1);
    CHECK(gpu::argmax(any, {.axis = 1}).shape() == gpu::Shape{2});
    CHECK(gpu::prod(any, {.axis = {0, 1}}).item<std::int64_t>() == 3024);
    CHECK(gpu::count_nonzero(any).item() == 6);
    CHECK(gpu::any(any < 0).item() == false);
    CHECK_THROWS_AS((void)gpu::sum(any, {.axis = 2}), gpu::AxisError);
    CHECK_THROWS_AS((void)gpu::max(gpu::AnyArray(gpu::Array<float>())), gpu::ShapeError);
    CHECK(std::isnan(gpu::min(any_of<float>({1, NAN, 0})).item<float>()));
}

TEST_CASE("AnyArrays are sorted, and chosen from") {
    //! [sorting]
    gpu::AnyArray any = gpu::to_device({3, 1, 2, 1});
    gpu::AnyArray ascending = gpu::sort(any);              // 1 1 2 3
    gpu::Array<std::int64_t> order = gpu::argsort(any);    // 1 3 2 0
    gpu::AnyArray distinct = gpu::unique(any);             // 1 2 3
    gpu::AnyArray positive = gpu::where(any > 1, any, 0);  // 3 0 2 0, as int32
    //! [sorting]
    CHECK(ascending.to_host<int>() == std::vector<int>{1, 1, 2, 3});
    CHECK(gpu::to_host(order) == std::vector<std::int64_t>{1, 3, 2, 0});
    CHECK(distinct.to_host<int>() == std::vector<int>{1, 2, 3});
    CHECK(positive.to_host<int>() == std::vector<int>{3, 0, 2, 0});
    const auto doubles = gpu::to_device({0.5, 1.5, 2.5, 3.5});
    CHECK(gpu::where(doubles > 1, any, doubles).to_host<double>() == std::vector<double>{0.5, 1, 2, 1});
    CHECK(gpu::where(any > 1, doubles, 0).to_host<double>() == std::vector<double>{0.5, 0, 2.5, 0});
    CHECK(gpu::where(any > 1, 2.5, any).to_host<double>() == std::vector<double>{2.5, 1, 2.5, 1});
    CHECK_THROWS_AS((void)gpu::where(any_of<std::uint8_t>({1}) > 0, any_of<std::uint8_t>({1}), 300), gpu::DTypeError);
    const gpu::AnyArray z = gpu::to_device({gpu::complex<float>(1)});
    CHECK_THROWS_WITH_AS((void)gpu::sort(z),
                         "sort: the AnyArray has complex64 elements, and complex numbers have no order: compare their "
                         "gpu::abs(z)",
                         gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::unique(z), gpu::DTypeError);
    CHECK_THROWS_AS((void)gpu::argsort(any, {.axis = 1}), gpu::AxisError);
}

TEST_CASE("joining arrays of one type gives an array of that type") {
    //! [joined]
    gpu::Array<float> x = gpu::arange<float>(3);
    auto longer = gpu::concatenate({x, x(gpu::slice(0, 1)), x * 2});  // a gpu::Array<float>
    auto rows = gpu::stack({x, longer(gpu::slice(0, 3))});
    auto mixed = gpu::hstack({x, gpu::arange<int>(2)});  // a gpu::AnyArray of float64
    //! [joined]
    static_assert(std::is_same_v<decltype(longer), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype(rows), gpu::Array<float>>);
    static_assert(std::is_same_v<decltype(mixed), gpu::AnyArray>);
    CHECK(gpu::to_host(longer) == std::vector<float>{0, 1, 2, 0, 0, 2, 4});
    CHECK(rows.shape() == gpu::Shape{2, 3});
    CHECK(mixed.to_host<double>() == std::vector<double>{0, 1, 2, 0, 1});
    const auto below = gpu::vstack({x > 1, x > 0});
    static_assert(std::is_same_v<decltype(below), const gpu::Array<bool>>);
    CHECK(gpu::to_host(below) == std::vector<std::uint8_t>{0, 0, 1, 0, 1, 1});
    const gpu::AnyArray any = x;
    CHECK(gpu::concatenate({any, x}).to_host<float>() == std::vector<float>{0, 1, 2, 0, 1, 2});
    CHECK(gpu::vstack({any, any}).shape() == gpu::Shape{2, 3});
    const std::vector<gpu::Array<float>> parts(2, x);
    CHECK(gpu::hstack(parts).shape() == gpu::Shape{6});
    CHECK(gpu::vstack(parts).shape() == gpu::Shape{2, 3});
    CHECK_THROWS_AS((void)gpu::concatenate({x, rows}), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::stack({x, x}, {.axis = 3}), gpu::AxisError);
}
