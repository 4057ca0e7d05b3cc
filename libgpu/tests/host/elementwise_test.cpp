// SPDX-License-Identifier: MIT
#include <numeric>

#include "host/support.hpp"

using namespace support;
using gpu::Shape;
using gpu::detail::Argument;
using gpu::detail::ElementwiseSpace;
using gpu::detail::ElementwiseText;

namespace {

ElementwiseText text(const std::string& name, std::vector<Parameter> parameters, const std::string& body,
                     int rank = 1) {
    return {.name = name, .parameters = std::move(parameters), .rank = rank, .typedefs = "typedef float T;\n",
            .preamble = {}, .body = {body, name, 1}};
}

void run(LoadedKernel& kernel, const Shape& shape, const std::vector<Argument>& arguments) {
    backend().launch(0, kernel, ElementwiseSpace{.size = shape.size(), .shape = shape}, arguments, nullptr);
    backend().synchronize_stream(0, nullptr);
}

std::vector<float> counted(std::size_t n) {
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

}  // namespace

TEST_CASE("an elementwise kernel runs once for each element, at every edge size") {
    auto source = text(
        "mixed", {input("T", "x"), input("int", "k"), scalar("double", "s"), output("T", "z"), output("bool", "odd")},
        "if (k < 0) return;\nz = shifted(x) * s + k;\nodd = i % 2 && _ind.size() > 0");
    source.preamble = {"__device__ float shifted(float v) { return v + 1; }", "mixed (preamble)", 1};
    const auto kernel = build(source);
    for (const std::int64_t n : {0, 1, 31, 33, 255, 257, 1009, 40000}) {
        const auto size = static_cast<std::size_t>(n);
        const Buffer<float> x(counted(size)), z(size, -7.0f);
        Buffer<int> k(size, 3);
        Buffer<bool> odd(size);
        if (size > 5) k[5] = -1;
        run(*kernel, Shape(n),
            {array_argument(x.data()), array_argument(k.data()), scalar_argument(0.5), array_argument(z.data()),
             array_argument(odd.data())});
        for (std::size_t e = 0; e < size; ++e) {
            REQUIRE(z[e] == (e == 5 && size > 5 ? -7.0f : (x[e] + 1) * 0.5f + 3));
            REQUIRE(odd[e] == (e % 2 == 1 && (e != 5 || size <= 5)));
        }
    }
}

TEST_CASE("strided and broadcast parameters are read and written through their strides") {
    const auto kernel =
        build(text("strided", {input("T", "x", true), input("T", "y", true), output("T", "z", true), output("T", "w")},
                   "z = x * 100 + y; w = z", 3));
    for (const auto& lengths : {std::vector<std::int64_t>{2, 3, 5}, {1, 1, 1}, {7, 1, 33}, {4, 31, 257}, {0, 3, 2}}) {
        const std::int64_t a = lengths[0], b = lengths[1], c = lengths[2];
        const auto size = static_cast<std::size_t>(a * b * c);
        // x is transposed (its first axis lies closest), y broadcast along the first and last axis, and z has every
        // other element.
        const Buffer<float> x(counted(size)), y(counted(static_cast<std::size_t>(b))), z(2 * size + 1, -1.0f), w(size);
        run(*kernel, Shape(a, b, c),
            {array_argument(x.data(), {1, a * c, a}), array_argument(y.data(), {0, 1, 0}),
             array_argument(z.data(), {2 * b * c, 2 * c, 2}), array_argument(w.data())});
        std::size_t e = 0;
        for (std::int64_t i = 0; i < a; ++i)
            for (std::int64_t j = 0; j < b; ++j)
                for (std::int64_t k = 0; k < c; ++k, ++e) {
                    const float expected =
                        x[static_cast<std::size_t>(i + j * a * c + k * a)] * 100 + y[static_cast<std::size_t>(j)];
                    REQUIRE(z[2 * e] == expected);
                    REQUIRE(z[2 * e + 1] == -1.0f);
                    REQUIRE(w[e] == expected);
                }
    }
}

TEST_CASE("contiguous rows under a broadcast row take the fast path and give the same") {
    const auto kernel = build(text("row", {input("T", "x"), input("T", "y", true), output("T", "z")}, "z = x - y", 2));
    const std::int64_t rows = 37, columns = 130;
    const Buffer<float> x(counted(static_cast<std::size_t>(rows * columns))),
        y(counted(static_cast<std::size_t>(columns))), z(x.size());
    run(*kernel, Shape(rows, columns),
        {array_argument(x.data()), array_argument(y.data(), {0, 1}), array_argument(z.data())});
    for (std::size_t e = 0; e < z.size(); ++e) REQUIRE(z[e] == x[e] - y[e % static_cast<std::size_t>(columns)]);
}

TEST_CASE("an output may be the input, element for element") {
    const auto kernel = build(text("in_place", {input("T", "x"), output("T", "z")}, "z = x + 1"));
    const Buffer<float> x(counted(5000));
    run(*kernel, Shape(5000), {array_argument(x.data()), array_argument(x.data())});
    CHECK(x[0] == 2.0f);
    CHECK(x[4999] == 5001.0f);
}

#if !defined(__aarch64__)  // there it is 0, without a fault; check mode finds it
TEST_CASE("an integer division by zero names the element") {
    const auto kernel = build(text("ratio", {input("int", "x"), input("int", "y"), output("int", "z")}, "z = x / y"));
    const Buffer<int> x(70000, 6), y(70000, 2), z(70000);
    y[40017] = 0;
    y[60000] = 0;
    CHECK(
        launch_error([&] {
            run(*kernel, Shape(70000), {array_argument(x.data()), array_argument(y.data()), array_argument(z.data())});
        }) == "kernel ratio: element 40017 divides an integer by zero (a GPU would give a meaningless number)");
    y[40017] = y[60000] = 3;
    run(*kernel, Shape(70000), {array_argument(x.data()), array_argument(y.data()), array_argument(z.data())});
    CHECK(z[40017] == 2);
}
#endif

TEST_CASE("an array that is shorter than the index space is named with the element") {
    const auto kernel = build(text("past", {input("T", "x"), output("T", "z")}, "z = x"));
    const Buffer<float> x(1000, 1.0f), z(988);
    const std::string message = launch_error([&] {
        run(*kernel, Shape(1000), {array_argument(x.data()), array_argument(z.data())});
    });
    CHECK(message ==
          "kernel past: element 988 writes just past the end of z (988 elements); is there a guard such "
          "as if (i < n)?");
}

TEST_CASE("the number of arguments is checked") {
    const auto kernel = build(text("one", {output("T", "z")}, "z = i"));
    CHECK(launch_error([&] { run(*kernel, Shape(1), {}); }) ==
          "kernel one: it has 1 parameters, and 0 arguments were given");
}
