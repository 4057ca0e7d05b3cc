// SPDX-License-Identifier: MIT
// Intrinsics with exact results, against definitions written out bit by bit.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "support.hpp"
#include "texts/math.hpp"

namespace {

using std::uint32_t;
using std::uint64_t;

uint64_t reversed(uint64_t x, int bits) {
    uint64_t result = 0;
    for (int k = 0; k < bits; ++k) result |= (x >> k & 1) << (bits - 1 - k);
    return result;
}

uint64_t nth_set(uint32_t mask, int base, int offset) {
    int left = std::abs(offset);
    for (int at = base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if ((mask >> at & 1) != 0 && --left == 0) return static_cast<uint64_t>(at);
    return 0xffffffffU;
}

uint32_t low(std::int64_t x) { return static_cast<uint32_t>(x); }

// What C leaves open and PTX doesn't: what doesn't fit becomes the nearest that does.
template <class I, class F>
uint64_t fitted(F integral) {
    const bool zero_for_nan = sizeof(I) == 4 && sizeof(F) == 4;
    I value;
    if (std::isnan(integral))
        value = zero_for_nan ? I{0} : static_cast<I>(uint64_t{1} << (sizeof(I) * 8 - 1));
    else if (static_cast<long double>(integral) >= static_cast<long double>(std::numeric_limits<I>::max()))
        value = std::numeric_limits<I>::max();
    else if (static_cast<long double>(integral) <= static_cast<long double>(std::numeric_limits<I>::min()))
        value = std::numeric_limits<I>::min();
    else
        value = static_cast<I>(integral);
    return static_cast<uint64_t>(static_cast<std::make_unsigned_t<I>>(value));
}

template <class T, class F>
auto rounded(int mode, F operation) {
    std::fesetround(mode);
    volatile const T result = operation();
    std::fesetround(FE_TONEAREST);
    return std::bit_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(static_cast<T>(result));
}

template <class T, class Bits>
void check_roundings(const T* a, const T* b, const Bits* got) {
    volatile const T x = *a, y = *b, square = x * x, other_square = y * y, three = 3, one = 1;
    std::size_t k = 0;
    const auto check = [&](auto operation) {
        for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
            CAPTURE(k);
            REQUIRE(got[k++] == rounded<T>(mode, operation));
        }
    };
    check([&] { return x + y; });
    check([&] { return x - y; });
    check([&] { return x * y; });
    check([&] { return x / y; });
    REQUIRE(got[k++] == rounded<T>(FE_DOWNWARD, [&] { return std::sqrt(static_cast<T>(square)); }));
    REQUIRE(got[k++] == rounded<T>(FE_UPWARD, [&] { return std::sqrt(static_cast<T>(other_square)); }));
    REQUIRE(got[k++] == rounded<T>(FE_TOWARDZERO, [&] { return std::sqrt(static_cast<T>(three)); }));
    check([&] { return std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(one)); });
    k += 3;  // integers: by the caller
    REQUIRE(got[k++] == rounded<T>(FE_DOWNWARD, [&] { return one / y; }));
    REQUIRE(got[k++] == rounded<T>(FE_TONEAREST, [&] { return x + y; }));
    REQUIRE(got[k++] == rounded<T>(FE_TONEAREST, [&] { return x * y; }));
}

}  // namespace

TEST_CASE("integer intrinsics") {
    const std::vector<int> xs{0,          1,          -1,  2,     0x7fffffff, std::numeric_limits<int>::min(),
                              0x12345678, -559038737, 255, 65536, 37};
    const auto n = xs.size();
    auto out = filled<uint64_t>(static_cast<std::int64_t>(n) * 40);
    kernel<void(const int*, uint64_t*, int)>(texts::intrinsics, "integers")(
        {.grid = 1, .block = 32}, gpu::to_device(xs), out, static_cast<int>(n));
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < n; ++i) {
        const int x = xs[i], y = xs[(i + 3) % n], z = xs[(i + 5) % n];
        const auto a = static_cast<uint32_t>(x), b = static_cast<uint32_t>(y), c = static_cast<uint32_t>(z);
        const uint64_t l = uint64_t{a} << 32 | b, m = uint64_t{c} << 32 | a, both = uint64_t{b} << 32 | a;
        const std::int64_t X = x, Y = y;
        __extension__ typedef __int128 Wide;
        __extension__ typedef unsigned __int128 UWide;
        const auto byte = [](uint32_t v, int k) { return static_cast<int>(v >> 8 * k & 0xff); };
        const auto signed_byte = [&](uint32_t v, int k) { return static_cast<std::int8_t>(byte(v, k)); };
        const auto half = [](uint32_t v, int k) { return v >> 16 * k & 0xffff; };
        uint32_t perm = 0, dot = c, udot = c, lo = c, uhi = c;
        for (int k = 0; k < 4; ++k) {
            perm |= static_cast<uint32_t>(both >> (c >> 4 * k & 7) * 8 & 0xff) << 8 * k;
            dot += static_cast<uint32_t>(signed_byte(a, k) * signed_byte(b, k));
            udot += static_cast<uint32_t>(byte(a, k) * byte(b, k));
        }
        for (int k = 0; k < 2; ++k) {
            lo += static_cast<uint32_t>(static_cast<std::int16_t>(half(a, k)) * signed_byte(b, k));
            uhi += half(a, k) * static_cast<uint32_t>(byte(b, 2 + k));
        }
        const auto s24 = [](int v) {
            return std::int64_t{static_cast<std::int32_t>(static_cast<uint32_t>(v) << 8) >> 8};
        };
        const uint32_t by = c & 31, cut = std::min(c & 63, 32U);
        const std::vector<uint64_t> right{
            static_cast<uint64_t>(std::popcount(a)),
            static_cast<uint64_t>(std::popcount(l)),
            static_cast<uint64_t>(std::countl_zero(a)),
            static_cast<uint64_t>(std::countl_zero(l)),
            a == 0 ? 0 : static_cast<uint64_t>(std::countr_zero(a)) + 1,
            l == 0 ? 0 : static_cast<uint64_t>(std::countr_zero(l)) + 1,
            reversed(a, 32),
            reversed(l, 64),
            low(s24(x) * s24(y)),
            low(static_cast<std::int64_t>((a & 0xffffffU) * uint64_t{b & 0xffffffU})),
            low(X * Y >> 32),
            uint64_t{a} * b >> 32,
            static_cast<uint64_t>(static_cast<Wide>(static_cast<std::int64_t>(l)) * static_cast<std::int64_t>(m) >> 64),
            static_cast<uint64_t>(static_cast<UWide>(l) * m >> 64),
            perm,
            low(std::abs(X - Y) + z),
            low(std::abs(std::int64_t{a} - std::int64_t{b}) + c),
            low((X + Y) >> 1),
            low((X + Y + 1) >> 1),
            (uint64_t{a} + b) >> 1,
            (uint64_t{a} + b + 1) >> 1,
            both << by >> 32,
            low(static_cast<std::int64_t>(both >> by)),
            cut == 32 ? a : both << cut >> 32,
            cut == 32 ? b : low(static_cast<std::int64_t>(both >> cut)),
            nth_set(a, 3, 2),
            nth_set(a, 20, -3),
            dot,
            udot,
            lo,
            uhi,
            a,
            a & 0x3fffffffU,
            b,
            l};
        for (std::size_t k = 0; k < right.size(); ++k) {
            CAPTURE(x);
            CAPTURE(k);
            REQUIRE(got[i * 40 + k] == right[k]);
        }
    }
}

TEST_CASE("conversions to integers saturate, and NaN is 0 or the sign bit") {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> ds{0.5,          -0.5,       1.5,  2.5,    -2.5,         1e9 + 0.75, 3e9,
                                 -3e9,         5e9,        1e19, -1e19,  3e19,         infinity,   -infinity,
                                 std::nan(""), 16777217.0, 0.1,  -1e-50, 4294967295.5, 1e300};
    std::vector<float> fs;
    for (const double d : ds) fs.push_back(static_cast<float>(d));
    const auto n = ds.size();
    auto out = filled<uint64_t>(static_cast<std::int64_t>(n) * 40);
    kernel<void(const float*, const double*, uint64_t*, int)>(texts::intrinsics, "conversions")(
        {.grid = 1, .block = 32}, gpu::to_device(fs), gpu::to_device(ds), out, static_cast<int>(n));
    const auto got = gpu::to_host(out);
    for (std::size_t i = 0; i < n; ++i) {
        const float f = fs[i];
        const double d = ds[i];
        const float rn = std::rint(f), rz = std::trunc(f), rd = std::floor(f), ru = std::ceil(f);
        const double dn = std::rint(d), dz = std::trunc(d), dd = std::floor(d), du = std::ceil(d);
        volatile const double source = d;
        const auto narrowed = [&](int mode) {
            return rounded<float>(mode, [&] { return static_cast<float>(source); });
        };
        const std::vector<uint64_t> right{
            fitted<int>(rn),          fitted<int>(rz),          fitted<int>(rd),          fitted<int>(ru),
            fitted<uint32_t>(rn),     fitted<uint32_t>(rz),     fitted<uint32_t>(rd),     fitted<uint32_t>(ru),
            fitted<std::int64_t>(rn), fitted<std::int64_t>(rz), fitted<uint64_t>(rd),     fitted<uint64_t>(ru),
            fitted<int>(dn),          fitted<int>(dz),          fitted<int>(dd),          fitted<int>(du),
            fitted<uint32_t>(dn),     fitted<uint32_t>(dz),     fitted<std::int64_t>(dn), fitted<std::int64_t>(dd),
            fitted<uint64_t>(dz),     fitted<uint64_t>(du),     narrowed(FE_TONEAREST),   narrowed(FE_DOWNWARD),
            narrowed(FE_UPWARD),      narrowed(FE_TOWARDZERO)};
        for (std::size_t k = 0; k < right.size(); ++k) {
            CAPTURE(d);
            CAPTURE(k);
            if (std::isnan(d) && k >= 22) continue;  // which NaN is nobody's promise
            REQUIRE(got[i * 40 + k] == right[k]);
        }
    }
}

TEST_CASE("arithmetic in the other rounding modes") {
    std::vector<float> a, b;
    std::vector<double> c, d;
    for (int k = 1; k <= 16; ++k) {
        c.push_back((k % 2 != 0 ? 1 : -1) * (0.1 + 1.0 / k));
        d.push_back((k % 3 != 0 ? 1 : -1) * (1e-3 + std::sqrt(k)));
        a.push_back(static_cast<float>(c.back()));
        b.push_back(static_cast<float>(d.back()));
    }
    auto f = filled<uint32_t>(16 * 24);
    auto g = filled<uint64_t>(16 * 24);
    kernel<void(const float*, const float*, const double*, const double*, uint32_t*, uint64_t*, int)>(
        texts::intrinsics, "roundings")({.grid = 1, .block = 32}, gpu::to_device(a), gpu::to_device(b),
                                        gpu::to_device(c), gpu::to_device(d), f, g, 16);
    const auto floats = gpu::to_host(f);
    const auto doubles = gpu::to_host(g);
    for (std::size_t i = 0; i < 16; ++i) {
        check_roundings(&a[i], &b[i], &floats[i * 24]);
        check_roundings(&c[i], &d[i], &doubles[i * 24]);
        volatile const int integer = static_cast<int>(a[i] * 123456789.0F);
        CHECK(floats[i * 24 + 18] == rounded<float>(FE_DOWNWARD, [&] { return static_cast<float>(integer); }));
        CHECK(floats[i * 24 + 19] == rounded<float>(FE_UPWARD, [&] { return static_cast<float>(integer); }));
        CHECK(std::bit_cast<float>(floats[i * 24 + 20]) == 4294967040.0F);
        CHECK(std::bit_cast<double>(doubles[i * 24 + 18]) == 9007199254740992.0);
        CHECK(std::bit_cast<double>(doubles[i * 24 + 19]) == 9007199254740994.0);
        CHECK(std::bit_cast<double>(doubles[i * 24 + 20]) == 18446744073709549568.0);
    }
}
