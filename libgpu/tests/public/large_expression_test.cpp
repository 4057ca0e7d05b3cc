// SPDX-License-Identifier: MIT
// Expressions that are too deep for a stack or too large for one kernel.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <gpu/gpu.hpp>

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
    for (int k = 0; k < 60; ++k) power = power + power;   // as a tree 2^60 operations
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
