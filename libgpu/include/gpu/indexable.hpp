// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <gpu/array_core.hpp>

namespace gpu {

/// What happens to an index outside of its axis.
enum class IndexMode : std::uint8_t {
    raise,  ///< an IndexError at the next call that waits; negative indices count from the end
    wrap,   ///< the index modulo the axis's length
    clip    ///< clamped to the axis; negative indices become 0
};

/// One axis, or none: then the array is treated as flat, in row-major order.
class OptionalAxis {
public:
    constexpr OptionalAxis() = default;
    constexpr OptionalAxis(int axis) noexcept : axis_(axis), given_(true) {}  // NOLINT: {.axis = 0}
    constexpr OptionalAxis(None) noexcept : none_(true) {}                    // NOLINT: {.axis = gpu::none}

    [[nodiscard]] constexpr bool given() const noexcept { return given_; }
    [[nodiscard]] constexpr int value() const noexcept { return axis_; }
    /// True for `gpu::none`: flat on purpose.
    [[nodiscard]] constexpr bool is_none() const noexcept { return none_; }

private:
    int axis_ = 0;
    bool given_ = false, none_ = false;
};

/// How take(), put() and add_at() index: `x.take(index, {.axis = 1, .mode = gpu::IndexMode::wrap})`.
struct IndexOptions {
    OptionalAxis axis = {};
    IndexMode mode = IndexMode::raise;
};

template <class T>
class Array;
template <class T>
class Masked;
template <Element T>
class MaskedExpr;
template <class T>
class Indexed;

/// @cond internal
namespace detail {
template <class A>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = true;
template <class T, std::size_t N, template <class, std::size_t> class Fixed>  // std::array, whose header isn't here
inline constexpr bool is_vector<Fixed<T, N>> = std::is_aggregate_v<Fixed<T, N>>;
}  // namespace detail

/// Not gpu itself, whose functions must not hide ::printf: compilers look here for functions of arrays.
namespace unprintable {

struct Base {};

template <class... A>
concept Some = (std::is_base_of_v<Base, A> || ...);
template <class... A>
constexpr int refuse() {
    static_assert(sizeof...(A) == 0,
                  "printf takes numbers of the host: write x(0).item(), or gpu::to_string(x).c_str() for an array");
    return 0;
}
template <class... A>
    requires Some<A...>
int printf(const char*, const A&...) {
    return refuse<A...>();
}
template <class File, class... A>
    requires Some<A...>
int fprintf(File*, const char*, const A&...) {
    return refuse<A...>();
}
template <class Size, class... A>
    requires Some<A...>
int snprintf(char*, Size, const char*, const A&...) {
    return refuse<A...>();
}

}  // namespace unprintable

// What x.begin() calls. It is an object, since compilers say the type of one that can't be called, even where the call
// is std::begin's; and nothing calls it without an argument, of which Clang says less than of a deleted function.
namespace its_elements_are_on_the_device {
struct WriteGpuToHost {
    // clang-format off
    void operator()(WriteGpuToHost) const;  // its elements are on the device: write for (float v : gpu::to_host(x))
    // clang-format on
};
}  // namespace its_elements_are_on_the_device

// Members of NumPy's and Eigen's arrays that are functions here. Compilers show the line that deletes a function. (Not
// in detail: a base's namespace would be looked into for functions of arrays.)
template <class Self>
struct NoMembers : unprintable::Base {
    // clang-format off
    static constexpr its_elements_are_on_the_device::WriteGpuToHost begin = {};
    int end(...) const;             // as if there, so that the one above is the only error
    void sum(...) = delete;         // arrays have no member sum: write gpu::sum(x)
    void prod(...) = delete;        // arrays have no member prod: write gpu::prod(x)
    void mean(...) = delete;        // arrays have no member mean: write gpu::mean(x)
    void max(...) = delete;         // arrays have no member max: write gpu::max(x)
    void min(...) = delete;         // arrays have no member min: write gpu::min(x)
    void all(...) = delete;         // arrays have no member all: write gpu::all(x)
    void any(...) = delete;         // arrays have no member any: write gpu::any(x)
    void argmax(...) = delete;      // arrays have no member argmax: write gpu::argmax(x)
    void argmin(...) = delete;      // arrays have no member argmin: write gpu::argmin(x)
    void var(...) = delete;         // arrays have no member var: write gpu::var(x)
    void sort(...) = delete;        // arrays have no member sort: write gpu::sort(x)
    void argsort(...) = delete;     // arrays have no member argsort: write gpu::argsort(x)
    void cumsum(...) = delete;      // arrays have no member cumsum: write gpu::cumsum(x)
    void abs(...) = delete;         // arrays have no member abs: write gpu::abs(x)
    void sqrt(...) = delete;        // arrays have no member sqrt: write gpu::sqrt(x)
    void square(...) = delete;      // arrays have no member square: write gpu::square(x)
    void exp(...) = delete;         // arrays have no member exp: write gpu::exp(x)
    void log(...) = delete;         // arrays have no member log: write gpu::log(x)
    void sin(...) = delete;         // arrays have no member sin: write gpu::sin(x)
    void cos(...) = delete;         // arrays have no member cos: write gpu::cos(x)
    void tan(...) = delete;         // arrays have no member tan: write gpu::tan(x)
    void tanh(...) = delete;        // arrays have no member tanh: write gpu::tanh(x)
    void conj(...) = delete;        // arrays have no member conj: write gpu::conj(x)
    void nonzero(...) = delete;     // arrays have no member nonzero: write gpu::nonzero(x)
    void std(...) = delete;         // arrays have no member std: write gpu::stddev(x)
    void pow(...) = delete;         // arrays have no member pow: write gpu::pow(x, 2)
    void clip(...) = delete;        // arrays have no member clip: write gpu::clip(x, low, high)
    void round(...) = delete;       // arrays have no member round: write gpu::rint(x)
    void repeat(...) = delete;      // arrays have no member repeat: write gpu::repeat(x, 2)
    void dot(...) = delete;         // arrays have no member dot: write gpu::dot(x, y)
    void norm(...) = delete;        // arrays have no member norm: write gpu::linalg::norm(x)
    void T(...) = delete;           // arrays have no member T: write x.transpose()
    void fill(...) = delete;        // arrays have no member fill: write x = 3
    void at(...) = delete;          // arrays have no member at: write x(i), and x(i).item() for its value
    void rows(...) = delete;        // arrays have no member rows: write x.shape()[0]
    void cols(...) = delete;        // arrays have no member cols: write x.shape()[1]
    void to_host(...) = delete;     // arrays have no member to_host: write gpu::to_host(x)
    void get(...) = delete;         // arrays have no member get: write gpu::to_host(x)
    void tolist(...) = delete;      // arrays have no member tolist: write gpu::to_host(x)
    void cpu(...) = delete;         // arrays have no member cpu: write gpu::to_host(x)
    void numpy(...) = delete;       // arrays have no member numpy: write gpu::to_host(x)
    void set(...) = delete;         // arrays have no member set: write x.copy_from(h)
    void ndim(...) = delete;        // arrays have no member ndim: write x.rank()
    void length(...) = delete;      // arrays have no member length: write x.size(), or x.shape()[0]
    void cast(...) = delete;        // arrays have no member cast: write x.astype<int>()
    void row(...) = delete;         // arrays have no member row: write x(i)
    void col(...) = delete;         // arrays have no member col: write x(gpu::all, i)
    void head(...) = delete;        // arrays have no member head: write x(gpu::slice(0, n))
    void tail(...) = delete;        // arrays have no member tail: write x(gpu::slice(-n, gpu::none))
    void block(...) = delete;       // arrays have no member block: write x(gpu::slice(i, i + n), gpu::slice(j, j + m))
    void colwise(...) = delete;     // arrays have no member colwise: write gpu::sum(x, {.axis = 0}) and the like
    void rowwise(...) = delete;     // arrays have no member rowwise: write gpu::sum(x, {.axis = 1}) and the like
    void cwiseProduct(...) = delete;  // arrays have no member cwiseProduct: write x * y, which is elementwise
    void array(...) = delete;       // arrays have no member array: operators are elementwise, write x * y
    void matrix(...) = delete;      // arrays have no member matrix: write gpu::matmul(x, y)
    void squaredNorm(...) = delete;  // arrays have no member squaredNorm: write gpu::sum(x * x)
    void inverse(...) = delete;     // arrays have no member inverse: write gpu::linalg::inv(x)
    void setZero(...) = delete;     // arrays have no member setZero: write x = 0
    void resize(...) = delete;      // arrays keep their size: write x = gpu::zeros<float>({5}), or gpu::concatenate
    void push_back(...) = delete;   // arrays keep their size: write x = gpu::concatenate<float>({x, y})
    // clang-format on
};
/// @endcond

/// @cond internal
namespace detail {

// Declared here because operators look for it where they are defined.
template <class T>
NodePointer to_node(const Indexed<T>& a);
template <class T>
NodePointer to_node(const Masked<T>& a);
template <class T>
NodePointer to_node(const MaskedExpr<T>& a);
// The result of x[...], which depends on the index's element type; see gpu/indexing.hpp.
template <class T, class I>
auto indexed_by(const ArrayCore& core, const I& index);
template <class T>
auto indexed_by_list(const ArrayCore& core, std::initializer_list<std::int64_t> positions);
// The result of (x + y)[...].
template <class T, class I>
auto indexed_value(const NodePointer& value, const I& index);
// The result of x(index, gpu::all).
template <class T, class... I>
auto indexed_in_windows(const ArrayCore& core, const I&... indices);
}  // namespace detail
/// @endcond

/// The common part of arrays and views: indexing by masks and by integer arrays. `C` is the element type that a const
/// object gives access to.
template <class Self, class T, class C>
class Indexable : public NoMembers<Self> {
public:
    /// The elements where a mask is true, or those at the positions in an integer array, along the first axis.
    ///
    /// `z[mask] = z[mask] * 2.f` is one kernel. Where an array is asked for, `x[mask]` and `x[index]` are new ones.
    /// @throws ShapeError if the mask's axes aren't the array's first ones
    /// @snippet public/mask_test.cpp masked_assignment
    /// @snippet public/create_test.cpp index_array
    template <class I>
    [[nodiscard]] auto operator[](const I& index) {
        return detail::indexed_by<T>(self().core("x[...]"), index);
    }
    template <class I>
    [[nodiscard]] auto operator[](const I& index) const {
        return detail::indexed_by<C>(self().core("x[...]"), index);
    }
    /// `x[{1, 3}] = 10.f`: the positions are first copied to the device.
    [[nodiscard]] auto operator[](std::initializer_list<std::int64_t> positions) {
        return detail::indexed_by_list<T>(self().core("x[...]"), positions);
    }
    [[nodiscard]] auto operator[](std::initializer_list<std::int64_t> positions) const {
        return detail::indexed_by_list<C>(self().core("x[...]"), positions);
    }

    /// A new array of the elements at the positions in the index array, along an axis or (without one) in row-major
    /// order.
    ///
    /// The index array's shape replaces the axis in the result. By default an index out of bounds is an IndexError at
    /// the next call that waits: item(), to_host(), synchronize(); its result is 0.
    /// @throws AxisError, ShapeError; IndexError for any index into an axis without elements
    /// @snippet public/create_test.cpp take
    template <class I>
    [[nodiscard]] auto take(const I& index, const IndexOptions& options = {}) const;
    /// Positions in a list are first copied to the device: `x.take({0, 2})`, `x.put({0, 2}, 5)`.
    /// @snippet public/create_test.cpp lists
    [[nodiscard]] auto take(std::initializer_list<std::int64_t> positions, const IndexOptions& options = {}) const;
    /// @cond internal
    template <class I, std::integral N>
    auto take(const I& index, N) const {
        static_assert(sizeof(N) == 0, "an axis is named: write x.take(i, {.axis = 0})");
        return take(index);
    }
    /// @endcond

    /// Writes values, broadcast to the shape of take()'s result, to the positions in the index array. If several values
    /// go to one position, one of them wins; on a GPU it is undefined which. Indices out of bounds are treated as by
    /// take().
    ///
    /// An array of several axes asks for one: with `{.axis = 0}` whole rows are written, as by `x[index] = values`;
    /// with `{.axis = gpu::none}` positions are those in the flat array, as in np.put.
    /// @throws AxisError, ShapeError; IndexError for any index into an axis without elements; DTypeError for a number
    ///     out of an integer type's range
    /// @snippet public/create_test.cpp put
    template <class I, class V>
    void put(const I& index, const V& values, const IndexOptions& options = {});
    template <class I, class V>
    void put(const I& index, const V& values, const IndexOptions& options = {}) const;
    template <class V>
    void put(std::initializer_list<std::int64_t> positions, const V& values, const IndexOptions& options = {});
    template <class V>
    void put(std::initializer_list<std::int64_t> positions, const V& values, const IndexOptions& options = {}) const;

    /// Adds values to the elements at the positions in the index array: all of them if several go to one position.
    /// Without an axis it is the first one, so whole rows of a matrix are added to, as in np.add.at; with `{.axis =
    /// gpu::none}` positions are those in the flat array. The order of the additions isn't fixed, so floating-point
    /// sums may differ in their last digits from run to run. Elements: 32- and 64-bit integers, float, double.
    /// @throws AxisError, ShapeError, DTypeError; IndexError for any index into an axis without elements
    /// @snippet public/create_test.cpp add_at
    template <class I, class V>
    void add_at(const I& index, const V& values, const IndexOptions& options = {});
    template <class I, class V>
    void add_at(const I& index, const V& values, const IndexOptions& options = {}) const;
    template <class V>
    void add_at(std::initializer_list<std::int64_t> positions, const V& values, const IndexOptions& options = {});
    template <class V>
    void add_at(std::initializer_list<std::int64_t> positions, const V& values, const IndexOptions& options = {}) const;

private:
    [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

}  // namespace gpu
