// SPDX-License-Identifier: MIT
// Products of matrices and singular values. Both are checked by vectors: A (B v) is (A B) v, and U (S (Vt v)) is A v.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

using Vector = std::vector<double>;

Vector random_vector(std::int64_t n) {
    static std::mt19937 engine{std::random_device{}()};
    Vector v(static_cast<std::size_t>(n));
    for (double& value : v) value = static_cast<double>(engine()) / 4294967296.0 - 0.5;
    return v;
}

/// A matrix on the host, row-major.
struct HostMatrix {
    const float* data;
    std::size_t rows, columns;
    [[nodiscard]] Vector times(const Vector& v) const {
        Vector result(rows);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) result[i] += data[i * columns + j] * v[j];
        return result;
    }
    [[nodiscard]] Vector transposed_times(const Vector& v) const {
        Vector result(columns);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) result[j] += data[i * columns + j] * v[i];
        return result;
    }
};

double length(const Vector& v) {
    double squares = 0;
    for (const double value : v) squares += value * value;
    return std::sqrt(squares);
}

bool near(const Vector& a, const Vector& b, double allowed) {
    Vector difference(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) difference[k] = a[k] - b[k];
    return length(difference) <= allowed * length(b);  // false for NaN
}

Row product(const std::string& name, std::int64_t n, bool transposed) {
    return {name,
            [=](Bench&, std::int64_t) {
                struct Product {
                    Floats a, b, c;
                };
                const auto m = std::make_shared<Product>(
                    Product{gpu::random::uniform<float>({n, n}), gpu::random::uniform<float>({n, n}), {}});
                const auto size = static_cast<std::size_t>(n);
                const auto wrong = [=]() -> std::string {
                    const std::vector<float> a = gpu::to_host(m->a), b = gpu::to_host(m->b), c = gpu::to_host(m->c);
                    const Vector v = random_vector(n);
                    const Vector bv = HostMatrix{b.data(), size, size}.times(v);
                    const HostMatrix left{a.data(), size, size};
                    if (near(HostMatrix{c.data(), size, size}.times(v),
                             transposed ? left.transposed_times(bv) : left.times(bv), 1e-4))
                        return "";
                    return "(A B) v isn't A (B v)";
                };
                const auto call = [=] {
                    m->c = transposed ? gpu::matmul(m->a.transpose(), m->b) : gpu::matmul(m->a, m->b);
                };
                const auto side = static_cast<double>(n);
                return Case{.call = call, .wrong = wrong, .operations = 2 * side * side * side};
            },
            false, n * n};
}

/// One matrix and its decomposition, in their places among many.
std::string wrong_decomposition(const HostMatrix& a, const HostMatrix& u, const float* s, const HostMatrix& vt) {
    const std::size_t count = u.columns;
    for (std::size_t k = 0; k < count; ++k)
        if (!(s[k] >= 0 && (k == 0 || s[k] <= s[k - 1]))) return "the singular values aren't in decreasing order";
    const Vector v = random_vector(static_cast<std::int64_t>(a.columns));
    Vector scaled = vt.times(v);
    for (std::size_t k = 0; k < count; ++k) scaled[k] *= s[k];
    if (!near(u.times(scaled), a.times(v), 1e-3)) return "U (S (Vt v)) isn't A v";
    const Vector w = random_vector(static_cast<std::int64_t>(count));
    if (!near(u.transposed_times(u.times(w)), w, 1e-3)) return "the columns of U aren't orthonormal";
    if (!near(vt.times(vt.transposed_times(w)), w, 1e-3)) return "the rows of Vt aren't orthonormal";
    return "";
}

Row svd(const std::string& name, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
    return {name,
            [=](Bench&, std::int64_t) {
                struct Decomposed {
                    Floats a;
                    gpu::linalg::Svd<float> result;
                };
                const gpu::Shape shape = batch == 1 ? gpu::Shape{rows, columns} : gpu::Shape{batch, rows, columns};
                const auto m = std::make_shared<Decomposed>();
                m->a = gpu::random::uniform<float>(shape, -1, 1);
                const auto wrong = [=]() -> std::string {
                    const std::vector<float> a = gpu::to_host(m->a), u = gpu::to_host(m->result.U),
                                             s = gpu::to_host(m->result.S), vt = gpu::to_host(m->result.Vt);
                    const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns),
                               k = std::min(r, c), count = static_cast<std::size_t>(batch);
                    if (u.size() != count * r * k || s.size() != count * k || vt.size() != count * k * c)
                        return "U, S or Vt has another size";
                    for (std::size_t item = 0; item < count; ++item) {
                        const std::string said =
                            wrong_decomposition({a.data() + item * r * c, r, c}, {u.data() + item * r * k, r, k},
                                                s.data() + item * k, {vt.data() + item * k * c, k, c});
                        if (!said.empty()) return "matrix " + std::to_string(item) + ": " + said;
                    }
                    return "";
                };
                return Case{.call = [=] { m->result = gpu::linalg::svd(m->a); }, .wrong = wrong};
            },
            false, batch * rows * columns};
}

}  // namespace

std::vector<Row> matrix_rows() {
    return {
        product("matrices/matmul_64", 64, false),
        product("matrices/matmul_1024", 1024, false),
        product("matrices/matmul_8192", 8192, false),
        product("matrices/matmul_8192_transposed", 8192, true),
        svd("matrices/svd_64", 1, 64, 64),
        svd("matrices/svd_512", 1, 512, 512),
        svd("matrices/svd_1024", 1, 1024, 1024),
        svd("matrices/svd_2048", 1, 2048, 2048),
        svd("matrices/svd_4096", 1, 4096, 4096),
        svd("matrices/svd_100000x64", 1, 100000, 64),
        svd("matrices/svd_4096_of_32", 4096, 32, 32),
        svd("matrices/svd_1024_of_64", 1024, 64, 64),
    };
}

}  // namespace bench
