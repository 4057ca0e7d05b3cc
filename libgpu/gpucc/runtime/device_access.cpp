// SPDX-License-Identifier: MIT
#include <memory>
#include <stdexcept>

#include <cuda_runtime.h>
#include <gpucc/thrust.h>

#include "gpucc/runtime/access_guard.hpp"
#include "gpucc/runtime/program.hpp"

// Host code that uses device memory in place, for Thrust's algorithms.
namespace gpucc {

namespace {

/// Of check mode's watch, and of the one without check mode.
struct Scopes {
    std::shared_ptr<void> checked = Program::get().backend().host_access();
    AccessGuard::Scope guard{Effect::none};
};

}  // namespace

DeviceAccess::DeviceAccess() : scope_(nullptr) {
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) throw std::runtime_error(std::string("thrust: ") + cudaGetErrorString(error));
    scope_ = new Scopes;
}

DeviceAccess::~DeviceAccess() { delete static_cast<Scopes*>(scope_); }

void written_in_place(const void* address) {
    Program& program = Program::get();
    const Allocation found = program.find(address);
    if (found.bytes > 0 && found.space == Space::device)
        program.backend().written_by_host(program.device(), reinterpret_cast<const void*>(found.begin));
}

}  // namespace gpucc
