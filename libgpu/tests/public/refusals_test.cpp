// SPDX-License-Identifier: MIT
// What must not compile.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

template <class A, class B>
concept Adds = requires(const A& a, const B& b) { a + b; };
template <class A, class B>
concept Assigns = requires(A& a, const B& b) { a = b; };
template <class A, class T>
concept TakesFrom = requires(A& a, std::span<const T> host) { a.copy_from(host); };

using Device = gpu::Array<float>;

}  // namespace

TEST_CASE("host and device data don't mix in an expression: it doesn't compile") {
    CHECK(Adds<Device, Device>);
    CHECK(Adds<Device, float>);
    // That `d + h` is refused, and says why, is compiled by tests/headers_budget/check; nothing converts either way.
    CHECK_FALSE(std::is_convertible_v<std::vector<float>, Device>);
    CHECK_FALSE(std::is_convertible_v<std::vector<float>, gpu::Expr<float>>);
    CHECK_FALSE(std::is_convertible_v<std::span<float>, gpu::View<const float>>);
    CHECK_FALSE(Assigns<Device, std::vector<float>>);
    CHECK_FALSE(std::is_convertible_v<Device, std::vector<float>>);
    CHECK_FALSE(std::is_convertible_v<Device, float>);  // item() is the only way to one element
}

TEST_CASE("transfers between element types don't compile") {
    CHECK(TakesFrom<Device, float>);
    CHECK_FALSE(TakesFrom<Device, double>);
    CHECK_FALSE(TakesFrom<gpu::Array<std::int32_t>, std::int64_t>);
    CHECK_FALSE(TakesFrom<gpu::View<const float>, float>);
}

TEST_CASE("an array is neither true nor false: it doesn't compile") {
    CHECK_FALSE(std::is_constructible_v<bool, gpu::Array<bool>>);
    CHECK_FALSE(std::is_constructible_v<bool, gpu::View<bool>>);
    CHECK_FALSE(std::is_constructible_v<bool, gpu::Expr<bool>>);
}
