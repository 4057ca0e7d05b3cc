// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpucc/runtime/program.hpp"

// Libraries' calls, which the host does over device memory where it lies.
namespace gpucc {

/// Memory that a library's call reads or writes.
struct Operand {
    const char* name;
    const void* memory;
    std::size_t bytes;
    bool is_written = false;
};

/// "": the device has these bytes. Otherwise what is wrong with the operand.
[[nodiscard]] std::string wrong_operand(const Operand& operand);
/// Waits for the stream, and does the work with its operands in place; in a capture, the graph does it. An error, with
/// its sentence, if one of the operands isn't the device's.
[[nodiscard]] cudaError_t in_place(cudaStream_t stream, const Call& call, const std::vector<Operand>& operands,
                                   const std::function<void()>& work);

}  // namespace gpucc
