// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Eigen in and out. An Eigen matrix comes to the device in its own storage order: nothing is transposed.

#include <string>
#include <type_traits>
#include <utility>

#include <Eigen/Core>  // not found? find_package(gpu REQUIRED COMPONENTS eigen), and link gpu::eigen

#include <gpu/eigen_core.hpp>
#include <gpu/reductions.hpp>

namespace gpu {

/// The sum of an Eigen array, whole or along an axis, like gpu::sum of an array on a device: for functions that are
/// written once for both, see gpu::fuse.
/// @throws AxisError
template <class Derived>
[[nodiscard]] auto sum(const Eigen::DenseBase<Derived>& host, const ReduceOptions& options = {})
    -> Eigen::Array<typename Derived::Scalar, Eigen::Dynamic, 1> {
    constexpr int rank = Derived::IsVectorAtCompileTime ? 1 : 2;
    bool reduced[2] = {options.axis.all(), options.axis.all()};
    for (int k = 0; k < options.axis.count(); ++k) {
        const int axis = options.axis[k] < 0 ? options.axis[k] + rank : options.axis[k];
        if (axis < 0 || axis >= rank) {
            throw AxisError("axis " + std::to_string(options.axis[k]) + " is out of bounds for an array of dimension " +
                            std::to_string(rank));
        }
        reduced[axis] = true;
    }
    if (rank == 1 || reduced[0] == reduced[1]) {
        return Eigen::Array<typename Derived::Scalar, Eigen::Dynamic, 1>::Constant(1, host.sum());
    }
    if (reduced[0]) return host.derived().colwise().sum().transpose().array();
    return host.derived().rowwise().sum().array();
}

/// Copies a dense Eigen object to a new array on the current device: vectors to rank 1, matrices to rank 2, stored in
/// the Eigen object's own order. Takes matrices, arrays, Map, Ref, blocks and expressions, which are evaluated first.
/// @snippet public/array_test.cpp eigen
template <class Derived>
[[nodiscard]] Array<detail::EigenElementIn<Derived>> to_device(const Eigen::DenseBase<Derived>& host) {
    using T = detail::EigenElementIn<Derived>;
    static_assert(sizeof(T) == sizeof(typename Derived::Scalar));
    const Shape shape = Derived::IsVectorAtCompileTime ? Shape{host.size()} : Shape{host.rows(), host.cols()};
    detail::ArrayCore core;
    detail::with_memory(host.derived(), [&](const void* data, Layout layout) {
        core = detail::make_array(dtype_of<T>, shape, layout);
        detail::copy_from_host_dense(core, data, host.size());
    });
    return Array<T>(std::move(core));
}

/// Copies an array, a view or an expression of rank 0 to 2 to a new Eigen object of the given kind; waits. One axis
/// becomes a column, unless the kind is a row.
/// @throws ShapeError if the array has more axes, or another size than the kind
/// @snippet public/eigen_test.cpp kinds
template <class Kind, detail::Lazy A>
[[nodiscard]] Kind to_eigen(const A& array) {
    if constexpr (!requires { array.core(); }) {
        return gpu::to_eigen<Kind>(array.eval());
    } else {
        using T = typename detail::OperandTraits<A>::element;
        static_assert(std::is_same_v<detail::EigenElementIn<Kind>, T>, "the matrix has other elements than the array");
        const detail::EigenSize size = detail::eigen_size<Kind>(array.shape());
        Kind object;
        object.resize(size.rows, size.columns);
        detail::copy_out(array.core("to_eigen"), object);
        return object;
    }
}

/// The same as a matrix in Eigen's default, column-major order.
/// @snippet public/array_test.cpp eigen
template <detail::Lazy A>
[[nodiscard]] auto to_eigen(const A& array) {
    using Scalar = typename detail::EigenScalar<typename detail::OperandTraits<A>::element>::type;
    return gpu::to_eigen<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>>(array);
}
/// The same as an Eigen::Array, whose operators work element by element.
/// @snippet public/eigen_test.cpp kinds
template <detail::Lazy A>
[[nodiscard]] auto to_eigen_array(const A& array) {
    using Scalar = typename detail::EigenScalar<typename detail::OperandTraits<A>::element>::type;
    return gpu::to_eigen<Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic>>(array);
}

}  // namespace gpu
