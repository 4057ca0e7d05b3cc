// SPDX-License-Identifier: MIT
#include "run/runner/failure.hpp"

#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

#include <cxxabi.h>

#include <gpu/error.hpp>

namespace course::runner {

using protocol::Status;

std::string demangle(const char* name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                          std::free);
    return status == 0 && readable ? readable.get() : name;
}

Failure current_failure() noexcept try {
    throw;
} catch (const gpu::CompileError& error) {
    return {Status::kernel_does_not_compile, error.what()};
} catch (const gpu::LaunchError& error) {
    return {Status::kernel_fault, error.what()};
} catch (const std::exception& error) {
    return {Status::exception, demangle(typeid(error).name()) + ": " + error.what()};
} catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return {Status::exception, "a value of type " + (type != nullptr ? demangle(type->name()) : "unknown")};
}

}  // namespace course::runner
