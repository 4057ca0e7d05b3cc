// SPDX-License-Identifier: MIT
// Eigen in and out: all kinds of objects, and what doesn't fit.
#include <doctest/doctest.h>

#include <complex>
#include <vector>

#include <Eigen/Core>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXf counted(Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXf m(rows, columns);
    for (Eigen::Index k = 0; k < m.size(); ++k) m(k / columns, k % columns) = static_cast<float>(k);
    return m;
}

// The elements as libgpu has them, row by row.
template <class M>
std::vector<float> rows_of(const M& m) {
    std::vector<float> v;
    for (Eigen::Index r = 0; r < m.rows(); ++r)
        for (Eigen::Index c = 0; c < m.cols(); ++c) v.push_back(m(r, c));
    return v;
}

}  // namespace

TEST_CASE("all kinds of Eigen objects come to the device") {
    Eigen::MatrixXf m = counted(4, 6);
    const auto check = [](const auto& object) {
        const auto x = gpu::to_device(object);
        CHECK(gpu::to_host(x) == rows_of(object));
        CHECK(x.shape() == gpu::Shape{object.rows(), object.cols()});
    };
    check(m);
    check(RowMajor(m));
    check(m.array().eval());
    check(m.block(1, 2, 2, 3));  // its columns lie apart
    check(m.middleCols(1, 2));   // side by side
    check(RowMajor(m).middleRows(1, 2));
    check((m * 2.f + Eigen::MatrixXf::Ones(4, 6)).eval());
    check(m.transpose());
    check(Eigen::Map<const Eigen::MatrixXf>(m.data(), 6, 4));
    check(Eigen::Map<const Eigen::MatrixXf, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>(
        m.data(), 2, 3, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(8, 2)));
    check(Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>>(m.data(), 3, 2, Eigen::OuterStride<>(5)));
    check(Eigen::Ref<Eigen::MatrixXf>(m));
    check(Eigen::Ref<Eigen::MatrixXf>(m.topRows(2)));
    check(Eigen::Matrix<float, 2, 3>(m.block(0, 0, 2, 3)));
    check(Eigen::MatrixXf(0, 3));
    CHECK(gpu::to_host(gpu::to_device(m.array().sqrt() + 1.f)) == rows_of((m.array().sqrt() + 1.f).eval()));
    CHECK(gpu::to_device(RowMajor(m)).strides() == gpu::Strides{6, 1});
    CHECK(gpu::to_device(m).strides() == gpu::Strides{1, 4});
    // Vectors have one axis.
    CHECK(gpu::to_device(m.row(1)).shape() == gpu::Shape{6});
    CHECK(gpu::to_host(gpu::to_device(m.row(1))) == rows_of(m.row(1)));
    CHECK(gpu::to_host(gpu::to_device(m.col(2))) == rows_of(m.col(2)));
    CHECK(gpu::to_device(Eigen::Vector3f(1, 2, 3)).shape() == gpu::Shape{3});
    CHECK(gpu::to_host(gpu::to_device(m.diagonal())) == rows_of(m.diagonal()));
}

TEST_CASE("arrays, views and expressions become Eigen objects of a kind") {
    //! [kinds]
    auto x = gpu::arange<float>(6).reshape({2, 3});
    auto matrix = gpu::to_eigen(x);                   // Eigen::MatrixXf
    auto array = gpu::to_eigen_array(x.transpose());  // Eigen::ArrayXXf, of a view
    auto fixed = gpu::to_eigen<Eigen::Matrix<float, 2, 3>>(x * 2.f);
    auto vector = gpu::to_eigen<Eigen::VectorXf>(x(0));
    //! [kinds]
    static_assert(std::is_same_v<decltype(matrix), Eigen::MatrixXf>);
    static_assert(std::is_same_v<decltype(array), Eigen::ArrayXXf>);
    CHECK(matrix == counted(2, 3));
    CHECK((array.matrix() == counted(2, 3).transpose()));
    CHECK(fixed == counted(2, 3) * 2.f);
    CHECK(vector == Eigen::Vector3f(0, 1, 2));
    CHECK(gpu::to_eigen<RowMajor>(x) == counted(2, 3));
    CHECK(gpu::to_eigen<Eigen::RowVectorXf>(x(1)) == Eigen::RowVector3f(3, 4, 5));
    CHECK(gpu::to_eigen(x(1)).cols() == 1);
    CHECK(gpu::to_eigen(x(1, 1))(0, 0) == 4);
    CHECK(gpu::to_eigen(gpu::zeros<float>({0, 3})).cols() == 3);
    CHECK(gpu::to_eigen<Eigen::VectorXf>(x.reshape({6, 1})).size() == 6);
    CHECK_THROWS_WITH_AS((void)gpu::to_eigen<Eigen::Matrix3f>(x),
                         "to_eigen: an array of shape (2,3) can't become an Eigen object of 3 x 3", gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_eigen<Eigen::VectorXf>(x), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_eigen<Eigen::Vector2f>(x(0)), gpu::ShapeError);
    CHECK_THROWS_AS((void)gpu::to_eigen(gpu::zeros<float>({1, 1, 1})), gpu::ShapeError);
}

TEST_CASE("copy_from and copy_to take Eigen objects that exist") {
    auto x = gpu::zeros<float>({2, 3});
    //! [copy]
    Eigen::MatrixXf m(2, 3);
    m << 1, 2, 3, 4, 5, 6;
    x.copy_from(m);
    x(0).copy_to(m.row(1));  // into a part of m
    //! [copy]
    CHECK(gpu::to_host(x) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(m.row(1) == Eigen::RowVector3f(1, 2, 3));
    x.transpose().copy_from(RowMajor(counted(3, 2)));
    CHECK(gpu::to_host(x) == std::vector<float>{0, 2, 4, 1, 3, 5});
    RowMajor rows(2, 3);
    x.copy_to(rows);
    CHECK(rows_of(rows) == gpu::to_host(x));
    Eigen::MatrixXf large = Eigen::MatrixXf::Zero(4, 6);
    x.copy_to(large.block(1, 2, 2, 3));
    CHECK(large.block(1, 2, 2, 3) == rows);
    CHECK(large.sum() == rows.sum());
    float memory[12] = {};
    Eigen::Map<Eigen::MatrixXf, 0, Eigen::InnerStride<2>> apart(memory, 2, 3);
    x.copy_to(apart);
    CHECK(memory[2] == 1);
    CHECK(memory[1] == 0);
    Eigen::ArrayXXf array(2, 3);
    x.copy_to(array);
    CHECK((array.matrix() == rows));
    Eigen::VectorXf v(3);
    x(1).copy_to(v);
    CHECK(v == Eigen::Vector3f(1, 3, 5));
    x(gpu::all, 1).copy_from(Eigen::Vector2f(7, 8));
    CHECK(gpu::to_host(x) == std::vector<float>{0, 7, 4, 1, 8, 5});
    x.copy_from(m * 2.f);  // an expression
    CHECK(gpu::to_host(x(1)) == std::vector<float>{2, 4, 6});
    CHECK_THROWS_WITH_AS(x.copy_from(counted(3, 2)), "copy_from: the array has shape (2,3), the Eigen object 3 x 2",
                         gpu::ShapeError);
    CHECK_THROWS_WITH_AS(x.copy_to(v), "copy_to: the array has shape (2,3), the Eigen object 3 x 1", gpu::ShapeError);
    CHECK_THROWS_AS(gpu::zeros<float>({1, 2, 3}).copy_to(m), gpu::ShapeError);
}

TEST_CASE("complex numbers and halves") {
    Eigen::MatrixXcf m(1, 2);
    m << std::complex<float>(1, 2), std::complex<float>(3, 4);
    const auto x = gpu::to_device(m);
    static_assert(std::is_same_v<decltype(x), const gpu::Array<gpu::complex<float>>>);
    CHECK(gpu::to_eigen(x) == m);
    Eigen::Matrix<Eigen::half, Eigen::Dynamic, 1> h(2);
    h << Eigen::half(0.5f), Eigen::half(-2.f);
    const auto y = gpu::to_device(h);
    CHECK(gpu::to_host(y.astype<float>()) == std::vector<float>{0.5f, -2});
    CHECK(gpu::to_eigen<Eigen::Matrix<Eigen::half, Eigen::Dynamic, 1>>(y) == h);
}
