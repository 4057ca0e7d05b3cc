// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "launch/order/counted_mask.hpp"
#include "launch/order/scan.hpp"
#include "runtime/storage.hpp"

// The kernels by blocks, which a GPU gets, beside those by threads: on whichever device, in small tiles too.

using namespace gpu::detail;

namespace {

template <class A>
struct Sum {
    A value{};
    bool exists = false, restarts = false;
};

template <class A>
Sum<A> joined(const Sum<A>& a, const Sum<A>& b) {
    if (!b.exists) return a;
    if (!a.exists || b.restarts) return b;
    return {static_cast<A>(a.value + b.value), true, a.restarts};
}

// What precedes each element, by the definition of the order.
template <class A>
std::vector<Sum<A>> preceding(const std::vector<Sum<A>>& line, std::size_t chunk) {
    std::vector<Sum<A>> totals, above, before;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (k % chunk == 0) totals.emplace_back();
        totals.back() = joined(totals.back(), line[k]);
    }
    if (totals.size() > 1) above = preceding(totals, chunk);
    else above.resize(1);
    Sum<A> running;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (k % chunk == 0) running = {};
        before.push_back(joined(above[k / chunk], running));
        running = joined(running, line[k]);
    }
    return before;
}

template <class A>
std::vector<A> reference(const std::vector<Sum<A>>& line, std::size_t chunk) {
    std::vector<A> made;
    std::vector<Sum<A>> totals, above(1);
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (k % chunk == 0) totals.emplace_back();
        totals.back() = joined(totals.back(), line[k]);
    }
    if (totals.size() > 1) above = preceding(totals, chunk);
    Sum<A> running;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (k % chunk == 0) running = {};
        running = joined(running, line[k]);
        made.push_back(joined(above[k / chunk], running).value);
    }
    return made;
}

template <class T>
T drawn(std::mt19937& random) {
    if constexpr (std::is_same_v<T, bool>) {
        return random() % 2 == 0;
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(random());
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(std::normal_distribution<double>()(random));
    } else {
        return T(drawn<typename T::value_type>(random), drawn<typename T::value_type>(random));
    }
}

template <class T>
std::vector<T> drawn(std::int64_t count, std::mt19937& random) {
    std::vector<T> made;
    for (std::int64_t k = 0; k < count; ++k) made.push_back(drawn<T>(random));
    return made;
}

template <class T>
gpu::Array<T> on_device(const std::vector<T>& host) {
    const gpu::Shape shape{static_cast<std::int64_t>(host.size())};
    if constexpr (std::is_same_v<T, bool>)
        return gpu::to_device(shape, std::vector<std::uint8_t>(host.begin(), host.end())).template astype<bool>();
    else return gpu::to_device(shape, host);
}

template <class A>
bool same_bits(const A& a, const A& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class X, class A>
auto scanned(const gpu::Array<X>& x, const ScanSpace& space, const ScanWay& way, ScanTypes types,
             const gpu::Array<bool>* starts = nullptr) {
    types.input = gpu::dtype_of<X>;
    types.accumulator = gpu::dtype_of<A>;
    types.segmented = starts != nullptr;
    const gpu::Array<A> out = gpu::empty<A>({space.size()});
    InitialValue init;
    const A first = A(2);
    std::memcpy(init.bytes, &first, sizeof first);
    scan({x.core(), out.core(), starts != nullptr ? static_cast<const bool*>(data_of(starts->core())) : nullptr}, types,
         space, way, init);
    return gpu::to_host(out);
}

struct Lines {
    std::int64_t lines, n;
};

template <class X, class A>
void check_scans(const std::vector<Lines>& cases, ScanTypes types, std::mt19937& random) {
    for (const Lines& lines : cases) {
        CAPTURE(lines.lines);
        CAPTURE(lines.n);
        CAPTURE(types.chunk);
        const ScanSpace space{lines.lines, lines.n, 1};
        const auto host = drawn<X>(space.size(), random);
        const gpu::Array<X> x = on_device(host);
        for (const ScanResult result : {ScanResult::inclusive, ScanResult::exclusive, ScanResult::preceding}) {
            types.result = result;
            const auto by_threads = scanned<X, A>(x, space, {}, types);
            std::int64_t differ = 0;
            const auto by_blocks = scanned<X, A>(x, space, {.by_blocks = true, .min_elements = 1}, types);
            for (std::size_t k = 0; k < by_blocks.size(); ++k) {
                const bool is_first = k % static_cast<std::size_t>(lines.n) == 0;
                if (is_first && result == ScanResult::preceding) continue;
                if (!same_bits(by_blocks[k], by_threads[k])) ++differ;
            }
            CHECK(differ == 0);
            if constexpr (!std::is_same_v<A, bool>) {
                if (result != ScanResult::inclusive || types.operation != "a + b") continue;
                for (std::int64_t line = 0; line < lines.lines; ++line) {
                    std::vector<Sum<A>> elements;
                    for (std::int64_t k = 0; k < lines.n; ++k) {
                        const auto at = static_cast<std::size_t>(line * lines.n + k);
                        elements.push_back({static_cast<A>(host[at]), true, false});
                    }
                    const auto want = reference(elements, static_cast<std::size_t>(types.chunk));
                    for (std::size_t k = 0; k < want.size(); ++k) {
                        const std::size_t at = static_cast<std::size_t>(line * lines.n) + k;
                        if (!same_bits<A>(by_threads[at], want[k])) ++differ;
                    }
                }
                CHECK(differ == 0);
            }
        }
    }
}

const std::vector<Lines> small_cases{{1, 1},  {1, 3},  {7, 4},   {33, 1}, {5, 5},   {9, 16},  {3, 17}, {2, 63},
                                     {1, 64}, {3, 65}, {2, 200}, {1, 256}, {2, 257}, {3, 300}, {1, 1100}, {1, 4099}};

}  // namespace

TEST_CASE("scans by blocks have the bits of those by threads, for every kind of element") {
    std::mt19937 random(21);
    const ScanTypes sum{.chunk = 4}, product{.operation = "a * b", .name = "cumprod", .rounds_each = true, .chunk = 4};
    check_scans<bool, std::int64_t>(small_cases, sum, random);
    check_scans<bool, bool>(small_cases, {.operation = "a != b", .chunk = 4}, random);
    check_scans<std::uint8_t, std::uint64_t>(small_cases, product, random);
    check_scans<std::int32_t, std::int64_t>(small_cases, sum, random);
    check_scans<float, float>(small_cases, sum, random);
    check_scans<double, double>(small_cases, sum, random);
    check_scans<gpu::complex<float>, gpu::complex<float>>(small_cases, product, random);
    check_scans<gpu::complex<double>, gpu::complex<double>>(small_cases, sum, random);
}

TEST_CASE("scans by blocks in tiles of the size that a GPU gets") {
    std::mt19937 random(22);
    const std::vector<Lines> cases{{300, 10}, {70, 60}, {5, 65},   {20, 256},  {3, 257},   {2, 1024},
                                   {2, 1025}, {1, 2049}, {2, 4096}, {1, 12289}, {1, 65537}, {2, 70001}};
    check_scans<float, float>(cases, {}, random);
    check_scans<double, double>({{2, 70001}}, {}, random);
    check_scans<gpu::complex<double>, gpu::complex<double>>({{3, 2000}, {1, 70001}}, {}, random);
}

TEST_CASE("scans by blocks of many tiles: chunks of chunks of them are published by whoever ends one") {
    std::mt19937 random(26);
    const std::vector<Lines> cases{{1, 16384}, {2, 16385}, {1, 70000}, {3, 20001}};  // in tiles of 64
    check_scans<float, float>(cases, {.chunk = 4}, random);
    check_scans<double, double>(cases, {.chunk = 4}, random);
    check_scans<gpu::complex<double>, gpu::complex<double>>({{2, 16385}}, {.chunk = 4}, random);
}

TEST_CASE("scans by blocks keep the order of what they combine, and start again where they must") {
    std::mt19937 random(23);
    // x -> m x + c (mod 97) as 100 m + c; "first a, then b" is associative and not commutative.
    const std::string composed = "(a / 100 * (b / 100) % 97) * 100 + (b / 100 * (a % 100) + b % 100) % 97";
    const auto compose = [](std::int64_t a, std::int64_t b) {
        return (a / 100 * (b / 100) % 97) * 100 + (b / 100 * (a % 100) + b % 100) % 97;
    };
    for (const std::int64_t n : {1, 5, 64, 65, 300, 1000, 5000, 20000}) {
        for (const int between : {1, 7, 150, 100000}) {
            CAPTURE(n);
            CAPTURE(between);
            std::vector<std::int64_t> host, want;
            std::vector<bool> starts;
            for (std::int64_t k = 0; k < n; ++k) {
                host.push_back(static_cast<std::int64_t>(random() % 97 * 100 + random() % 97));
                starts.push_back(random() % static_cast<unsigned>(between) == 0);
                want.push_back(k == 0 || starts.back() ? host.back() : compose(want.back(), host.back()));
            }
            const gpu::Array<std::int64_t> x = gpu::to_device(host);
            const gpu::Array<bool> marks = on_device(starts);
            for (const bool by_blocks : {false, true}) {
                const auto got = scanned<std::int64_t, std::int64_t>(x, {.n = n}, {.by_blocks = by_blocks},
                                                                     {.operation = composed, .chunk = 4}, &marks);
                CHECK(got == want);
            }
        }
    }
}

namespace {

struct Masked {
    std::vector<bool> host;
    std::vector<std::int64_t> positions;
    gpu::Array<bool> mask;

    Masked(std::int64_t n, int one_in, std::mt19937& random) {
        for (std::int64_t k = 0; k < n; ++k) {
            host.push_back(one_in > 0 && random() % static_cast<unsigned>(one_in) == 0);
            if (host.back()) positions.push_back(k);
        }
        mask = on_device(host);
    }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(positions.size()); }
};

template <class T>
void check_kept(const Masked& masked, const CountedMask& counted, std::mt19937& random) {
    const auto host = drawn<T>(static_cast<std::int64_t>(masked.host.size()), random);
    const gpu::Array<T> x = on_device(host);
    const auto got = gpu::to_host(gpu::Array<T>(counted.kept(x.core(), masked.count())));
    REQUIRE(got.size() == masked.positions.size());
    std::int64_t differ = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
        const T want = host[static_cast<std::size_t>(masked.positions[k])], found = static_cast<T>(got[k]);
        if (!same_bits(found, want)) ++differ;
    }
    CHECK(differ == 0);
}

}  // namespace

TEST_CASE("masks by blocks keep the elements, and know their positions") {
    std::mt19937 random(24);
    for (const std::int64_t n : {0, 1, 31, 32, 127, 128, 129, 1000, 4223, 20000}) {
        for (const int one_in : {0, 1, 2, 50}) {
            CAPTURE(n);
            CAPTURE(one_in);
            const Masked masked(n, one_in, random);
            const CountedMask counted(masked.mask.core(), {.by_blocks = true, .tile = {.threads = 64, .rounds = 2}});
            CHECK(counted.counted() == masked.count());
            for (const bool by_blocks : {false, true}) {
                const CountedMask either(masked.mask.core(),
                                         {.by_blocks = by_blocks, .tile = {.threads = 64, .rounds = 2}});
                CHECK(gpu::to_host(gpu::Array<std::int64_t>(either.positions(masked.count()))) == masked.positions);
                const std::int64_t some = masked.count() / 2;
                const std::vector<std::int64_t> first(masked.positions.begin(), masked.positions.begin() + some);
                CHECK(gpu::to_host(gpu::Array<std::int64_t>(either.positions(some))) == first);
            }
            check_kept<float>(masked, counted, random);
            if (n > 1000) continue;
            check_kept<bool>(masked, counted, random);
            check_kept<std::int16_t>(masked, counted, random);
            check_kept<double>(masked, counted, random);
            check_kept<gpu::complex<double>>(masked, counted, random);
        }
    }
    const Masked masked(9001, 2, random);
    const CountedMask counted(masked.mask.core(), {.by_blocks = true});
    check_kept<float>(masked, counted, random);
}

TEST_CASE("check mode finds nothing in scans and masks by blocks") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) {
        std::puts("SKIP: check mode of scans by blocks: it is the host backend's");
        return;
    }
    const gpu::CheckReport report = gpu::check([] {
        std::mt19937 random(25);
        check_scans<float, float>({{2, 3}, {3, 16}, {2, 65}, {1, 300}}, {.chunk = 4}, random);
        check_scans<gpu::complex<double>, gpu::complex<double>>({{3, 16}, {1, 300}}, {.chunk = 4}, random);
        const gpu::Array<int> x = gpu::arange<int>(300);
        const gpu::Array<bool> marks = x % 40 == 3;
        (void)scanned<int, std::int64_t>(x, {.n = 300}, {.by_blocks = true}, {.chunk = 4}, &marks);
        const Masked masked(300, 3, random);
        const CountedMask counted(masked.mask.core(), {.by_blocks = true, .tile = {.threads = 64, .rounds = 2}});
        check_kept<float>(masked, counted, random);
        (void)counted.positions(20);
    });
    for (const auto& finding : report.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.what << " " << finding.who);
}
