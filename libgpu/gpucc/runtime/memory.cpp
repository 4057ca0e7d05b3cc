// SPDX-License-Identifier: MIT
#include "gpucc/runtime/memory.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "gpucc/runtime/access_guard.hpp"
#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/see/ledger.hpp"

namespace gpucc {

const char* name_of(Space space) {
    switch (space) {
        case Space::device: return "device memory";
        case Space::managed: return "managed memory";
        case Space::pinned: return "page-locked memory";
        case Space::registered: return "registered memory";
    }
    return "memory";
}

// Memory of 0 bytes has a null pointer, as CUDA says.
cudaError_t allocate_memory(void** pointer, std::size_t bytes, Space space, const Call& call) {
    Program& program = Program::get();
    if (pointer == nullptr) return program.fail(cudaErrorInvalidValue, call, "the pointer's address is null");
    if (const auto refused = refused_while_capturing(call)) return *refused;
    return program.run(
        call,
        [&] {
            *pointer = nullptr;
            if (bytes == 0) return cudaSuccess;
            if (space == Space::device) {
                *pointer = program.backend().allocate(program.device(), bytes, nullptr);
                program.backend().hand_out(program.device(), *pointer);
            } else {
                *pointer = program.backend().allocate_pinned(program.device(), bytes);
                program.backend().pinned_given(*pointer, bytes);
            }
            program.add(*pointer, bytes, space, call);
            if (space == Space::pinned)
                note_call(call, call.name, bytes);
            else
                note_work(call, {.kind = Work::Kind::allocation, .bytes = bytes});
            return cudaSuccess;
        },
        Effect::none);
}

namespace {

bool is_hosts(const Allocation& memory) {
    return memory.space == Space::pinned || memory.space == Space::registered;
}

// Why this can't be freed by cudaFreeHost(), or by cudaFree(); nothing: it can.
std::optional<Misuse> wrong_free(const void* pointer, const Allocation& found, bool by_free_host) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (found.bytes == 0)
        return Misuse{"wrong free", "the pointer is of no memory that CUDA has allocated: free() and delete are for "
                                    "what malloc() and new have given"};
    if (found.begin != address)
        return Misuse{"wrong free", "the pointer is " + std::to_string(address - found.begin) +
                                        " bytes into memory: free its beginning"};
    if (found.is_variable)
        return Misuse{"wrong free", "this is a variable of the device, which lasts as long as the program"};
    if (found.is_freed) return Misuse{"double free", "this memory, of " + to_text(found.call) + ", was freed before"};
    if (is_hosts(found) == by_free_host && found.space != Space::registered) return std::nullopt;
    const char* const right = found.space == Space::registered ? "cudaHostUnregister()"
                              : is_hosts(found)                ? "cudaFreeHost()"
                                                               : "cudaFree()";
    return Misuse{"wrong free", std::string("this is ") + name_of(found.space) + ", of " + to_text(found.call) + ": " +
                                    right + " is what frees it"};
}

cudaError_t release(void* pointer, bool by_free_host, const Call& call) {
    Program& program = Program::get();
    if (pointer == nullptr) return cudaSuccess;
    const Allocation found = program.find(pointer);
    if (const auto misuse = wrong_free(pointer, found, by_free_host))
        return program.fail(cudaErrorInvalidValue, call, *misuse);
    if (const auto refused = refused_while_capturing(call)) return *refused;
    return program.run(
        call,
        [&] {
            program.backend().synchronize_device(program.device());
            program.mark_freed(pointer);
            if (found.space == Space::device) {
                program.backend().deallocate(program.device(), pointer, found.bytes);
            } else {
                program.backend().pinned_given(pointer, 0);
                program.backend().free_pinned(program.device(), pointer);
            }
            if (by_free_host)
                note_call(call, call.name, found.bytes);
            else
                note_work(call, {.kind = Work::Kind::free, .bytes = found.bytes});
            return cudaSuccess;
        },
        Effect::waits);
}

}  // namespace

cudaError_t free_memory(void* pointer, const Call& call) { return release(pointer, false, call); }

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaMalloc(void** pointer, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return allocate_memory(pointer, bytes, Space::device, call);
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t, const char* file, int line) {
    GPUCC_CALL;
    return allocate_memory(pointer, bytes, Space::device, call);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int, const char* file, int line) {
    GPUCC_CALL;
    return allocate_memory(pointer, bytes, Space::managed, call);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return allocate_memory(pointer, bytes, Space::pinned, call);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int, const char* file, int line) {
    GPUCC_CALL;
    return allocate_memory(pointer, bytes, Space::pinned, call);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height, const char* file, int line) {
    GPUCC_CALL;
    if (pitch == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the pitch's address is null");
    *pitch = (width + 511) / 512 * 512;
    return allocate_memory(pointer, *pitch * height, Space::device, call);
}
cudaError_t gpuccFree(void* pointer, const char* file, int line) {
    const Call call{"cudaFree", file, line};
    return release(pointer, false, call);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t, const char* file, int line) {
    GPUCC_CALL;
    return release(pointer, false, call);
}
cudaError_t gpuccFreeHost(void* pointer, const char* file, int line) {
    const Call call{"cudaFreeHost", file, line};
    return release(pointer, true, call);
}
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int, const char* file, int line) {
    GPUCC_CALL;
    Program& program = Program::get();
    if (pointer == nullptr || bytes == 0) return program.fail(cudaErrorInvalidValue, call, "there is no memory");
    const Allocation found = program.find(pointer);
    if (found.bytes > 0 && !found.is_freed)
        return program.fail(cudaErrorHostMemoryAlreadyRegistered, call, "of " + to_text(found.call));
    return program.run(
        call,
        [&] {
            program.backend().borrow(program.device(), pointer, bytes);
            program.add(pointer, bytes, Space::registered, call);
            return cudaSuccess;
        },
        Effect::none);
}
cudaError_t gpuccHostUnregister(void* pointer, const char* file, int line) {
    const Call call{"cudaHostUnregister", file, line};
    Program& program = Program::get();
    const Allocation found = program.find(pointer);
    if (found.space != Space::registered || found.is_freed || found.bytes == 0)
        return program.fail(cudaErrorHostMemoryNotRegistered, call, "it wasn't registered");
    return program.run(
        call,
        [&] {
            program.backend().synchronize_device(program.device());
            program.backend().give_back(program.device(), pointer, found.bytes);
            program.mark_freed(pointer);
            return cudaSuccess;
        },
        Effect::waits);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
    const Allocation found = Program::get().find(host);
    if (found.bytes == 0 || found.is_freed) return Program::get().fail(cudaErrorInvalidValue, {__func__, "", 0});
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    Program& program = Program::get();
    const gpu::MemoryUse use = program.backend().memory_use(program.device());
    *total = use.total != 0 ? use.total : program.backend().properties(program.device()).total_memory;
    *free = use.free != 0 ? use.free : *total - std::min(*total, use.used);
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    Program& program = Program::get();
    const Allocation found = program.find(pointer);
    *attributes = {};
    attributes->device = program.device();
    void* const same = const_cast<void*>(pointer);
    if (found.bytes == 0 || found.is_freed) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->hostPointer = same;
        return cudaSuccess;
    }
    attributes->devicePointer = same;
    attributes->type = found.space == Space::device    ? cudaMemoryTypeDevice
                       : found.space == Space::managed ? cudaMemoryTypeManaged
                                                       : cudaMemoryTypeHost;
    if (found.space != Space::device) attributes->hostPointer = same;
    return cudaSuccess;
}
// Managed memory is where both sides use it already.
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned int, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
