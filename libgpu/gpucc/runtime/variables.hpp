// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace gpucc {

struct Unit;

/// A `__device__`, `__constant__` or `__managed__` variable of the program.
struct VariableRecord {
    const Unit* unit = nullptr;
    const void* stand_in = nullptr;  ///< in host memory: its address is how the program names the variable
    std::size_t bytes = 0;
    std::string name;
};

/// The variable that stands in for itself at this address; null if there is none.
[[nodiscard]] const VariableRecord* find_variable(const void* stand_in);
/// True for an address in one of them, as far as their files' kernels are loaded.
[[nodiscard]] bool is_in_variable(const void* address);
/// Its memory on the device. @throws gpu::Error
[[nodiscard]] void* variable_memory(const VariableRecord& variable);

}  // namespace gpucc
