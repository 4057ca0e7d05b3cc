// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace course {

/// A stream of random numbers that is the same on every machine: FNV-1a of the seed, then SplitMix64.
class RepeatableOrder {
public:
    explicit RepeatableOrder(std::string_view seed) {
        for (const char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    /// A number below `end`.
    std::size_t below(std::size_t end) {
        state_ += 0x9E3779B97F4A7C15;
        std::uint64_t number = (state_ ^ state_ >> 30) * 0xBF58476D1CE4E5B9;
        number = (number ^ number >> 27) * 0x94D049BB133111EB;
        return static_cast<std::size_t>((number ^ number >> 31) % end);
    }
    template <class T>
    void shuffle(std::vector<T>& list) {
        for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[below(k)]);
    }

private:
    std::uint64_t state_ = 0xCBF29CE484222325;
};

}  // namespace course
