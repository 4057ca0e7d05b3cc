// SPDX-License-Identifier: MIT
// Products of matrices and singular values.
#include <memory>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

Case product_of(std::int64_t n, bool transposed) {
    struct Product {
        Floats a, b, c;
    };
    const auto m = std::make_shared<Product>(
        Product{gpu::random::uniform<float>({n, n}), gpu::random::uniform<float>({n, n}), {}});
    const auto call = [=] { m->c = transposed ? gpu::matmul(m->a.transpose(), m->b) : gpu::matmul(m->a, m->b); };
    const auto side = static_cast<double>(n);
    return {.call = call,
            .wrong = [=] { return wrong_product(m->a, m->b, m->c, transposed); },
            .operations = 2 * side * side * side};
}

Case svd_of(const gpu::Shape& shape) {
    struct Decomposed {
        Floats a;
        gpu::linalg::Svd<float> result;
    };
    const auto m = std::make_shared<Decomposed>();
    m->a = gpu::random::uniform<float>(shape, -1, 1);
    return {.call = [=] { m->result = gpu::linalg::svd(m->a); }, .wrong = [=] { return wrong_svd(m->a, m->result); }};
}

Row product(const std::string& name, std::int64_t n, bool transposed) {
    return {name, [=](Bench&, std::int64_t) { return product_of(n, transposed); }, false, n * n};
}

Row svd(const std::string& name, const gpu::Shape& shape) {
    return {name, [=](Bench&, std::int64_t) { return svd_of(shape); }, false, shape.size()};
}

// Of squares with about so many elements.
Row growing(const std::string& name, Case (*of_side)(std::int64_t), std::int64_t largest) {
    return {.name = name,
            .make = [=](Bench&, std::int64_t n) { return of_side(root_of(n)); },
            .grows = true,
            .largest = largest,
            .in_table = false};
}

}  // namespace

std::vector<Row> matrix_rows() {
    return {
        product("matrices/matmul_64", 64, false),
        product("matrices/matmul_1024", 1024, false),
        product("matrices/matmul_8192", 8192, false),
        product("matrices/matmul_8192_transposed", 8192, true),
        svd("matrices/svd_64", {64, 64}),
        svd("matrices/svd_512", {512, 512}),
        svd("matrices/svd_1024", {1024, 1024}),
        svd("matrices/svd_2048", {2048, 2048}),
        svd("matrices/svd_4096", {4096, 4096}),
        svd("matrices/svd_100000x64", {100000, 64}),
        svd("matrices/svd_4096_of_32", {4096, 32, 32}),
        svd("matrices/svd_1024_of_64", {1024, 64, 64}),
        growing(
            "matrices/matmul", [](std::int64_t n) { return product_of(n, false); }, 0),
        growing(
            "matrices/svd", [](std::int64_t n) { return svd_of({n, n}); }, std::int64_t{1} << 25),
    };
}

}  // namespace bench
