// SPDX-License-Identifier: MIT
#include "gpucc/runtime/program.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include <gpu/device.hpp>
#include <gpu/error.hpp>

#include "gpucc/runtime/access_guard.hpp"
#include "gpucc/runtime/words.hpp"
#include "gpucc/seam/seam.hpp"

namespace gpucc {

namespace {

thread_local cudaError_t thread_error = cudaSuccess;
thread_local int thread_device = 0;

void say(const std::string& text) {
    std::fflush(stdout);
    std::fprintf(stderr, "gpucc: %s\n", text.c_str());
}

cudaError_t code_of(gpu::detail::KernelEnd end) {
    using gpu::detail::KernelEnd;
    switch (end) {
        case KernelEnd::illegal_address: return cudaErrorIllegalAddress;
        case KernelEnd::misaligned_address: return cudaErrorMisalignedAddress;
        case KernelEnd::illegal_instruction: return cudaErrorIllegalInstruction;
        case KernelEnd::invalid_call: return cudaErrorInvalidPc;
        case KernelEnd::stack_overflow: return cudaErrorHardwareStackError;
        case KernelEnd::assertion: return cudaErrorAssert;
        case KernelEnd::timeout: return cudaErrorLaunchTimeout;
        case KernelEnd::other: break;
    }
    return cudaErrorLaunchFailure;
}

// Errors that a program may ask for, or that aren't its fault.
bool is_met_by_right_programs(cudaError_t error) {
    constexpr cudaError_t met[] = {cudaErrorMemoryAllocation,   cudaErrorUnknown,
                                   cudaErrorNotSupported,       cudaErrorInvalidDevice,
                                   cudaErrorInvalidKernelImage, cudaErrorHostMemoryAlreadyRegistered};
    return std::find(std::begin(met), std::end(met), error) != std::end(met);
}

}  // namespace

std::string to_text(const Call& call) {
    if (*call.file == '\0') return call.name;
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

Program::Program() {
    ::setenv("LIBGPU_DEVICE", "host", 1);
    (void)backend();
}

gpu::detail::Backend& Program::backend() { return gpu::detail::program::host_backend(); }

int Program::device() const { return thread_device; }

void Program::set_device(int device) { thread_device = device; }

cudaError_t Program::noted(cudaError_t error) {
    thread_error = error;
    return error;
}

cudaError_t Program::last_error(bool clears) {
    const std::lock_guard lock(mutex);
    unreported_.reset();
    const cudaError_t error = sticky_ != cudaSuccess ? sticky_ : thread_error;
    if (clears) thread_error = cudaSuccess;
    return error;
}

cudaError_t Program::fail(cudaError_t error, const Call& call, const std::string& why) {
    if (is_met_by_right_programs(error) || why.empty()) {
        if (!why.empty()) say(to_text(call) + ": " + why);
        return noted(error);
    }
    return fail(error, call, {"wrong call", why});
}

cudaError_t Program::fail(cudaError_t error, const Call& call, const Misuse& misuse) {
    say(to_text(call) + ": " + misuse.why);
    note(call, misuse, "",
         std::string("the call did nothing but return ") + cudaGetErrorName(error) + ": check what each call returns");
    return noted(error);
}

void Program::note(const Call& call, const Misuse& misuse, const std::string& kernel, const std::string& advice) {
    if (!is_checked_) return;
    const std::lock_guard lock(mutex);
    note_misuse(misuses_, misuse.kind,
                {.rule = gpu::Rule::host_only_queues,
                 .kernel = kernel,
                 .file = call.file,
                 .line = call.line,
                 .what = to_text(call) + ": " + misuse.why,
                 .advice = advice});
}

std::vector<FoundMisuse> Program::misuses() {
    const std::lock_guard lock(mutex);
    return misuses_;
}

cudaError_t Program::fail_launch(cudaError_t error, const std::string& kernel, const Call& call,
                                 const std::string& why) {
    const std::lock_guard lock(mutex);
    if (!unreported_) unreported_ = {kernel, why, call.file, call.line};
    return noted(error);
}

void Program::tell_unreported() {
    std::optional<FailedLaunch> failed;
    {
        const std::lock_guard lock(mutex);
        failed.swap(unreported_);
    }
    if (!failed) return;
    const std::string name = "kernel " + failed->kernel, why = "was never launched: " + failed->why;
    const std::string advice = "call cudaGetLastError() after each launch";
    say(failed->file + ':' + std::to_string(failed->line) + ": " + name + ' ' + why +
        ", and the program didn't ask: " + advice);
    note({name.c_str(), failed->file.c_str(), failed->line}, {"failed launch", why}, failed->kernel, advice);
}

cudaError_t Program::run(const Call& call, const std::function<cudaError_t()>& work, Effect effect) {
    {
        const auto end = is_checked_ ? gpu::detail::program::take_end(backend()) : std::nullopt;
        const std::lock_guard lock(mutex);
        if (end && sticky_ == cudaSuccess) sticky_ = code_of(*end);
        if (sticky_ != cudaSuccess) return sticky_;
    }
    if (calls_to_failure_ > 0 && --calls_to_failure_ == 0)
        return fail(cudaErrorUnknown, call, "this call was made to fail");
    const AccessGuard::Scope scope(effect);
    const auto ended = [&](cudaError_t code, const std::string& why) {
        say(in_cuda(why));
        const std::lock_guard lock(mutex);
        sticky_ = code;
        return noted(code);
    };
    try {
        return work();
    } catch (const gpu::OutOfMemory& error) {
        return fail(cudaErrorMemoryAllocation, call, in_cuda(error.what()));
    } catch (const gpu::detail::KernelFault& error) {
        return ended(code_of(error.end()), error.what());
    } catch (const gpu::LaunchError& error) {
        return ended(cudaErrorLaunchFailure, error.what());
    } catch (const gpu::CompileError& error) {
        return fail(cudaErrorInvalidKernelImage, call, in_cuda(error.what()));
    } catch (const std::exception& error) {
        return fail(cudaErrorUnknown, call, in_cuda(error.what()));
    }
}

void Program::reset() {
    const std::lock_guard lock(mutex);
    sticky_ = cudaSuccess;
    thread_error = cudaSuccess;
}

void Program::add(void* data, std::size_t bytes, Space space, const Call& call, bool is_variable) {
    if (space == Space::device && !is_variable) AccessGuard::get().add(data, bytes, call);
    const std::lock_guard lock(mutex);
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    auto at = allocations_.lower_bound(begin);  // pieces that were freed and are used again
    if (at != allocations_.begin() && std::prev(at)->second.begin + std::prev(at)->second.bytes > begin) --at;
    while (at != allocations_.end() && at->first < begin + bytes) at = allocations_.erase(at);
    allocations_[begin] = {begin, bytes, space, call, is_variable};
}

cudaError_t Program::end_all(cudaError_t error, const Call& call, const std::string& why) {
    say(to_text(call) + ": " + why);
    const std::lock_guard lock(mutex);
    sticky_ = error;
    return noted(error);
}

// A program that counts from 1 hands on the address before an array's.
Allocation Program::find_near(const void* address) {
    constexpr std::uintptr_t near = std::uintptr_t{1} << 16;
    const std::lock_guard lock(mutex);
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    auto at = allocations_.upper_bound(value + near);
    if (at == allocations_.begin()) return {};
    --at;
    return value < at->second.begin + at->second.bytes + near ? at->second : Allocation{};
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
    AccessGuard::get().mark_freed(begin);
    const auto found = allocations_.find(reinterpret_cast<std::uintptr_t>(begin));
    if (found != allocations_.end()) found->second.is_freed = true;
}

std::string Program::leaks() {
    const std::lock_guard lock(mutex);
    std::string text;
    for (const auto& [begin, one] : allocations_)
        if (!one.is_freed && !one.is_variable && one.space != Space::registered)
            text += "gpucc: " + to_text(one.call) + ": " + std::to_string(one.bytes) + " bytes were never freed\n";
    return text;
}

void fail_call(int number) { Program::get().fail_call(number); }

void finish_program() {
    Program& program = Program::get();
    program.tell_unreported();
    if (is_set("GPUCC_LEAKS")) std::fputs(program.leaks().c_str(), stderr);
}

}  // namespace gpucc
