// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/check/launch_facts.hpp"

namespace gpu::detail::host {

/// What a launch's arrays and the kernel's variables hold, kept beside them: to run the launch again from there.
class MemorySnapshot {
public:
    /// Of the arrays that the launch's parameters point to. None if one of them isn't the device's, or if they hold
    /// more than `max_bytes` together.
    static std::optional<MemorySnapshot> of(const LaunchFacts& facts, std::size_t max_bytes);

    /// What the same places hold now.
    [[nodiscard]] MemorySnapshot taken_again() const;
    void restore() const noexcept;
    /// True if the array that begins there is among them.
    [[nodiscard]] bool covers(std::uintptr_t start) const noexcept;

private:
    struct Piece {
        std::uintptr_t start = 0;
        std::vector<std::byte> content;
    };
    void add(std::uintptr_t start, std::size_t bytes);

    std::vector<Piece> pieces_;
};

}  // namespace gpu::detail::host
