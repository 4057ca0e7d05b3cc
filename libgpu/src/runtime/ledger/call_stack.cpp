// SPDX-License-Identifier: MIT
#include "runtime/ledger/call_stack.hpp"

#include <execinfo.h>
#include <link.h>

namespace gpu::detail {

namespace {

/// Where libgpu's shared library lies; nowhere if libgpu is a part of the program.
struct OwnLibrary {
    std::uintptr_t begin = 0, end = 0;
};

int look_at(dl_phdr_info* info, std::size_t, void* result) {
    if (info->dlpi_name == nullptr || *info->dlpi_name == '\0') return 0;
    const auto here = reinterpret_cast<std::uintptr_t>(&call_stack);
    OwnLibrary object{.begin = ~std::uintptr_t{0}, .end = 0};
    bool is_ours = false;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        const auto& header = info->dlpi_phdr[k];
        if (header.p_type != PT_LOAD) continue;
        const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
        object.begin = begin < object.begin ? begin : object.begin;
        object.end = end > object.end ? end : object.end;
        is_ours = is_ours || (here >= begin && here < end);
    }
    if (is_ours) *static_cast<OwnLibrary*>(result) = object;
    return is_ours ? 1 : 0;
}

const OwnLibrary& own_library() noexcept {
    static const OwnLibrary library = [] {
        OwnLibrary found;
        ::dl_iterate_phdr(look_at, &found);
        return found;
    }();
    return library;
}

}  // namespace

CallStack call_stack() noexcept {
    std::array<void*, 64> frames;
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    const OwnLibrary& library = own_library();
    CallStack stack;
    bool is_outside = false;
    for (int k = 0; k < count && stack.size < stack.instructions.size(); ++k) {
        const std::uintptr_t within = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(k)]) - 1;
        is_outside = is_outside || within < library.begin || within >= library.end;
        if (is_outside) stack.instructions[stack.size++] = within;
    }
    return stack;
}

}  // namespace gpu::detail
