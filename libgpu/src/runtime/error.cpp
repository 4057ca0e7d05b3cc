// SPDX-License-Identifier: MIT
#include <gpu/error.hpp>

#include <utility>

namespace gpu {

// Defined here so that each type's table of virtual functions exists once, in libgpu, and catching works across
// shared objects.
Error::~Error() = default;
ShapeError::~ShapeError() = default;
AxisError::~AxisError() = default;
DTypeError::~DTypeError() = default;
IndexError::~IndexError() = default;
DeviceError::~DeviceError() = default;
LaunchError::~LaunchError() = default;
ExpressionError::~ExpressionError() = default;
LibraryNotFound::~LibraryNotFound() = default;
OutOfMemory::~OutOfMemory() = default;
CompileError::~CompileError() = default;

OutOfMemory::OutOfMemory(std::size_t requested, std::size_t held, std::size_t free, const std::string& where)
    : Error("out of memory on " + where + ": " + std::to_string(requested) + " bytes requested, " +
            std::to_string(held) + " held by libgpu, " + std::to_string(free) + " free"),
      requested_(requested), held_(held), free_(free) {}

CompileError::CompileError(const std::string& message, std::string kernel, std::string log, std::string source,
                           std::string options)
    : Error(message), kernel_(std::move(kernel)), log_(std::move(log)), source_(std::move(source)),
      options_(std::move(options)) {}

}  // namespace gpu
