// SPDX-License-Identifier: MIT
#include "host/check/local_watch.hpp"

#include <algorithm>
#include <utility>

#include "host/fibers/context_switch.hpp"

namespace gpu::detail::host {

std::string LocalArray::element_text(std::uintptr_t address) const {
    if (columns == 0) return name;
    const std::size_t index = (address - start) / element;
    const std::string row = columns > 1 ? '[' + std::to_string(index / columns) + ']' : "";
    return name + row + '[' + std::to_string(index % (columns > 1 ? columns : bytes)) + ']';
}

void LocalWatch::begin_block() noexcept {
    if (count_ == 0) return;
    for (Thread& thread : threads_) thread.used = 0;
    count_ = 0;
}

GPU_ON_KERNEL_STACK void LocalWatch::begins(unsigned thread, std::uintptr_t start, std::size_t bytes, unsigned element,
                                            unsigned columns, const char* name) {
    ends(thread, start);
    if (threads_.size() <= thread) threads_.resize(thread + 1);
    Thread& of = threads_[thread];
    if (of.used == most_arrays) return;
    if (of.used == of.arrays.size()) of.arrays.emplace_back();
    LocalArray& array = of.arrays[of.used++];
    ++count_;
    array.start = start;
    array.bytes = bytes;
    array.element = element;
    array.columns = columns;
    array.name = name;
    array.written.assign((bytes + 63) / 64, 0);
}

GPU_ON_KERNEL_STACK void LocalWatch::ends(unsigned thread, std::uintptr_t start) noexcept {
    if (thread >= threads_.size()) return;
    Thread& of = threads_[thread];
    for (std::size_t k = of.used; k-- > 0;) {
        if (of.arrays[k].start != start) continue;
        std::swap(of.arrays[k], of.arrays[--of.used]);
        --count_;
        return;
    }
}

GPU_ON_KERNEL_STACK const LocalArray* LocalWatch::access(unsigned thread, std::uintptr_t address, std::size_t size,
                                                         bool reads) noexcept {
    if (thread >= threads_.size()) return nullptr;
    Thread& of = threads_[thread];
    for (std::size_t k = of.used; k-- > 0;) {
        LocalArray& array = of.arrays[k];
        const std::size_t first = address - array.start;
        if (first >= array.bytes) continue;
        const std::size_t end = std::min(first + size, array.bytes);
        // Of a structure some members may be left out, and padding is: a whole element must be missing.
        const std::size_t whole = std::min((end + array.element - 1) / array.element * array.element, array.bytes);
        bool is_written = false;
        for (std::size_t at = first / array.element * array.element; at < whole; ++at) {
            std::uint64_t& bits = array.written[at / 64];
            const std::uint64_t bit = std::uint64_t{1} << at % 64;
            is_written = is_written || (bits & bit) != 0;
            if (at >= first && at < end) bits |= bit;  // by a read, too: what it found is reported once
        }
        return reads && !is_written ? &array : nullptr;
    }
    return nullptr;
}

}  // namespace gpu::detail::host
