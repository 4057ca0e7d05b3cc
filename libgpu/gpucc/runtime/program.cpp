// SPDX-License-Identifier: MIT
#include "gpucc/runtime/program.hpp"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include <gpu/device.hpp>
#include <gpu/error.hpp>

#include "gpucc/seam/seam.hpp"

namespace gpucc {

namespace {

thread_local cudaError_t thread_error = cudaSuccess;
thread_local int thread_device = 0;

void say(const std::string& text) {
    std::fflush(stdout);
    std::fprintf(stderr, "gpucc: %s\n", text.c_str());
}

cudaError_t code_of_fault(const std::string& text) {
    if (text.find("assert") != std::string::npos) return cudaErrorAssert;
    if (text.find("endless loop") != std::string::npos || text.find("seconds") != std::string::npos)
        return cudaErrorLaunchTimeout;
    const bool is_access = text.find(" reads ") != std::string::npos || text.find(" writes ") != std::string::npos ||
                           text.find("past the end") != std::string::npos;
    return is_access ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
}

}  // namespace

std::string to_text(const Call& call) {
    return std::string(call.file) + ':' + std::to_string(call.line) + ": " + call.name;
}

bool is_set(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

Program& Program::get() {
    static Program* const program = new Program;  // never destroyed
    return *program;
}

Program::Program() : backend_((::setenv("LIBGPU_DEVICE", "host", 1), gpu::detail::program::host_backend())) {}

int Program::device() const { return thread_device; }

void Program::set_device(int device) { thread_device = device; }

cudaError_t Program::noted(cudaError_t error) {
    thread_error = error;
    return error;
}

cudaError_t Program::last_error(bool clears) {
    const std::lock_guard lock(mutex);
    unreported_.clear();
    const cudaError_t error = sticky_ != cudaSuccess ? sticky_ : thread_error;
    if (clears) thread_error = cudaSuccess;
    return error;
}

cudaError_t Program::fail(cudaError_t error, const Call& call, const std::string& why) {
    if (!why.empty()) say(to_text(call) + ": " + why);
    return noted(error);
}

cudaError_t Program::fail_launch(cudaError_t error, const std::string& kernel, const Call& call,
                                 const std::string& why) {
    const std::lock_guard lock(mutex);
    if (unreported_.empty())
        unreported_ = std::string(call.file) + ':' + std::to_string(call.line) + ": kernel " + kernel +
                      " was never launched: " + why +
                      ", and the program didn't ask: call cudaGetLastError() after "
                      "each launch";
    return noted(error);
}

cudaError_t Program::run(const Call& call, const std::function<cudaError_t()>& work) {
    {
        const std::lock_guard lock(mutex);
        if (sticky_ != cudaSuccess) return sticky_;
    }
    if (calls_to_failure_ > 0 && --calls_to_failure_ == 0)
        return fail(cudaErrorUnknown, call, "this call was made to fail");
    try {
        return work();
    } catch (const gpu::OutOfMemory& error) {
        return fail(cudaErrorMemoryAllocation, call, error.what());
    } catch (const gpu::LaunchError& error) {
        say(error.what());
        const std::lock_guard lock(mutex);
        sticky_ = code_of_fault(error.what());
        return noted(sticky_);
    } catch (const gpu::CompileError& error) {
        return fail(cudaErrorInvalidKernelImage, call, error.what());
    } catch (const std::exception& error) {
        return fail(cudaErrorUnknown, call, error.what());
    }
}

void Program::reset() {
    const std::lock_guard lock(mutex);
    sticky_ = cudaSuccess;
    thread_error = cudaSuccess;
}

void Program::add(void* data, std::size_t bytes, Space space, const Call& call) {
    const std::lock_guard lock(mutex);
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    auto at = allocations_.lower_bound(begin);  // pieces that were freed and are used again
    if (at != allocations_.begin() && std::prev(at)->second.begin + std::prev(at)->second.bytes > begin) --at;
    while (at != allocations_.end() && at->first < begin + bytes) at = allocations_.erase(at);
    allocations_[begin] = {begin, bytes, space, call};
}

Allocation Program::find(const void* address) {
    const std::lock_guard lock(mutex);
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    const auto behind = allocations_.upper_bound(value);
    if (behind == allocations_.begin()) return {};
    const Allocation& found = std::prev(behind)->second;
    return value < found.begin + found.bytes || value == found.begin ? found : Allocation{};
}

void Program::mark_freed(const void* begin) {
    const std::lock_guard lock(mutex);
    const auto found = allocations_.find(reinterpret_cast<std::uintptr_t>(begin));
    if (found != allocations_.end()) found->second.is_freed = true;
}

std::string Program::leaks() {
    const std::lock_guard lock(mutex);
    std::string text;
    for (const auto& [begin, one] : allocations_)
        if (!one.is_freed && one.space != Space::registered)
            text += "gpucc: " + to_text(one.call) + ": " + std::to_string(one.bytes) + " bytes were never freed\n";
    return text;
}

void fail_call(int number) { Program::get().fail_call(number); }

void finish_program() {
    Program& program = Program::get();
    std::string unreported;
    {
        const std::lock_guard lock(program.mutex);
        unreported.swap(program.unreported_);
    }
    if (!unreported.empty()) say(unreported);
    if (is_set("GPUCC_LEAKS")) std::fputs(program.leaks().c_str(), stderr);
}

}  // namespace gpucc
