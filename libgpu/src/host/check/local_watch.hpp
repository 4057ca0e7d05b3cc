// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gpu::detail::host {

/// A local array or variable of a thread that began without values.
struct LocalArray {
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    unsigned element = 1, columns = 1;  ///< bytes of an element; elements of a row; 0: no array
    const char* name = "";
    std::vector<std::uint64_t> written = {};  ///< one bit a byte

    /// "t[3]", "t[1][2]".
    [[nodiscard]] std::string element_text(std::uintptr_t address) const;
};

/// The local arrays of a block's threads, and which of their bytes have been written. Runs on kernels' stacks.
class LocalWatch {
public:
    void begin_block() noexcept;

    void begins(unsigned thread, std::uintptr_t start, std::size_t bytes, unsigned element, unsigned columns,
                const char* name);
    void ends(unsigned thread, std::uintptr_t start) noexcept;

    /// An access to a thread's own stack: the array if none of the bytes that it reads was written, else null. It says
    /// so once.
    const LocalArray* access(unsigned thread, std::uintptr_t address, std::size_t size, bool reads) noexcept;

private:
    static constexpr std::size_t most_arrays = 32;  // of a thread: recursion may have more, which aren't watched
    struct Thread {
        std::vector<LocalArray> arrays;  // more than are in use: their bits are used again
        std::size_t used = 0;
    };

    std::vector<Thread> threads_;
    std::size_t count_ = 0;
};

}  // namespace gpu::detail::host
