// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

// How backends open the libraries that are there only when they are needed.
namespace gpu::detail {

/// The address of a function in a loaded library. @throws LibraryNotFound that names it
[[nodiscard]] void* symbol_of(void* library, const std::string& name);

template <class Function>
void look_up(void* library, const std::string& name, Function& function) {
    function = reinterpret_cast<Function>(symbol_of(library, name));
}

/// Opens the first candidate with which `fill` doesn't throw LibraryNotFound. It stays loaded until the process ends.
/// @throws LibraryNotFound: `missing`, then what was tried, and why each failed
void open_library(const std::vector<std::string>& candidates, const std::string& missing,
                  const std::function<void(void* library)>& fill);

}  // namespace gpu::detail
