// SPDX-License-Identifier: MIT
#include "host/compile/elf_object.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gpu::detail::host {

// A plain name stays: "v" would be the mangled type void.
std::string demangled(const std::string& symbol) {
    if (symbol.compare(0, 2, "_Z") != 0) return symbol;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? text.get() : symbol;
}

}  // namespace gpu::detail::host
