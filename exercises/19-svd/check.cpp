// SPDX-License-Identifier: MIT

// What exercise 19 is checked for. Singular vectors have no one right answer: a pair may change its signs, and where
// singular values are equal, any basis of their space will do. So vectors are never compared. An answer is judged by
// its singular values, by the orthogonality of its vectors, and by what is left of the matrix without it.

#include <course/check.hpp>
#include <course/check_test_image.hpp>

#include <Eigen/SVD>

using namespace course;

using Dense = Eigen::MatrixXd;

/// The singular values of `a`, in decreasing order, in double: columns are rotated until they are orthogonal (Jacobi's
/// method, from one side); their lengths are the values.
static Vector<double> singular_values(Dense a) {
    if (a.rows() < a.cols()) a = a.transpose().eval();
    bool done = false;
    for (int sweep = 0; sweep < 40 && !done; ++sweep) {
        done = true;
        for (int p = 0; p < a.cols(); ++p) {
            for (int q = p + 1; q < a.cols(); ++q) {
                const double pp = a.col(p).squaredNorm(), qq = a.col(q).squaredNorm(), pq = a.col(p).dot(a.col(q));
                if (std::abs(pq) <= 1e-14 * std::sqrt(pp * qq)) continue;
                done = false;
                const double angle = 0.5 * std::atan2(2 * pq, pp - qq), c = std::cos(angle), s = std::sin(angle);
                const Eigen::VectorXd turned = c * a.col(p) + s * a.col(q);
                a.col(q) = c * a.col(q) - s * a.col(p);
                a.col(p) = turned;
            }
        }
    }
    Vector<double> values = a.colwise().norm().transpose();
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

static Dense dense(const Matrix<float>& a) { return a.cast<double>().matrix(); }

/// U diag(S) Vt.
static Dense product(const Matrix<float>& u, const Vector<float>& s, const Matrix<float>& vt) {
    return dense(u) * s.cast<double>().matrix().asDiagonal() * dense(vt);
}

/// The norm of the values behind the k-th: the least |A - B| that any B of rank k has.
static double left_by(const Vector<double>& values, int k) { return values.tail(values.size() - k).matrix().norm(); }

/// |Ut U - I|: 0 if the columns of U are orthonormal.
static double loss_of_orthogonality(const Dense& u) {
    return (u.transpose() * u - Dense::Identity(u.cols(), u.cols())).norm();
}

/// A picture with some grain, other in each verdict.
static Matrix<float> grainy_image(Draw& draw, int rows, int columns) {
    return test_image(rows, columns) + draw.uniform(rows, columns, -0.02, 0.02);
}

struct Size {
    int rows, columns, k;
};
static std::string name(const Size& of) {
    return sizes::text(of.rows, of.columns) + ", k = " + std::to_string(of.k);
}

GRADER_TASK(svd, "compress") {
    const Matrix<float> picture = grainy_image(draw, 128, 192);
    const Vector<double> values_of_picture = singular_values(dense(picture));
    for (const Size of :
         {Size{5, 7, 3}, {1, 1, 1}, {33, 20, 20}, {20, 33, 4}, {40, 40, 1}, {128, 192, 5}, {128, 192, 20}}) {
        const bool is_image = of.rows == 128;
        const Matrix<float> a = is_image ? picture : draw.uniform(of.rows, of.columns);
        const Vector<double> values = is_image ? values_of_picture : singular_values(dense(a));
        const double size = values.matrix().norm();
        next_case(name(of));
        using U = const Matrix<float>&;
        using S = const Vector<float>&;
        Call made = call("compress", a, of.k);
        bool fits = false;
        made.satisfies("the shapes of U, S and Vt are (m, k), (k,) and (k, n)", [&](U u, S s, U vt) {
            return fits = u.rows() == of.rows && u.cols() == of.k && s.size() == of.k && vt.rows() == of.k &&
                          vt.cols() == of.columns;
        });
        if (!fits) continue;
        made.satisfies("error of the singular values |S - S'| / |A|", [&](U, S s, U) {
                return (s.cast<double>() - values.head(of.k)).matrix().norm() / size;
            }, 5e-5)
            .satisfies("orthogonality of U, |Ut U - I|", [&](U u, S, U) {
                return loss_of_orthogonality(dense(u));
            }, 1e-4)
            .satisfies("orthogonality of Vt, |Vt V - I|", [&](U, S, U vt) {
                return loss_of_orthogonality(dense(vt.transpose()));
            }, 1e-4)
            .satisfies("residual |A - U S Vt| / |A|, beyond what k values must leave", [&](U u, S s, U vt) {
                return ((dense(a) - product(u, s, vt)).norm() - left_by(values, of.k)) / size;
            }, 5e-5)
            .then([&](U u, S s, U vt) {
                if (!is_image) return;
                if (of.k == 5) image("input", a);
                image("rank-" + std::to_string(of.k), product(u, s, vt));
            });
    }
}

GRADER_TASK(svd, "residual") {
    for (const Size of : {Size{5, 7, 3}, {1, 1, 1}, {30, 20, 20}, {20, 33, 33}, {128, 192, 12}}) {
        const Matrix<float> a = grainy_image(draw, of.rows, of.columns);
        auto u = draw.uniform(of.rows, of.k), vt = draw.uniform(of.k, of.columns);
        auto s = draw.uniform(of.k, 0.01, 0.2);
        next_case(name(of));
        const double want = (dense(a) - product(u, s, vt)).norm() / dense(a).norm();
        call("residual", a, u, s, vt).returns(want, Tolerance{.absolute = 1e-6, .relative = 1e-5});
    }
    auto u = draw.uniform(5, 3), vt = draw.uniform(3, 7);
    auto s = draw.uniform(3, 0.5, 2);
    next_case("right factors, " + name({5, 7, 3}));
    call("residual", Matrix<float>(product(u, s, vt).cast<float>()), u, s, vt).returns(0.0, within(1e-6));
}

GRADER_TASK(svd, "batch") {
    struct Pieces {
        int count;
        Size of;
    };
    for (const Pieces& pieces : {Pieces{3, {5, 4, 2}}, {1, {4, 6, 4}}, {40, {6, 9, 1}}, {1024, {6, 9, 1}}}) {
        const int count = pieces.count;
        const Size of = pieces.of;
        // An image of 192 x 288, cut into 1024 pieces of 6 x 9; or a part of it.
        const Matrix<float> whole = grainy_image(draw, 192, 288);
        std::vector<Matrix<float>> stack;
        for (int i = 0; i < count; ++i)
            stack.emplace_back(whole.block(6 * (i / 32), 9 * (i % 32), of.rows, of.columns));
        next_case(std::to_string(count) + " matrices of " + name(of));
        using Stack = const std::vector<Matrix<float>>&;
        const auto worst = [&](Stack each, const auto& error) {
            const bool fits =
                each.size() == stack.size() && each[0].rows() == of.rows && each[0].cols() == of.columns;
            double most = fits ? 0 : 1;
            for (std::size_t i = 0; i < each.size() && most < 1; ++i) {
                const double one = error(dense(stack[i]), dense(each[i]));
                most = one <= most ? most : one;   // a NaN stays
            }
            return most;
        };
        call("compress_each", stack, of.k)
            .satisfies("rank: singular values behind the k-th / largest", [&](Stack each) {
                return worst(each, [&](const Dense& a, const Dense& b) {
                    return left_by(singular_values(b), of.k) / a.norm();
                });
            }, 5e-5)
            .satisfies("residual |A - B| / |A| of the worst matrix, beyond what k values must leave", [&](Stack each) {
                return worst(each, [&](const Dense& a, const Dense& b) {
                    return ((a - b).norm() - left_by(singular_values(a), of.k)) / a.norm();
                });
            }, 5e-5)
            .then([&](Stack each) {
                if (count != 1024 || each.size() != stack.size()) return;
                Matrix<double> restored(192, 288);
                for (int i = 0; i < count; ++i)
                    restored.block(6 * (i / 32), 9 * (i % 32), of.rows, of.columns) = dense(each[i]).array();
                image("pieces-of-rank-1", restored);
            });
    }
    // Matrices whose singular values and vectors are known: two reflections around a diagonal.
    speed([&] {
        constexpr int side = 24, k = 5;
        const auto count = static_cast<int>(speed_elements() / (side * side));
        std::vector<Matrix<float>> stack(count), want(count);
        for (int i = 0; i < count; ++i) {
            Dense turns[2];
            for (Dense& turn : turns) {
                const Eigen::VectorXd normal = draw.uniform<double>(side, 0.2, 1).matrix().normalized();
                turn = Dense::Identity(side, side) - 2 * normal * normal.transpose();
            }
            Eigen::VectorXd values = draw.uniform<double>(side, 0.01, 0.1).matrix();
            for (int one = 0; one < k; ++one) values[one] = draw.between(1.0, 2.0);
            stack[i] = (turns[0] * values.asDiagonal() * turns[1]).cast<float>().array();
            want[i] = (turns[0].leftCols(k) * values.head(k).asDiagonal() * turns[1].topRows(k)).cast<float>().array();
        }
        const auto on_cpu = [&] {
            std::vector<Eigen::MatrixXf> each;
            for (const Matrix<float>& one : stack) {
                // Of square matrices, and quick to compile.
                const Eigen::JacobiSVD<Eigen::MatrixXf, Eigen::NoQRPreconditioner> svd(
                    one.matrix(), Eigen::ComputeFullU | Eigen::ComputeFullV);
                each.emplace_back(svd.matrixU().leftCols(k) * svd.singularValues().head(k).asDiagonal() *
                                  svd.matrixV().leftCols(k).transpose());
            }
            return each;
        };
        timed(8.0 * count * side * side, on_cpu, "compress_each", stack, k)
            .satisfies("largest error of an element", [&](const std::vector<Matrix<float>>& each) {
                double most = each.size() == want.size() ? 0 : 1;
                for (std::size_t i = 0; i < each.size() && most < 1; ++i) {
                    if (each[i].rows() != side || each[i].cols() != side) return 1.0;
                    const double error = (each[i] - want[i]).abs().maxCoeff();
                    most = error <= most ? most : error;   // a NaN stays
                }
                return most;
            }, 1e-4);
    });
}
