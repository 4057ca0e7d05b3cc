// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <curand.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gpucc/runtime/libraries/in_place.hpp"
#include "gpucc/seam/seam.hpp"

// cuRAND's host interface.
namespace gpucc {

namespace {

using Four = std::array<std::uint32_t, 4>;

// Philox4x32 with ten rounds, of Salmon and others.
Four philox(std::uint64_t low, std::uint64_t high, std::uint64_t seed) {
    Four c{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high),
           static_cast<std::uint32_t>(high >> 32)};
    auto a = static_cast<std::uint32_t>(seed), b = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t x = 0xD2511F53ULL * c[0], y = 0xCD9E8D57ULL * c[2];
        c = {static_cast<std::uint32_t>(y >> 32) ^ c[1] ^ a, static_cast<std::uint32_t>(y),
             static_cast<std::uint32_t>(x >> 32) ^ c[3] ^ b, static_cast<std::uint32_t>(x)};
        a += 0x9E3779B9U;
        b += 0xBB67AE85U;
    }
    return c;
}

/// Marsaglia's xorwow, with cuRAND's seeds.
struct Xorwow {
    std::uint32_t counter, words[5];

    explicit Xorwow(std::uint64_t seed) {
        const std::uint32_t low = (static_cast<std::uint32_t>(seed) ^ 0xaad26b49U) * 1099087573U;
        const std::uint32_t high = (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddU) * 2591861531U;
        counter = 6615241U + high + low;
        words[0] = 123456789U + low;
        words[1] = 362436069U ^ low;
        words[2] = 521288629U + high;
        words[3] = 88675123U ^ high;
        words[4] = 5783321U + low;
    }
    std::uint32_t next() {
        const std::uint32_t t = words[0] ^ words[0] >> 2, last = words[4];
        for (int k = 0; k < 4; ++k) words[k] = words[k + 1];
        words[4] = last ^ last << 4 ^ t ^ t << 1;
        counter += 362437U;
        return words[4] + counter;
    }
    void skip(std::uint64_t count) {
        gpu::detail::program::skip_xorwow(words, count, false);
        counter += 362437U * static_cast<std::uint32_t>(count);
    }
};

// Numbers from words, as cuRAND makes them: uniform ones in (0, 1], normal ones in pairs by Box and Muller's method.
float uniform(std::uint32_t x) { return static_cast<float>(x) * 0x1p-32F + 0x1p-33F; }
double uniform(std::uint32_t x, std::uint32_t y) {
    return static_cast<double>(x ^ static_cast<std::uint64_t>(y) << 21) * 0x1p-53 + 0x1p-54;
}
std::array<float, 2> normals(std::uint32_t x, std::uint32_t y) {
    const float angle = static_cast<float>(y) * (0x1p-32F * 6.2831855F) + 0x1p-33F * 6.2831855F;
    const float radius = std::sqrt(-2.0F * std::log(uniform(x)));
    return {std::sin(angle) * radius, std::cos(angle) * radius};
}
std::array<double, 2> normals(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    constexpr double pi = 3.14159265358979323846;
    const double turn = (static_cast<double>(c ^ static_cast<std::uint64_t>(d) << 21) * 0x1p-52 + 0x1p-53) * pi;
    const double radius = std::sqrt(-2.0 * std::log(uniform(a, b)));
    return {std::sin(turn) * radius, std::cos(turn) * radius};
}

}  // namespace

}  // namespace gpucc

using namespace gpucc;

struct curandGenerator_st {
    bool is_philox = false, is_host = false;
    std::uint64_t seed = 0, offset = 0;
    cudaStream_t stream = nullptr;
};

namespace {

/// The words of a draw, four by four. Group g is four neighbours of Philox' subsequence g mod 65536, as cuRAND's
/// threads
/// take them; of XORWOW there is one sequence.
class Words {
public:
    Words(const curandGenerator_st& generator, std::uint64_t group)
        : is_philox_(generator.is_philox), seed_(generator.seed), group_(group), xorwow_(generator.seed) {
        if (!is_philox_) xorwow_.skip(4 * group);
    }
    Four next() {
        constexpr std::uint64_t threads = 65536;
        const std::uint64_t group = group_++;
        if (is_philox_) return philox(group / threads, group % threads, seed_);
        Four words;
        for (std::uint32_t& word : words) word = xorwow_.next();
        return words;
    }

private:
    bool is_philox_;
    std::uint64_t seed_, group_;
    Xorwow xorwow_;
};

// Draws numbers, `per_group` of four words; `made` writes them.
template <class T, class Make>
curandStatus_t draw(curandGenerator_t generator, T* numbers, std::size_t count, std::size_t per_group, const Call& call,
                    Make made) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (count == 0) return CURAND_STATUS_SUCCESS;
    const curandGenerator_st now = *generator;
    generator->offset += count * (4 / per_group);
    const auto work = [=] {
        const std::uint64_t first = now.offset * per_group / 4, begin = first / per_group;
        Words words(now, begin);
        std::size_t skipped = static_cast<std::size_t>(first % per_group);
        for (std::size_t at = 0; at < count;) {
            const std::array<T, 4> group = made(words.next());
            for (std::size_t k = skipped; k < per_group && at < count; ++k) numbers[at++] = group[k];
            skipped = 0;
        }
    };
    if (now.is_host) {
        work();
        return CURAND_STATUS_SUCCESS;
    }
    return in_place(now.stream, call, {{"the array", numbers, count * sizeof(T), true}}, work) == cudaSuccess
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool is_host, const Call& call) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    const bool is_philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
    if (!is_philox && type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW) {
        Program::get().fail(cudaErrorNotSupported, call,
                            "gpucc has the generators CURAND_RNG_PSEUDO_PHILOX4_32_10 and CURAND_RNG_PSEUDO_XORWOW: "
                            "take one of these");
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = new curandGenerator_st{is_philox, is_host};
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t refuse_odd(std::size_t count, const Call& call) {
    Program::get().fail(cudaErrorInvalidValue, call,
                        std::to_string(count) + " normal numbers: they are made in pairs, so the count must be even");
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
}

template <class Finish>
curandStatus_t draw_normal(curandGenerator_t generator, float* numbers, std::size_t count, const Call& call,
                           Finish finish) {
    if (count % 2 != 0) return refuse_odd(count, call);
    return draw(generator, numbers, count, 4, call, [=](const Four& w) {
        const std::array<float, 2> a = normals(w[0], w[1]), b = normals(w[2], w[3]);
        return std::array<float, 4>{finish(a[0]), finish(a[1]), finish(b[0]), finish(b[1])};
    });
}
template <class Finish>
curandStatus_t draw_normal(curandGenerator_t generator, double* numbers, std::size_t count, const Call& call,
                           Finish finish) {
    if (count % 2 != 0) return refuse_odd(count, call);
    return draw(generator, numbers, count, 2, call, [=](const Four& w) {
        const std::array<double, 2> a = normals(w[0], w[1], w[2], w[3]);
        return std::array<double, 4>{finish(a[0]), finish(a[1]), 0, 0};
    });
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type, const char* file, int line) {
    GPUCC_CALL;
    return create(generator, type, false, call);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type, const char* file,
                                         int line) {
    GPUCC_CALL;
    return create(generator, type, true, call);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    generator->offset = 0;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->offset = offset;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    return order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC ? CURAND_STATUS_SUCCESS
                                                                                           : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
    *version = 10400;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return generator != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, size_t count, const char* file,
                              int line) {
    GPUCC_CALL;
    return draw(generator, numbers, count, 4, call, [](const Four& w) { return w; });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, size_t count, const char* file,
                                     int line) {
    GPUCC_CALL;
    return draw(generator, numbers, count, 4, call, [](const Four& w) {
        return std::array<float, 4>{uniform(w[0]), uniform(w[1]), uniform(w[2]), uniform(w[3])};
    });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, size_t count, const char* file,
                                           int line) {
    GPUCC_CALL;
    return draw(generator, numbers, count, 2, call, [](const Four& w) {
        return std::array<double, 4>{uniform(w[0], w[1]), uniform(w[2], w[3]), 0, 0};
    });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, size_t count, float mean, float stddev,
                                    const char* file, int line) {
    GPUCC_CALL;
    return draw_normal(generator, numbers, count, call, [=](float z) { return mean + stddev * z; });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                          double stddev, const char* file, int line) {
    GPUCC_CALL;
    return draw_normal(generator, numbers, count, call, [=](double z) { return mean + stddev * z; });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                       float stddev, const char* file, int line) {
    GPUCC_CALL;
    return draw_normal(generator, numbers, count, call, [=](float z) { return std::exp(mean + stddev * z); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                             double stddev, const char* file, int line) {
    GPUCC_CALL;
    return draw_normal(generator, numbers, count, call, [=](double z) { return std::exp(mean + stddev * z); });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, size_t count, double mean,
                                     const char* file, int line) {
    GPUCC_CALL;
    if (!(mean > 0)) return CURAND_STATUS_OUT_OF_RANGE;
    return draw(generator, numbers, count, 4, call, [=](const Four& w) {
        std::array<std::uint32_t, 4> group{};
        for (std::size_t k = 0; k < group.size(); ++k) {
            std::minstd_rand engine(w[k]);  // one word may not suffice
            group[k] = static_cast<std::uint32_t>(std::poisson_distribution<long long>(mean)(engine));
        }
        return group;
    });
}
