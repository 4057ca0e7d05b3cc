// SPDX-License-Identifier: MIT
// Functions of arrays, and linear algebra. Results are compared on the host, in double.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "checks.hpp"
#include "computed_row.hpp"

namespace bench {

namespace {

using Doubles = gpu::Array<double>;
using Index = gpu::Array<std::int64_t>;

Floats line(std::int64_t n) { return gpu::random::uniform<float>({n}); }
Floats square(std::int64_t n) { return gpu::random::uniform<float>({root_of(n), n / root_of(n)}); }

template <class T>
std::vector<double> in_double(const gpu::Array<T>& x) {
    const std::vector<T> host = gpu::to_host(x);
    return {host.begin(), host.end()};
}

/// What is wrong with a result whose element i is `expected(i)`.
template <class T, class Expected>
std::string wrong_values(const gpu::Array<T>& result, Expected expected, double allowed = 1e-6) {
    const std::vector<double> got = in_double(result);
    return count_wrong(result.size(), [&](std::int64_t i) {
        return is_near(got[static_cast<std::size_t>(i)], expected(static_cast<std::size_t>(i)), allowed);
    });
}

struct Pair {
    Floats x, y;
};
Pair two_lines(std::int64_t n) { return {line(n), line(n)}; }

struct Places {
    Floats x;
    Index index;
};
// A quarter of the elements, anywhere.
Places with_index(std::int64_t n) { return {line(n), gpu::random::integers<std::int64_t>({n / 4}, 0, n)}; }

double variance_of(const std::vector<double>& x, std::size_t first, std::size_t step, std::size_t n) {
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) mean += x[first + i * step];
    mean /= static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) squares += (x[first + i * step] - mean) * (x[first + i * step] - mean);
    return squares / static_cast<double>(n);
}

std::string wrong_argmaxes(const Floats& x, const Index& places, int axis) {
    const std::vector<float> values = gpu::to_host(x);
    const std::vector<std::int64_t> got = gpu::to_host(places);
    const auto rows = static_cast<std::size_t>(x.shape()[0]), columns = static_cast<std::size_t>(x.shape()[1]);
    const std::size_t n = axis == 1 ? columns : rows;
    return count_wrong(places.size(), [&](std::int64_t k) {
        const auto line = static_cast<std::size_t>(k);
        std::size_t best = 0;
        const auto at = [&](std::size_t i) { return values[axis == 1 ? line * columns + i : i * columns + line]; };
        for (std::size_t i = 1; i < n; ++i)
            if (at(i) > at(best)) best = i;
        return got[line] == static_cast<std::int64_t>(best);
    });
}

std::string wrong_permutation(const Index& order) {
    const std::vector<std::int64_t> places = gpu::to_host(order);
    std::vector<bool> seen(places.size());
    return count_wrong(order.size(), [&](std::int64_t i) {
        const auto place = static_cast<std::size_t>(places[static_cast<std::size_t>(i)]);
        if (place >= seen.size() || seen[place]) return false;
        seen[place] = true;
        return true;
    });
}

// --- linear algebra: residuals in double, of random vectors where a product would take too long ----------------------

/// A matrix of a batch on the host, in row-major order.
struct HostMatrix {
    std::size_t rows, columns;
    std::vector<double> values;
    [[nodiscard]] std::vector<double> times(const std::vector<double>& v, bool transposed = false) const {
        std::vector<double> product(transposed ? columns : rows);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                product[transposed ? j : i] += values[i * columns + j] * v[transposed ? i : j];
        return product;
    }
};

template <class T>
HostMatrix host_matrix(const gpu::Array<T>& a, std::int64_t number = 0) {
    const int rank = a.shape().rank();
    const auto rows = static_cast<std::size_t>(a.shape()[rank - 2]);
    const auto columns = static_cast<std::size_t>(a.shape()[rank - 1]);
    return {rows, columns, in_double(gpu::Array<T>(a.reshape({-1, a.shape()[rank - 2], a.shape()[rank - 1]})(number)))};
}

std::vector<double> test_vector(std::size_t n) {
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(1.0 + 0.7 * static_cast<double>(i));
    return v;
}

std::string differ(const std::vector<double>& a, const std::vector<double>& b, double allowed, const char* what) {
    double largest = 0, distance = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
        const double apart = std::abs(a[i] - b[i]);
        distance = !(apart <= distance) ? apart : distance;  // a NaN stays
    }
    return distance <= allowed * largest ? "" : std::string(what) + " is off by " + std::to_string(distance / largest);
}

Floats normal(const gpu::Shape& shape) { return gpu::random::normal<float>(shape); }
Floats positive_definite(std::int64_t n) {
    const Floats g = normal({n, n});
    return gpu::matmul(g, g.transpose()) + static_cast<float>(n) * gpu::eye<float>(n);
}

struct System {
    Floats a, b;
};

std::string wrong_solution(const System& given, const Floats& x) {
    const std::int64_t count = given.a.shape().rank() == 2 ? 1 : given.a.shape()[0];
    const std::vector<double> xs = in_double(x), bs = in_double(given.b);
    std::string wrong;
    for (std::int64_t k = 0; k < count && wrong.empty(); ++k) {
        const HostMatrix a = host_matrix(given.a, k);
        const auto first = static_cast<std::ptrdiff_t>(a.rows) * k, last = first + static_cast<std::ptrdiff_t>(a.rows);
        const std::vector<double> b(bs.begin() + first, bs.begin() + last);
        std::vector<double> solution(xs.begin() + first, xs.begin() + last);
        double size = 1;
        for (const double value : solution) size = std::max(size, std::abs(value));
        const std::vector<double> product = a.times(solution);
        double distance = 0;
        for (std::size_t i = 0; i < b.size(); ++i) distance = std::max(distance, std::abs(product[i] - b[i]));
        // A backward stable solution's residual grows with |A| |x|.
        if (!(distance <= 1e-4 * size * std::sqrt(static_cast<double>(a.rows)))) wrong = "A x isn't b";
    }
    return wrong;
}

std::string wrong_inverse(const Floats& a, const Floats& inverse) {
    const std::vector<double> v = test_vector(static_cast<std::size_t>(a.shape()[0]));
    return differ(host_matrix(inverse).times(host_matrix(a).times(v)), v, 1e-1, "A^-1 A v");
}

std::string wrong_cholesky(const Floats& a, const Floats& l) {
    const HostMatrix lower = host_matrix(l), whole = host_matrix(a);
    const std::vector<double> v = test_vector(whole.rows);
    return differ(lower.times(lower.times(v, true)), whole.times(v), 1e-4, "L L^T v");
}

std::string wrong_qr(const Floats& a, const gpu::linalg::Qr<float>& made) {
    const HostMatrix q = host_matrix(made.Q), r = host_matrix(made.R);
    const std::vector<double> v = test_vector(r.columns);
    const std::string wrong = differ(q.times(r.times(v)), host_matrix(a).times(v), 1e-4, "Q R v");
    return wrong.empty() ? differ(q.times(q.times(v), true), v, 1e-3, "Q^T Q v") : wrong;
}

std::string wrong_eigh(const Floats& a, const gpu::linalg::Eigh<float>& made) {
    const std::int64_t count = a.shape().rank() == 2 ? 1 : a.shape()[0];
    const std::vector<double> values = in_double(made.values);
    std::string wrong;
    for (std::int64_t k = 0; k < count && wrong.empty(); ++k) {
        const HostMatrix whole = host_matrix(a, k), vectors = host_matrix(made.vectors, k);
        const std::vector<double> v = test_vector(whole.rows);
        std::vector<double> coordinates = vectors.times(v, true);
        wrong = differ(vectors.times(coordinates), v, 1e-3, "V V^T v");
        for (std::size_t i = 0; i < coordinates.size(); ++i)
            coordinates[i] *= values[static_cast<std::size_t>(k) * whole.rows + i];
        if (wrong.empty()) wrong = differ(vectors.times(coordinates), whole.times(v), 1e-3, "V diag(values) V^T v");
    }
    return wrong;
}

std::string wrong_lstsq(const System& given, const gpu::linalg::Lstsq<float>& made) {
    const HostMatrix a = host_matrix(given.a);
    std::vector<double> residual = a.times(in_double(made.solution));
    const std::vector<double> b = in_double(given.b);
    for (std::size_t i = 0; i < b.size(); ++i) residual[i] -= b[i];
    double largest = 0;
    for (const double value : a.times(residual, true)) largest = std::max(largest, std::abs(value));
    return largest <= 1e-5 * static_cast<double>(a.rows) ? "" : "A^T (A x - b) isn't 0";
}

std::string wrong_determinants(const Floats& a, const Floats& got) {
    const std::vector<double> values = in_double(got);
    return count_wrong(got.size(), [&](std::int64_t k) {
        HostMatrix m = host_matrix(a, k);
        double determinant = 1, scale = 1;
        for (std::size_t c = 0; c < m.columns; ++c) {
            std::size_t pivot = c;
            for (std::size_t r = c; r < m.rows; ++r)
                if (std::abs(m.values[r * m.columns + c]) > std::abs(m.values[pivot * m.columns + c])) pivot = r;
            if (pivot != c) determinant = -determinant;
            for (std::size_t j = 0; j < m.columns; ++j)
                std::swap(m.values[c * m.columns + j], m.values[pivot * m.columns + j]);
            const double top = m.values[c * m.columns + c];
            determinant *= top;
            scale *= std::max(1.0, std::abs(top));
            for (std::size_t r = c + 1; r < m.rows; ++r) {
                const double factor = m.values[r * m.columns + c] / top;
                for (std::size_t j = c; j < m.columns; ++j)
                    m.values[r * m.columns + j] -= factor * m.values[c * m.columns + j];
            }
        }
        return std::abs(values[static_cast<std::size_t>(k)] - determinant) <= 1e-4 * scale;
    });
}

template <class Matrix, class Compute, class Wrong>
Row linear(const std::string& name, std::int64_t size, Matrix matrix, Compute compute, Wrong wrong) {
    return row("linear/" + name, {.size = size}, [matrix](std::int64_t) { return matrix(); }, compute, wrong);
}

}  // namespace

std::vector<Row> function_rows() {
    return {
        row("functions/masked_assignment", {}, [](std::int64_t n) {
                Floats x = line(n);
                gpu::Array<bool> mask = x > 0.5F;
                return std::pair(std::move(x), std::move(mask));
            },
            [](const auto& given) {
                Floats x = given.first;
                x[given.second] = 0.75F;
                return x;
            },
            [](const auto& given, const Floats& y) {
                const std::vector<double> x = in_double(given.first);
                return wrong_values(y, [&](std::size_t i) { return x[i] > 0.5 ? 0.75 : x[i]; });
            }),
        row("functions/where", {.bytes_per_element = 12}, two_lines,
            [](const Pair& p) { return Floats(gpu::where(p.x > p.y, p.x, p.y)); },
            [](const Pair& p, const Floats& z) {
                const std::vector<double> x = in_double(p.x), y = in_double(p.y);
                return wrong_values(z, [&](std::size_t i) { return std::max(x[i], y[i]); });
            }),
        row("functions/take", {}, with_index, [](const Places& p) { return gpu::take(p.x, p.index); },
            [](const Places& p, const Floats& y) {
                const std::vector<double> x = in_double(p.x);
                const std::vector<std::int64_t> index = gpu::to_host(p.index);
                return wrong_values(y, [&](std::size_t i) { return x[static_cast<std::size_t>(index[i])]; });
            }),
        row("functions/take_rows", {.bytes_per_element = 8}, [](std::int64_t n) {
                Floats x = square(n);
                Index order = gpu::random::permutation(x.shape()[0]);
                return Places{std::move(x), std::move(order)};
            },
            [](const Places& p) { return gpu::take(p.x, p.index, {.axis = 0}); },
            [](const Places& p, const Floats& y) {
                const std::vector<double> x = in_double(p.x);
                const std::vector<std::int64_t> index = gpu::to_host(p.index);
                const auto columns = static_cast<std::size_t>(p.x.shape()[1]);
                return wrong_values(y, [&](std::size_t i) {
                    return x[static_cast<std::size_t>(index[i / columns]) * columns + i % columns];
                });
            }),
        row("functions/add_at", {}, with_index, [](const Places& p) {
                Floats y = p.x;
                y.add_at(p.index, 1.F);
                return y;
            },
            [](const Places& p, const Floats& y) {
                std::vector<double> x = in_double(p.x);
                for (const std::int64_t place : gpu::to_host(p.index)) x[static_cast<std::size_t>(place)] += 1;
                return wrong_values(y, [&](std::size_t i) { return x[i]; });
            }),
        row("functions/concatenate", {.bytes_per_element = 16}, two_lines,
            [](const Pair& p) { return gpu::concatenate({p.x, p.y}); },
            [](const Pair& p, const Floats& z) {
                const std::vector<double> x = in_double(p.x), y = in_double(p.y);
                return wrong_values(z, [&](std::size_t i) { return i < x.size() ? x[i] : y[i - x.size()]; });
            }),
        row("functions/flip", {.bytes_per_element = 8}, line, [](const Floats& x) { return Floats(x.flip().copy()); },
            [](const Floats& given, const Floats& y) {
                const std::vector<double> x = in_double(given);
                return wrong_values(y, [&](std::size_t i) { return x[x.size() - 1 - i]; });
            }),
        row("functions/roll", {.bytes_per_element = 8}, line, [](const Floats& x) { return gpu::roll(x, 12345); },
            [](const Floats& given, const Floats& y) {
                const std::vector<double> x = in_double(given);
                const std::size_t by = 12345 % x.size();
                return wrong_values(y, [&](std::size_t i) { return x[(i + x.size() - by) % x.size()]; });
            }),
        row("functions/diff", {.bytes_per_element = 8}, line, [](const Floats& x) { return Floats(gpu::diff(x)); },
            [](const Floats& given, const Floats& y) {
                const std::vector<double> x = in_double(given);
                return wrong_values(y, [&](std::size_t i) { return x[i + 1] - x[i]; });
            }),
        row("functions/chain", {.bytes_per_element = 12}, two_lines,
            [](const Pair& p) { return Floats(exp(-p.x) * sin(p.y) + cos(p.x) / (1.F + p.y * p.y)); },
            [](const Pair& p, const Floats& z) {
                const std::vector<double> x = in_double(p.x), y = in_double(p.y);
                return wrong_values(z, [&](std::size_t i) {
                    return std::exp(-x[i]) * std::sin(y[i]) + std::cos(x[i]) / (1 + y[i] * y[i]);
                });
            }),
        row("functions/var", {.bytes_per_element = 4}, line, [](const Floats& x) { return gpu::var(x); },
            [](const Floats& given, const Floats& y) {
                const std::vector<double> x = in_double(given);
                return wrong_values(y, [&](std::size_t) { return variance_of(x, 0, 1, x.size()); });
            }),
        row("functions/var_axis_0", {.bytes_per_element = 4}, square,
            [](const Floats& x) { return gpu::var(x, {.axis = 0}); },
            [](const Floats& given, const Floats& y) {
                const std::vector<double> x = in_double(given);
                const auto rows = static_cast<std::size_t>(given.shape()[0]);
                const auto columns = static_cast<std::size_t>(given.shape()[1]);
                return wrong_values(y, [&](std::size_t i) { return variance_of(x, i, columns, rows); });
            }),
        row("functions/any", {.bytes_per_element = 1}, [](std::int64_t n) { return gpu::zeros<bool>({n}); },
            [](const gpu::Array<bool>& x) { return gpu::any(x); },
            [](const auto&, const gpu::Array<bool>& y) { return y.item() ? "none of the elements is true" : ""; }),
        row("functions/min", {.bytes_per_element = 4}, line, [](const Floats& x) { return gpu::min(x); },
            [](const Floats& given, const Floats& y) {
                const std::vector<double> x = in_double(given);
                return wrong_values(y, [&](std::size_t) { return *std::min_element(x.begin(), x.end()); }, 0);
            }),
        row("functions/argmax_axis_0", {.bytes_per_element = 4}, square,
            [](const Floats& x) { return gpu::argmax(x, {.axis = 0}); },
            [](const Floats& x, const Index& y) { return wrong_argmaxes(x, y, 0); }),
        row("functions/argmax_axis_1", {.bytes_per_element = 4}, square,
            [](const Floats& x) { return gpu::argmax(x, {.axis = 1}); },
            [](const Floats& x, const Index& y) { return wrong_argmaxes(x, y, 1); }),
        row("functions/sum_integers", {.bytes_per_element = 4},
            [](std::int64_t n) { return gpu::random::integers<int>({n}, 0, 1 << 30); },
            [](const gpu::Array<int>& x) { return gpu::sum(x); },
            [](const gpu::Array<int>& x, const Index& y) {
                std::int64_t sum = 0;
                for (const int value : gpu::to_host(x)) sum += value;
                return y.item() == sum ? "" : "another sum than the host's";
            }),
        row("functions/mean_doubles", {.bytes_per_element = 8},
            [](std::int64_t n) { return gpu::random::uniform<double>({n}); },
            [](const Doubles& x) { return gpu::mean(x); },
            [](const Doubles& x, const Doubles& y) {
                long double sum = 0;
                for (const double value : gpu::to_host(x)) sum += value;
                return wrong_values(y, [&](std::size_t) { return static_cast<double>(sum / x.size()); }, 1e-12);
            }),
        row("functions/dot", {.bytes_per_element = 8}, two_lines, [](const Pair& p) { return gpu::dot(p.x, p.y); },
            [](const Pair& p, const Floats& z) { return wrong_sums(Function::product, p.x, p.y, z); }),
        row("functions/norm", {.bytes_per_element = 4}, line, [](const Floats& x) { return gpu::linalg::norm(x); },
            [](const Floats& x, const Floats& y) { return wrong_sums(Function::square, x, x, y, {.root = true}); }),
        row("functions/outer", {.bytes_per_element = 4},
            [](std::int64_t n) { return Pair{line(root_of(n)), line(n / root_of(n))}; },
            [](const Pair& p) { return Floats(gpu::outer(p.x, p.y)); },
            [](const Pair& p, const Floats& z) {
                const std::vector<double> x = in_double(p.x), y = in_double(p.y);
                return wrong_values(z, [&](std::size_t i) { return x[i / y.size()] * y[i % y.size()]; });
            }),
        row("functions/matrix_times_vector", {.bytes_per_element = 4},
            [](std::int64_t n) { return Pair{square(n), line(n / root_of(n))}; },
            [](const Pair& p) { return gpu::matmul(p.x, p.y); },
            [](const Pair& p, const Floats& z) {
                const std::vector<double> product = host_matrix(p.x).times(in_double(p.y));
                return wrong_values(z, [&](std::size_t i) { return product[i]; }, 1e-5);
            }),
        row("functions/complex_product", {.bytes_per_element = 16},
            [](std::int64_t n) { return line(n).astype<gpu::complex<float>>(); },
            [](const auto& z) { return gpu::Array<gpu::complex<float>>(z * z); },
            [](const auto& z, const auto& product) {
                const std::vector<double> x = in_double(Floats(gpu::real(z)));
                return wrong_values(Floats(gpu::real(product)), [&](std::size_t i) { return x[i] * x[i]; });
            }),
        row("functions/permutation", {}, [](std::int64_t n) { return n; },
            [](std::int64_t n) { return gpu::random::permutation(n); },
            [](std::int64_t, const Index& order) { return wrong_permutation(order); }),
        row("functions/integers", {.bytes_per_element = 4}, [](std::int64_t n) { return n; },
            [](std::int64_t n) { return gpu::random::integers<int>({n}, 0, 1000); },
            [](std::int64_t n, const gpu::Array<int>& x) {
                double sum = 0;
                for (const int value : gpu::to_host(x)) {
                    if (value < 0 || value >= 1000) return std::string("a number outside of the range");
                    sum += value;
                }
                const double far = 5 * 288.7 / std::sqrt(static_cast<double>(n));
                return std::string(std::abs(sum / static_cast<double>(n) - 499.5) <= far ? "" : "another mean");
            }),
    };
}

std::vector<Row> linear_rows() {
    const auto system = [](const gpu::Shape& a, const gpu::Shape& b) {
        return [=] { return System{normal(a), normal(b)}; };
    };
    const auto solved = [](const System& given) { return gpu::linalg::solve(given.a, given.b); };
    const auto decomposed = [](const Floats& a) { return gpu::linalg::qr(a); };
    const auto values = [](const Floats& a) { return gpu::linalg::eigh(a); };
    return {
        linear("solve_1024", 1 << 20, system({1024, 1024}, {1024}), solved, wrong_solution),
        linear("solve_4096", 1 << 24, system({4096, 4096}, {4096}), solved, wrong_solution),
        linear("solve_4096_of_16", 1 << 20, system({4096, 16, 16}, {4096, 16, 1}), solved, wrong_solution),
        linear("inv_1024", 1 << 20, [] { return normal({1024, 1024}); },
               [](const Floats& a) { return gpu::linalg::inv(a); }, wrong_inverse),
        linear("cholesky_4096", 1 << 24, [] { return positive_definite(4096); },
               [](const Floats& a) { return gpu::linalg::cholesky(a); }, wrong_cholesky),
        linear("qr_1024", 1 << 20, [] { return normal({1024, 1024}); }, decomposed, wrong_qr),
        linear("qr_100000x64", 6'400'000, [] { return normal({100000, 64}); }, decomposed, wrong_qr),
        linear("eigh_1024", 1 << 20, [] { return positive_definite(1024); }, values, wrong_eigh),
        linear("eigh_4096", 1 << 24, [] { return positive_definite(4096); }, values, wrong_eigh),
        linear("eigh_1024_of_32", 1 << 20, [] {
                const Floats g = normal({1024, 32, 32});
                return Floats(g + g.transpose({0, 2, 1}));
            },
            values, wrong_eigh),
        linear("lstsq_10000x100", 1'000'000, system({10000, 100}, {10000}),
               [](const System& given) { return gpu::linalg::lstsq(given.a, given.b); }, wrong_lstsq),
        linear("det_4096_of_16", 1 << 20, [] { return normal({4096, 16, 16}); },
               [](const Floats& a) { return gpu::linalg::det(a); }, wrong_determinants),
    };
}

}  // namespace bench
