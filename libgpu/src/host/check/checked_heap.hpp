// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/base/abi.hpp"
#include "host/check/checked_array.hpp"
#include "host/modules/checked_module.hpp"

namespace gpu::detail::host {

/// The heap of checked kernels. No address is given twice in a check, so that memory is known to have been freed;
/// pieces lie apart, so that an index past the end of one is noticed.
class CheckedHeap {
public:
    /// Where a piece was allocated.
    struct Origin {
        std::shared_ptr<CheckedModule> module;
        std::string kernel;
        std::size_t site = 0;
        uint3 block{}, thread{};
    };
    struct Piece {
        std::uintptr_t start = 0;
        std::size_t bytes = 0;
        bool is_free = false;
        std::size_t origin = 0;
    };
    /// Pieces of one instruction that nobody has freed.
    struct Leak {
        Origin first;
        std::uint64_t pieces = 0, bytes = 0;
    };

    /// Null where not enough is left, of the limit that kernels have or of this check's addresses.
    void* allocate(unsigned long long bytes, const Origin& origin);
    /// False: no piece that is still allocated begins there.
    bool release(const void* data);

    /// True of any address that a piece may have had.
    [[nodiscard]] bool holds(std::uintptr_t address) const noexcept { return address - begin_ < end_ - begin_; }
    /// What remembers accesses to all pieces.
    [[nodiscard]] CheckedArray* array() const noexcept { return array_.get(); }
    /// The piece that an address lies in, or behind. One without bytes: there is none.
    [[nodiscard]] Piece piece_at(std::uintptr_t address) const;
    [[nodiscard]] bool is_allocated(std::uintptr_t address, std::size_t bytes) const;

    [[nodiscard]] std::vector<Leak> leaks() const;
    /// All serials begin anew.
    void forget_accesses() noexcept;
    void clear() noexcept;

private:
    bool begin();

    mutable std::mutex mutex_;
    std::uintptr_t begin_ = 0, end_ = 0, next_ = 0;
    std::size_t used_ = 0;
    std::unique_ptr<CheckedArray> array_;
    std::map<std::uintptr_t, Piece> pieces_;  // by start
    std::vector<Origin> origins_;
    std::map<std::pair<const CheckedModule*, std::size_t>, std::size_t> numbers_;  // of origins
};

}  // namespace gpu::detail::host
