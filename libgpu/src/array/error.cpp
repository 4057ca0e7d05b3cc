// SPDX-License-Identifier: MIT
#include <gpu/error.hpp>

#include <utility>

namespace gpu {

// Defined here so that each type's vtable exists once, in libgpu, and catching works across shared objects.
Error::~Error() = default;
ShapeError::~ShapeError() = default;
AxisError::~AxisError() = default;
DTypeError::~DTypeError() = default;
IndexError::~IndexError() = default;
DeviceError::~DeviceError() = default;
LaunchError::~LaunchError() = default;
ExpressionError::~ExpressionError() = default;
LibraryNotFound::~LibraryNotFound() = default;
LinAlgError::~LinAlgError() = default;
FileError::~FileError() = default;
OutOfMemory::~OutOfMemory() = default;
CompileError::~CompileError() = default;

namespace {

std::string out_of_memory_text(std::size_t requested, const MemoryUse& memory, const std::string& where) {
    std::string text = "out of memory on " + where + ": " + std::to_string(requested) + " bytes requested";
    if (memory.total > 0) {
        text += "; arrays use " + std::to_string(memory.used) + ", libgpu holds " + std::to_string(memory.held) + ", " +
                std::to_string(memory.free) + " of " + std::to_string(memory.total) + " are free";
    }
    if (memory.limit > 0) {
        text += memory.total > 0 ? "; arrays may use " + std::to_string(memory.limit) +
                                       " (gpu::memory_pool().set_limit() or LIBGPU_MEMORY_LIMIT)"
                                 : "; the limit is " + std::to_string(memory.limit);  // of a pool that `where` names
    }
    return text;
}

}  // namespace

OutOfMemory::OutOfMemory(std::size_t requested, const MemoryUse& memory, const std::string& where)
    : Error(out_of_memory_text(requested, memory, where)), requested_(requested), memory_(memory) {}

CompileError::CompileError(const std::string& message, std::string kernel, std::string log, std::string source,
                           std::string options)
    : Error(message),
      kernel_(std::move(kernel)),
      log_(std::move(log)),
      source_(std::move(source)),
      options_(std::move(options)) {}

}  // namespace gpu
