// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "support/messages.hpp"

using support::error_of;

TEST_CASE("a raw array is there whole for each element: by row-major index in any layout, or by axes") {
    //! [raw]
    gpu::ElementwiseKernel add_reverse("T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]", "add_reverse");
    gpu::Array<float> z = add_reverse(gpu::arange<float>(4), gpu::to_device({10.f, 20.f, 30.f, 40.f}));
    gpu::ElementwiseKernel left("raw T x", "T z", "z = i % 3 == 0 ? x[i] : x[{i / 3, i % 3 - 1}]", "left");
    auto x = gpu::arange<float>(6).reshape({2, 3});
    gpu::Array<float> shifted = left(x, {.size = 6});
    //! [raw]
    CHECK(gpu::to_host(z) == std::vector<float>{40, 31, 22, 13});
    CHECK(gpu::to_host(shifted) == std::vector<float>{0, 0, 1, 3, 3, 4});

    const gpu::ElementwiseKernel linear("raw T x", "T z", "z = x[i]", "linear");
    const auto check = [&](const auto& window) {
        gpu::Array<float> all = linear(window, {.size = window.shape().size()});
        CHECK(gpu::to_host(all) == gpu::to_host(gpu::Array<float>(window)));
    };
    auto cube = gpu::arange<float>(60).reshape({3, 4, 5});
    gpu::Array<float> whole = cube;
    check(whole);
    check(whole.transpose());
    check(whole(gpu::slice(0, 3, 2), gpu::all, gpu::slice(1, 4)));
    check(whole(1, gpu::all, gpu::slice(4, -6, -1)));
    auto row = gpu::arange<float>(5);
    check(row.broadcast_to({4, 5}));
    auto columns = gpu::empty<float>({3, 4}, gpu::Layout::column_major);
    columns = gpu::arange<float>(12).reshape({3, 4}) * 1.f;
    check(columns);
}

TEST_CASE("a raw array doesn't broadcast, and has a shape and a size") {
    const gpu::ElementwiseKernel facts("T x, raw T y", "long long z",
                                       "z = i == 0 ? y.size() : i == 1 ? y.shape()[0] : i == 2 ? y.shape()[1] : y.ndim",
                                       "facts");
    gpu::Array<std::int64_t> z = facts(gpu::zeros<float>({4}), gpu::zeros<float>({7, 3}));
    CHECK(gpu::to_host(z) == std::vector<std::int64_t>{21, 7, 3, 2});
    const gpu::ElementwiseKernel first("T x, raw T y", "T z", "z = x + y[0]", "first");
    gpu::Array<float> of_scalar = first(gpu::ones<float>({2}), gpu::full<float>({}, 5.f));
    CHECK(gpu::to_host(of_scalar) == std::vector<float>{6, 6});
    auto e = gpu::arange<float>(3);
    gpu::Array<float> of_expression = first(gpu::ones<float>({2}), e + 8.f);
    CHECK(gpu::to_host(of_expression) == std::vector<float>{9, 9});
    CHECK(error_of([&] { (void)first(e, 2); }) == "kernel first: 'y' is raw: pass an array, not a number");
}

TEST_CASE("raw outputs are written anywhere; the loop's size comes from other arrays or is given") {
    const gpu::ElementwiseKernel scatter("T x, int32 place", "raw T z", "z[place] = x", "scatter");
    auto z = gpu::zeros<float>({5});
    scatter(gpu::to_device({1.f, 2.f, 3.f}), gpu::to_device({4, 0, 2}), gpu::out(z));
    CHECK(gpu::to_host(z) == std::vector<float>{2, 0, 3, 0, 1});
    auto wide = gpu::zeros<float>({2, 5});
    scatter(gpu::to_device({1.f, 2.f, 3.f}), gpu::to_device({4, 0, 2}), gpu::out(wide(1, gpu::all)));
    CHECK(gpu::to_host(wide) == std::vector<float>{0, 0, 0, 0, 0, 2, 0, 3, 0, 1});

    const gpu::ElementwiseKernel histogram("int32 x", "raw int32 bins", "atomicAdd(&bins[x], 1)", "histogram");
    auto bins = gpu::zeros<int>({3});
    histogram(gpu::arange<int>(3000) % 3, gpu::out(bins));
    CHECK(gpu::to_host(bins) == std::vector<int>{1000, 1000, 1000});
}

TEST_CASE("the loop's size: from arrays that aren't raw, or given, or undecided") {
    //! [size]
    gpu::ElementwiseKernel pairs("raw T x", "T z", "z = x[2 * i] + x[2 * i + 1]", "pairs");
    gpu::Array<float> sums = pairs(gpu::arange<float>(6), {.size = 3});
    //! [size]
    CHECK(gpu::to_host(sums) == std::vector<float>{1, 5, 9});
    gpu::Array<float> none = pairs(gpu::arange<float>(6), {.size = 0});
    CHECK(none.shape() == gpu::Shape{0});
    auto z = gpu::empty<float>({2});
    pairs(gpu::arange<float>(6), gpu::out(z));  // an output that isn't raw decides
    CHECK(gpu::to_host(z) == std::vector<float>{1, 5});
    CHECK(error_of([&] { (void)pairs(gpu::arange<float>(6)); }) ==
          "kernel pairs: how many elements? The loop's size is undecided: pass {.size = n}, or gpu::out(array)");
    CHECK(error_of([&] { pairs(gpu::arange<float>(6), gpu::out(z), {.size = 2}); }) ==
          "kernel pairs: {.size = ...} is for kernels whose arrays are all raw; here 'z' decides how many elements "
          "there are");
    CHECK(error_of([&] { (void)pairs(gpu::arange<float>(6), {.size = -1}); }) ==
          "kernel pairs: {.size = ...} can't be negative");
    const gpu::ElementwiseKernel add("T x, raw T y", "T z", "z = x + y[i]", "add");
    CHECK(error_of([&] { (void)add(sums, sums, {.size = 3}); }) ==
          "kernel add: {.size = ...} is for kernels whose arrays are all raw; here 'x' decides how many elements there "
          "are");
    const gpu::ElementwiseKernel iota("", "int64 z", "z = i", "iota");
    const std::size_t n = 3;
    gpu::Array<std::int64_t> numbers = iota({.size = n});
    CHECK(gpu::to_host(numbers) == std::vector<std::int64_t>{0, 1, 2});
    const gpu::ElementwiseKernel raw_only("raw T x", "raw T z", "z[i] = x[i]", "raw_only");
    CHECK(error_of([&] { raw_only(sums, gpu::out(sums)); }) ==
          "kernel raw_only: how many elements? The loop's size is undecided: pass {.size = n}");
}

TEST_CASE("several outputs: all of them back, or given") {
    //! [all]
    gpu::ElementwiseKernel divide("T x, T y", "T q, T r", "q = x / y; r = x % y", "divide");
    auto x = gpu::to_device({7, 8, 9});
    auto [q, r] = divide.all<int, int>({x, 4});   // arrays
    auto [any_q, any_r] = divide.all<2>({x, 4});  // of types that the call decides
    //! [all]
    CHECK(gpu::to_host(q) == std::vector<int>{1, 2, 2});
    CHECK(gpu::to_host(r) == std::vector<int>{3, 0, 1});
    CHECK(any_q.dtype() == gpu::DType::int32);
    CHECK(gpu::to_host(gpu::Array<int>(any_r)) == std::vector<int>{3, 0, 1});
    auto into_q = gpu::empty<int>({3}), into_r = gpu::empty<int>({3});
    divide(x, 5, gpu::out(into_q), gpu::out(into_r));
    CHECK(gpu::to_host(into_r) == std::vector<int>{2, 3, 4});
    gpu::Array<int> first = divide(x, 2);
    CHECK(gpu::to_host(first) == std::vector<int>{3, 4, 4});
    CHECK(error_of([&] { (void)divide.all<3>({x, 4}); }) == "kernel divide has 2 outputs; all() asks for 3");
    CHECK_THROWS_AS(((void)divide.all<int, float>({x, 4})), gpu::DTypeError);
    CHECK(error_of([&] { divide(x, 5, gpu::out(into_q)); }) ==
          "kernel divide takes 2 operands, or 4 with outputs; 3 were given");
    CHECK(error_of([&] { divide(x, 5, gpu::out(into_q), gpu::out(into_q)); }) ==
          "kernel divide: its outputs 'q' and 'r' share elements: pass two arrays");
}

TEST_CASE("an output's old value can be read: it is an in/out parameter") {
    const gpu::ElementwiseKernel accumulate("T x", "T total", "total += x", "accumulate");
    auto total = gpu::full<float>({3}, 10.f);
    accumulate(gpu::arange<float>(3), gpu::out(total));
    accumulate(1, gpu::out(total(gpu::slice(0, 2))));
    CHECK(gpu::to_host(total) == std::vector<float>{11, 12, 12});
}

TEST_CASE("outputs decide placeholders first, then arrays from left to right; numbers never do") {
    const gpu::ElementwiseKernel cast("X x, Z y", "Z z", "z = (Z)x + y", "cast");
    auto z = gpu::empty<double>({2});
    cast(gpu::to_device({1, 2}), 0.5, gpu::out(z));
    CHECK(gpu::to_host(z) == std::vector<double>{1.5, 2.5});
    CHECK(error_of([&] {
              (void)cast(gpu::to_device({1, 2}), 0.5);
          }) ==
          "kernel cast: cannot infer type Z of 'y': no array has it, and numbers don't decide types; pass an array, or "
          "an output with gpu::out(...)");
    const gpu::ElementwiseKernel convert("X x", "Z z", "z = x", "convert");
    CHECK(error_of([&] {
              (void)convert(gpu::to_device({1, 2}));
          }) == "kernel convert: cannot infer type Z of output 'z': pass out(z), an array of the type that you want");
    const gpu::ElementwiseKernel add("T x, T y", "T z", "z = x + y", "add");
    CHECK(error_of([&] { (void)add(gpu::arange<double>(2), gpu::arange<float>(2)); }) ==
          "kernel add: argument 'y' is float32, but T was fixed to float64 by 'x'");
    const gpu::ElementwiseKernel fixed("float32 x", "T z", "z = x", "fixed");
    auto out = gpu::empty<int>({2});
    CHECK(error_of([&] { fixed(gpu::arange<double>(2), gpu::out(out)); }) ==
          "kernel fixed: argument 'x' is float64, its type is float32");
    CHECK(error_of([&] {
              (void)add(gpu::zeros<float>({2, 3}), gpu::zeros<float>({4}));
          }).find("kernel add: input 'y': ") == 0);
}

TEST_CASE("placeholders are types of the body and the preamble") {
    const gpu::ElementwiseKernel half_of("T x", "T z", "T two = 2; z = part(x) / two", "half_of",
                                         {.preamble = "__device__ T part(T v) { return v + T(1); }"});
    gpu::Array<double> z = half_of(gpu::to_device({1., 2.}));
    CHECK(gpu::to_host(z) == std::vector<double>{1, 1.5});
    gpu::Array<int> whole = half_of(gpu::to_device({1, 2}));
    CHECK(gpu::to_host(whole) == std::vector<int>{1, 1});
}

TEST_CASE("compiler options reach the compiler, and other options are another kernel") {
    //! [options]
    gpu::ElementwiseKernel scale("T x", "T y", "y = FACTOR * twice(x)", "scale",
                                 {.preamble = "__device__ T twice(T v) { return 2 * v; }", .options = {"-DFACTOR=3"}});
    gpu::Array<float> six = scale(gpu::ones<float>({1}));
    //! [options]
    CHECK(six.item() == 6);
    const gpu::ElementwiseKernel other(
        "T x", "T y", "y = FACTOR * twice(x)", "scale",
        {.preamble = "__device__ T twice(T v) { return 2 * v; }", .options = {"-DFACTOR=4", "--std=c++17"}});
    gpu::Array<float> eight = other(gpu::ones<float>({1}));
    CHECK(eight.item() == 8);
}

TEST_CASE("a call may name its stream and its block") {
    //! [launch]
    gpu::ElementwiseKernel twice("T x", "T y", "y = 2 * x", "twice");
    gpu::Stream stream;
    auto x = gpu::arange<float>(1000);
    gpu::synchronize();
    gpu::Array<float> y = twice(x, {.block = 128, .stream = stream});
    stream.synchronize();
    //! [launch]
    CHECK(gpu::to_host(y)[999] == 1998);
    for (const int block : {1, 32, 256, 512, 1000, 1024}) {
        gpu::Array<float> again = twice(x, {.block = block});
        CHECK(gpu::to_host(again) == gpu::to_host(y));
    }
    CHECK(error_of([&] { (void)twice(x, {.block = 1025}); }) ==
          "kernel twice: a block of 1025 threads: it can have 1 to 1024");
    CHECK_THROWS_AS((void)twice(x, {.block = -1}), gpu::LaunchError);
    if (gpu::Device::count() < 2) return;
    const gpu::DeviceGuard guard(gpu::Device(1));
    gpu::Stream elsewhere;
    CHECK_THROWS_AS((void)twice(x, {.stream = elsewhere}), gpu::DeviceError);
}

TEST_CASE("_ind.get() is where an element is along each axis, however the arrays lie") {
    const gpu::ElementwiseKernel place("T x", "int32 z", "z = 100 * _ind.get()[0] + 10 * _ind.get()[1] + _ind.get()[2]",
                                       "place");
    const std::vector<int> expected{0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112};
    gpu::Array<int> z = place(gpu::zeros<float>({2, 2, 3}));
    CHECK(gpu::to_host(z) == expected);
    auto turned = gpu::zeros<float>({3, 2, 2});
    gpu::Array<int> same = place(turned.transpose());
    CHECK(gpu::to_host(same) == expected);
    const gpu::ElementwiseKernel flat("T x", "int64 z", "z = _ind.get()[0]", "flat");
    gpu::Array<std::int64_t> line = flat(gpu::zeros<float>({3}));
    CHECK(gpu::to_host(line) == std::vector<std::int64_t>{0, 1, 2});
    gpu::Array<std::int64_t> point = flat(gpu::zeros<float>({}));
    CHECK(point.item() == 0);
}

TEST_CASE("an input that shares memory with an output keeps its values, raw ones too") {
    const gpu::ElementwiseKernel reverse("raw T x", "T z", "z = x[_ind.size() - 1 - i]", "reverse");
    auto x = gpu::arange<float>(1000);
    reverse(x, gpu::out(x));
    CHECK(gpu::to_host(x) == gpu::to_host(gpu::Array<float>(gpu::arange<float>(999, -1, -1))));
    const gpu::ElementwiseKernel shift("T x", "raw T z", "if (i + 1 < _ind.size()) z[i + 1] = x", "shift");
    auto y = gpu::arange<int>(1000);
    shift(y, gpu::out(y));
    const std::vector<int> host = gpu::to_host(y);
    for (std::size_t k = 1; k < host.size(); ++k) REQUIRE(host[k] == static_cast<int>(k) - 1);
}

TEST_CASE("complex, half and bool elements") {
    const gpu::ElementwiseKernel turn("complex64 z, raw complex64 by", "complex64 w", "w = z * by[0] + T(0) * z",
                                      "turn", {.preamble = "typedef float T;"});
    using Complex = gpu::complex<float>;
    gpu::Array<Complex> w = turn(gpu::to_device({Complex(1, 2), Complex(0, 1)}), gpu::to_device({Complex(0, 1)}));
    CHECK(gpu::to_host(w) == std::vector<Complex>{Complex(-2, 1), Complex(-1, 0)});
    const gpu::ElementwiseKernel scale("raw float16 x, float factor", "float16 y", "y = x[i] * factor", "scale_half");
    gpu::Array<gpu::half> y = scale(gpu::to_device({gpu::half(1.5f), gpu::half(3.f)}), 2, {.size = 2});
    CHECK(static_cast<float>(gpu::to_host(y)[0]) == 3);
    CHECK(static_cast<float>(gpu::to_host(y)[1]) == 6);
    const gpu::ElementwiseKernel flip("bool x, raw bool y", "bool z", "z = !x && y[i]", "flip");
    gpu::Array<bool> z = flip(gpu::arange<int>(3) > 0, gpu::arange<int>(3) < 2);
    CHECK(gpu::to_host(z) == std::vector<std::uint8_t>{1, 0, 0});
}

TEST_CASE("a body may call types as NumPy and CuPy do, in its preamble too") {
    const gpu::Array<float> x = gpu::to_device({1.25f, -3.f});
    const auto results = [&](const std::string& body, const std::string& preamble = "") {
        const gpu::ElementwiseKernel kernel("float32 x", "float64 y", body, "numpy_types", {.preamble = preamble});
        gpu::Array<double> y = kernel(x);
        return gpu::to_host(y);
    };
    using Doubles = std::vector<double>;
    CHECK(results("float32 t = x / 3; y = t") == Doubles{1.25f / 3, -1});
    CHECK(results("float64 t = x; y = t / 3") == Doubles{1.25 / 3, -1});
    CHECK(results("float16 t = x + 1e-5f; y = float(t)") == Doubles{1.25, -3});
    CHECK(results("half t = half(x); y = t * 2") == Doubles{2.5, -6});
    CHECK(results("int8 t = int8(x) - 126; y = t") == Doubles{-125, 127});
    CHECK(results("uint8 t = 3; y = uint8(t - 4)") == Doubles{255, 255});
    CHECK(results("int16 s = 3; uint16 t = (uint16)(s - 4); y = t") == Doubles{65535, 65535});
    CHECK(results("int32 s = i; uint32 t = s - 1; y = t") == Doubles{4294967295., 0});
    CHECK(results("int64 s = int64(1) << 40; uint64 t = s; y = t + i") == Doubles{1099511627776., 1099511627777.});
    CHECK(results("bool_ t = x > 0; y = t") == Doubles{1, 0});
    CHECK(results("complex64 z(0, x); y = (z * z).real()") == Doubles{-1.5625, -9});
    CHECK(results("complex128 z = complex<double>(x, 1) / 3.; y = z.imag()") == Doubles{1. / 3, 1. / 3});
    CHECK(results("size_t t = sizeof(complex128) + sizeof(float16); y = t") == Doubles{18, 18});
    CHECK(results("y = twice(x)", "__device__ float64 twice(float64 v) { return 2 * v; }") == Doubles{2.5, -6});

    // What a kernel declares itself stays what it says.
    CHECK(results("int8 t = x; y = t", "typedef float int8;") == Doubles{1.25, -3});
    CHECK(results("int64 t{x}; y = t.v", "struct int64 { float v; };") == Doubles{1.25, -3});
    CHECK(results("y = float64(x)", "__device__ double float64(float v) { return v + 1; }") == Doubles{2.25, -2});
    CHECK(results("double uint8 = x; y = uint8") == Doubles{1.25, -3});

    const gpu::ElementwiseKernel named("T float64", "bool_ y", "y = float64 > 0", "named");
    const gpu::Array<bool> positive = named(x);
    CHECK(gpu::to_host(positive) == std::vector<std::uint8_t>{1, 0});
    const gpu::ReductionKernel sum("T x", "T y", "float64(x)", "float64(a + b)", "y = float16(a)", "0", "sum");
    const gpu::Array<float> total = sum(x);
    CHECK(gpu::to_host(total) == std::vector<float>{-1.75f});
}

TEST_CASE("arrays without elements are no launch, for raw arrays too") {
    const gpu::ElementwiseKernel add("T x, raw T y", "T z", "z = x + y[i]", "add");
    const auto before = gpu::counts().launches;
    gpu::Array<float> z = add(gpu::zeros<float>({0, 3}), gpu::zeros<float>({0}));
    CHECK(z.shape() == gpu::Shape{0, 3});
    CHECK(gpu::counts().launches == before);
}

TEST_CASE("more than six operands go in braces") {
    const gpu::ElementwiseKernel add("T a, T b, T c, T d, T e, T f, T g, T h", "T z",
                                     "z = a + b + c + d + e + f + g + h", "add_eight");
    auto x = gpu::ones<float>({2});
    gpu::Array<float> z = add({x, x, x, x, x + x, 1, 2, 3.f});
    CHECK(gpu::to_host(z) == std::vector<float>{12, 12});
}

TEST_CASE("check mode runs raw arrays, atomics and axes, and sees an index out of bounds") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;
    const gpu::ElementwiseKernel good("T x, raw T y", "raw int32 bins, T z",
                                      "atomicAdd(&bins[i % 2], 1); z = x + y[{_ind.get()[0], 0}]", "good");
    auto x = gpu::ones<float>({4}), z = gpu::empty<float>({4});
    auto y = gpu::ones<float>({4, 2});
    auto bins = gpu::zeros<int>({2});
    const gpu::CheckReport report = gpu::check([&] { good(x, y, gpu::out(bins), gpu::out(z)); });
    CHECK(report.clean());
    CHECK(gpu::to_host(bins) == std::vector<int>{2, 2});
    CHECK(gpu::to_host(z) == std::vector<float>{2, 2, 2, 2});
    const gpu::ElementwiseKernel bad("T x, raw T y", "T z", "z = x + y[i + 1]", "bad");
    const gpu::CheckReport found = gpu::check([&] { (void)bad(x, x); });
    CHECK_FALSE(found.clean());
    const gpu::ElementwiseKernel race("T x", "raw T z", "z[0] = x", "race");
    const gpu::CheckReport races = gpu::check([&] { race(gpu::arange<float>(4), gpu::out(z)); });
    CHECK_FALSE(races.clean());
}

TEST_CASE("a number that its parameter's type doesn't hold is refused; what is behind the point is cut off") {
    const gpu::ElementwiseKernel plus("T x, T y", "T z", "z = x + y", "plus");
    const auto bytes = gpu::arange<std::int8_t>(3);
    CHECK(error_of([&] { (void)plus(bytes, 300); }) ==
          "kernel plus: the number for 'y', 300, doesn't fit int8 (-128 to 127), the type that the arrays give it: "
          "write x.astype<...>() for a wider one");
    const auto naturals = gpu::ones<std::uint8_t>({2});
    CHECK_THROWS_AS((void)plus(naturals, -1), gpu::DTypeError);
    CHECK_THROWS_AS((void)plus(naturals, 256.0), gpu::DTypeError);
    CHECK_THROWS_AS((void)plus(naturals, std::numeric_limits<double>::quiet_NaN()), gpu::DTypeError);
    CHECK_THROWS_AS((void)plus(gpu::ones<std::int64_t>({1}), std::uint64_t{1} << 63), gpu::DTypeError);
    CHECK_THROWS_AS((void)plus(gpu::ones<float>({1}), gpu::complex<float>(1, 2)), gpu::DTypeError);
    gpu::Array<std::int8_t> least = plus(bytes, -128);
    CHECK(gpu::to_host(least) == std::vector<std::int8_t>{-128, -127, -126});
    gpu::Array<std::uint8_t> most = plus(naturals, 254.9);
    CHECK(gpu::to_host(most) == std::vector<std::uint8_t>{255, 255});
    gpu::Array<std::uint64_t> large = plus(gpu::zeros<std::uint64_t>({1}), std::uint64_t{1} << 63);
    CHECK(large.item() == std::uint64_t{1} << 63);
}

TEST_CASE("an array made of a kernel's result has elements of its own, and a kernel that was moved from goes on") {
    gpu::ElementwiseKernel twice("T x", "T z", "z = 2 * x", "twice");
    auto x = gpu::arange<float>(6), q = gpu::zeros<float>({6});
    gpu::Array<float> r = twice(x, gpu::out(q));
    r += 100.f;
    CHECK(gpu::to_host(q) == std::vector<float>{0, 2, 4, 6, 8, 10});
    auto even = q(gpu::slice(0, 6, 2));
    gpu::Array<float> dense = twice(x(gpu::slice(0, 3)), gpu::out(even));
    CHECK(dense.is_contiguous());
    CHECK(gpu::to_host(dense) == std::vector<float>{0, 2, 4});
    const gpu::AnyArray both = twice(x);
    gpu::Array<float> a = both, b = both;
    a += 1.f;
    CHECK(gpu::to_host(b)[5] == 10.f);
    const std::uint64_t before = gpu::counts().copies_on_device;
    gpu::Array<float> taken = twice(x);
    CHECK(gpu::counts().copies_on_device == before);

    const gpu::ElementwiseKernel moved = std::move(twice);
    gpu::Array<float> again = twice(x);
    CHECK(again(1).item() == 2.f);
}

TEST_CASE("a raw output that is written past its end, or before its start, is reported by the next call that waits") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: a raw output written past its end: a GPU doesn't see it without LIBGPU_GUARD");
        return;
    }
    const gpu::ElementwiseKernel shift("T x, int by", "raw T z", "z[i + by] = x", "shift");
    gpu::Array<float> z = gpu::zeros<float>({5});  // 20 bytes: the guard behind them is 12 bytes away
    const auto told = [&](int by) -> std::string {
        try {
            shift(gpu::arange<float>(5), by, gpu::out(z));
            gpu::synchronize();
        } catch (const gpu::LaunchError& error) {
            return error.what();
        }
        return "";
    };
    CHECK(told(0).empty());
    CHECK(told(1) ==
          "kernel shift: it writes 4 bytes past the end of z (5 elements); is there a guard such as if (i < n)?");
    CHECK(told(-2).find("kernel shift: it writes 8 bytes before the start of z") == 0);
    CHECK(told(3).find("kernel shift: it writes 12 bytes past the end of z") == 0);
    CHECK(told(4).find("kernel shift: element 4 writes 4 elements past the end of z") == 0);
    CHECK(told(0).empty());
}

// A call like an earlier one is made from what that came to. What is different each time must be looked at each time:
// all calls here are made twice or more, with something changed in between.
namespace {

template <class T>
std::vector<T> values_of(const gpu::Array<T>& array) {
    std::vector<T> values(static_cast<std::size_t>(array.size()));
    array.copy_to(values);
    return values;
}

using Floats = std::vector<float>;

const gpu::ElementwiseKernel& shifted() {
    static const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = 10 * x + y", "repeated_shifted");
    return kernel;
}

}  // namespace

TEST_CASE("repeated calls take new values, other numbers and other arrays") {
    for (int k = 1; k <= 4; ++k) {
        const auto value = static_cast<float>(k);
        const auto x = gpu::full<float>({3}, value);
        gpu::Array<float> z = gpu::empty<float>({3});
        shifted()(x, k, gpu::out(z));
        CHECK(values_of(z) == Floats(3, 11 * value));
        CHECK(values_of(gpu::Array<float>(shifted()(x, x))) == Floats(3, 11 * value));
        const gpu::Array<float> sum = x * 2.F + value;
        CHECK(values_of(sum) == Floats(3, 3 * value));
        CHECK(gpu::sum(x * value).item() == 3 * value * value);
        CHECK(gpu::linalg::norm(x, {.ord = static_cast<double>(k)}).item() > 0);
    }
}

TEST_CASE("repeated calls of other types, shapes, orders and alignments") {
    const std::vector<std::int64_t> sizes{0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4097};
    for (int round = 0; round < 2; ++round) {
        for (const std::int64_t n : sizes) {
            CAPTURE(n);
            const auto x = gpu::arange<float>(n + 5);
            for (const std::int64_t first : {0, 1, 2, 3, 4}) {  // misaligned by 4 bytes, 8, ...
                const auto window = x(gpu::slice(first, first + n));
                const gpu::Array<float> z = shifted()(window, 1.F);
                CHECK(gpu::sum(z - window * 10.F).item() == static_cast<float>(n));
                CHECK(gpu::sum(window.astype<double>()).item() ==
                      static_cast<double>(n) * (static_cast<double>(n - 1) / 2 + static_cast<double>(first)));
            }
            const auto whole = gpu::arange<int>(n);
            CHECK(gpu::sum(gpu::Array<int>(shifted()(whole, 1)) - whole * 10).item() == n);
        }
        const auto matrix = gpu::arange<float>(12).reshape({3, 4});
        CHECK(values_of(gpu::Array<float>(gpu::sum(matrix, {.axis = 0}))) == Floats{12, 15, 18, 21});
        CHECK(values_of(gpu::Array<float>(gpu::sum(matrix, {.axis = 1}))) == Floats{6, 22, 38});
        CHECK(values_of(gpu::Array<float>(gpu::sum(matrix.transpose(), {.axis = 0}))) == Floats{6, 22, 38});
        CHECK(gpu::sum(matrix, {.axis = 1, .keepdims = true}).shape() == gpu::Shape{3, 1});
        CHECK(gpu::sum(matrix, {.axis = 1}).shape() == gpu::Shape{3});
        const gpu::Array<float> flipped = matrix.transpose() + 0.F;
        CHECK(flipped.shape() == gpu::Shape{4, 3});
        CHECK(flipped(3, 1).item() == 7);
    }
}

TEST_CASE("a repeated call that overlaps its output is computed as if it didn't") {
    for (int round = 0; round < 2; ++round) {
        gpu::Array<float> apart = gpu::arange<float>(6), x = gpu::arange<float>(6), z = gpu::zeros<float>({6});
        shifted()(apart(gpu::slice(0, 5)), 0.F, gpu::out(z(gpu::slice(1, 6))));
        CHECK(values_of(z) == Floats{0, 0, 10, 20, 30, 40});
        shifted()(x(gpu::slice(0, 5)), 0.F, gpu::out(x(gpu::slice(1, 6))));  // like the call before, but for this
        CHECK(values_of(x) == Floats{0, 0, 10, 20, 30, 40});
        shifted()(x, 1.F, gpu::out(x));  // in place
        CHECK(values_of(x) == Floats{1, 1, 101, 201, 301, 401});
    }
}

TEST_CASE("a repeated call refuses a number that doesn't fit, as the first one does") {
    const gpu::ElementwiseKernel add("T x, T y", "T z", "z = x + y", "repeated_add");
    const auto bytes = gpu::ones<std::int8_t>({4});
    for (int round = 0; round < 2; ++round) {
        CHECK(values_of(gpu::Array<std::int8_t>(add(bytes, 100))) == std::vector<std::int8_t>(4, 101));
        CHECK_THROWS_AS((void)add(bytes, 1000), gpu::DTypeError);
    }
}

TEST_CASE("repeated reductions see NaN, infinities, denormals and signed zeros") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const float least = std::numeric_limits<float>::denorm_min();
    const gpu::ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "repeated_total");
    const auto of = [&](const Floats& values) { return gpu::Array<float>(total(gpu::to_device(values))).item(); };
    for (int round = 0; round < 2; ++round) {
        CHECK(of({1, 2, 3}) == 6);
        CHECK(std::isnan(of({1, nan, 3})));
        CHECK(of({1, infinity, 3}) == infinity);
        CHECK(std::isnan(of({-infinity, infinity, 3})));
        CHECK(of({least, least, 0}) == 2 * least);
        CHECK(gpu::max(gpu::to_device<float>({-0.F, least, 0})).item() == least);
    }
}

TEST_CASE("kernels that were made one after the other, of one name, aren't taken for each other") {
    const auto x = gpu::ones<float>({8});
    for (int k = 0; k < 6; ++k) {  // each may lie where the one before lay
        const auto kernel = std::make_unique<gpu::ElementwiseKernel>("T x", "T y", "y = x + " + std::to_string(k % 3),
                                                                     "repeated_same");
        const auto reduction = std::make_unique<gpu::ReductionKernel>(
            "T x", "T y", "x * " + std::to_string(k % 3), "a + b", "y = a", "0", "repeated_same");
        for (int round = 0; round < 2; ++round) {
            CHECK(values_of(gpu::Array<float>((*kernel)(x))) == Floats(8, static_cast<float>(1 + k % 3)));
            CHECK(gpu::Array<float>((*reduction)(x)).item() == static_cast<float>(8 * (k % 3)));
        }
    }
}

TEST_CASE("a repeated expression of an array that was written is out of date") {
    gpu::Array<float> x = gpu::ones<float>({4});
    for (int round = 0; round < 3; ++round) {
        const auto sum = x + x;
        CHECK(sum.eval()(0).item() == 2);
        shifted()(x, -9.F, gpu::out(x));  // 1 again
        CHECK_THROWS_AS((void)sum.eval(), gpu::ExpressionError);
        CHECK_THROWS_AS((void)gpu::sum(sum), gpu::ExpressionError);
    }
}

TEST_CASE("repeated calls with a mask, raw arrays and the index along an axis") {
    const gpu::ElementwiseKernel turned("raw T x", "T y", "y = x[_ind.size() - 1 - i]", "repeated_turned");
    const gpu::ElementwiseKernel columns("", "T y", "y = _ind.get()[1]", "repeated_columns");
    for (const std::int64_t n : {1, 5, 5, 7}) {
        const auto x = gpu::arange<float>(n);
        gpu::Array<float> y = gpu::empty<float>({n}), matrix = gpu::empty<float>({2, n});
        for (int round = 0; round < 2; ++round) {
            turned(x, gpu::out(y));
            CHECK(y(0).item() == static_cast<float>(n - 1));
            CHECK(gpu::sum(y).item() == static_cast<float>(n * (n - 1) / 2));
            columns(gpu::out(matrix));
            CHECK(gpu::sum(matrix).item() == static_cast<float>(n * (n - 1)));
            y[y > 1.F] = 0.F;
            CHECK(gpu::max(y).item() <= 1);
        }
        turned(y, gpu::out(y));  // what it reads is what it writes
        CHECK(gpu::max(y).item() <= 1);
    }
}

TEST_CASE("repeated calls are counted each time") {
    const auto x = gpu::ones<float>({4});
    gpu::Array<float> z = gpu::zeros<float>({4});
    shifted()(x, x, gpu::out(z));
    const gpu::Counts before = gpu::counts();
    for (int round = 0; round < 3; ++round) {
        shifted()(x, x, gpu::out(z));
        z = x + 1.F;
        (void)gpu::sum(x);
    }
    const gpu::Counts seen = gpu::counts() - before;
    CHECK(seen.launches == 9);
    CHECK(seen.allocations == 3);
    CHECK(seen.bytes_to_host == 0);
}

// How a GPU goes through arrays depends on their strides and addresses; the values must not. Every element is compared
// with a loop over the host's copies.
namespace {

using gpu::slice;

/// The elements of any window in row-major order, by way of one contiguous copy.
template <class T, class W>
std::vector<T> values_of(const W& window) {
    return gpu::to_host(gpu::Array<T>(window));
}

template <class T>
gpu::Array<T> numbers(std::int64_t n, int step) {
    std::vector<T> host(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < host.size(); ++k)
        host[k] = static_cast<T>(static_cast<float>(k * static_cast<std::size_t>(step) % 61));
    return gpu::to_device(host);
}

/// z = x - 2 * y, by a kernel and by an expression, into windows that lie in any way.
template <class T, class X, class Y, class Z>
void check(const char* what, const X& x, const Y& y, Z&& z) {
    INFO(what);
    static const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = x - 2 * y", "walk");
    static const gpu::ElementwiseKernel counted("T x, T y", "T z", "z = x - 2 * y + i % 7", "walk_counted");
    const gpu::Shape shape = z.shape();
    const std::vector<T> a = values_of<T>(x.broadcast_to(shape)), b = values_of<T>(y.broadcast_to(shape));
    const auto compare = [&](int by_index) {
        const std::vector<T> got = values_of<T>(z);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const auto expected = static_cast<float>(a[k]) - 2 * static_cast<float>(b[k]) +
                                  static_cast<float>(by_index * static_cast<int>(k % 7));
            wrong += static_cast<float>(got[k]) != expected;
        }
        CHECK(wrong == 0);
    };
    kernel(x, y, gpu::out(z));
    compare(0);
    counted(x, y, gpu::out(z));
    compare(1);
    z = x - T(2.f) * y;
    compare(0);
}

template <class T>
void check_matrices(std::int64_t rows, std::int64_t columns) {
    const std::int64_t n = rows * columns;
    const auto x = numbers<T>(n, 7), y = numbers<T>(n, 11), row = numbers<T>(columns, 3), column = numbers<T>(rows, 5);
    gpu::Array<T> target = gpu::zeros<T>({rows, columns}), turned = gpu::zeros<T>({columns, rows});
    const auto X = x.reshape({rows, columns}), Y = y.reshape({rows, columns});
    const auto XT = x.reshape({columns, rows}).transpose(), YT = y.reshape({columns, rows}).transpose();
    check<T>("dense", X, Y, target);
    check<T>("row", X, row, target);
    check<T>("column", X, column.reshape({rows, 1}), target);
    check<T>("outer", column.reshape({rows, 1}), row, target);
    check<T>("mixed", X, YT, target);
    check<T>("both across", XT, YT, target);
    check<T>("all turned", XT, YT, turned.transpose());
    check<T>("into a turned array", X, Y, turned.transpose());
    check<T>("flipped", X(gpu::all, slice(-1, -columns - 1, -1)), YT(slice(-1, -rows - 1, -1)), target);
}

}  // namespace

TEST_CASE("matrices that lie in any order give the values of a plain loop") {
    check_matrices<float>(1, 1);
    check_matrices<float>(3, 700);
    check_matrices<float>(130, 260);
    check_matrices<float>(257, 1001);
    check_matrices<double>(64, 192);
    check_matrices<gpu::half>(40, 264);
    check_matrices<std::int16_t>(70, 130);
}

TEST_CASE("three axes in any order give the values of a plain loop") {
    const std::int64_t a = 9, b = 34, c = 150;
    const auto x = numbers<float>(a * b * c, 7), y = numbers<float>(a * b * c, 11);
    gpu::Array<float> z = gpu::zeros<float>({a, b, c});
    const auto Y = y.reshape({a, b, c});
    check<float>("(0,2,1)", x.reshape({a, c, b}).transpose({0, 2, 1}), Y, z);
    check<float>("(2,1,0)", x.reshape({c, b, a}).transpose({2, 1, 0}), Y, z);
    check<float>("(1,2,0)", x.reshape({c, a, b}).transpose({1, 2, 0}), Y, z);
    check<float>("(2,0,1)", x.reshape({b, c, a}).transpose({2, 0, 1}), y.reshape({c, b, a}).transpose({2, 1, 0}), z);
    check<float>("planes", numbers<float>(b * c, 3).reshape({b, c}), numbers<float>(a, 5).reshape({a, 1, 1}), z);
}

TEST_CASE("views that begin anywhere, and have any length, give the values of a plain loop") {
    for (const std::int64_t n : {1, 2, 5, 1030}) {
        const auto x = numbers<float>(2 * n + 8, 7), y = numbers<float>(n + 8, 11);
        const auto bytes = numbers<std::uint8_t>(n + 8, 3);
        for (std::int64_t k = 0; k < 5; ++k) {
            gpu::Array<float> z = gpu::zeros<float>({n + 8});
            check<float>("shifted", x(slice(k, k + n)), y(slice(k, k + n)), z(slice(k, k + n)));
            check<float>("inputs shifted", x(slice(k, k + n)), y(slice(1, 1 + n)), z(slice(0, n)));
            check<float>("output shifted", x(slice(0, n)), y(slice(0, n)), z(slice(k, k + n)));
            check<float>("every other", x(slice(k, k + 2 * n, 2)), y(slice(0, n)), z(slice(0, n)));
            gpu::Array<float> mixed = bytes(slice(k, k + n)) + x(slice(0, n));
            const auto w = gpu::to_host(mixed);
            for (std::size_t i = 0; i < w.size(); ++i)
                REQUIRE(w[i] == static_cast<float>((i + static_cast<std::size_t>(k)) * 3 % 61 + i * 7 % 61));
            const auto all = gpu::to_host(z);  // nothing is written behind the last one
            for (std::size_t i = static_cast<std::size_t>(n + k); i < all.size(); ++i) REQUIRE(all[i] == 0);
        }
    }
}

TEST_CASE("an input that overlaps the output in another place or order keeps its values until they are read") {
    const std::int64_t n = 200;
    const auto start = numbers<float>(n * n, 7);
    const std::vector<float> before = gpu::to_host(start);
    static const gpu::ElementwiseKernel kernel("T x", "T z", "z = x + 1", "plus_one");
    gpu::Array<float> later = start.copy();
    kernel(later(slice(0, n * n - 3)), gpu::out(later(slice(3, n * n))));
    const auto moved = gpu::to_host(later);
    for (std::size_t k = 3; k < moved.size(); ++k) REQUIRE(moved[k] == before[k - 3] + 1);
    gpu::Array<float> turned = start.reshape({n, n}).copy();
    kernel(turned.transpose(), gpu::out(turned));
    const auto values = gpu::to_host(turned);
    for (std::size_t i = 0; i < 200; ++i)
        for (std::size_t j = 0; j < 200; ++j) REQUIRE(values[i * 200 + j] == before[j * 200 + i] + 1);
    gpu::Array<float> twins = start.copy();
    kernel(twins(slice(0, n * n, 2)), gpu::out(twins(slice(1, n * n, 2))));
    const auto pairs = gpu::to_host(twins);
    for (std::size_t k = 0; k < pairs.size(); k += 2) REQUIRE(pairs[k + 1] == before[k] + 1);
    kernel(twins, gpu::out(twins));
    CHECK(gpu::to_host(twins)[0] == before[0] + 1);
}

TEST_CASE("NaN, infinities, denormals and the sign of zero go through every walk as they are") {
    const float special[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::denorm_min(),
                             -1e-40f, -0.f, 0.f};
    const std::int64_t rows = 140, columns = 150;
    std::vector<float> host(static_cast<std::size_t>(rows * columns));
    for (std::size_t k = 0; k < host.size(); ++k) host[k] = special[k % 7];
    const auto x = gpu::to_device(host);
    const auto same = [&](const std::vector<float>& got, const auto& place) {
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const float expected = host[place(k)];
            wrong += std::isnan(expected) ? !std::isnan(got[k]) : std::memcmp(&got[k], &expected, sizeof expected) != 0;
        }
        CHECK(wrong == 0);
    };
    const auto R = static_cast<std::size_t>(rows), C = static_cast<std::size_t>(columns);
    gpu::Array<float> line = x * 1.f;
    same(gpu::to_host(line), [](std::size_t k) { return k; });
    gpu::Array<float> across = x.reshape({columns, rows}).transpose() * 1.f;
    same(gpu::to_host(across), [&](std::size_t k) { return k % C * R + k / C; });
    gpu::Array<float> wide = x(slice(0, columns)).broadcast_to({rows, columns}) * 1.f;
    same(gpu::to_host(wide), [&](std::size_t k) { return k % C; });
    gpu::Array<float> shifted = x(slice(1, rows * columns)) * 1.f;
    same(gpu::to_host(shifted), [](std::size_t k) { return k + 1; });
}

TEST_CASE("a long body and a body with a loop see their own elements, in blocks of any size") {
    const gpu::ElementwiseKernel power("double x, double y, int32 count", "double z",
                                       "z = 1; for (int k = 0; k < count; ++k) z = z * x + y * 0;", "power");
    const std::int64_t rows = 33, columns = 70;
    const auto x = numbers<double>(rows, 3), y = numbers<double>(columns, 1);
    for (const int block : {0, 1, 32, 100, 1024}) {
        gpu::Array<double> z = gpu::zeros<double>({rows, columns});
        power(x.reshape({rows, 1}), y, 3, gpu::out(z), {.block = block});
        const auto host = gpu::to_host(z);
        for (std::size_t k = 0; k < host.size(); ++k) {
            const double one = static_cast<double>(k / 70 * 3 % 61);
            REQUIRE(host[k] == one * one * one);
        }
    }
    const gpu::ElementwiseKernel twice("T x", "T z", "z = 2 * x", "twice_in_blocks");
    for (const int block : {1, 7, 1000}) {
        for (const std::int64_t n : {1, 9, 130}) {
            const auto short_line = numbers<std::int8_t>(n + 1, 1);
            gpu::Array<std::int8_t> z = twice(short_line(slice(1, n + 1)), {.block = block});
            const auto host = gpu::to_host(z);
            for (std::size_t k = 0; k < host.size(); ++k)
                REQUIRE(host[k] == static_cast<std::int8_t>(2 * ((k + 1) % 61)));
        }
    }
}
