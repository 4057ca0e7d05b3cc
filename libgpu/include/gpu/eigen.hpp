// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <gpu/array.hpp>
#include <gpu/error.hpp>
#include <gpu/fuse.hpp>
#include <gpu/reductions.hpp>

/// @cond internal
/// Eigen's objects as host memory: their element type in libgpu, their storage order, and access to the elements.
namespace gpu::detail {

template <class Scalar>
struct EigenElement {
    using type = ArrayElement<Scalar>;
};
template <>
struct EigenElement<Eigen::half> {
    using type = half;
};
template <>
struct EigenElement<Eigen::bfloat16> {
    using type = bfloat16;
};
template <class Scalar>
using EigenElementOf = typename EigenElement<Scalar>::type;

// Eigen's element type for an array's.
template <class T>
struct EigenScalar {
    using type = T;
};
template <>
struct EigenScalar<half> {
    using type = Eigen::half;
};
template <>
struct EigenScalar<bfloat16> {
    using type = Eigen::bfloat16;
};
template <class T>
struct EigenScalar<complex<T>> {
    using type = std::complex<T>;
};
template <class Derived>
using EigenElementIn = EigenElementOf<typename Derived::Scalar>;

template <class Derived>
constexpr Layout eigen_layout() {
    return Derived::IsRowMajor ? Layout::row_major : Layout::column_major;
}
template <class Derived>
constexpr bool has_memory = (Derived::Flags & Eigen::DirectAccessBit) != 0;

// True if the elements are contiguous in the object's own order.
template <class Derived>
bool is_packed(const Derived& object) {
    if (object.innerStride() != 1) return false;
    return Derived::IsVectorAtCompileTime || object.outerStride() == object.innerSize();
}

// Calls `use` with contiguous memory of the elements and its order; other objects are evaluated first.
template <class Derived, class Use>
void with_memory(const Derived& object, Use use) {
    if constexpr (has_memory<Derived>) {
        if (is_packed(object)) return use(object.data(), eigen_layout<Derived>());
    }
    using Plain = typename Derived::PlainObject;
    const Plain plain = object;
    use(plain.data(), eigen_layout<Plain>());
}

template <class Derived>
void copy_in(const ArrayCore& target, const Eigen::DenseBase<Derived>& host) {
    check_eigen_shape(target.shape, host.rows(), host.cols(), "copy_from");
    with_memory(host.derived(), [&](const void* data, Layout layout) {
        copy_from_host_as(target, data, host.size(), target.shape.rank() == 2 ? layout : Layout::row_major);
    });
}

// Const, as in Eigen: a block or a Map is a temporary object that writes to another's memory.
template <class Derived>
void copy_out(const ArrayCore& source, const Eigen::DenseBase<Derived>& host) {
    auto& object = const_cast<Derived&>(host.derived());
    check_eigen_shape(source.shape, host.rows(), host.cols(), "copy_to");
    const auto fill = [&](void* data, Layout layout) {
        copy_to_host_as(source, data, host.size(), source.shape.rank() == 2 ? layout : Layout::row_major);
    };
    if constexpr (has_memory<Derived>) {
        if (is_packed(object)) return fill(object.data(), eigen_layout<Derived>());
    }
    using Plain = typename Derived::PlainObject;
    Plain plain(host.rows(), host.cols());
    fill(plain.data(), eigen_layout<Plain>());
    object = plain;
}

// Rows and columns of a new Eigen object for this array. @throws ShapeError if it can't have them
struct EigenSize {
    Eigen::Index rows, columns;
};
template <class Plain>
EigenSize eigen_size(const Shape& shape, const char* operation = "to_eigen") {
    const Eigen::Index first = shape.rank() > 0 ? shape[0] : 1, second = shape.rank() > 1 ? shape[1] : 1;
    const bool is_row = Plain::RowsAtCompileTime == 1 && Plain::ColsAtCompileTime != 1 && shape.rank() == 1;
    const EigenSize size = is_row ? EigenSize{1, first} : EigenSize{first, second};
    const auto fits = [](Eigen::Index length, Eigen::Index fixed, Eigen::Index max) {
        return fixed == Eigen::Dynamic ? max == Eigen::Dynamic || length <= max : length == fixed;
    };
    const auto said = [](Eigen::Index fixed) { return fixed == Eigen::Dynamic ? "any" : std::to_string(fixed); };
    if (shape.rank() > 2 || !fits(size.rows, Plain::RowsAtCompileTime, Plain::MaxRowsAtCompileTime) ||
        !fits(size.columns, Plain::ColsAtCompileTime, Plain::MaxColsAtCompileTime)) {
        throw ShapeError(std::string(operation) + ": an array of shape " + to_string(shape) +
                         " can't become an Eigen object of " + said(Plain::RowsAtCompileTime) + " x " +
                         said(Plain::ColsAtCompileTime));
    }
    return size;
}

template <class Derived>
Shape eigen_shape(const Eigen::DenseBase<Derived>& host) {
    return Derived::IsVectorAtCompileTime ? Shape{host.size()} : Shape{host.rows(), host.cols()};
}

// Which of at most two axes a reduction runs over. @throws AxisError
inline std::array<bool, 2> eigen_axes(const Shape& shape, const Axes& axes) {
    std::array<bool, 2> reduced{axes.all(), axes.all()};
    for (int k = 0; k < axes.count(); ++k) {
        const int axis = axes[k] < 0 ? axes[k] + shape.rank() : axes[k];
        if (axis < 0 || axis >= shape.rank()) {
            throw AxisError("axis " + std::to_string(axes[k]) + " is out of bounds for array of dimension " +
                            std::to_string(shape.rank()) + " (its shape is " + to_string(shape) + ")");
        }
        bool& is_reduced = reduced[static_cast<std::size_t>(axis)];
        if (is_reduced) {
            throw AxisError("duplicate value in 'axis': " + std::to_string(axes[k]) +
                            " names an axis again (the array's shape is " + to_string(shape) + ")");
        }
        is_reduced = true;
    }
    return reduced;
}

// A fused function's arguments: never passed by value, and its result is no expression of them.
template <class A>
    requires std::is_base_of_v<Eigen::PlainObjectBase<A>, A>
struct FuseArgument<A> {
    static Eigen::Map<const A> pass(const A& plain) {
        return Eigen::Map<const A>(plain.data(), plain.rows(), plain.cols());
    }
};
template <class R>
    requires std::is_base_of_v<Eigen::DenseBase<R>, R>
struct FuseResult<R> {
    static typename R::PlainObject keep(const R& result) { return result; }
};

}  // namespace gpu::detail
/// @endcond

/// @file
/// Eigen in and out. An Eigen matrix is copied to the device in its own storage order: nothing is transposed.
namespace gpu {

/// The sum of an Eigen array, over all elements or along an axis, like gpu::sum of an array on a device: for functions
/// written once for both, see gpu::fuse.
/// @throws AxisError
template <class Derived>
[[nodiscard]] auto sum(const Eigen::DenseBase<Derived>& host, const ReduceOptions& options = {})
    -> Eigen::Array<typename Derived::Scalar, Eigen::Dynamic, 1> {
    const std::array<bool, 2> reduced = detail::eigen_axes(detail::eigen_shape(host), options.axis);
    if (Derived::IsVectorAtCompileTime || reduced[0] == reduced[1]) {
        return Eigen::Array<typename Derived::Scalar, Eigen::Dynamic, 1>::Constant(1, host.sum());
    }
    if (reduced[0]) return host.derived().colwise().sum().transpose().array();
    return host.derived().rowwise().sum().array();
}

/// Copies a dense Eigen object to a new array on the current device: vectors to rank 1, matrices to rank 2, in the
/// Eigen object's own storage order. Accepts matrices, arrays, Map, Ref, blocks and expressions, which are evaluated
/// first.
/// @snippet public/array_test.cpp eigen
template <class Derived>
[[nodiscard]] Array<detail::EigenElementIn<Derived>> to_device(const Eigen::DenseBase<Derived>& host) {
    using T = detail::EigenElementIn<Derived>;
    static_assert(sizeof(T) == sizeof(typename Derived::Scalar));
    const Shape shape = detail::eigen_shape(host);
    detail::ArrayCore core;
    detail::with_memory(host.derived(), [&](const void* data, Layout layout) {
        core = detail::make_array(dtype_of<T>, shape, layout);
        detail::copy_from_host_dense(core, data, host.size());
    });
    return Array<T>(std::move(core));
}

/// Copies an array, a view or an expression of rank 0 to 2 to a new Eigen object of the given kind; waits. One axis
/// becomes a column, unless the kind is a row.
/// @throws ShapeError if the array has more axes, or a size that the kind doesn't allow
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
