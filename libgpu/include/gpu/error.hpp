// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include <gpu/export.hpp>

namespace gpu {

/// The base class of libgpu's exceptions.
class GPU_API Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    ~Error() override;
};

/// Shapes that don't fit each other or the operation.
class GPU_API ShapeError : public Error {
public:
    using Error::Error;
    ~ShapeError() override;
};

/// An axis that the array doesn't have, or one that was given twice.
class GPU_API AxisError : public Error {
public:
    using Error::Error;
    ~AxisError() override;
};

/// Element types that don't fit each other or the operation.
class GPU_API DTypeError : public Error {
public:
    using Error::Error;
    ~DTypeError() override;
};

/// An index or a slice outside its array.
class GPU_API IndexError : public Error {
public:
    using Error::Error;
    ~IndexError() override;
};

/// A device that doesn't exist, isn't usable, or isn't the one where the data lives.
class GPU_API DeviceError : public Error {
public:
    using Error::Error;
    ~DeviceError() override;
};

/// A kernel that could not be launched (thrown by the launch), or one that failed while it ran (thrown by the next call
/// that waits for it; with LIBGPU_LAUNCH_BLOCKING=1 this is the launch).
class GPU_API LaunchError : public Error {
public:
    using Error::Error;
    ~LaunchError() override;
};

/// An expression whose inputs were modified between building and evaluating it.
class GPU_API ExpressionError : public Error {
public:
    using Error::Error;
    ~ExpressionError() override;
};

/// A shared library (NVRTC, say) or a program (the C++ compiler) that could not be found or used.
class GPU_API LibraryNotFound : public Error {
public:
    using Error::Error;
    ~LibraryNotFound() override;
};

/// A linear algebra problem that can't be solved: shapes that don't fit, a singular matrix, no convergence.
/// @snippet linalg/solve_test.cpp linalg_error
class GPU_API LinAlgError : public Error {
public:
    using Error::Error;
    ~LinAlgError() override;
};

/// A file that can't be read or written, or doesn't hold what it should.
class GPU_API FileError : public Error {
public:
    using Error::Error;
    ~FileError() override;
};

/// The memory of a device, or of the page-locked pool, at one moment; all in bytes.
struct MemoryUse {
    std::size_t used = 0;   ///< by existing arrays
    std::size_t held = 0;   ///< by libgpu's pool: used, waiting to be freed, or kept for later arrays
    std::size_t free = 0;   ///< of the whole device, for all processes
    std::size_t total = 0;  ///< of the device; 0: unknown
    std::size_t limit = 0;  ///< for `used`; 0: none
};

/// A device without room for an allocation, or a limit that leaves none. Everything else continues to work.
/// @snippet public/memory_test.cpp out_of_memory
/// @snippet public/expression_test.cpp out_of_memory
/// @snippet public/expression_test.cpp memory_limits
class GPU_API OutOfMemory : public Error {
public:
    OutOfMemory(std::size_t requested, const MemoryUse& memory, const std::string& where);
    ~OutOfMemory() override;

    [[nodiscard]] std::size_t requested() const noexcept { return requested_; }  ///< bytes asked for
    [[nodiscard]] const MemoryUse& memory() const noexcept { return memory_; }   ///< at that time
    [[nodiscard]] std::size_t used() const noexcept { return memory_.used; }     ///< bytes in arrays
    [[nodiscard]] std::size_t held() const noexcept { return memory_.held; }     ///< bytes that libgpu's pool held
    [[nodiscard]] std::size_t free() const noexcept { return memory_.free; }     ///< bytes that the device had free
    [[nodiscard]] std::size_t total() const noexcept { return memory_.total; }   ///< bytes that the device has
    [[nodiscard]] std::size_t limit() const noexcept { return memory_.limit; }   ///< 0: none was set

private:
    std::size_t requested_;
    MemoryUse memory_;
};

/// Kernel source that doesn't compile.
///
/// `what()` is the first error: file, line and column of the learner's own text, the line, and a caret.
/// @snippet public/expression_test.cpp compile_error
class GPU_API CompileError : public Error {
public:
    CompileError(const std::string& message, std::string kernel, std::string log, std::string source,
                 std::string options);
    ~CompileError() override;

    [[nodiscard]] const std::string& kernel() const noexcept { return kernel_; }    ///< the kernel's name
    [[nodiscard]] const std::string& log() const noexcept { return log_; }          ///< everything the compiler printed
    [[nodiscard]] const std::string& source() const noexcept { return source_; }    ///< the complete generated text
    [[nodiscard]] const std::string& options() const noexcept { return options_; }  ///< all of the compiler's options

private:
    std::string kernel_, log_, source_, options_;
};

}  // namespace gpu
