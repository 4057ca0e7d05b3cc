// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/dtype.hpp>
#include <gpu/expression_core.hpp>
#include <gpu/indexable.hpp>
#include <gpu/transferable.hpp>
#include <gpu/windowed.hpp>

namespace gpu {

template <class T>
class View;
template <Element T>
class Expr;
class AnyArray;

/// A dense array on a device, with value semantics as in Eigen: copying copies the elements, moving is free.
///
/// Element types are those of DType; the rank (0 to 8) is known only at run time. Row-major, unless it came from Eigen
/// or was requested as column-major; a copy keeps the array's order, and arrays made from views and expressions are
/// row-major. A moved-from array can be assigned to and destroyed; shape(), strides(), rank(), size() and
/// is_contiguous() still describe what it was, and everything else throws an Error.
/// @snippet public/array_test.cpp copy
/// @snippet public/expression_test.cpp array_facts
/// @snippet public/expression_test.cpp copy_from
template <class T>
class Array : public Windowed<Array<T>, T, const T>,
              public Indexable<Array<T>, T, const T>,
              public Transferable<Array<T>, T, const T> {
public:
    using value_type = T;

    /// An empty array of shape (0,).
    Array() : core_(detail::make_array(dtype_of<T>, Shape{0})) {}
    Array(const Array& other) : core_(detail::copy_of(other.core("copy"))) {}
    Array(Array&&) noexcept = default;
    Array(const View<T>& view);        // NOLINT(google-explicit-constructor): copies the elements
    Array(const View<const T>& view);  // NOLINT(google-explicit-constructor): copies the elements
    Array(const Expr<T>& value);       // NOLINT(google-explicit-constructor): one kernel
    /// From a kernel's result: takes over a new array, copies one that something else also holds.
    /// @throws DTypeError if its elements aren't T.
    Array(AnyArray any);  // NOLINT(google-explicit-constructor)
    /// @cond internal
    // Refused in words: other elements, a shape alone, numbers, and what is on the host.
    template <detail::Lazy A>
        requires(!std::is_same_v<typename detail::OperandTraits<A>::element, T>)
    Array(const A&) {  // NOLINT(google-explicit-constructor)
        static_assert(sizeof(A) == 0 || !detail::HasCore<A>,
                      "the array has other elements than this one: write .astype<T>()");
        static_assert(sizeof(A) == 0 || detail::HasCore<A>,
                      "the expression has other elements than the array: write .astype<T>()");
    }
#define GPU_SHAPE_ALONE                                                         \
    "an Array isn't made from a shape alone: write gpu::zeros<float>({3, 3}), " \
    "gpu::empty<float>({3, 3}) or gpu::to_device(h)"
    explicit Array(const Shape&) { static_assert(sizeof(T) == 0, GPU_SHAPE_ALONE); }
    template <std::integral I, std::size_t N>
    explicit Array(const I (&)[N]) {  // {3, 3}, which could be made into numbers, too
        static_assert(sizeof(I) == 0, GPU_SHAPE_ALONE);
    }
#undef GPU_SHAPE_ALONE
    template <Arithmetic... N>
        requires(sizeof...(N) > 1)
    Array(N...) {  // NOLINT(google-explicit-constructor)
        static_assert(sizeof...(N) == 0,
                      "an Array isn't made from numbers: write gpu::to_device<float>({1, 2, 3}) for these elements, "
                      "gpu::zeros<float>({3, 4}) or gpu::full<float>({3}, 2) for a shape");
    }
    // Deleted, so that nothing converts; compilers show the line.
    // NOLINTBEGIN(google-explicit-constructor)
    // clang-format off
    template <class H>
        requires(!detail::Lazy<H> && (detail::HostMemory<H> || detail::HostMatrix<H>))
    Array(const H&) = delete;  // its elements are on the host: write gpu::to_device(h)
    // clang-format on
    // NOLINTEND(google-explicit-constructor)
    /// @endcond
    ~Array() = default;

    /// Copies the elements; the buffer is reused if shape and device agree.
    Array& operator=(const Array& other) &;
    Array& operator=(Array&&) & noexcept = default;
    Array& operator=(const View<T>& view) &;
    Array& operator=(const View<const T>& view) &;
    /// Evaluates in one kernel; the buffer is reused if shape and device agree.
    Array& operator=(const Expr<T>& value) &;
    /// Sets all elements to this number, in one kernel; the shape stays, as for Eigen's arrays. Integers get it without
    /// its fraction, as in NumPy.
    /// @throws DTypeError for a number out of an integer type's range: 300, -1 or NaN for std::uint8_t
    /// @snippet public/array_test.cpp fill
    template <Arithmetic S>
    Array& operator=(S value) &;
    /// @cond internal
    template <class A>
    Array& operator=(const A&) && {
        static_assert(sizeof(A) == 0,
                      "what is assigned to a temporary array is lost: windows of an expression or of x[mask] are new "
                      "arrays, those of an array or a view are not");
        return *this;
    }
    /// @endcond

    /// The array itself, for code that is written once for arrays, views and expressions: nothing is copied, as in
    /// Eigen. `const auto& y = x.eval()` costs nothing; `auto y = x.eval()` is a copy.
    /// @snippet public/expression_test.cpp eval
    [[nodiscard]] const Array& eval() const& noexcept { return *this; }
    [[nodiscard]] Array eval() && noexcept { return std::move(*this); }

    /// @cond internal
    // A number of the host would wait unseen, and a vector would be a copy unseen. Deleted, so that nothing converts;
    // compilers show the line.
    // NOLINTBEGIN(google-explicit-constructor)
    // clang-format off
    operator T() const = delete;  // an array isn't a number or bool: write gpu::sum(x).item(), gpu::all(x == y).item()
    template <class V>
        requires detail::is_vector<V>
    operator V() const = delete;  // its elements are on the device: write gpu::to_host(x)
    template <class P>
        requires std::is_pointer_v<P>
    operator P() const = delete;  // the address of its elements, which kernels take: write x.data()
    // clang-format on
    // NOLINTEND(google-explicit-constructor)
    /// @endcond

    /// The first element's address on the device: kernels and libraries can dereference it, host code can't. The
    /// non-const form counts as a write.
    [[nodiscard]] const T* data() const { return static_cast<const T*>(detail::data_of(core("data"))); }
    [[nodiscard]] T* data() {
        detail::mark_written(core("data"));
        return static_cast<T*>(detail::data_of(core_));
    }

    /// The same elements in another shape, read in this order; one length may be -1: `reshape({2, -1})`.
    /// @throws ShapeError if the sizes differ, or if elements would have to be copied (as in
    /// `x.transpose().reshape(...)`)
    /// @snippet public/array_test.cpp reshape
    [[nodiscard]] View<T> reshape(const TargetShape& shape, Layout order = Layout::row_major) &;
    [[nodiscard]] View<const T> reshape(const TargetShape& shape, Layout order = Layout::row_major) const&;
    /// For a temporary array: its elements may be copied.
    [[nodiscard]] Array reshape(const TargetShape& shape, Layout order = Layout::row_major) &&;
    /// The same with separate lengths: `reshape(2, 3)`.
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] View<T> reshape(I... lengths) & {
        return reshape(TargetShape(lengths...));
    }
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] View<const T> reshape(I... lengths) const& {
        return reshape(TargetShape(lengths...));
    }
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] Array reshape(I... lengths) && {
        return std::move(*this).reshape(TargetShape(lengths...));
    }

    /// @cond internal
    explicit Array(detail::ArrayCore core) : core_(std::move(core)) {}
    // @throws Error if the array was moved from
    [[nodiscard]] const detail::ArrayCore& core(const char* operation = "gpu::Array") const {
        return detail::checked_core(core_, operation);
    }
    // After a move: the former window, without a buffer.
    [[nodiscard]] const detail::ArrayCore& window() const noexcept { return core_; }
    /// @endcond

private:
    detail::ArrayCore core_;
};

/// @cond internal
// Refused in words; what follows sees the array that was meant.
template <class T>
    requires(!Element<T>)
class Array<T> : public Array<detail::Held<T>> {
    static_assert(detail::check_element<T>());

public:
    using Array<detail::Held<T>>::operator=;
    template <class... A>
    Array(A&&... from) : Array<detail::Held<T>>(static_cast<A&&>(from)...) {}  // NOLINT: as the array that was meant
};
/// @endcond

/// @cond internal
namespace detail {

// What calling `f` with arrays of each of these types gives: one type, or arrays of several, then an AnyArray.
template <class F, class... T>
struct Visit;

}  // namespace detail
/// @endcond

/// An array whose element type is known only at run time: what a kernel with type placeholders returns, or load_npy().
///
/// Operators and the common reductions take it, with NumPy's promotion at run time; each operator is a kernel of its
/// own. They return another AnyArray, or an array if the type is known, as of any() and argmax(). For everything else
/// name the type, `gpu::Array<float> x = any;`, or visit() it.
/// @snippet public/expression_test.cpp any_array
/// @snippet public/exchange/any_array_test.cpp any_array
class GPU_API AnyArray : public NoMembers<AnyArray> {
public:
    template <Element T>
    AnyArray(Array<T> array) : core_(array.core()) {}  // NOLINT(google-explicit-constructor)
    /// Copies the elements.
    template <class T>
    explicit AnyArray(const View<T>& view) : AnyArray(Array<typename View<T>::value_type>(view)) {}
    /// Evaluates it, in one kernel.
    template <Element T>
    explicit AnyArray(const Expr<T>& value) : AnyArray(Array<T>(value)) {}

    [[nodiscard]] DType dtype() const noexcept { return core_.dtype; }
    [[nodiscard]] const Shape& shape() const noexcept { return core_.shape; }
    [[nodiscard]] int rank() const noexcept { return core_.shape.rank(); }
    [[nodiscard]] std::int64_t size() const { return core_.shape.size(); }
    [[nodiscard]] Device device() const { return detail::device_of(core("device")); }

    /// A copy with the elements in another type, see Expr::astype.
    /// @throws DTypeError for complex elements and a real type
    /// @snippet public/exchange/any_array_test.cpp astype
    template <Arithmetic T>
    [[nodiscard]] Array<ArrayElement<T>> astype() const {
        return Array<ArrayElement<T>>(detail::cast_copy(core("astype"), dtype_of<T>));
    }
    /// The same with a type that is known only at run time.
    [[nodiscard]] AnyArray astype(DType dtype) const { return AnyArray(detail::cast_copy(core("astype"), dtype)); }
    /// A copy of the elements.
    /// @snippet public/exchange/any_array_test.cpp any_array
    [[nodiscard]] AnyArray copy() const { return AnyArray(detail::copy_of(core("copy"))); }
    /// A copy on another device. @throws DeviceError
    /// @snippet public/exchange/any_array_test.cpp any_array
    [[nodiscard]] AnyArray to(Device device) const {
        return AnyArray(detail::copy_to_device(core("to"), device, detail::own_layout(core_)));
    }

    /// The only element of an array of size 1; waits for it.
    /// @throws DTypeError if it isn't a T; ShapeError if there isn't exactly one element
    /// @snippet public/exchange/any_array_test.cpp any_array
    template <Arithmetic T>
    [[nodiscard]] T item() const {
        T value;
        detail::read_item(detail::typed(core("item"), dtype_of<T>, "item"), &value);
        return value;
    }
    /// @cond internal
    template <class T = void>
        requires std::is_void_v<T>
    float item() const {
        static_assert(!std::is_void_v<T>, "a kernel's result has its type at run time only: write item<float>()");
        return 0;
    }
    /// @endcond
    /// The elements on the host, row-major; waits. `bool` comes as `std::uint8_t`.
    /// @throws DTypeError if the elements aren't T
    /// @snippet public/exchange/any_array_test.cpp any_array
    template <Arithmetic T>
    [[nodiscard]] auto to_host() const {
        const detail::ArrayCore& source = detail::typed(core("to_host"), dtype_of<T>, "to_host");
        std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>> host(
            static_cast<std::size_t>(source.shape.size()));
        detail::copy_to_host(source, host.data(), source.shape.size());
        return host;
    }

    /// Calls `f` with the elements as a `const gpu::Array<T>&` of their own type, and returns what it returns; nothing
    /// is copied. If `f` returns arrays or expressions of different types, the result is an AnyArray. `f` is compiled
    /// for the types named, as in `any.visit<int, float, double>(f)`, or for every element type: then it must also make
    /// sense of bools and complex numbers.
    /// @throws DTypeError for an element type that isn't named
    /// @snippet public/exchange/any_array_test.cpp visit
    template <Element... T, class F>
    auto visit(F&& f) const {
        const detail::ArrayCore& source = core("visit");
        if constexpr (sizeof...(T) > 0)
            return detail::Visit<F, T...>::call(source, f);
        else
            return detail::Visit<F, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                 std::uint16_t, std::uint32_t, std::uint64_t, half, bfloat16, float, double,
                                 complex<float>, complex<double>>::call(source, f);
    }

    /// @cond internal
    // What needs the type.
    template <class... I>
    AnyArray operator()(const I&...) const {
        static_assert(sizeof...(I) > 99,
                      "an AnyArray's type is known at run time only: write gpu::Array<float> x = any");
        return *this;
    }
    // clang-format off
    template <class I>
    void operator[](const I&) const = delete;  // its type is known at run time only: write gpu::Array<float> x = any
    void reshape(...) const = delete;  // its type is known at run time only: write gpu::Array<float> x = any
    void transpose(...) const = delete;  // its type is known at run time only: write gpu::Array<float> x = any
    void take(...) const = delete;  // its type is known at run time only: write gpu::Array<float> x = any
    void data(...) const = delete;  // its type is known at run time only: write gpu::Array<float> x = any
    // clang-format on
    explicit AnyArray(detail::ArrayCore core) : core_(std::move(core)) {}
    [[nodiscard]] const detail::ArrayCore& core(const char* operation = "gpu::AnyArray") const& {
        return detail::checked_core(core_, operation);
    }
    [[nodiscard]] detail::ArrayCore core() && noexcept { return std::move(core_); }
    [[nodiscard]] const detail::ArrayCore& window() const noexcept { return core_; }
    /// @endcond

private:
    detail::ArrayCore core_;
};

/// @cond internal
namespace detail {

template <class F, class First, class... Rest>
struct Visit<F, First, Rest...> {
    using Result = std::invoke_result_t<F&, const Array<First>&>;
    static constexpr bool is_one_type = (std::is_same_v<Result, std::invoke_result_t<F&, const Array<Rest>&>> && ...);
    static constexpr bool are_arrays =
        (std::is_constructible_v<AnyArray, Result> && ... &&
         std::is_constructible_v<AnyArray, std::invoke_result_t<F&, const Array<Rest>&>>);
    using type = std::conditional_t<is_one_type, Result, AnyArray>;

    static type call(const ArrayCore& core, F& f) {
        static_assert(is_one_type || are_arrays,
                      "the visiting function returns another type for each element type: let it return one type, such "
                      "as double, or arrays");
        constexpr DType visited[] = {dtype_of<First>, dtype_of<Rest>...};
        if constexpr (is_one_type || are_arrays)
            return one<type, First, Rest...>(core, f, visited);
        else
            throw_not_visited(core.dtype, visited);
    }

private:
    template <class R, class T, class... More>
    static R one(const ArrayCore& core, F& f, std::span<const DType> visited) {
        if (core.dtype == dtype_of<T>) {
            const Array<T> array(core);
            return R(f(array));
        }
        if constexpr (sizeof...(More) > 0)
            return one<R, More...>(core, f, visited);
        else
            throw_not_visited(core.dtype, visited);
    }
};

}  // namespace detail
/// @endcond

}  // namespace gpu

#include <gpu/view.hpp>
