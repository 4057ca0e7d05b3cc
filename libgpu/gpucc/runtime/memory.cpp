// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>

#include "gpucc/runtime/access_guard.hpp"
#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/see/ledger.hpp"
#include "gpucc/runtime/memory.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/stream.hpp"
#include "gpucc/runtime/variables.hpp"

using gpu::detail::CopyKind;

namespace gpucc {

namespace {

constexpr const char* no_stream = "its stream doesn't exist (any more)";

// Memory of 0 bytes has a null pointer, as CUDA says.
cudaError_t allocate(void** pointer, std::size_t bytes, Space space, const Call& call) {
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

const char* name_of(Space space) {
    switch (space) {
        case Space::device: return "device memory";
        case Space::managed: return "managed memory";
        case Space::pinned: return "page-locked memory";
        case Space::registered: return "registered memory";
    }
    return "memory";
}

cudaError_t release(void* pointer, bool host_memory, const Call& call) {
    Program& program = Program::get();
    if (pointer == nullptr) return cudaSuccess;
    const Allocation found = program.find(pointer);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (found.bytes == 0 || found.begin != address) {
        return program.fail(cudaErrorInvalidValue, call,
                            found.bytes == 0 ? "the pointer is of no memory that CUDA has allocated: free() and delete "
                                               "are for what malloc() and new have given"
                                             : "the pointer is " + std::to_string(address - found.begin) +
                                                   " bytes into memory: free its beginning");
    }
    if (found.is_variable)
        return program.fail(cudaErrorInvalidValue, call,
                            "this is a variable of the device, which lasts as long as the program");
    if (found.is_freed)
        return program.fail(cudaErrorInvalidValue, call,
                            "this memory, of " + to_text(found.call) + ", was freed before");
    const bool is_host = found.space == Space::pinned || found.space == Space::registered;
    if (is_host != host_memory)
        return program.fail(cudaErrorInvalidValue, call,
                            std::string("this is ") + name_of(found.space) + ", of " + to_text(found.call) + ": " +
                                (found.space == Space::registered ? "cudaHostUnregister()"
                                 : is_host                        ? "cudaFreeHost()"
                                                                  : "cudaFree()") +
                                " is what frees it");
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
            if (is_host)
                note_call(call, call.name, found.bytes);
            else
                note_work(call, {.kind = Work::Kind::free, .bytes = found.bytes});
            return cudaSuccess;
        },
        Effect::waits);
}

/// One end of a copy.
struct End {
    const char* role;  ///< "destination"
    const void* pointer;
    bool on_device;  ///< what the copy's kind says
    Allocation memory = {};
};

// "": the bytes are there. The kind is compared with where the memory lies.
std::string misuse(const End& end, std::size_t bytes, cudaMemcpyKind kind) {
    constexpr const char* kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                     "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
    const std::string role = std::string("the ") + end.role;
    if (end.pointer == nullptr) return role + " is a null pointer";
    const Allocation& memory = end.memory;
    if (memory.bytes == 0) {
        if (!end.on_device) return "";
        return role + " is host memory, and " + kinds[kind] + " says that it is the device's: " +
               (std::strcmp(end.role, "destination") == 0 ? "allocate it by cudaMalloc()"
                                                          : "is the kind the right one?");
    }
    if (memory.is_freed) return role + " was freed, of " + to_text(memory.call);
    if (memory.space == Space::device && !end.on_device)
        return role + " is device memory, and " + kinds[kind] + " says that it is the host's";
    if (memory.space != Space::device && memory.space != Space::managed && end.on_device &&
        memory.space == Space::registered)
        return "";
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(end.pointer) - memory.begin;
    if (bytes > memory.bytes - offset)
        return "it copies " + std::to_string(bytes) + " bytes, and the " + end.role + ", " + name_of(memory.space) +
               " of " + to_text(memory.call) + ", has " + std::to_string(memory.bytes - offset) + " bytes" +
               (offset > 0 ? " from there on" : "");
    return "";
}

CopyKind native(bool from_device, bool to_device) {
    return from_device && to_device ? CopyKind::device_to_device
           : to_device              ? CopyKind::host_to_device
                                    : CopyKind::device_to_host;
}

// A copy with pageable memory is done, or has taken what it needs, when its call returns.
bool is_queued(const End& to, const End& from) {
    const auto is_pageable = [](const End& end) { return end.memory.bytes == 0; };
    return !is_pageable(to) && !is_pageable(from);
}

// A copy that the host waits for, or that a GPU's host would.
void note_copy(const Call& call, CopyKind way, std::size_t bytes, bool waits, bool is_queued) {
    const Work::Kind kind = way == CopyKind::host_to_device   ? Work::Kind::copy_to_device
                            : way == CopyKind::device_to_host ? Work::Kind::copy_to_host
                                                              : Work::Kind::copy_on_device;
    const bool between_sides = kind != Work::Kind::copy_on_device;
    note_work(call, {.kind = kind,
                     .bytes = bytes,
                     .waits = waits && between_sides,
                     .pageable_async = !waits && !is_queued && between_sides});
}

cudaError_t copy(const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream, bool waits, const Call& call) {
    Program& program = Program::get();
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return program.fail(cudaErrorInvalidMemcpyDirection, call, "there is no such kind of copy");
    if (!is_stream(stream)) return program.fail(cudaErrorInvalidResourceHandle, call, no_stream);
    if (rows.width == 0 || rows.height == 0) return cudaSuccess;
    if (rows.height > 1 && (rows.width > rows.to_pitch || rows.width > rows.from_pitch))
        return program.fail(cudaErrorInvalidPitchValue, call,
                            "rows of " + std::to_string(rows.width) + " bytes are longer than the pitch");
    End to{"destination", rows.to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
           program.find(rows.to)};
    End from{"source", rows.from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
             program.find(rows.from)};
    const auto is_device = [](const End& end) { return end.memory.bytes > 0 && end.memory.space == Space::device; };
    if (kind == cudaMemcpyDefault) {
        to.on_device = is_device(to);
        from.on_device = is_device(from);
    }
    const std::size_t last = rows.height - 1;
    for (const auto& [end, bytes] :
         {std::pair(to, last * rows.to_pitch + rows.width), std::pair(from, last * rows.from_pitch + rows.width)})
        if (const std::string why = misuse(end, bytes, kind); !why.empty())
            return program.fail(cudaErrorInvalidValue, call, why);
    const auto noted = captured(stream, cudaGraphNodeTypeMemcpy, call,
                                [=](cudaStream_t other) { return copy(rows, kind, other, false, call); });
    if (noted) return *noted;
    // The default stream waits for the others; a copy that stays on the device is only queued.
    const bool is_done =
        (waits || !is_queued(from, to)) && native_stream(stream) == nullptr && !(from.on_device && to.on_device);
    return program.run(
        call,
        [&] {
            void* const queue = native_stream(stream);
            const CopyKind way = native(from.on_device, to.on_device);
            const bool between_hosts = !from.on_device && !to.on_device;
            for (std::size_t row = 0; row < rows.height; ++row) {
                char* const target = static_cast<char*>(rows.to) + row * rows.to_pitch;
                const char* const source = static_cast<const char*>(rows.from) + row * rows.from_pitch;
                if (between_hosts && (waits || kind == cudaMemcpyHostToHost || !is_queued(from, to))) {
                    if (row == 0) program.backend().synchronize_stream(program.device(), queue);
                    std::memmove(target, source, rows.width);
                } else if (between_hosts) {
                    program.backend().copy_async(program.device(), target, source, rows.width, CopyKind::device_to_host,
                                                 queue);
                } else if (waits || !is_queued(from, to)) {
                    program.backend().copy(program.device(), target, source, rows.width, way, queue);
                } else {
                    program.backend().copy_async(program.device(), target, source, rows.width, way, queue);
                }
            }
            if (between_hosts)
                note_call(call, call.name, rows.width * rows.height, "host to host");
            else
                note_copy(call, way, rows.width * rows.height, waits, is_queued(from, to));
            return cudaSuccess;
        },
        is_done ? Effect::waits : Effect::queues);
}

cudaError_t fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream,
                 const Call& call) {
    Program& program = Program::get();
    if (!is_stream(stream)) return program.fail(cudaErrorInvalidResourceHandle, call, no_stream);
    if (width == 0 || height == 0) return cudaSuccess;
    const End end{"destination", to, true, program.find(to)};
    if (end.memory.bytes == 0)
        return program.fail(cudaErrorInvalidValue, call,
                            to == nullptr ? "the destination is a null pointer"
                                          : "the destination is host memory: memset() is for that");
    if (height > 1 && width > pitch)
        return program.fail(cudaErrorInvalidPitchValue, call, "rows are longer than the pitch");
    if (const std::string why = misuse(end, (height - 1) * pitch + width, cudaMemcpyHostToDevice); !why.empty())
        return program.fail(cudaErrorInvalidValue, call, why);
    const auto noted = captured(stream, cudaGraphNodeTypeMemset, call,
                                [=](cudaStream_t other) { return fill(to, pitch, value, width, height, other, call); });
    if (noted) return *noted;
    // Where nothing else is under way, the fill is waited for: device memory stays guarded, see AccessGuard.
    const bool is_alone = AccessGuard::get().is_idle();
    return program.run(
        call,
        [&] {
            for (std::size_t row = 0; row < height; ++row)
                program.backend().fill(program.device(), static_cast<char*>(to) + row * pitch,
                                       static_cast<unsigned char>(value), width, native_stream(stream));
            if (is_alone) program.backend().synchronize_stream(program.device(), native_stream(stream));
            note_call(call, call.name, width * height);
            return cudaSuccess;
        },
        is_alone ? Effect::waits : Effect::queues);
}

// The address of a variable's byte.
cudaError_t symbol(void** address, const void* symbol, std::size_t bytes, std::size_t offset, const Call& call) {
    Program& program = Program::get();
    const VariableRecord* const variable = find_variable(symbol);
    if (variable == nullptr)
        return program.fail(cudaErrorInvalidSymbol, call,
                            "this is neither a __device__ nor a __constant__ variable: pass the variable itself, not "
                            "its name or a pointer");
    if (offset > variable->bytes || bytes > variable->bytes - offset)
        return program.fail(cudaErrorInvalidValue, call,
                            "it copies " + std::to_string(bytes) + " bytes" +
                                (offset > 0 ? " from byte " + std::to_string(offset) + " on" : "") + ", and " +
                                variable->name + " has " + std::to_string(variable->bytes) + " bytes");
    return program.run(
        call,
        [&] {
            *address = static_cast<char*>(variable_memory(*variable)) + offset;
            return cudaSuccess;
        },
        Effect::none);
}

cudaError_t copy_symbol(const void* variable, void* other, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                        bool to_symbol, cudaStream_t stream, const Call& call) {
    Program& program = Program::get();
    if (!is_stream(stream)) return program.fail(cudaErrorInvalidResourceHandle, call, no_stream);
    void* device = nullptr;
    if (const cudaError_t error = symbol(&device, variable, bytes, offset, call); error != cudaSuccess) return error;
    const bool is_other =
        kind == cudaMemcpyHostToHost || kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
    if (is_other) return program.fail(cudaErrorInvalidMemcpyDirection, call, "a variable is the device's");
    const Allocation memory = program.find(other);
    const bool on_device = memory.bytes > 0 && memory.space == Space::device;
    const End end{to_symbol ? "source" : "destination", other,
                  kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && on_device), memory};
    if (const std::string why = misuse(end, bytes, kind); !why.empty())
        return program.fail(cudaErrorInvalidValue, call, why);
    const auto noted = captured(stream, cudaGraphNodeTypeMemcpy, call, [=](cudaStream_t queue) {
        return copy_symbol(variable, other, bytes, offset, kind, to_symbol, queue, call);
    });
    if (noted) return *noted;
    return program.run(
        call,
        [&] {
            const CopyKind way = native(to_symbol ? end.on_device : true, to_symbol ? true : end.on_device);
            program.backend().copy(program.device(), to_symbol ? device : other, to_symbol ? other : device, bytes, way,
                                   native_stream(stream));
            note_copy(call, way, bytes, true, true);
            return cudaSuccess;
        },
        native_stream(stream) == nullptr && !end.on_device ? Effect::waits : Effect::queues);
}

}  // namespace

cudaError_t allocate_memory(void** pointer, std::size_t bytes, Space space, const Call& call) {
    return allocate(pointer, bytes, space, call);
}
cudaError_t free_memory(void* pointer, const Call& call) { return release(pointer, false, call); }
cudaError_t copy_rows(const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream, bool waits, const Call& call) {
    return copy(rows, kind, stream, waits, call);
}
cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream, const Call& call) {
    return fill(to, pitch, value, width, height, stream, call);
}

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaMalloc(void** pointer, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return allocate(pointer, bytes, Space::device, call);
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t, const char* file, int line) {
    GPUCC_CALL;
    return allocate(pointer, bytes, Space::device, call);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int, const char* file, int line) {
    GPUCC_CALL;
    return allocate(pointer, bytes, Space::managed, call);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return allocate(pointer, bytes, Space::pinned, call);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int, const char* file, int line) {
    GPUCC_CALL;
    return allocate(pointer, bytes, Space::pinned, call);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height, const char* file, int line) {
    GPUCC_CALL;
    if (pitch == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the pitch's address is null");
    *pitch = (width + 511) / 512 * 512;
    return allocate(pointer, *pitch * height, Space::device, call);
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
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy({to, bytes, from, bytes, bytes, 1}, kind, nullptr, true, call);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                            const char* file, int line) {
    GPUCC_CALL;
    return copy({to, bytes, from, bytes, bytes, 1}, kind, stream, false, call);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy({to, to_pitch, from, from_pitch, width, height}, kind, nullptr, true, call);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return copy({to, to_pitch, from, from_pitch, width, height}, kind, stream, false, call);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return copy({to, bytes, from, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, nullptr, true, call);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream,
                                const char* file, int line) {
    GPUCC_CALL;
    return copy({to, bytes, from, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, stream, false, call);
}
cudaError_t cudaMemset(void* to, int value, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return fill(to, bytes, value, bytes, 1, nullptr, call);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return fill(to, bytes, value, bytes, 1, stream, call);
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height, const char* file, int line) {
    GPUCC_CALL;
    return fill(to, pitch, value, width, height, nullptr, call);
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream,
                              const char* file, int line) {
    GPUCC_CALL;
    return fill(to, pitch, value, width, height, stream, call);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* variable, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return copy_symbol(variable, const_cast<void*>(from), bytes, offset, kind, true, stream, call);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* variable, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return copy_symbol(variable, to, bytes, offset, kind, false, stream, call);
}
cudaError_t cudaMemcpyToSymbol(const void* variable, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                               const char* file, int line) {
    GPUCC_CALL;
    return copy_symbol(variable, const_cast<void*>(from), bytes, offset, kind, true, nullptr, call);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* variable, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                 const char* file, int line) {
    GPUCC_CALL;
    return copy_symbol(variable, to, bytes, offset, kind, false, nullptr, call);
}
cudaError_t cudaGetSymbolAddress(void** address, const void* variable, const char* file, int line) {
    GPUCC_CALL;
    const cudaError_t error = symbol(address, variable, 0, 0, call);
    const VariableRecord* const record = find_variable(variable);
    if (error == cudaSuccess) Program::get().add(*address, record->bytes, Space::device, call, true);
    return error;
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* variable, const char* file, int line) {
    GPUCC_CALL;
    const VariableRecord* const record = find_variable(variable);
    if (record == nullptr) return Program::get().fail(cudaErrorInvalidSymbol, call);
    *bytes = record->bytes;
    return cudaSuccess;
}
// Managed memory is where both sides use it already.
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned int, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
