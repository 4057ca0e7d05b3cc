// SPDX-License-Identifier: MIT
#include "judge/values/random_inputs.hpp"

#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "judge/values/elements.hpp"
#include "support/parallel.hpp"

namespace course {

namespace {

// Two floats per draw, from 32 bits each and rounded once: with 24 bits, all values would lie on one grid, and sums of
// two would be exact.
void fill(RandomBits& bits, std::span<float> out, double low, double high) {
    const double step = (high - low) * 0x1p-32;
    const auto scaled = [&](std::uint32_t word) { return static_cast<float>(low + step * word); };
    std::size_t i = 0;
    for (; i + 1 < out.size(); i += 2) {
        const std::uint64_t word = bits();
        out[i] = scaled(static_cast<std::uint32_t>(word));
        out[i + 1] = scaled(static_cast<std::uint32_t>(word >> 32));
    }
    if (i < out.size()) out[i] = scaled(static_cast<std::uint32_t>(bits()));
}

void fill(RandomBits& bits, std::span<double> out, double low, double high) {
    for (double& value : out)
        value = std::min(low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53), high);
}

template <class T>
void fill_integers(RandomBits& bits, std::span<T> out, std::int64_t low, std::int64_t high) {
    const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (count == 0 || count > (std::uint64_t{1} << 24)) {
        std::uniform_int_distribution<std::int64_t> distribution(low, high);
        for (T& value : out) value = static_cast<T>(distribution(bits));
        return;
    }
    // Two per draw: 32 bits each, scaled down; probabilities differ by at most 2^-8 of their size.
    const auto scaled = [&](std::uint64_t word) {
        return static_cast<T>(low + static_cast<std::int64_t>(word * count >> 32));
    };
    std::size_t i = 0;
    for (; i + 1 < out.size(); i += 2) {
        const std::uint64_t word = bits();
        out[i] = scaled(word & 0xFFFFFFFF);
        out[i + 1] = scaled(word >> 32);
    }
    if (i < out.size()) out[i] = scaled(bits() >> 32);
}

// Each piece of a large array has its own generator besides the task's: any number of threads draws the same numbers.
constexpr std::int64_t piece = std::int64_t{1} << 18;

template <class T, class Fill>
void fill_in_pieces(RandomBits& bits, std::span<T> out, int threads, const Fill& fill_one) {
    const auto count = static_cast<std::int64_t>(out.size());
    if (count <= piece) return fill_one(bits, out);
    prefer_large_pages(out.data(), out.size_bytes());
    bits.next_group();
    in_pieces(
        count, piece,
        [&](std::int64_t begin, std::int64_t end) {
            RandomBits own = bits.of_piece(static_cast<std::uint64_t>(begin / piece));
            fill_one(own, out.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
        },
        threads);
}

template <class T>
std::span<T> typed(std::span<std::byte> bytes) {
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T, class Fill>
void fill_until_telling(std::span<T> out, std::span<const std::int64_t> shape, bool can_differ, const Fill& fill_once) {
    do fill_once();
    while (can_differ && hides_mistakes(std::span<const T>(out), shape));
}

template <class T>
bool holds(std::int64_t value) noexcept {
    return static_cast<std::int64_t>(static_cast<T>(value)) == value &&
           (std::is_signed_v<T> || std::is_floating_point_v<T> || value >= 0);
}

}  // namespace

template <class T>
bool hides_mistakes(std::span<const T> values, std::span<const std::int64_t> shape) noexcept {
    if (values.size() < 2) return false;
    const bool constant = std::all_of(values.begin(), values.end(), [&](T value) { return value == values[0]; });
    const bool palindrome = std::equal(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                                       values.rbegin());
    if (constant || palindrome) return true;
    if (shape.size() != 2 || shape[0] != shape[1]) return false;
    const auto n = static_cast<std::size_t>(shape[0]);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < row; ++column)
            if (values[row * n + column] != values[column * n + row]) return false;
    return true;
}
template bool hides_mistakes(std::span<const float>, std::span<const std::int64_t>) noexcept;
template bool hides_mistakes(std::span<const int>, std::span<const std::int64_t>) noexcept;

RandomInputs::RandomInputs(std::uint64_t seed, std::uint32_t task, int threads)
    : bits_(seed, task), threads_(threads) {}

void RandomInputs::uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                           std::span<std::byte> out) {
    if (!(low <= high)) throw CheckError(fmt::format("draw.uniform: low {} is above high {}", low, high));
    const auto run = [&]<class T>(std::span<T> values) {
        fill_until_telling(values, shape, static_cast<T>(low) < static_cast<T>(high), [&] {
            fill_in_pieces(bits_, values, threads_,
                           [&](RandomBits& bits, std::span<T> part) { fill(bits, part, low, high); });
        });
    };
    if (type == ElementType::float32) run(typed<float>(out));
    else if (type == ElementType::float64) run(typed<double>(out));
    else throw CheckError("draw.uniform draws float or double; draw.integers draws whole numbers");
}

void RandomInputs::integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                            std::span<std::byte> out) {
    if (low > high) throw CheckError(fmt::format("draw.integers: low {} is above high {}", low, high));
    with_type(static_cast<protocol::Type>(type), [&](auto element) {
        using T = decltype(element);
        if (!holds<T>(low) || !holds<T>(high))
            throw CheckError(fmt::format("draw.integers: the type does not hold {} to {}", low, high));
        const auto values = typed<T>(out);
        fill_until_telling(values, shape, low < high && values.size() > 1, [&] {
            fill_in_pieces(bits_, values, threads_,
                           [&](RandomBits& bits, std::span<T> part) { fill_integers(bits, part, low, high); });
        });
    });
}

std::uint64_t random_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

std::vector<std::int64_t> random_positions(RandomBits& bits, std::int64_t size, std::int64_t count) {
    std::uniform_int_distribution<std::int64_t> distribution(0, size - 1);
    std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
    for (std::int64_t& position : positions) position = distribution(bits);
    std::sort(positions.begin(), positions.end());   // for access in memory order
    return positions;
}

RandomBits::RandomBits(std::uint64_t seed, std::uint64_t use) : RandomBits(Key{seed, use, 0, 0}, 0) {
    if (sodium_init() < 0) throw std::runtime_error("libsodium can't be used: the system gives it no random numbers");
}

RandomBits RandomBits::of_piece(std::uint64_t k) const { return {Key{key_[0], key_[1], group_, 1}, k}; }

void RandomBits::refill() {
    constexpr std::size_t min_words = 64;   // numbers, initially: most checks draw few
    words_ = blocks_ == 0 ? min_words : block_.size();
    next_ = 0;
    std::array<unsigned char, crypto_stream_chacha20_KEYBYTES> key;
    std::array<unsigned char, crypto_stream_chacha20_NONCEBYTES> nonce;
    static_assert(sizeof key == sizeof key_ && sizeof nonce == sizeof stream_);
    std::memcpy(key.data(), key_.data(), sizeof key);
    std::memcpy(nonce.data(), &stream_, sizeof nonce);
    const std::size_t bytes = words_ * sizeof block_[0];
    std::memset(block_.data(), 0, bytes);
    auto* const text = reinterpret_cast<unsigned char*>(block_.data());
    crypto_stream_chacha20_xor_ic(text, text, bytes, nonce.data(), blocks_, key.data());
    constexpr std::size_t block_bytes = 64;   // ChaCha20's own
    blocks_ += bytes / block_bytes;
}

}  // namespace course
