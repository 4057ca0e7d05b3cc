// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <gpucc/thrust/base.h>

// thrust::random: the generator minstd, and uniform and normal numbers.
namespace thrust {
namespace random {

/// x -> 48271 x mod (2^31 - 1), of Park, Miller and Stockmeyer.
class minstd_rand {
public:
    using result_type = std::uint32_t;
    static constexpr result_type min = 1, max = 2147483646, default_seed = 1;

    explicit minstd_rand(result_type value = default_seed) { seed(value); }
    void seed(result_type value = default_seed) {
        state_ = value % modulus;
        if (state_ == 0) state_ = 1;
    }
    result_type operator()() {
        state_ = state_ * factor % modulus;
        return static_cast<result_type>(state_);
    }
    void discard(unsigned long long count) {
        std::uint64_t power = factor;
        for (; count > 0; count >>= 1, power = power * power % modulus)
            if ((count & 1) != 0) state_ = state_ * power % modulus;
    }
    friend bool operator==(const minstd_rand& a, const minstd_rand& b) { return a.state_ == b.state_; }

private:
    static constexpr std::uint64_t factor = 48271, modulus = 2147483647;
    std::uint64_t state_;
};
using default_random_engine = minstd_rand;

/// In [a, b).
template <class T = double>
class uniform_real_distribution {
public:
    using result_type = T;
    explicit uniform_real_distribution(T a = T(0), T b = T(1)) : a_(a), b_(b) {}
    template <class Engine>
    T operator()(Engine& engine) const {
        const T part = static_cast<T>(engine() - Engine::min) / (T(1) + static_cast<T>(Engine::max - Engine::min));
        return part * (b_ - a_) + a_;
    }
    T a() const { return a_; }
    T b() const { return b_; }

private:
    T a_, b_;
};
/// In [a, b].
template <class T = int>
class uniform_int_distribution {
public:
    using result_type = T;
    explicit uniform_int_distribution(T a = T(0), T b = std::numeric_limits<T>::max()) : a_(a), b_(b) {}
    template <class Engine>
    T operator()(Engine& engine) const {
        return static_cast<T>(
            uniform_real_distribution<double>(static_cast<double>(a_), static_cast<double>(b_) + 1)(engine));
    }
    T a() const { return a_; }
    T b() const { return b_; }

private:
    T a_, b_;
};
/// By Box and Muller's method: the distribution, not Thrust's own numbers.
template <class T = double>
class normal_distribution {
public:
    using result_type = T;
    explicit normal_distribution(T mean = T(0), T stddev = T(1)) : mean_(mean), stddev_(stddev) {}
    template <class Engine>
    T operator()(Engine& engine) const {
        const uniform_real_distribution<double> uniform;
        const double radius = std::sqrt(-2 * std::log(1 - uniform(engine)));
        return static_cast<T>(radius * std::cos(6.283185307179586 * uniform(engine))) * stddev_ + mean_;
    }
    T mean() const { return mean_; }
    T stddev() const { return stddev_; }

private:
    T mean_, stddev_;
};

}  // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
