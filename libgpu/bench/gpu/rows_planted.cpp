// SPDX-License-Identifier: MIT
// Rows whose results are wrong by as little as possible, one for each check: for the test that it is noticed.
#include <limits>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

/// What a row computes, right or wrong, and what its check says of it.
using Wrong = std::string (*)(std::int64_t n);

Row planted(const std::string& name, Wrong wrong) {
    return {"planted/" + name, [=](Bench&, std::int64_t n) {
                return Case{.wrong = [=] { return wrong(n); }, .seconds = [] { return 1.0; }};
            }};
}

std::string element(std::int64_t n) {
    const Floats x = gpu::random::uniform<float>({n});
    Floats z = x;
    z(n / 3) = 2.F;
    return wrong_elements(Function::copy, x, x, z);
}
std::string no_number(std::int64_t n) {
    const Floats x = gpu::random::uniform<float>({n});
    Floats z = x;
    z(n - 1) = std::numeric_limits<float>::quiet_NaN();
    return wrong_elements(Function::copy, x, x, z);
}
// One element of a row is left out.
std::string row_sum(std::int64_t n) {
    const Floats x = gpu::random::uniform<float>({64, n / 64}, 0.5, 1);
    Floats sums = gpu::sum(x, {.axis = 1});
    sums(63) = Floats(sums(63) - x(63, 0));
    return wrong_sums(Function::copy, x, x, sums, {.axes = {1}, .allowed = 1e-5});
}
// Of two largest elements, the second.
std::string later_argmax(std::int64_t n) {
    Floats x = gpu::random::uniform<float>({n});
    x(n / 4) = 2.F;
    x(n / 2) = 2.F;
    return wrong_argmax(x, n / 2);
}
std::string shifted_numbers(std::int64_t n) {
    const Floats x = gpu::random::uniform<float>({n}, 0, 0.9);
    return wrong_distribution(x, false);
}
// A hundred values, of the right mean and variance.
std::string coarse_numbers(std::int64_t n) {
    const Floats x = gpu::random::uniform<float>({n});
    return wrong_distribution(Floats(gpu::floor(x * 100.F) / 100.F + 0.005F), false);
}
std::string other_edge(std::int64_t) {
    const Floats image = gpu::random::uniform<float>({64, 64}), filter = gpu::random::uniform<float>({3, 3});
    return wrong_convolution(
        image, filter,
        gpu::signal::convolve2d(image, filter,
                                {.mode = gpu::signal::Mode::same, .boundary = gpu::signal::Boundary::wrap}));
}
std::string product(std::int64_t) {
    const Floats a = gpu::random::uniform<float>({64, 64}), b = gpu::random::uniform<float>({64, 64});
    Floats c = gpu::matmul(a, b);
    c(3, 5) = 0.F;
    return wrong_product(a, b, c, false);
}
std::string singular_vector(std::int64_t) {
    const Floats a = gpu::random::uniform<float>({2, 16, 16}, -1, 1);
    auto result = gpu::linalg::svd(a);
    result.U(1, gpu::all, 3) = result.U(1, gpu::all, 3) * -1.F;
    return wrong_svd(a, result);
}
std::string unsorted_values(std::int64_t) {
    const Floats a = gpu::random::uniform<float>({16, 16}, -1, 1);
    auto result = gpu::linalg::svd(a);
    result.S = Floats(result.S(gpu::slice(gpu::none, gpu::none, -1)));
    return wrong_svd(a, result);
}

}  // namespace

std::vector<Row> planted_rows() {
    return {
        planted("element", element),
        planted("no_number", no_number),
        planted("row_sum", row_sum),
        planted("later_argmax", later_argmax),
        planted("shifted_numbers", shifted_numbers),
        planted("coarse_numbers", coarse_numbers),
        planted("other_edge", other_edge),
        planted("product", product),
        planted("singular_vector", singular_vector),
        planted("unsorted_values", unsorted_values),
    };
}

}  // namespace bench
