// SPDX-License-Identifier: MIT
#include "gpucc/runtime/arrays/array.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/memory.hpp"
#include "gpucc/runtime/stream.hpp"

// CUDA arrays, and memory in three axes.
namespace gpucc {

namespace {

std::set<const void*> arrays;  // those that exist, under the program's mutex

// "": the bytes are a piece of the array's rows.
std::string outside(const cudaArray& array, std::size_t column, std::size_t row, std::size_t width,
                    std::size_t height) {
    if (column + width <= array.row_bytes() && row + height <= array.rows()) return "";
    return "it copies " + std::to_string(height) + " rows of " + std::to_string(width) + " bytes from byte " +
           std::to_string(column) + " of row " + std::to_string(row) + " on, and the array has " +
           std::to_string(array.rows()) + " rows of " + std::to_string(array.row_bytes()) + " bytes";
}

void* at(const cudaArray& array, std::size_t column, std::size_t row) {
    return static_cast<char*>(array.memory) + row * array.row_bytes() + column;
}

/// One side of a copy: an array, if it is one, or rows in memory.
struct Side {
    cudaArray_const_t array = nullptr;
    void* memory = nullptr;
    std::size_t pitch = 0, column = 0, row = 0;

    [[nodiscard]] void* begin() const { return array != nullptr ? at(*array, column, row) : memory; }
    [[nodiscard]] std::size_t row_bytes() const { return array != nullptr ? array->row_bytes() : pitch; }
};

cudaError_t copy_sides(const Side& to, const Side& from, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                       cudaStream_t stream, bool waits, const Call& call) {
    Program& program = Program::get();
    for (const Side* side : {&to, &from}) {
        if (side->array == nullptr) continue;
        if (!is_array(side->array))
            return program.fail(cudaErrorInvalidValue, call, "this array doesn't exist (any more)");
        if (const std::string why = outside(*side->array, side->column, side->row, width, height); !why.empty())
            return program.fail(cudaErrorInvalidValue, call, why);
    }
    return copy_rows({to.begin(), to.row_bytes(), from.begin(), from.row_bytes(), width, height}, kind, stream, waits,
                     call);
}

// Bytes that go on in the array's next row: the rest of the first row, whole rows, the beginning of the last.
cudaError_t copy_bytes(cudaArray_const_t array, std::size_t column, std::size_t row, void* memory, std::size_t bytes,
                       bool to_array, cudaMemcpyKind kind, const Call& call) {
    if (!is_array(array)) return Program::get().fail(cudaErrorInvalidValue, call, "this array doesn't exist");
    const std::size_t begin = row * array->row_bytes() + column, all = array->rows() * array->row_bytes();
    if (column > array->row_bytes() || begin > all || bytes > all - begin)
        return Program::get().fail(cudaErrorInvalidValue, call,
                                   "it copies " + std::to_string(bytes) + " bytes, and the array has " +
                                       std::to_string(all - std::min(begin, all)) + " from there on");
    void* const inside = at(*array, column, row);
    return copy_rows({to_array ? inside : memory, bytes, to_array ? memory : inside, bytes, bytes, 1}, kind, nullptr,
                     true, call);
}

cudaError_t copy_3d(const cudaMemcpy3DParms& copy, cudaStream_t stream, bool waits, const Call& call) {
    Program& program = Program::get();
    const bool has_array = copy.srcArray != nullptr || copy.dstArray != nullptr;
    for (const cudaArray_const_t array : {copy.srcArray, copy.dstArray})
        if (array != nullptr && !is_array(array))
            return program.fail(cudaErrorInvalidValue, call, "this array doesn't exist (any more)");
    if ((copy.srcArray == nullptr) == (copy.srcPtr.ptr == nullptr) ||
        (copy.dstArray == nullptr) == (copy.dstPtr.ptr == nullptr))
        return program.fail(cudaErrorInvalidValue, call,
                            "each side is an array or a pointer: set one of both, and the other to null "
                            "(cudaMemcpy3DParms p = {0})");
    if (has_array && (copy.extent.depth > 1 || copy.srcPos.z + copy.dstPos.z > 0))
        return program.fail(cudaErrorNotSupported, call, "an array has one axis or two in gpucc, and this copy three");
    // With an array, widths and columns count its texels.
    const std::size_t unit = copy.srcArray != nullptr   ? copy.srcArray->texel_bytes()
                             : copy.dstArray != nullptr ? copy.dstArray->texel_bytes()
                                                        : 1;
    const std::size_t width = copy.extent.width * unit;
    for (std::size_t slice = 0; slice < copy.extent.depth; ++slice) {
        const auto side = [&](cudaArray_t array, const cudaPos& position, const cudaPitchedPtr& memory) {
            if (array != nullptr) return Side{array, nullptr, 0, position.x * array->texel_bytes(), position.y};
            const std::size_t row = (position.z + slice) * memory.ysize + position.y;
            return Side{nullptr, static_cast<char*>(memory.ptr) + row * memory.pitch + position.x * unit, memory.pitch};
        };
        const cudaError_t error =
            copy_sides(side(copy.dstArray, copy.dstPos, copy.dstPtr), side(copy.srcArray, copy.srcPos, copy.srcPtr),
                       width, copy.extent.height, copy.kind, stream, waits, call);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t fill_3d(const cudaPitchedPtr& memory, int value, const cudaExtent& extent, cudaStream_t stream,
                    const Call& call) {
    for (std::size_t slice = 0; slice < extent.depth; ++slice) {
        char* const begin = static_cast<char*>(memory.ptr) + slice * memory.ysize * memory.pitch;
        const cudaError_t error = fill_rows(begin, memory.pitch, value, extent.width, extent.height, stream, call);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace

NodeWork copy_work(const cudaMemcpy3DParms& copy, const Call& call) {
    return [=](cudaStream_t stream) { return copy_3d(copy, stream, false, call); };
}

bool is_array(cudaArray_const_t array) {
    const std::lock_guard lock(Program::get().mutex);
    return arrays.count(array) != 0;
}

const char* wrong_format(const cudaChannelFormatDesc& format) {
    const int bits = format.x, channels = 1 + (format.y > 0) + (format.z > 0) + (format.w > 0);
    if (channels == 3 || (format.y == 0 && format.z + format.w > 0)) return "texels have 1, 2 or 4 components";
    if ((format.y != 0 && format.y != bits) || (format.z != 0 && format.z != bits) ||
        (format.w != 0 && format.w != bits))
        return "the components of a texel have the same size";
    if (format.f == cudaChannelFormatKindFloat)
        return bits == 32   ? ""
               : bits == 16 ? "texels of halves aren't in gpucc: convert them to float"
                            : "floats have 32 bits";
    if (format.f != cudaChannelFormatKindSigned && format.f != cudaChannelFormatKindUnsigned)
        return "gpucc's texels are integers and floats";
    return bits == 8 || bits == 16 || bits == 32 ? "" : "integers have 8, 16 or 32 bits";
}

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned int flags, const char* file, int line) {
    GPUCC_CALL;
    Program& program = Program::get();
    if (array == nullptr || format == nullptr) return program.fail(cudaErrorInvalidValue, call, "an argument is null");
    if (width == 0) return program.fail(cudaErrorInvalidValue, call, "its width is 0");
    if (const char* const why = wrong_format(*format); *why != '\0')
        return program.fail(cudaErrorInvalidChannelDescriptor, call, why);
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0)
        return program.fail(cudaErrorNotSupported, call, "layered arrays and cubemaps aren't in gpucc");
    cudaArray made{*format, width, height, flags, nullptr};
    const cudaError_t error = allocate_memory(&made.memory, made.rows() * made.row_bytes(), Space::device, call);
    if (error != cudaSuccess) return error;
    *array = new cudaArray(made);
    const std::lock_guard lock(program.mutex);
    arrays.insert(*array);
    return cudaSuccess;
}
cudaError_t cudaFreeArray(cudaArray_t array, const char* file, int line) {
    GPUCC_CALL;
    if (array == nullptr) return cudaSuccess;
    if (!is_array(array)) return Program::get().fail(cudaErrorInvalidValue, call, "this array doesn't exist");
    const cudaError_t error = free_memory(array->memory, call);
    if (error != cudaSuccess) return error;
    {
        const std::lock_guard lock(Program::get().mutex);
        arrays.erase(array);
    }
    delete array;
    return cudaSuccess;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags, cudaArray_t array,
                             const char* file, int line) {
    GPUCC_CALL;
    if (!is_array(array)) return Program::get().fail(cudaErrorInvalidValue, call, "this array doesn't exist");
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = {array->width, array->height, 0};
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array, const char* file, int line) {
    GPUCC_CALL;
    if (!is_array(array)) return Program::get().fail(cudaErrorInvalidValue, call, "this array doesn't exist");
    *format = array->format;
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy_sides({to, nullptr, 0, column, row}, {nullptr, const_cast<void*>(from), pitch}, width, height, kind,
                      nullptr, true, call);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t column, size_t row, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                                     const char* file, int line) {
    GPUCC_CALL;
    return copy_sides({to, nullptr, 0, column, row}, {nullptr, const_cast<void*>(from), pitch}, width, height, kind,
                      stream, false, call);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t column, size_t row,
                                  size_t width, size_t height, cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy_sides({nullptr, to, pitch}, {from, nullptr, 0, column, row}, width, height, kind, nullptr, true, call);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t column, size_t row,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                                       const char* file, int line) {
    GPUCC_CALL;
    return copy_sides({nullptr, to, pitch}, {from, nullptr, 0, column, row}, width, height, kind, stream, false, call);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_column, size_t to_row, cudaArray_const_t from,
                                     size_t from_column, size_t from_row, size_t width, size_t height,
                                     cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy_sides({to, nullptr, 0, to_column, to_row}, {from, nullptr, 0, from_column, from_row}, width, height,
                      kind, nullptr, true, call);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t bytes,
                              cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy_bytes(to, column, row, const_cast<void*>(from), bytes, true, kind, call);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t column, size_t row, size_t bytes,
                                cudaMemcpyKind kind, const char* file, int line) {
    GPUCC_CALL;
    return copy_bytes(from, column, row, to, bytes, false, kind, call);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent, const char* file, int line) {
    GPUCC_CALL;
    if (memory == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the pointer's address is null");
    const std::size_t pitch = (extent.width + 511) / 512 * 512;
    *memory = {nullptr, pitch, extent.width, extent.height};
    return allocate_memory(&memory->ptr, pitch * extent.height * extent.depth, Space::device, call);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy, const char* file, int line) {
    GPUCC_CALL;
    if (copy == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the parameters are null");
    return copy_3d(*copy, nullptr, true, call);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    if (copy == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the parameters are null");
    return copy_3d(*copy, stream, false, call);
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent, const char* file, int line) {
    GPUCC_CALL;
    return fill_3d(memory, value, extent, nullptr, call);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream,
                              const char* file, int line) {
    GPUCC_CALL;
    return fill_3d(memory, value, extent, stream, call);
}
