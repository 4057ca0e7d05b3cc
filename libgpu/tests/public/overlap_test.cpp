// SPDX-License-Identifier: MIT
// What is written lies on what is read: results are as if everything were read first. Two wraps of one memory are two
// arrays to libgpu, so it has to look at addresses.
#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Ints = std::vector<int>;
constexpr int n = 5000;  // more than the host backend computes at a stroke

Ints counting(int first, int count) {
    Ints values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), first);
    return values;
}

const gpu::ElementwiseKernel& copies() {
    static const gpu::ElementwiseKernel kernel("T x", "T z", "z = x", "copies");
    return kernel;
}

}  // namespace

TEST_CASE("two wraps of one memory may be an elementwise kernel's input and output") {
    auto memory = gpu::arange<int>(n + 1);
    int* const first = memory.data();
    copies()(gpu::wrap(first, {n}), gpu::out(gpu::wrap(first + 1, {n})));
    Ints expected = counting(-1, n + 1);
    expected[0] = 0;
    CHECK(gpu::to_host(memory) == expected);
    auto matrix = gpu::arange<int>(64 * 64).reshape({64, 64});
    const gpu::Array<int> turned = matrix.transpose();
    copies()(gpu::wrap(matrix.data(), {64, 64}, {.layout = gpu::Layout::column_major}),
             gpu::out(gpu::wrap(matrix.data(), {64, 64})));
    CHECK(gpu::to_host(matrix) == gpu::to_host(turned));
}

TEST_CASE("windows on one array may be an elementwise kernel's input and output") {
    auto x = gpu::arange<int>(n + 1);
    copies()(x(gpu::slice(0, -1)), gpu::out(x(gpu::slice(1, gpu::none))));
    Ints expected = counting(-1, n + 1);
    expected[0] = 0;
    CHECK(gpu::to_host(x) == expected);
    auto row = gpu::arange<int>(4);
    const auto before = gpu::counts();
    copies()(row, gpu::out(row));  // in place: nothing is copied
    copies()(row, gpu::out(row.reshape({1, 4})));
    CHECK((gpu::counts() - before).allocations == 0);
    CHECK(gpu::to_host(row) == counting(0, 4));
}

TEST_CASE("columns of one matrix don't overlap: nothing is copied") {
    auto m = gpu::arange<int>(12).reshape({4, 3});
    const auto before = gpu::counts();
    m(gpu::all, 0) = m(gpu::all, 2) * 10;
    copies()(m(gpu::all, 2), gpu::out(m(gpu::all, 1)));
    CHECK((gpu::counts() - before).allocations == 0);
    m(gpu::slice(0, gpu::none, 2)) = m(gpu::slice(1, gpu::none, 2));
    CHECK(gpu::to_host(m) == Ints{50, 5, 5, 50, 5, 5, 110, 11, 11, 110, 11, 11});
}

TEST_CASE("two outputs of an elementwise kernel can't share elements") {
    const gpu::ElementwiseKernel both("T x", "T y, T z", "y = x; z = -x", "both");
    auto x = gpu::arange<int>(4);
    auto y = gpu::zeros<int>({5});
    CHECK_THROWS_WITH_AS((void)both(x, gpu::out(y(gpu::slice(0, 4))), gpu::out(y(gpu::slice(1, 5)))),
                         "kernel both: its outputs 'y' and 'z' share elements: pass two arrays", gpu::Error);
    auto pair = gpu::zeros<int>({4, 2});
    both(x, gpu::out(pair(gpu::all, 0)), gpu::out(pair(gpu::all, 1)));
    CHECK(gpu::to_host(pair) == Ints{0, 0, 1, -1, 2, -2, 3, -3});
}

TEST_CASE("a reduction's output may be another wrap of its input's memory") {
    const gpu::Array<int> ones = gpu::ones<int>({n, 4});
    auto memory = ones.copy();
    // The rows' sums go where the last quarter of the rows is.
    int* const last = memory.data() + 3 * n;
    gpu::sum<int>(gpu::wrap(memory.data(), {n, 4}), {.axis = 1, .out = gpu::out(gpu::wrap(last, {n}))});
    CHECK(gpu::to_host(gpu::wrap(last, {n})) == Ints(n, 4));
    memory = ones;
    const auto rows = gpu::arange<int>(n).reshape({n, 1});
    gpu::max(gpu::wrap(memory.data(), {n, 4}) * rows, {.axis = 1, .out = gpu::out(gpu::wrap(last, {n}))});
    CHECK(gpu::to_host(gpu::wrap(last, {n})) == counting(0, n));
}

TEST_CASE("a scan of one wrap may be assigned to another") {
    auto memory = gpu::ones<int>({n + 1});
    auto target = gpu::wrap(memory.data() + 1, {n});
    target = gpu::cumsum<int>(gpu::wrap(memory.data(), {n}));
    Ints expected = counting(0, n + 1);
    expected[0] = 1;
    CHECK(gpu::to_host(memory) == expected);
}

TEST_CASE("put, add_at and masked values may come from another wrap of the target's memory") {
    auto memory = gpu::arange<int>(n + 1);
    int* const first = memory.data();
    Ints shifted = counting(-1, n + 1);
    shifted[0] = 0;
    const auto index = gpu::arange<int>(n);
    gpu::wrap(first + 1, {n}).put(index, gpu::wrap(first, {n}));
    CHECK(gpu::to_host(memory) == shifted);

    memory = gpu::arange<int>(n + 1);
    gpu::wrap(memory.data() + 1, {n}).add_at(index, gpu::wrap(memory.data(), {n}));
    Ints added = counting(0, n + 1);
    for (int k = n; k > 0; --k) added[static_cast<std::size_t>(k)] += k - 1;
    CHECK(gpu::to_host(memory) == added);

    // The index itself is what is written: turned round, place k gets n - 1 - k.
    memory = gpu::arange<int>(n) * -1 + (n - 1);
    gpu::wrap(memory.data(), {n}).put(gpu::wrap(memory.data(), {n}), gpu::arange<int>(n));
    CHECK(gpu::to_host(memory) == gpu::to_host(gpu::Array<int>(gpu::arange<int>(n) * -1 + (n - 1))));

    memory = gpu::arange<int>(n + 1);
    const auto everywhere = gpu::ones<bool>({n});
    auto target = gpu::wrap(memory.data() + 1, {n});
    target[everywhere] = gpu::wrap(memory.data(), {n});
    CHECK(gpu::to_host(memory) == shifted);
}
