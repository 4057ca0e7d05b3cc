// SPDX-License-Identifier: MIT
#include "gpucc/runtime/libraries/in_place.hpp"

#include <memory>

#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/stream.hpp"

namespace gpucc {

std::string wrong_operand(const Operand& operand) {
    if (operand.bytes == 0) return "";
    const std::string name = operand.name;
    if (operand.memory == nullptr) return name + " is a null pointer";
    const Allocation found = Program::get().find(operand.memory);
    if (found.bytes == 0) return name + " is host memory: copy it to memory of cudaMalloc() with cudaMemcpy()";
    if (found.is_freed) return name + " was freed, of " + to_text(found.call);
    const std::size_t left = found.begin + found.bytes - reinterpret_cast<std::uintptr_t>(operand.memory);
    if (operand.bytes > left)
        return name + " takes " + std::to_string(operand.bytes) + " bytes, and the memory of " + to_text(found.call) +
               " has " + std::to_string(left) + " from there on";
    return "";
}

cudaError_t in_place(cudaStream_t stream, const Call& call, const std::vector<Operand>& operands,
                     const std::function<void()>& work) {
    Program& program = Program::get();
    if (!is_stream(stream))
        return program.fail(cudaErrorInvalidResourceHandle, call, "its stream doesn't exist (any more)");
    for (const Operand& operand : operands)
        if (const std::string why = wrong_operand(operand); !why.empty())
            return program.fail(cudaErrorInvalidValue, call, why);
    const auto noted = captured(stream, cudaGraphNodeTypeKernel, call,
                                [=](cudaStream_t other) { return in_place(other, call, operands, work); });
    if (noted) return *noted;
    return program.run(call, [&] {
        program.backend().synchronize_stream(program.device(), native_stream(stream));
        {
            const std::shared_ptr<void> access = program.backend().host_access();
            work();
        }
        for (const Operand& operand : operands) {
            const Allocation found = program.find(operand.memory);
            if (operand.is_written && found.space == Space::device)
                program.backend().written_by_host(program.device(), reinterpret_cast<const void*>(found.begin));
        }
        return cudaSuccess;
    });
}

}  // namespace gpucc
