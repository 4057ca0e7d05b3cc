// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <gpu/array.hpp>

/// Random numbers, generated on the device, the same on every device.
namespace gpu::random {
class Generator;
}

namespace gpu {

/// @cond internal
namespace detail {

GPU_API ArrayCore random_bits(random::Generator& from, DType dtype, const Shape& shape);
GPU_API ArrayCore random_uniform(random::Generator& from, DType dtype, const Shape& shape, double low, double high);
GPU_API ArrayCore random_normal(random::Generator& from, DType dtype, const Shape& shape, double mean, double stddev);
GPU_API ArrayCore random_exponential(random::Generator& from, DType dtype, const Shape& shape, double scale);
GPU_API ArrayCore random_bernoulli(random::Generator& from, const Shape& shape, double probability);
GPU_API ArrayCore random_integers(random::Generator& from, DType dtype, const Shape& shape, std::int64_t low,
                                  std::int64_t high);
GPU_API ArrayCore random_unsigned(random::Generator& from, const Shape& shape, std::uint64_t low, std::uint64_t high);
GPU_API ArrayCore random_permutation(random::Generator& from, std::int64_t count);
GPU_API ArrayCore random_permuted(random::Generator& from, const ArrayCore& array);
GPU_API ArrayCore random_poisson(random::Generator& from, DType dtype, const Shape& shape, double rate);
// `weights` may be null.
GPU_API ArrayCore random_choice(random::Generator& from, std::int64_t count, const Shape& shape, bool replace,
                                const NodePointer& weights);
GPU_API ArrayCore random_chosen(random::Generator& from, const NodePointer& array, const Shape& shape, bool replace,
                                const NodePointer& weights);

template <class T>
concept RealElement = Element<T> && is_floating(dtype_of<T>);
template <class T>
concept IntegerElement = Arithmetic<T> && is_integer(dtype_of<T>);

// Upper bounds for integers of up to 32 bits may be one beyond their type's range: integers<std::uint8_t>({n}, 0, 256).
template <class T>
using IntegerBound = std::conditional_t<dtype_of<T> == DType::uint64, std::uint64_t, std::int64_t>;

}  // namespace detail
/// @endcond

namespace random {

/// How likely choice() takes each element: a vector of numbers that aren't negative and needn't add up to 1, or
/// nothing: then all are equally likely.
class Probabilities {
public:
    Probabilities() = default;
    template <detail::Lazy A>
    Probabilities(const A& weights) : node_(detail::to_node(weights)) {  // NOLINT(google-explicit-constructor)
        static_assert(!is_complex(dtype_of<detail::LazyElement<A>>), "probabilities are real numbers");
    }
    /// @cond internal
    [[nodiscard]] const detail::NodePointer& node() const noexcept { return node_; }
    /// @endcond

private:
    detail::NodePointer node_;
};

/// The options of choice(): `rng.choice(5, {3}, {.replace = false, .p = p})`.
struct ChoiceOptions {
    Flag replace = true;  ///< false: no element is taken twice
    Probabilities p = {};
};

/// @cond internal
// NumPy's order, in which a number would become the shape and a shape a number.
#define GPU_SHAPE_COMES_FIRST(function, example)                                              \
    template <class T = float, Arithmetic A>                                                  \
    Array<float> function(A, std::initializer_list<std::int64_t>) {                           \
        static_assert(sizeof(A) == 0, "the shape comes first: write rng." #function example); \
        return {};                                                                            \
    }                                                                                         \
    template <class T = float, Arithmetic A, Arithmetic B>                                    \
    Array<float> function(A, B, std::initializer_list<std::int64_t>) {                        \
        static_assert(sizeof(A) == 0, "the shape comes first: write rng." #function example); \
        return {};                                                                            \
    }
#define GPU_SHAPE_FIRST                                   \
    GPU_SHAPE_COMES_FIRST(uniform, "<float>({3}, 0, 1)")  \
    GPU_SHAPE_COMES_FIRST(normal, "<float>({3}, 0, 1)")   \
    GPU_SHAPE_COMES_FIRST(exponential, "<float>({3}, 2)") \
    GPU_SHAPE_COMES_FIRST(integers, "<int>({3}, 0, 10)")  \
    GPU_SHAPE_COMES_FIRST(poisson, "({3}, 2)")
/// @endcond

/// A sequence of random numbers, Philox4x32 with 10 rounds, and a position in it.
///
/// Element k of a draw depends only on the seed, `offset() + k` and the kind of draw. So the host and a GPU give the
/// same numbers, bit for bit, whatever the shape, and a draw can be divided: a copy of the generator that skips the
/// first n elements draws the rest. Drawing n elements advances the offset by n. Draws of different kinds (uniform,
/// normal, ...; single, double) share no bits.
///
/// Arrays are created on the current device, in its current stream. A generator is two numbers: copies are cheap and
/// independent. Don't share one between threads without a lock; see spawn().
/// @snippet public/random_test.cpp generator
class GPU_API Generator {
public:
    explicit Generator(std::uint64_t seed, std::uint64_t offset = 0) noexcept : seed_(seed), offset_(offset) {}

    [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

    /// Advances as if `count` more elements had been drawn.
    void skip(std::uint64_t count) noexcept { offset_ += count; }

    /// A generator with its own seed, for another thread or part of a program; every call gives a different one.
    /// @snippet public/random_test.cpp spawn
    [[nodiscard]] Generator split() noexcept;
    /// The generators of `count` calls of split().
    [[nodiscard]] std::vector<Generator> spawn(int count);

    /// Numbers in [low, high): multiples of 2^-53 (float: 2^-24, half: 2^-11, bfloat16: 2^-8) of the interval's
    /// length, rounded.
    /// @throws Error if low > high, or if either or their difference isn't finite in T.
    /// @snippet public/random_test.cpp uniform
    template <detail::RealElement T>
    [[nodiscard]] Array<T> uniform(const Shape& shape, double low = 0, double high = 1) {
        return Array<T>(detail::random_uniform(*this, dtype_of<T>, shape, low, high));
    }

    /// Numbers with a normal distribution (Box and Muller's method), up to 6.7 (double: 9.5) standard deviations away.
    /// A complex number's parts each have the given standard deviation; the mean is added to its real part.
    /// @throws Error if stddev is negative, or if either isn't finite in T.
    /// @snippet public/random_test.cpp normal
    template <Element T>
        requires(detail::RealElement<T> || is_complex(dtype_of<T>))
    [[nodiscard]] Array<T> normal(const Shape& shape, double mean = 0, double stddev = 1) {
        return Array<T>(detail::random_normal(*this, dtype_of<T>, shape, mean, stddev));
    }

    /// Numbers with the density exp(-x / scale) / scale. @throws Error if scale is negative or not finite in T.
    /// @snippet public/random_test.cpp others
    template <detail::RealElement T>
    [[nodiscard]] Array<T> exponential(const Shape& shape, double scale = 1) {
        return Array<T>(detail::random_exponential(*this, dtype_of<T>, shape, scale));
    }

    /// Integers in [low, high). A value's probability differs from 1 / (high - low) by less than one part in 2^32: the
    /// result is the high half of 64 random bits (for ranges above 2^32: 128) times the range, without rejection.
    /// `high` may be one beyond T's largest value, except for 64 bits.
    /// @throws Error if low >= high, or if T doesn't hold them.
    /// @snippet public/random_test.cpp integers
    template <detail::IntegerElement T>
    [[nodiscard]] Array<ArrayElement<T>> integers(const Shape& shape, detail::IntegerBound<T> low,
                                                  detail::IntegerBound<T> high) {
        if constexpr (dtype_of<T> == DType::uint64) {
            return Array<ArrayElement<T>>(detail::random_unsigned(*this, shape, low, high));
        } else {
            return Array<ArrayElement<T>>(detail::random_integers(*this, dtype_of<T>, shape, low, high));
        }
    }

    /// All of T's values with equal probability: Philox's own words, or their high bits for short types.
    /// @snippet public/random_test.cpp others
    template <detail::IntegerElement T>
        requires(is_unsigned(dtype_of<T>))
    [[nodiscard]] Array<ArrayElement<T>> bits(const Shape& shape) {
        return Array<ArrayElement<T>>(detail::random_bits(*this, dtype_of<T>, shape));
    }

    /// True with the given probability. @throws Error if that isn't in [0, 1].
    /// @snippet public/random_test.cpp others
    [[nodiscard]] Array<bool> bernoulli(const Shape& shape, double probability = 0.5) {
        return Array<bool>(detail::random_bernoulli(*this, shape, probability));
    }

    /// Integers with a Poisson distribution: how many events happen where `rate` are expected. Each is 64 random bits
    /// looked up in a table of the distribution function, which the host computes by products, quotients and sums, so
    /// its bits don't depend on a math library. Probabilities have a relative error below 1e-10 and an absolute one
    /// below 2^-63; the table has about 20 sqrt(rate) entries. T must hold every integer that can occur.
    /// @throws Error for a rate that isn't between 0 and 2^30, or if T doesn't hold all integers.
    /// @snippet functions/choice_test.cpp poisson
    template <detail::IntegerElement T = std::int64_t>
    [[nodiscard]] Array<ArrayElement<T>> poisson(const Shape& shape, double rate = 1) {
        return Array<ArrayElement<T>>(detail::random_poisson(*this, dtype_of<T>, shape, rate));
    }

    /// @cond internal
    GPU_SHAPE_FIRST
    /// @endcond

    /// Positions from 0 to count - 1, taken at random, in an array of this shape. The results are the same on every
    /// device.
    ///
    /// Without `p` they are those of integers(), or without replacement the first ones of permutation(): nothing waits,
    /// and taking 10 of a million costs as much as taking 10 of 20.
    ///
    /// With `p`, the call waits to check it, and the result is on p's device. With replacement, positions are looked up
    /// in p's cumulative sums, as 64-bit integers: a probability is exact to 2^-63 times the largest one times the
    /// count. Without replacement, each element gets an exponential number divided by its probability, and the smallest
    /// are taken, as if one were taken after the other (Efraimidis and Spirakis, "Weighted random sampling with a
    /// reservoir", 2006).
    ///
    /// Advances the offset by the size of the result; without replacement by 1, or with `p` by `count`.
    /// @throws Error for fewer positions than are taken, or if `p` has another length, a negative number, NaN, an
    ///     infinity, or only zeros
    /// @snippet functions/choice_test.cpp choice
    [[nodiscard]] Array<std::int64_t> choice(std::int64_t count, const Shape& shape,
                                             const ChoiceOptions& options = {}) {
        return Array<std::int64_t>(detail::random_choice(*this, count, shape, options.replace, options.p.node()));
    }
    /// Elements of an array along its first axis, at positions that choice() takes. @throws ShapeError without an axis
    /// @snippet functions/choice_test.cpp choice
    template <detail::ArrayLike A>
    [[nodiscard]] auto choice(const A& array, const Shape& shape, const ChoiceOptions& options = {}) {
        return Array<detail::LazyElement<A>>(
            detail::random_chosen(*this, detail::to_node(array), shape, options.replace, options.p.node()));
    }

    /// 0, 1, ... count - 1 in random order. Each element is computed independently: a Feistel network with 24 rounds
    /// and a key of 128 random bits, repeated while the result is out of range; so only 2^128 of a large count's orders
    /// can occur. Advances the offset by 1.
    /// @snippet public/random_test.cpp permutation
    [[nodiscard]] Array<std::int64_t> permutation(std::int64_t count) {
        return Array<std::int64_t>(detail::random_permutation(*this, count));
    }

    /// A copy of an array with its rows (its elements along the first axis) in random order.
    /// @throws ShapeError if the array has no axis.
    /// @snippet public/random_test.cpp shuffle
    template <class A>
        requires requires(const A& a) { a.core(); }
    [[nodiscard]] auto permutation(const A& array) {
        return Array<std::remove_const_t<typename A::value_type>>(
            detail::random_permuted(*this, array.core("permutation")));
    }
    /// Puts an array's rows in random order, the same as permutation() gives. On a view, this changes its array.
    /// @snippet public/random_test.cpp shuffle
    template <class A>
        requires requires(const A& a) { a.core(); }
    void shuffle(A&& array) {
        array = permutation(array);
    }

    [[nodiscard]] bool operator==(const Generator&) const noexcept = default;

private:
    std::uint64_t seed_, offset_;
};

}  // namespace random
}  // namespace gpu

namespace gpu::random {

/// This thread's own generator, which the functions below use. Until seed() is called, its seed comes from the system,
/// so the numbers differ in each run and each thread.
[[nodiscard]] GPU_API Generator& default_generator();

/// Makes this thread's default generator draw the numbers of `Generator(value)`.
/// @snippet public/random_test.cpp default generator
GPU_API void seed(std::uint64_t value);

/// Like Generator::uniform, from this thread's default generator; the same holds for those below.
/// @snippet public/random_test.cpp default generator
template <detail::RealElement T>
[[nodiscard]] Array<T> uniform(const Shape& shape, double low = 0, double high = 1) {
    return default_generator().uniform<T>(shape, low, high);
}
/// Like Generator::normal.
template <Element T>
[[nodiscard]] Array<T> normal(const Shape& shape, double mean = 0, double stddev = 1) {
    return default_generator().normal<T>(shape, mean, stddev);
}
/// Like Generator::exponential.
template <detail::RealElement T>
[[nodiscard]] Array<T> exponential(const Shape& shape, double scale = 1) {
    return default_generator().exponential<T>(shape, scale);
}
/// Like Generator::integers.
template <detail::IntegerElement T>
[[nodiscard]] Array<ArrayElement<T>> integers(const Shape& shape, detail::IntegerBound<T> low,
                                              detail::IntegerBound<T> high) {
    return default_generator().integers<T>(shape, low, high);
}
/// Like Generator::bernoulli.
[[nodiscard]] inline Array<bool> bernoulli(const Shape& shape, double probability = 0.5) {
    return default_generator().bernoulli(shape, probability);
}
/// Like Generator::poisson.
template <detail::IntegerElement T = std::int64_t>
[[nodiscard]] Array<ArrayElement<T>> poisson(const Shape& shape, double rate = 1) {
    return default_generator().poisson<T>(shape, rate);
}
/// Like Generator::choice.
[[nodiscard]] inline Array<std::int64_t> choice(std::int64_t count, const Shape& shape,
                                                const ChoiceOptions& options = {}) {
    return default_generator().choice(count, shape, options);
}
template <detail::ArrayLike A>
[[nodiscard]] auto choice(const A& array, const Shape& shape, const ChoiceOptions& options = {}) {
    return default_generator().choice(array, shape, options);
}
/// Like Generator::permutation.
[[nodiscard]] inline Array<std::int64_t> permutation(std::int64_t count) {
    return default_generator().permutation(count);
}
template <class A>
    requires requires(const A& a) { a.core(); }
[[nodiscard]] auto permutation(const A& array) {
    return default_generator().permutation(array);
}
/// Like Generator::shuffle.
template <class A>
    requires requires(const A& a) { a.core(); }
void shuffle(A&& array) {
    default_generator().shuffle(array);
}

/// @cond internal
GPU_SHAPE_FIRST
#undef GPU_SHAPE_FIRST
#undef GPU_SHAPE_COMES_FIRST
/// @endcond

}  // namespace gpu::random
