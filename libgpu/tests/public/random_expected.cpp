// SPDX-License-Identifier: MIT
#include "random_expected.hpp"

#include <cmath>
#include <cstdio>

#ifdef GPU_TEST_WITH_RANDOM123
#include <Random123/philox.h>
#endif

namespace expected {

bool with_random123(const char* name) {
#ifdef GPU_TEST_WITH_RANDOM123
    (void)name;
    return true;
#else
    std::printf("SKIP: %s: Random123 isn't installed (./setup installs it)\n", name);
    return false;
#endif
}

Words words(std::uint64_t seed, std::uint64_t block, std::uint32_t stream) {
#ifdef GPU_TEST_WITH_RANDOM123
    const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const r123::Philox4x32 generator;
    const auto drawn = generator({{low(block), low(block >> 32), stream, 0}}, {{low(seed), low(seed >> 32)}});
    return {{drawn[0], drawn[1], drawn[2], drawn[3]}};
#else
    (void)seed, (void)block, (void)stream;
    return {};
#endif
}

namespace {

constexpr std::uint32_t normal_stream = 8;

// `turn` parts of 2^bits, of which the distance to the nearest quarter turn is rounded to T.
template <class T, class Signed, class Word>
long double normal(Word radius, Word turn, int bits, bool second) {
    const T fraction = std::fma(static_cast<T>(radius), std::ldexp(T{1}, -bits), std::ldexp(T{1}, -bits - 1));
    const auto quarter = static_cast<int>(static_cast<Word>(turn + (Word{1} << (bits - 3))) >> (bits - 2));
    const T rest = static_cast<T>(static_cast<Signed>(turn - static_cast<Word>(Word(quarter) << (bits - 2))));
    const long double angle = 2 * std::acos(-1.0L) * std::ldexp(static_cast<long double>(rest), -bits);
    const long double c = std::cos(angle), s = std::sin(angle);
    const long double cosines[] = {c, -s, -c, s}, sines[] = {s, c, -s, -c};
    return std::sqrt(-2 * std::log(static_cast<long double>(fraction))) * (second ? sines : cosines)[quarter];
}

}  // namespace

long double normal_float(std::uint64_t seed, std::uint64_t position) {
    const Words w = words(seed, position / 4, normal_stream);
    const auto first = position % 4 / 2 * 2;
    return normal<float, std::int32_t>(w.at[first], w.at[first + 1], 32, position % 2 == 1);
}

long double normal_double(std::uint64_t seed, std::uint64_t position) {
    const Words w = words(seed, position / 2, normal_stream + 1);
    return normal<double, std::int64_t>(w.pair(0), w.pair(1), 64, position % 2 == 1);
}

}  // namespace expected
