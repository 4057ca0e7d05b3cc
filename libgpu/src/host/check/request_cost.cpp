// SPDX-License-Identifier: MIT
#include "host/check/request_cost.hpp"

#include <bit>

#include "host/fibers/context_switch.hpp"

namespace gpu::detail::host {

namespace {

// A set of up to 160 numbers: 32 lanes with at most 5 words each.
class NumberSet {
public:
    // Its place: count() before the call if it is new.
    GPU_HOT_ON_KERNEL_STACK unsigned insert(std::uint64_t number) noexcept {
        std::uint64_t slot = number * 0x9E3779B97F4A7C15u >> 56;
        for (; used_[slot] != 0; slot = (slot + 1) % 256)
            if (numbers_[used_[slot] - 1] == number) return used_[slot] - 1u;
        numbers_[count_] = number;
        used_[slot] = static_cast<std::uint8_t>(count_ + 1);
        return count_++;
    }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK unsigned count() const noexcept { return count_; }

private:
    std::uint8_t used_[256] = {};  // where in numbers_, plus 1
    unsigned count_ = 0;
    std::uint64_t numbers_[160];
};

// Addresses in any order.
GPU_ON_KERNEL_STACK GlobalCost scattered_cost(const std::uint64_t* addresses, std::uint32_t lanes,
                                              unsigned size) noexcept {
    NumberSet segments;
    std::uint8_t sectors[64] = {};  // of each segment, as bits
    GlobalCost cost{0, 0};
    for (; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t address = addresses[std::countr_zero(lanes)];
        for (std::uint64_t sector = address >> 5; sector <= (address + size - 1) >> 5; ++sector) {
            std::uint8_t& seen = sectors[segments.insert(sector >> 2)];
            const auto bit = static_cast<std::uint8_t>(1u << sector % 4);
            cost.sectors += (seen & bit) == 0 ? 1u : 0u;
            seen = static_cast<std::uint8_t>(seen | bit);
        }
    }
    cost.segments = segments.count();
    return cost;
}

// One request. Most have no conflict, or nothing but broadcasts: they are done in one pass over the lanes.
GPU_ON_KERNEL_STACK unsigned wavefronts(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size,
                                        bool atomic) noexcept {
    std::uint64_t word_of[32];
    std::uint32_t banks = 0;
    bool conflict = false;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = addresses[std::countr_zero(rest)];
        for (std::uint64_t word = address >> 2; word <= (address + size - 1) >> 2; ++word) {
            const std::uint32_t bank = word % 32, bit = std::uint32_t{1} << bank;
            conflict = conflict || ((banks & bit) != 0 && (atomic || word_of[bank] != word));
            banks |= bit;
            word_of[bank] = word;
        }
    }
    if (!conflict) return 1;
    NumberSet set;
    unsigned words[32] = {}, most = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = addresses[std::countr_zero(rest)];
        for (std::uint64_t word = address >> 2; word <= (address + size - 1) >> 2; ++word) {
            const unsigned known = set.count();
            if (!atomic && set.insert(word) != known) continue;
            const unsigned count = ++words[word % 32];
            most = most > count ? most : count;
        }
    }
    return most;
}

}  // namespace

GPU_ON_KERNEL_STACK GlobalCost global_cost(const std::uint64_t* addresses, std::uint32_t lanes,
                                           unsigned size) noexcept {
    // Most requests are a whole warp's, side by side.
    if (lanes == ~std::uint32_t{0}) {
        using Two = std::uint64_t __attribute__((vector_size(16), aligned(8), may_alias));
        const auto* const pairs = reinterpret_cast<const Two*>(addresses);
        Two expected = {addresses[0], addresses[0] + size}, differs = {0, 0};
        for (int pair = 0; pair < 16; ++pair, expected += 2 * std::uint64_t{size}) differs |= pairs[pair] ^ expected;
        const std::uint64_t last = expected[0] - 1;
        if ((differs[0] | differs[1]) == 0)
            return {static_cast<unsigned>((last >> 5) - (addresses[0] >> 5) + 1),
                    static_cast<unsigned>((last >> 7) - (addresses[0] >> 7) + 1)};
    }
    GlobalCost cost{0, 0};
    std::uint64_t sector = ~std::uint64_t{0}, segment = ~std::uint64_t{0};  // the highest so far, if any
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = addresses[std::countr_zero(rest)];
        const std::uint64_t first = address >> 5, last = (address + size - 1) >> 5;
        if (first == sector && last == sector) continue;
        if (first < sector && cost.sectors != 0) return scattered_cost(addresses, lanes, size);
        cost.sectors += (first != sector ? 1u : 0u) + (last != first ? 1u : 0u);
        cost.segments += (first >> 2 != segment ? 1u : 0u) + (last >> 2 != first >> 2 ? 1u : 0u);
        sector = last;
        segment = last >> 2;
    }
    return cost;
}

GPU_ON_KERNEL_STACK SharedCost shared_cost(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size,
                                           bool atomic) noexcept {
    if (size <= 4) return {1, wavefronts(addresses, lanes, size, atomic)};
    SharedCost cost{0, 0};
    const int width = size <= 8 ? 16 : 8;
    for (int begin = 0; begin < 32; begin += width) {
        const std::uint32_t part = lanes & ((std::uint32_t{1} << width) - 1) << begin;
        if (part == 0) continue;
        ++cost.requests;
        cost.wavefronts += wavefronts(addresses, part, size, atomic);
    }
    return cost;
}

GPU_ON_KERNEL_STACK unsigned most_on_one_address(const std::uint64_t* addresses, std::uint32_t lanes) noexcept {
    NumberSet set;
    unsigned count[32] = {}, most = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned here = ++count[set.insert(addresses[std::countr_zero(rest)])];
        most = most > here ? most : here;
    }
    return most;
}

GPU_ON_KERNEL_STACK std::uint64_t global_period(std::uint64_t stride) noexcept {
    const int zeros = std::countr_zero(stride);
    return zeros >= 7 ? 1 : std::uint64_t{128} >> zeros;
}

GPU_ON_KERNEL_STACK std::uint64_t shared_period(std::uint64_t stride) noexcept {
    const int zeros = std::countr_zero(stride);
    return zeros >= 2 ? 1 : std::uint64_t{4} >> zeros;
}

}  // namespace gpu::detail::host
