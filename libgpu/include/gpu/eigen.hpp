// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Eigen in and out. An Eigen matrix comes to the device in its own storage order: nothing is transposed.

#include <stdexcept>

#include <Eigen/Core>

#include <gpu/array.hpp>
#include <gpu/error.hpp>

namespace gpu {

/// @cond internal
namespace detail {
template <class Scalar>
struct EigenElement {
    using type = ArrayElement<Scalar>;
};
template <>
struct EigenElement<Eigen::half> {
    using type = half;
};
template <class Scalar>
using EigenElementOf = typename EigenElement<Scalar>::type;

// What Eigen calls the element type of an array.
template <class T>
struct EigenScalar {
    using type = T;
};
template <>
struct EigenScalar<half> {
    using type = Eigen::half;
};
template <class T>
struct EigenScalar<complex<T>> {
    using type = std::complex<T>;
};
}  // namespace detail
/// @endcond

/// Copies a dense Eigen object to a new array on the current device: vectors to rank 1, matrices to rank 2, stored in
/// the Eigen object's own order.
/// @snippet public/array_test.cpp eigen
template <class Derived>
[[nodiscard]] auto to_device(const Eigen::DenseBase<Derived>& host)
    -> Array<detail::EigenElementOf<typename Derived::Scalar>> {
    using T = detail::EigenElementOf<typename Derived::Scalar>;
    const auto& plain = host.derived().eval();  // a plain matrix or vector: no copy if it is one already
    constexpr bool row_major = bool(Derived::IsRowMajor);
    const Shape shape = Derived::IsVectorAtCompileTime ? Shape{host.size()} : Shape{host.rows(), host.cols()};
    Array<T> array(
        detail::make_array(dtype_of<T>, shape, row_major ? Layout::row_major : Layout::column_major));
    detail::copy_from_host_dense(array.core(), plain.data(), host.size());
    return array;
}

/// Copies an array of rank 0 to 2 to a new Eigen matrix or vector of the given kind; waits.
/// @throws ShapeError if the array has more axes, or doesn't fit a vector
template <class Matrix, class T>
[[nodiscard]] Matrix to_eigen(const Array<T>& array) {
    static_assert(std::is_same_v<detail::EigenElementOf<typename Matrix::Scalar>, T>,
                  "the matrix has other elements than the array");
    const Shape& shape = array.shape();
    if (shape.rank() > 2) throw ShapeError("to_eigen: an array of shape " + to_string(shape) + " is no matrix");
    const Eigen::Index rows = shape.rank() > 0 ? shape[0] : 1, columns = shape.rank() > 1 ? shape[1] : 1;
    Matrix matrix;
    if constexpr (Matrix::RowsAtCompileTime == 1) {
        if (rows != 1 && columns != 1) {
            throw ShapeError("to_eigen: an array of shape " + to_string(shape) + " is no row vector");
        }
        matrix.resize(1, rows * columns);
    } else {
        if (Matrix::ColsAtCompileTime == 1 && columns != 1) {
            throw ShapeError("to_eigen: an array of shape " + to_string(shape) + " is no column vector");
        }
        matrix.resize(rows, columns);
    }
    detail::copy_to_host_as(array.core(), matrix.data(), array.size(),
                            Matrix::IsRowMajor ? Layout::row_major : Layout::column_major);
    return matrix;
}

/// The same as a matrix in Eigen's default, column-major order.
template <class T>
[[nodiscard]] auto to_eigen(const Array<T>& array) {
    using Scalar = typename detail::EigenScalar<T>::type;
    return gpu::to_eigen<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>>(array);
}

}  // namespace gpu
