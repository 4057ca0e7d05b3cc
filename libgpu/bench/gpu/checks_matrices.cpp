// SPDX-License-Identifier: MIT
// Products and decompositions, checked on the host by vectors: (A B) v is A (B v), and U (S (Vt v)) is A v.
#include <algorithm>
#include <cmath>
#include <random>

#include "checks.hpp"

namespace bench {

namespace {

using Vector = std::vector<double>;

Vector random_vector(std::size_t n) {
    static std::mt19937 engine{std::random_device{}()};
    Vector v(n);
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
            for (std::size_t j = 0; j < columns; ++j) result[i] += static_cast<double>(data[i * columns + j]) * v[j];
        return result;
    }
    /// How large the sums of times() are before anything cancels: the roots of their squared terms' sums.
    [[nodiscard]] Vector sizes(const Vector& v) const {
        Vector squares(rows);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) {
                const double term = static_cast<double>(data[i * columns + j]) * v[j];
                squares[i] += term * term;
            }
        for (double& value : squares) value = std::sqrt(value);
        return squares;
    }
    [[nodiscard]] Vector transposed_times(const Vector& v) const {
        Vector result(columns);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) result[j] += static_cast<double>(data[i * columns + j]) * v[i];
        return result;
    }
};

double length(const Vector& v) {
    double squares = 0;
    for (const double value : v) squares += value * value;
    return std::sqrt(squares);
}

double distance(const Vector& a, const Vector& b) {
    Vector difference(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) difference[k] = a[k] - b[k];
    return length(difference);
}

bool near(const Vector& a, const Vector& b, double allowed) {
    return distance(a, b) <= allowed * length(b);  // false for NaN
}

/// One of a batch.
std::string wrong_decomposition(const HostMatrix& a, const HostMatrix& u, const float* s, const HostMatrix& vt) {
    const std::size_t count = u.columns;
    for (std::size_t k = 0; k < count; ++k)
        if (!(s[k] >= 0 && (k == 0 || s[k] <= s[k - 1]))) return "the singular values aren't in decreasing order";
    const Vector v = random_vector(a.columns);
    Vector scaled = vt.times(v);
    for (std::size_t k = 0; k < count; ++k) scaled[k] *= static_cast<double>(s[k]);
    if (!near(u.times(scaled), a.times(v), 1e-4)) return "U (S (Vt v)) isn't A v";
    const Vector w = random_vector(count);
    if (!near(u.transposed_times(u.times(w)), w, 1e-4)) return "the columns of U aren't orthonormal";
    if (!near(vt.times(vt.transposed_times(w)), w, 1e-4)) return "the rows of Vt aren't orthonormal";
    return "";
}

}  // namespace

std::string wrong_product(const Floats& a, const Floats& b, const Floats& product, bool transposed) {
    const auto n = static_cast<std::size_t>(a.shape()[0]);
    if (product.shape() != gpu::Shape{n, n}) return "the product has another shape";
    const std::vector<float> ha = gpu::to_host(a), hb = gpu::to_host(b), hc = gpu::to_host(product);
    const Vector v = random_vector(n), bv = HostMatrix{hb.data(), n, n}.times(v);
    const HostMatrix left{ha.data(), n, n};
    const Vector expected = transposed ? left.transposed_times(bv) : left.times(bv);
    const HostMatrix c{hc.data(), n, n};
    return distance(c.times(v), expected) <= 1e-5 * length(c.sizes(v)) ? "" : "(A B) v isn't A (B v)";
}

std::string wrong_svd(const Floats& a, const gpu::linalg::Svd<float>& result) {
    const int last = a.rank() - 1;
    const auto rows = static_cast<std::size_t>(a.shape()[last - 1]),
               columns = static_cast<std::size_t>(a.shape()[last]);
    const std::size_t count = std::min(rows, columns), batch = static_cast<std::size_t>(a.size()) / (rows * columns);
    const std::vector<float> ha = gpu::to_host(a), u = gpu::to_host(result.U), s = gpu::to_host(result.S),
                             vt = gpu::to_host(result.Vt);
    if (u.size() != batch * rows * count || s.size() != batch * count || vt.size() != batch * count * columns)
        return "U, S or Vt has another size";
    for (std::size_t item = 0; item < batch; ++item) {
        const std::string wrong = wrong_decomposition(
            {ha.data() + item * rows * columns, rows, columns}, {u.data() + item * rows * count, rows, count},
            s.data() + item * count, {vt.data() + item * count * columns, count, columns});
        if (!wrong.empty()) return "matrix " + std::to_string(item) + ": " + wrong;
    }
    return "";
}

}  // namespace bench
