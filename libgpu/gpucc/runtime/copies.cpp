// SPDX-License-Identifier: MIT
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "gpucc/runtime/access_guard.hpp"
#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/memory.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/see/ledger.hpp"
#include "gpucc/runtime/stream.hpp"
#include "gpucc/runtime/variables.hpp"

using gpu::detail::CopyKind;

// Copies between memory, and to and from variables; cudaMemset().
namespace gpucc {

namespace {

constexpr const char *no_stream = "its stream doesn't exist (any more)", *wrong_copy = "wrong copy";

// Host memory that was freed may be malloc()'s again; the device's addresses are nobody else's.
Allocation memory_at(const void* pointer) {
    const Allocation found = Program::get().find(pointer);
    return found.is_freed && found.space != Space::device ? Allocation{} : found;
}

/// One end of a copy.
struct End {
    const char* role;  ///< "destination"
    const void* pointer;
    bool on_device;  ///< what the copy's kind says
    Allocation memory = memory_at(pointer);

    [[nodiscard]] bool is_pageable() const { return memory.bytes == 0; }
    [[nodiscard]] bool is_device_memory() const { return memory.bytes > 0 && memory.space == Space::device; }
};

// Nothing: the bytes are there, where the copy's kind says that they are.
std::optional<Misuse> misuse(const End& end, std::size_t bytes, cudaMemcpyKind kind) {
    constexpr const char* kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                     "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
    const std::string role = std::string("the ") + end.role;
    if (end.pointer == nullptr) return Misuse{wrong_copy, role + " is a null pointer"};
    const Allocation& memory = end.memory;
    if (end.is_pageable()) {
        if (!end.on_device) return std::nullopt;
        const bool is_target = std::strcmp(end.role, "destination") == 0;
        return Misuse{wrong_copy, role + " is host memory, and " + kinds[kind] + " says that it is the device's: " +
                                      (is_target ? "allocate it by cudaMalloc()" : "is the kind the right one?")};
    }
    if (memory.is_freed) return Misuse{"use after free", role + " was freed, of " + to_text(memory.call)};
    if (memory.space == Space::device && !end.on_device)
        return Misuse{wrong_copy,
                      role + " is device memory, and " + kinds[kind] + " says that it is the host's"};
    // What is registered may be a part of a larger piece of the host's.
    if (memory.space == Space::registered && end.on_device) return std::nullopt;
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(end.pointer) - memory.begin;
    if (bytes <= memory.bytes - offset) return std::nullopt;
    return Misuse{wrong_copy, "it copies " + std::to_string(bytes) + " bytes, and the " + end.role + ", " +
                                  name_of(memory.space) + " of " + to_text(memory.call) + ", has " +
                                  std::to_string(memory.bytes - offset) + " bytes" +
                                  (offset > 0 ? " from there on" : "")};
}

CopyKind native(bool from_device, bool to_device) {
    return from_device && to_device ? CopyKind::device_to_device
           : to_device              ? CopyKind::host_to_device
                                    : CopyKind::device_to_host;
}

// A copy with pageable memory is done, or has taken what it needs, when its call returns.
bool is_queued(const End& to, const End& from) { return !to.is_pageable() && !from.is_pageable(); }

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

// The copy of rows between two ends that fit, in the backend's queue.
void move_rows(const Rows& rows, const End& to, const End& from, bool waits, void* queue) {
    Program& program = Program::get();
    const CopyKind way = native(from.on_device, to.on_device);
    const bool between_hosts = !from.on_device && !to.on_device, is_done_here = waits || !is_queued(from, to);
    if (between_hosts && is_done_here) program.backend().synchronize_stream(program.device(), queue);
    for (std::size_t row = 0; row < rows.height; ++row) {
        char* const target = static_cast<char*>(rows.to) + row * rows.to_pitch;
        const char* const source = static_cast<const char*>(rows.from) + row * rows.from_pitch;
        if (between_hosts && is_done_here)
            std::memmove(target, source, rows.width);
        else if (is_done_here)
            program.backend().copy(program.device(), target, source, rows.width, way, queue);
        else
            program.backend().copy_async(program.device(), target, source, rows.width, way, queue);
    }
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
                            Misuse{wrong_copy, "it copies " + std::to_string(bytes) + " bytes" +
                                                   (offset > 0 ? " from byte " + std::to_string(offset) + " on" : "") +
                                                   ", and " + variable->name + " has " +
                                                   std::to_string(variable->bytes) + " bytes"});
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
    if (is_other)
        return program.fail(cudaErrorInvalidMemcpyDirection, call, Misuse{wrong_copy, "a variable is the device's"});
    End end{to_symbol ? "source" : "destination", other, kind == cudaMemcpyDeviceToDevice};
    if (kind == cudaMemcpyDefault) end.on_device = end.is_device_memory();
    if (const auto why = misuse(end, bytes, kind)) return program.fail(cudaErrorInvalidValue, call, *why);
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

cudaError_t copy_rows(const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream, bool waits, const Call& call) {
    Program& program = Program::get();
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return program.fail(cudaErrorInvalidMemcpyDirection, call, Misuse{wrong_copy, "there is no such kind of copy"});
    if (!is_stream(stream)) return program.fail(cudaErrorInvalidResourceHandle, call, no_stream);
    if (rows.width == 0 || rows.height == 0) return cudaSuccess;
    if (rows.height > 1 && (rows.width > rows.to_pitch || rows.width > rows.from_pitch))
        return program.fail(
            cudaErrorInvalidPitchValue, call,
            Misuse{wrong_copy, "rows of " + std::to_string(rows.width) + " bytes are longer than the pitch"});
    End to{"destination", rows.to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice};
    End from{"source", rows.from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice};
    for (End* const end : {&to, &from})
        if (kind == cudaMemcpyDefault) end->on_device = end->is_device_memory();
    const std::size_t last = rows.height - 1;
    for (const auto& [end, pitch] : {std::pair(&to, rows.to_pitch), std::pair(&from, rows.from_pitch)})
        if (const auto why = misuse(*end, last * pitch + rows.width, kind))
            return program.fail(cudaErrorInvalidValue, call, *why);
    const auto noted = captured(stream, cudaGraphNodeTypeMemcpy, call,
                                [=](cudaStream_t other) { return copy_rows(rows, kind, other, false, call); });
    if (noted) return *noted;
    const bool on_device = from.on_device && to.on_device, between_hosts = !from.on_device && !to.on_device;
    const bool waits_here = waits || kind == cudaMemcpyHostToHost;
    // The default stream waits for the others; a copy that stays on the device is only queued.
    const bool is_done = (waits || !is_queued(from, to)) && native_stream(stream) == nullptr && !on_device;
    return program.run(
        call,
        [&] {
            move_rows(rows, to, from, waits_here, native_stream(stream));
            if (between_hosts)
                note_call(call, call.name, rows.width * rows.height, "host to host");
            else
                note_copy(call, native(from.on_device, to.on_device), rows.width * rows.height, waits,
                          is_queued(from, to));
            return cudaSuccess;
        },
        is_done ? Effect::waits : Effect::queues);
}

cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream, const Call& call) {
    Program& program = Program::get();
    if (!is_stream(stream)) return program.fail(cudaErrorInvalidResourceHandle, call, no_stream);
    if (width == 0 || height == 0) return cudaSuccess;
    const End end{"destination", to, true};
    if (to != nullptr && end.is_pageable())
        return program.fail(cudaErrorInvalidValue, call, "the destination is host memory: memset() is for that");
    if (height > 1 && width > pitch)
        return program.fail(cudaErrorInvalidPitchValue, call, "rows are longer than the pitch");
    if (const auto why = misuse(end, (height - 1) * pitch + width, cudaMemcpyHostToDevice))
        return program.fail(cudaErrorInvalidValue, call, *why);
    const auto noted =
        captured(stream, cudaGraphNodeTypeMemset, call,
                 [=](cudaStream_t other) { return fill_rows(to, pitch, value, width, height, other, call); });
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

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy_rows({to, bytes, from, bytes, bytes, 1}, kind, nullptr, true, call);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                            const char* file, int line) {
    GPUCC_CALL;
    return copy_rows({to, bytes, from, bytes, bytes, 1}, kind, stream, false, call);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy_rows({to, to_pitch, from, from_pitch, width, height}, kind, nullptr, true, call);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return copy_rows({to, to_pitch, from, from_pitch, width, height}, kind, stream, false, call);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return copy_rows({to, bytes, from, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, nullptr, true, call);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream,
                                const char* file, int line) {
    GPUCC_CALL;
    return copy_rows({to, bytes, from, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, stream, false, call);
}
cudaError_t cudaMemset(void* to, int value, size_t bytes, const char* file, int line) {
    GPUCC_CALL;
    return fill_rows(to, bytes, value, bytes, 1, nullptr, call);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    return fill_rows(to, bytes, value, bytes, 1, stream, call);
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height, const char* file, int line) {
    GPUCC_CALL;
    return fill_rows(to, pitch, value, width, height, nullptr, call);
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream,
                              const char* file, int line) {
    GPUCC_CALL;
    return fill_rows(to, pitch, value, width, height, stream, call);
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
