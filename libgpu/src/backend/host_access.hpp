// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "backend/address_map.hpp"

// Host code that dereferences a pointer to device memory: with a GPU, this ends the program.
namespace gpu::detail {

/// The kind of access, if the machine reports it.
enum class HostAccessKind { unknown, read, write };

/// An access by host code to a device array.
struct HostAccess {
    std::uintptr_t address = 0;
    HostAccessKind kind = HostAccessKind::unknown;
    AddressRange range;
};

/// The kind of access in the context of a SIGSEGV handler.
[[nodiscard]] HostAccessKind access_kind(const void* context) noexcept;

/// The kind of memory access of an arm64 instruction: on these processors, the context doesn't contain it. Pure.
[[nodiscard]] HostAccessKind access_of_arm64(std::uint32_t instruction) noexcept;

/// The index of the accessed element; without an element type, of the byte.
[[nodiscard]] std::int64_t accessed_element(const HostAccess& access) noexcept;

/// Writes "host code reads device memory (array x, element 3); bring it over with gpu::to_host". Without a name, it
/// says "an array of 100 float32". Truncates to `room`; allocates nothing. Returns the length.
std::size_t write_sentence(char* to, std::size_t room, const HostAccess& access, const char* name) noexcept;
[[nodiscard]] std::string sentence(const HostAccess& access, const std::string& name);

/// Makes a segmentation fault in one of these ranges write that sentence to stderr, with a line break, before it goes
/// to the previous handler (by default, the process ends). The ranges must live until the process ends.
void name_host_accesses(const AddressMap& ranges);

/// True if each launch must wait for its end and report its own errors: LIBGPU_LAUNCH_BLOCKING=1.
inline bool launch_blocking_wanted() {
    const char* const value = std::getenv("LIBGPU_LAUNCH_BLOCKING");
    return value != nullptr && std::string_view(value) == "1";
}

}  // namespace gpu::detail
