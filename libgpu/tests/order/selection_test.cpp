// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "launch/order/selection.hpp"

// The largest elements without a sort: topk() where that is faster, and the kernels on every device.

namespace {

using gpu::detail::SelectTile;

/// The order of topk(): NaN is the largest, -0 equals 0, of equal ones the first comes first.
std::vector<std::int64_t> largest_of(const std::vector<float>& values, std::int64_t k) {
    std::vector<std::int64_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        const float x = values[static_cast<std::size_t>(a)], y = values[static_cast<std::size_t>(b)];
        return x > y || (std::isnan(x) && !std::isnan(y));
    });
    order.resize(static_cast<std::size_t>(k));
    return order;
}

enum class Data { uniform, few_values, not_numbers };

std::vector<float> drawn(std::int64_t n, Data data, std::mt19937& random) {
    std::vector<float> values;
    for (std::int64_t k = 0; k < n; ++k) {
        const auto bits = random();
        float value = static_cast<float>(bits % 100003) / 1000.F - 50.F;
        if (data == Data::few_values) value = static_cast<float>(bits % 5) * (bits % 2 == 0 ? 0.F : -0.F);
        if (data == Data::not_numbers && bits % 7 != 0) value = std::nanf("");
        values.push_back(value);
    }
    return values;
}

void check_selected(std::int64_t lines, std::int64_t n, std::int64_t k, Data data, const SelectTile& tile) {
    CAPTURE(lines);
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(static_cast<int>(data));
    std::mt19937 random(static_cast<unsigned>(n + k));
    const std::vector<float> values = drawn(lines * n, data, random);
    const gpu::Array<float> x = gpu::to_device(values).reshape({lines, n});
    const gpu::detail::SortedLines got = gpu::detail::largest_selected(x.core(), k, tile);
    const auto positions = gpu::to_host(gpu::Array<std::int64_t>(got.positions));
    const auto keys = gpu::to_host(gpu::Array<float>(got.keys));
    std::int64_t wrong = 0;
    for (std::int64_t line = 0; line < lines; ++line) {
        const std::vector<float> own(values.begin() + line * n, values.begin() + (line + 1) * n);
        const std::vector<std::int64_t> want = largest_of(own, k);
        for (std::int64_t j = 0; j < k; ++j) {
            const auto at = static_cast<std::size_t>(line * k + j);
            const float value = own[static_cast<std::size_t>(want[static_cast<std::size_t>(j)])];
            const bool is_same = keys[at] == value || (std::isnan(keys[at]) && std::isnan(value));
            if (positions[at] != want[static_cast<std::size_t>(j)] || !is_same) ++wrong;
        }
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("the largest elements by counts of digits") {
    for (const Data data : {Data::uniform, Data::few_values, Data::not_numbers}) {
        for (const std::int64_t k : {1, 2, 17, 300}) {
            check_selected(1, 300, k, data, {.items = 2});
            check_selected(3, 1537, k, data, {.items = 2});
            check_selected(2, 9000, k, data, {});
        }
        check_selected(5, 513, 513, data, {.items = 2});
    }
}

TEST_CASE("topk of many elements, where a GPU selects, and of few") {
    std::mt19937 random(3);
    for (const Data data : {Data::uniform, Data::few_values, Data::not_numbers}) {
        const std::int64_t n = (std::int64_t{1} << 18) + 77;
        const std::vector<float> values = drawn(n, data, random);
        const gpu::Array<float> x = gpu::to_device(values);
        for (const std::int64_t k : {1, 5, 3000}) {
            CAPTURE(k);
            const std::vector<std::int64_t> want = largest_of(values, k);
            CHECK(gpu::to_host(gpu::topk(x, k).indices) == want);
            const auto column = x.reshape({n, 1});
            CHECK(gpu::to_host(gpu::topk(column, k, {.axis = 0}).indices) == want);
            const auto from_end = x(gpu::slice(gpu::none, gpu::none, -1));
            const std::vector<float> turned(values.rbegin(), values.rend());
            CHECK(gpu::to_host(gpu::topk(from_end, k).indices) == largest_of(turned, k));
        }
    }
    CHECK(gpu::topk(gpu::zeros<float>({300000}), 0).values.size() == 0);
}

TEST_CASE("the kernels that select have no races, and touch nothing outside their arrays") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: check mode of a selection: it is the host backend's");
        return;
    }
    const gpu::CheckReport report = gpu::check([] {
        check_selected(2, 1300, 30, Data::uniform, {.items = 2});
        check_selected(1, 1100, 700, Data::few_values, {.items = 2});
        const gpu::Array<float> x = (gpu::arange<float>(2200) % 90.F).reshape({2, 1100});
        for (const bool selects : {false, true}) {
            const gpu::detail::PartWay way{.by_blocks = true, .selects = selects, .tile = {.items = 2}};
            (void)gpu::detail::parted(x.core(), 400, false, way);
        }
        (void)gpu::detail::parted(x.core(), 400, true, {});
    });
    for (const auto& finding : report.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.what << " " << finding.who);
}
