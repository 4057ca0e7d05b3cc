// SPDX-License-Identifier: MIT
#include "host/check/memory_snapshot.hpp"

#include <algorithm>
#include <cstring>

namespace gpu::detail::host {

void MemorySnapshot::add(std::uintptr_t start, std::size_t bytes) {
    const auto* const first = reinterpret_cast<const std::byte*>(start);
    pieces_.push_back({start, std::vector<std::byte>(first, first + bytes)});
}

std::optional<MemorySnapshot> MemorySnapshot::of(const LaunchFacts& facts, std::size_t max_bytes) {
    MemorySnapshot made;
    std::size_t bytes = 0;
    const gpu_module& about = facts.kernel.module();
    for (int k = 0; k < about.parameter_count; ++k) {
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(facts.arguments[k]));
        NearArray array;
        if (value == 0) continue;
        if (!facts.guarded.find(value, array) || array.freed) return std::nullopt;
        if (made.covers(array.start)) continue;
        bytes += array.bytes;
        if (bytes > max_bytes) return std::nullopt;
        made.add(array.start, array.bytes);
    }
    for (const ModuleVariable& variable : facts.module.symbols().variables) {
        if (variable.is_shared || variable.is_constant || variable.name.empty()) continue;
        bytes += variable.bytes;
        if (bytes > max_bytes) return std::nullopt;
        made.add(facts.module.base() + variable.offset, variable.bytes);
    }
    return made;
}

MemorySnapshot MemorySnapshot::taken_again() const {
    MemorySnapshot made;
    for (const Piece& piece : pieces_) made.add(piece.start, piece.content.size());
    return made;
}

// What it holds already stays untouched: the module's variables may lie in memory that can't be written.
void MemorySnapshot::restore() const noexcept {
    for (const Piece& piece : pieces_) {
        void* const place = reinterpret_cast<void*>(piece.start);
        if (std::memcmp(place, piece.content.data(), piece.content.size()) != 0)
            std::memcpy(place, piece.content.data(), piece.content.size());
    }
}

bool MemorySnapshot::covers(std::uintptr_t start) const noexcept {
    return std::any_of(pieces_.begin(), pieces_.end(), [start](const Piece& piece) { return piece.start == start; });
}

}  // namespace gpu::detail::host
