// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"

using support::error_of;

namespace {

const gpu::ReductionKernel& total() {
    static const gpu::ReductionKernel kernel("T x", "T y", "x", "a + b", "y = a", "0", "total");
    return kernel;
}

}  // namespace

TEST_CASE("a reduction kernel runs over any axes, keeps them, and writes into arrays that exist") {
    //! [launch]
    gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    auto x = gpu::to_device({3.f, 4.f, 6.f, 8.f}).reshape({2, 2});
    auto y = gpu::empty<float>({2});
    l2norm(x, {.axis = 1, .out = gpu::out(y)});
    gpu::Array<float> kept = l2norm(x, {.axis = -1, .keepdims = true});
    //! [launch]
    CHECK(gpu::to_host(y) == std::vector<float>{5, 10});
    CHECK(kept.shape() == gpu::Shape{2, 1});
    auto cube = gpu::arange<int>(24).reshape({2, 3, 4});
    gpu::Array<int> middle = total()(cube, {.axis = {0, 2}});
    CHECK(gpu::to_host(middle) == std::vector<int>{60, 92, 124});
    gpu::Array<int> turned = total()(cube.transpose(), {.axis = {0, -1}, .keepdims = true});
    CHECK(turned.shape() == gpu::Shape{1, 3, 1});
    CHECK(gpu::to_host(turned) == std::vector<int>{60, 92, 124});
    auto wide = gpu::zeros<int>({3, 2});
    gpu::Array<int> same = total()(cube, gpu::out(wide(gpu::all, 1)), {.axis = {0, 2}});
    CHECK(gpu::to_host(wide) == std::vector<int>{0, 60, 0, 92, 0, 124});
    auto with_ones = gpu::zeros<int>({1, 3, 1});
    total()(cube, {.axis = {0, 2}, .keepdims = true, .out = gpu::out(with_ones)});
    CHECK(gpu::to_host(with_ones) == std::vector<int>{60, 92, 124});
    CHECK_THROWS_AS((void)total()(cube, {.axis = 3}), gpu::AxisError);
    CHECK_THROWS_AS((void)total()(cube, {.axis = {1, 1}}), gpu::AxisError);
    CHECK(error_of([&] { total()(cube, {.axis = 0, .out = gpu::out(with_ones)}); }) ==
          "kernel total: output 'y' has shape (1,3,1), the result has (3,4)");
    CHECK_THROWS_AS(total()(cube, {.out = gpu::out(y)}), gpu::DTypeError);
}

TEST_CASE("an output of a reduction kernel may overlap an input") {
    auto x = gpu::ones<int>({300, 300});
    total()(x, {.axis = 0, .out = gpu::out(x(7, gpu::all))});
    const std::vector<int> host = gpu::to_host(x);
    for (std::size_t k = 0; k < 300; ++k) {
        REQUIRE(host[7 * 300 + k] == 300);
        REQUIRE(host[6 * 300 + k] == 1);
    }
}

TEST_CASE("several inputs broadcast, several outputs come from one pass, numbers are taken") {
    //! [more]
    gpu::ReductionKernel weighted("T x, T w, T shift", "T y", "w * (x - shift)", "a + b", "y = a + shift", "0",
                                  "weighted");
    gpu::Array<float> y =
        weighted(gpu::arange<float>(6).reshape({2, 3}), gpu::to_device({1.f, 0.f, 2.f}), 1, {.axis = 1});
    gpu::ReductionKernel mean("T x", "double y", "x", "a + b", "y = a / (_in_ind.size() / _out_ind.size())", "0",
                              "mean");
    gpu::Array<double> columns = mean(gpu::arange<float>(6).reshape({2, 3}), {.axis = 0});
    //! [more]
    CHECK(gpu::to_host(y) == std::vector<float>{2, 11});
    CHECK(gpu::to_host(columns) == std::vector<double>{1.5, 2.5, 3.5});
    //! [all]
    gpu::ReductionKernel extremes("T x", "T least, T most", "Pair{x, x}",
                                  "Pair{min(a.least, b.least), max(a.most, b.most)}", "least = a.least; most = a.most",
                                  "", "extremes",
                                  {.preamble = "struct Pair { T least, most; };", .reduce_type = "Pair"});
    auto x = gpu::to_device({3, -4, 5, 9}).reshape({2, 2});
    auto [least, most] = extremes.all<int, int>({x}, {.axis = 0});
    //! [all]
    CHECK(gpu::to_host(least) == std::vector<int>{3, -4});
    CHECK(gpu::to_host(most) == std::vector<int>{5, 9});
    auto low = gpu::zeros<int>({}), high = gpu::zeros<int>({});
    extremes(x, gpu::out(low), gpu::out(high));
    CHECK(low.item() == -4);
    CHECK(high.item() == 9);
    auto [any_low, any_high] = extremes.all<2>({x(gpu::all, 0)});
    CHECK(gpu::Array<int>(any_high).item() == 5);
    CHECK(error_of([&] { (void)extremes.all<1>({x}); }) == "kernel extremes has 2 outputs; all() asks for 1");
    CHECK(error_of([&] { extremes(x, {.out = gpu::out(low)}); }).find("{.out = ...} is for one output") !=
          std::string::npos);
    CHECK(error_of([&] { extremes(x, gpu::out(low)); }) ==
          "kernel extremes takes 1 operands, or 3 with outputs; 2 were given");
}

TEST_CASE("a and b may be one of CUDA's short vectors") {
    const auto x = gpu::to_device({3.f, -4.f, 5.f, 10.f, 2.f, 0.f}).reshape({2, 3});
    for (const std::string make : {"double2{x, 1}", "make_double2(x, 1)"}) {
        const gpu::ReductionKernel mean("T x", "T y", make, "double2{a.x + b.x, a.y + b.y}", "y = a.x / a.y",
                                        "make_double2(0, 0)", "mean", {.reduce_type = "double2"});
        gpu::Array<float> means = mean(x, {.axis = 1});
        CHECK(gpu::to_host(means) == std::vector<float>{4.f / 3, 4});
        means = mean(x, {.axis = 0});
        CHECK(gpu::to_host(means) == std::vector<float>{6.5f, -1, 2.5f});
        const gpu::DeviceGuard guard(gpu::Device::host(0));
        const auto on_host = gpu::arange<float>(6).reshape({2, 3});
        CHECK(gpu::check([&] { means = mean(on_host, {.axis = 0}); }).clean());
    }
    const gpu::ElementwiseKernel swap("T x, T y", "T z", "float2 v = make_float2(x, y); z = v.x - v.y", "swap");
    gpu::Array<float> none = swap(x, x);
    CHECK(gpu::to_host(none) == std::vector<float>(6));
}

TEST_CASE("what is wrong around a structure of a and b is said") {
    const auto x = gpu::arange<float>(6);
    const auto told = [&](const char* map, const char* reduce, gpu::KernelOptions options) {
        return error_of([&] {
            (void)gpu::ReductionKernel("T x", "T y", map, reduce, "y = 0", "", "k", std::move(options))(x);
        });
    };
    const auto has = [](const std::string& text, const char* words) {
        CHECK_MESSAGE(text.find(words) != std::string::npos, text);
    };
    const char* const join = "Part{a.sum + b.sum}";
    const char* const part = "struct Part { double sum; };";
    has(told("Part{x}", "a + b", {.preamble = part, .reduce_type = "Part"}),
        "k (reduce):1:3: error: a and b are structures, which have no such operator");
    has(told("make_double2(x, 1)", "a + b", {.reduce_type = "double2"}),
        "help: combine their members: Part{a.sum + b.sum, a.count + b.count}");
    has(told("Part{x}", join, {.reduce_type = "Part"}),
        "help: declare it in the preamble: {.preamble = \"struct Part { double sum, count; };\", .reduce_type = "
        "\"Part\"}");
    has(told("Part{x}", join, {.preamble = "struct Part { double sum; }", .reduce_type = "Part"}),
        "a ; is missing");
    CHECK(error_of([&] { (void)total()(x, 1); }) ==
          "kernel total: operand 2, a number, stands where the output 'y' would: the axis of a reduction is named, as "
          "in kernel(x, {.axis = 1})");
}

TEST_CASE("the identity enters once, at every size: 1 and 1024 ones are 1025") {
    const gpu::ReductionKernel from_one("T x", "T y", "x", "a + b", "y = a", "1", "from_one");
    for (const int n : {0, 1, 2, 31, 33, 255, 257, 1024, 5000, 100'000}) {
        gpu::Array<int> sum = from_one(gpu::ones<int>({n}));
        CHECK_MESSAGE(sum.item() == n + 1, n);
        gpu::Array<int> columns = from_one(gpu::ones<int>({n, 9}), {.axis = 0});
        CHECK_MESSAGE(gpu::to_host(columns) == std::vector<int>(9, n + 1), n);
    }
}

TEST_CASE("one meaning at every size and layout: names that look like parameters, _J, sizes") {
    // x is a part of exp and max, y of nothing: the text isn't touched.
    const gpu::ReductionKernel smooth("T x", "T y", "max(x, T(0)) + exp(x * 0)", "a + b", "y = a", "0", "smooth");
    const gpu::ReductionKernel position("T x", "int64 y", "_J * (x != 0)", "a + b", "y = a", "0", "position");
    const gpu::ReductionKernel count("T x", "int64 y", "0 * x", "a + b", "y = _in_ind.size()", "0", "count");
    for (const int n : {1, 10, 127, 128, 129, 1000, 40'000}) {
        const auto x = gpu::arange<float>(n);
        gpu::Array<float> y = smooth(gpu::zeros<float>({n}));
        CHECK(y.item() == static_cast<float>(n));
        auto spots = gpu::zeros<int>({2, n});
        spots(1, n - 1) = gpu::ones<int>({});
        gpu::Array<std::int64_t> rows = position(spots, {.axis = 1});
        CHECK(gpu::to_host(rows) == std::vector<std::int64_t>{0, n - 1});
        gpu::Array<std::int64_t> whole = position(spots);
        CHECK(whole.item() == 2 * n - 1);
        gpu::Array<std::int64_t> turned = position(spots.transpose());
        CHECK(turned.item() == 2 * n - 1);
        gpu::Array<std::int64_t> sizes = count(spots, {.axis = 0});
        CHECK(gpu::to_host(sizes)[static_cast<std::size_t>(n - 1)] == 2 * n);
    }
}

TEST_CASE("no identity: the first element starts, and nothing to reduce is an error") {
    const gpu::ReductionKernel largest("T x", "T y", "x", "a > b ? a : b", "y = a", "", "largest");
    for (const int n : {1, 2, 127, 128, 2049, 70'000}) {
        gpu::Array<float> top = largest(gpu::arange<float>(n) - static_cast<float>(n));
        CHECK(top.item() == -1);
    }
    gpu::Array<float> least = largest(gpu::full<float>({3}, -INFINITY));
    CHECK(least.item() == -INFINITY);
    CHECK(error_of([&] {
              (void)largest(gpu::zeros<float>({2, 0}), {.axis = 1});
          }) == "kernel largest: an empty array of shape (2,0) can't be reduced, the kernel has no identity");
    gpu::Array<float> nothing = largest(gpu::zeros<float>({0, 2}), {.axis = 1});
    CHECK(nothing.shape() == gpu::Shape{0});
    gpu::Array<int> identities = total()(gpu::zeros<int>({2, 0}), {.axis = 1});
    CHECK(gpu::to_host(identities) == std::vector<int>{0, 0});
}

TEST_CASE("the accumulator is wide by default, and may be chosen") {
    gpu::Array<std::int8_t> wrapped = total()(gpu::full<std::int8_t>({100}, 50));
    CHECK(wrapped.item() == static_cast<std::int8_t>(5000 % 256));
    const gpu::ReductionKernel mean8("int8 x", "int8 y", "x", "a + b", "y = a / _in_ind.size()", "0", "mean8");
    gpu::Array<std::int8_t> mean = mean8(gpu::full<std::int8_t>({100}, 50));
    CHECK(mean.item() == 50);  // 5000 doesn't fit an int8
    gpu::Array<gpu::half> halves = total()(gpu::full<gpu::half>({4096}, gpu::half(0.25f)));
    CHECK(static_cast<float>(halves.item()) == 1024);
    const gpu::ReductionKernel in_double("float32 x", "float32 y", "x", "a + b", "y = a - 16777216", "16777216",
                                         "in_double", {.reduce_type = "float64"});
    gpu::Array<float> small = in_double(gpu::full<float>({1}, 1.5f));
    CHECK(small.item() == 1.5f);  // not 2, as 16777217.5 becomes in a float
    const gpu::ReductionKernel narrow("int32 x", "int64 y", "x", "a + b", "y = a", "0", "narrow",
                                      {.reduce_type = "T8"});
    CHECK_THROWS_AS((void)narrow(gpu::ones<int>({3})), gpu::CompileError);
    const gpu::ReductionKernel bytes("int32 x", "int64 y", "x", "a + b", "y = a", "0", "bytes",
                                     {.reduce_type = "uint8"});
    gpu::Array<std::int64_t> modulo = bytes(gpu::full<int>({300}, 1));
    CHECK(modulo.item() == 300 % 256);
}

TEST_CASE("raw arrays in a reduction, in any layout, for map and post") {
    const gpu::ReductionKernel lookup("int32 k, raw T table, raw T offset", "T y", "table[k] * (_J + 1)", "a + b",
                                      "y = a + offset[0]", "0", "lookup");
    auto table = gpu::arange<float>(10)(gpu::slice(9, -11, -1));  // 9, 8, ...
    auto k = gpu::to_device({0, 1, 2, 9, 8, 7}).reshape({2, 3});
    gpu::Array<float> rows = lookup(k, table, gpu::full<float>({1}, 100.f), {.axis = 1});
    CHECK(gpu::to_host(rows) == std::vector<float>{100 + 9 + 16 + 21, 100 + 0 + 2 + 6});
    gpu::Array<float> columns = lookup(k, table, gpu::full<float>({1}, 100.f), {.axis = 0});
    CHECK(gpu::to_host(columns) == std::vector<float>{109, 110, 111});
    const gpu::ReductionKernel trace("int32 k, raw T m", "T y", "m[{k, k}]", "a + b", "y = a", "0", "trace");
    gpu::Array<float> sum = trace(gpu::arange<int>(3), gpu::arange<float>(9).reshape({3, 3}).transpose());
    CHECK(sum.item() == 12);
    CHECK(error_of([&] {
              (void)trace(1, gpu::arange<float>(9).reshape({3, 3}));
          }) == "kernel trace: one operand must be an array that is reduced, neither raw nor a number");
    CHECK(error_of([&] { gpu::ReductionKernel("T x", "raw T y", "x", "a + b", "y[0] = a", "0", "k"); }) ==
          "kernel k: 'y' is an output, which can't be raw");
    CHECK(error_of([&] { gpu::ReductionKernel("T x", "T a", "x", "a + b", "a = a", "0", "k"); }) ==
          "kernel k: an output can't be called 'a', the reduced value");
}

TEST_CASE("an input and a number of a reduction kernel may be called a and b") {
    const gpu::ReductionKernel dot("T a, T b", "T y", "a * b", "a + b", "y = a", "0", "dot");
    gpu::Array<float> y = dot(gpu::arange<float>(4), gpu::arange<float>(4));
    CHECK(y.item() == 14);
    gpu::Array<float> twice = dot(gpu::arange<float>(4), 2);
    CHECK(twice.item() == 12);
    gpu::Array<float> again = dot(2, gpu::arange<float>(4));
    CHECK(again.item() == 12);
}

TEST_CASE("the same bits on every run") {
    const gpu::ReductionKernel sum("T x", "T y", "x", "a + b", "y = a", "0", "sum");
    const auto x = gpu::random::Generator(3).uniform<float>({200, 333});
    gpu::Array<float> first = sum(x), rows = sum(x, {.axis = 1}), columns = sum(x, {.axis = 0});
    for (int k = 0; k < 5; ++k) {
        gpu::Array<float> again = sum(x), rows_again = sum(x, {.axis = 1}), columns_again = sum(x, {.axis = 0});
        CHECK(again.item() == first.item());
        CHECK(gpu::to_host(rows_again) == gpu::to_host(rows));
        CHECK(gpu::to_host(columns_again) == gpu::to_host(columns));
    }
}

TEST_CASE("a reduction kernel's stream may be named; expressions are taken") {
    gpu::Stream stream;
    auto x = gpu::arange<int>(1000);
    gpu::synchronize();
    auto y = gpu::zeros<int>({});
    gpu::synchronize();
    total()(x + x, {.out = gpu::out(y), .stream = stream});
    stream.synchronize();
    CHECK(y.item() == 999'000);
}

TEST_CASE("complex and bool reductions") {
    using Complex = gpu::complex<double>;
    const gpu::ReductionKernel product("T x", "T y", "x", "a * b", "y = a", "1", "product");
    gpu::Array<Complex> z = product(gpu::to_device({Complex(0, 1), Complex(0, 1), Complex(2, 0)}));
    CHECK(z.item() == Complex(-2, 0));
    const gpu::ReductionKernel any("bool x", "bool y", "x", "a || b", "y = a", "false", "any_of");
    gpu::Array<bool> some = any((gpu::arange<int>(6) > 4).eval().reshape({2, 3}), {.axis = 1});
    CHECK(gpu::to_host(some) == std::vector<std::uint8_t>{0, 1});
}

TEST_CASE("check mode reduces with raw arrays and several outputs") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;
    const gpu::ReductionKernel both("int32 k, raw T table", "T sum, int64 elements", "table[k] + _J * 0", "a + b",
                                    "sum = a + table[0]; elements = _in_ind.size() / _out_ind.size()", "0", "both");
    auto k = gpu::arange<int>(600).reshape({2, 300});
    const auto table = gpu::arange<float>(600);
    auto sum = gpu::empty<float>({2});
    auto elements = gpu::empty<std::int64_t>({2});
    const gpu::CheckReport report = gpu::check([&] { both(k, table, gpu::out(sum), gpu::out(elements), {.axis = 1}); });
    CHECK(report.clean());
    CHECK(gpu::to_host(sum) == std::vector<float>{44'850, 134'850});
    CHECK(gpu::to_host(elements) == std::vector<std::int64_t>{300, 300});
}

TEST_CASE("the parts of a reduction kernel are expressions, and errors name the part") {
    using gpu::ReductionKernel;
    CHECK(error_of([] { ReductionKernel("T x", "T y", " ", "a + b", "y = a", "0", "k"); }) ==
          "kernel k: its map expression is empty");
    CHECK(error_of([] { ReductionKernel("T x", "T y", "x", "a + b;", "y = a", "0", "k"); }) ==
          "kernel k: its reduce 'a + b;' is an expression, which has no ; at its end");
    CHECK(error_of([] { ReductionKernel("T x", "T y", "x", "a + b", "", "0", "k"); }) ==
          "kernel k: its post statement is empty: it assigns the outputs, as in y = a");
    const auto x = gpu::arange<float>(10);
    const ReductionKernel commented("T x", "T y", "x // each", "a + b // both", "y = a; // at last", "1 // first", "k");
    gpu::Array<float> sum = commented(x);
    CHECK(sum.item() == 46.f);

    const ReductionKernel unknown("T x", "T y", "x", "a + b", "y = a", "0", "k", {.reduce_type = "quadruple"});
    CHECK(error_of([&] { (void)unknown(x); }).find("k (reduce_type):1:1") != std::string::npos);
    const ReductionKernel nowhere("T x", "T y", "x", "a + b", "y = a", "zero", "k");
    CHECK(error_of([&] { (void)nowhere(x); }).find("k (identity):1:1") != std::string::npos);

    // _J may come from a macro: its order is that of the axes then, too.
    const ReductionKernel places("T x", "int64 y", "x * PLACE", "a + b", "y = a", "0", "places",
                                 {.preamble = "#define PLACE _J"});
    const auto matrix = gpu::arange<std::int64_t>(6).reshape({2, 3});
    gpu::Array<std::int64_t> weighted = places(matrix.transpose());  // 0 3 1 4 2 5
    CHECK(weighted.item() == 0 * 0 + 3 * 1 + 1 * 2 + 4 * 3 + 2 * 4 + 5 * 5);

    auto y = gpu::zeros<float>({});
    CHECK(error_of([&] { (void)total()(x, gpu::out(y), {.out = gpu::out(y)}); }) ==
          "kernel total: its output is given twice, as an operand and by {.out = ...}");
    CHECK_THROWS_AS((void)total()(gpu::ones<std::int8_t>({2}), gpu::out(y)), gpu::DTypeError);
}
