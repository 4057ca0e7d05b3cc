// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/random_generator.hpp>

namespace gpu::random {

/// This thread's own generator, which the functions below draw from. Until seed() is called its seed comes from the
/// system, so the numbers differ in each run and each thread.
[[nodiscard]] GPU_API Generator& default_generator();

/// From now on this thread's default generator draws the numbers of `Generator(value)`.
/// @snippet public/random_integers_test.cpp default generator
GPU_API void seed(std::uint64_t value);

/// Like Generator::uniform, from this thread's default generator; the same holds for those below.
/// @snippet public/random_integers_test.cpp default generator
template <detail::RealElement T>
[[nodiscard]] Array<T> uniform(const Shape& shape, double low = 0, double high = 1) {
    return default_generator().uniform<T>(shape, low, high);
}
/// As Generator::normal.
template <Element T>
[[nodiscard]] Array<T> normal(const Shape& shape, double mean = 0, double stddev = 1) {
    return default_generator().normal<T>(shape, mean, stddev);
}
/// As Generator::exponential.
template <detail::RealElement T>
[[nodiscard]] Array<T> exponential(const Shape& shape, double scale = 1) {
    return default_generator().exponential<T>(shape, scale);
}
/// As Generator::integers.
template <detail::IntegerElement T>
[[nodiscard]] Array<T> integers(const Shape& shape, detail::IntegerBound<T> low, detail::IntegerBound<T> high) {
    return default_generator().integers<T>(shape, low, high);
}
/// As Generator::bernoulli.
[[nodiscard]] inline Array<bool> bernoulli(const Shape& shape, double probability = 0.5) {
    return default_generator().bernoulli(shape, probability);
}
/// As Generator::permutation.
[[nodiscard]] inline Array<std::int64_t> permutation(std::int64_t count) {
    return default_generator().permutation(count);
}
template <class A>
    requires requires(const A& a) { a.core(); }
[[nodiscard]] auto permutation(const A& array) {
    return default_generator().permutation(array);
}
/// As Generator::shuffle.
template <class A>
    requires requires(const A& a) { a.core(); }
void shuffle(A&& array) {
    default_generator().shuffle(array);
}

}  // namespace gpu::random
