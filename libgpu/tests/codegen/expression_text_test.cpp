// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <memory>

#include <gpu/ops.hpp>

#include "codegen/node.hpp"
#include "runtime/storage.hpp"

using namespace gpu::detail;
using gpu::DType;
using gpu::Shape;

namespace {

// A leaf that needs no device: texts look at types and windows only.
template <class T>
gpu::Expr<T> array(std::int64_t offset = 0) {
    auto made = std::make_shared<Node>();
    made->dtype = gpu::dtype_of<T>;
    made->shape = Shape{3};
    made->array = {.storage = nullptr, .offset = offset, .shape = {3}, .strides = {1}, .dtype = made->dtype};
    return gpu::Expr<T>(made);
}

template <class T>
std::string text_of(const gpu::Expr<T>& expression) {
    return expression_text(*expression.node(), flatten(*expression.node()));
}

}  // namespace

TEST_CASE("an expression is written once, arrays and numbers as parameters") {
    const auto x = array<float>(0), y = array<float>(8);
    CHECK(text_of(gpu::pow(x, 2) + 2.f * y) == "((a0 * a0) + (s0 * a1))");
    CHECK(text_of(gpu::pow(x, 3)) == "pow(a0, s0)");
    CHECK(text_of(-x / gpu::sqrt(y)) == "((-a0) / sqrt(a1))");
}

TEST_CASE("the same array is one parameter, wherever it occurs") {
    const auto x = array<float>();
    const auto both = x * x + array<float>();
    CHECK(flatten(*both.node()).arrays.size() == 1);
    CHECK(text_of(both) == "((a0 * a0) + a0)");
}

TEST_CASE("numbers take the array's type, arrays promote") {
    const auto x = array<float>();
    const auto i = array<std::int32_t>(8);
    CHECK(text_of(x * 2.0) == "(a0 * s0)");
    const auto scaled = x * 2.0;
    CHECK(flatten(*scaled.node()).numbers[0]->dtype == DType::float32);
    CHECK(text_of(x + i) == "(((double)a0) + ((double)a1))");
    static_assert(std::is_same_v<decltype(x * 2.0), gpu::Expr<float>>);
    static_assert(std::is_same_v<decltype(i * 2.0), gpu::Expr<double>>);
    static_assert(std::is_same_v<decltype(x + i), gpu::Expr<double>>);
    static_assert(std::is_same_v<decltype(i / 2), gpu::Expr<std::int32_t>>);
    static_assert(std::is_same_v<decltype(x < i), gpu::Expr<bool>>);
}

TEST_CASE("small integers are brought back to their type after every operation") {
    const auto a = array<std::int8_t>();
    CHECK(text_of(a + a) == "((signed char)(a0 + a0))");
}

TEST_CASE("keys differ where texts differ, and agree where only values do") {
    const auto x = array<float>(0), y = array<float>(8);
    const auto key = [](const auto& e) { return flatten(*e.node()).key; };
    CHECK(key(x + y) == key(y + x));           // both are a0 + a1
    CHECK(key(x + x) != key(x + y));
    CHECK(key(x * 2.f) == key(x * 3.f));
    CHECK(key(x + y) != key(x - y));
    CHECK(key(x.astype<double>()) != key(x));
}

TEST_CASE("where, minimum and comparisons") {
    const auto x = array<float>();
    CHECK(text_of(gpu::where(x > 0, x, 0.f)) == "(((bool)(a0 > s0)) ? a0 : s1)");
    CHECK(text_of(gpu::minimum(x, 1)) == "gpu_minimum(a0, s0)");
    CHECK(text_of(!(x > 0)) == "((bool)(!((bool)(a0 > s0))))");
}
