// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <optional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "backend/backend.hpp"
#include "gpucc/runtime/misuse.hpp"

namespace gpucc {

/// A call of the runtime API, for messages.
struct Call {
    const char* name;
    const char* file;
    int line;
};
/// Names `call`, in a function of the API, whose last parameters are the caller's file and line.
#define GPUCC_CALL \
    const Call call { __func__, file, line }

/// "saxpy.cu:31: cudaMemcpy"
[[nodiscard]] std::string to_text(const Call& call);

/// Where memory lies.
enum class Space : std::uint8_t { device, pinned, managed, registered };

/// What a call does to the device's work.
enum class Effect : std::uint8_t {
    none,
    queues,  ///< some may be under way when it returns
    waits    ///< for all that was queued before
};

/// A piece of memory that the program has asked for.
struct Allocation {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    Space space = Space::device;
    Call call = {};
    bool is_variable = false;  ///< of the program's: it is never freed
    bool is_freed = false;     ///< kept for messages, until its address is used again
};

/// What the program's runtime knows. One a process, never destroyed: programs call until they end.
class Program {
public:
    static Program& get();

    /// Asked for each time: a grader that records a program's work puts itself before it.
    [[nodiscard]] gpu::detail::Backend& backend();
    [[nodiscard]] int device() const;
    void set_device(int device);

    // Errors. After a kernel's fault every call returns its error, as on a GPU.
    [[nodiscard]] cudaError_t last_error(bool clears);
    /// Notes an error and writes why to stderr, if that says more than the error itself. Check mode lists it as well,
    /// unless a right program may meet the error.
    cudaError_t fail(cudaError_t error, const Call& call, const std::string& why = "");
    cudaError_t fail(cudaError_t error, const Call& call, const Misuse& misuse);
    /// A launch is refused: that is said at the program's end if nobody has asked for errors until then.
    cudaError_t fail_launch(cudaError_t error, const std::string& kernel, const Call& call, const std::string& why);
    /// An error that stays, as a kernel's fault does: every later call returns it.
    cudaError_t end_all(cudaError_t error, const Call& call, const std::string& why);
    /// Does what a call does; the errors of libgpu become CUDA's.
    cudaError_t run(const Call& call, const std::function<cudaError_t()>& work, Effect effect = Effect::queues);
    void reset();
    /// Lets a call fail on purpose: the one with this number from now on, counted from 1; 0: none.
    void fail_call(int number) { calls_to_failure_ = number; }
    /// Check mode is on: a kernel with a mistake ends there, and a later call returns what a GPU's would.
    void set_checked() { is_checked_ = true; }
    [[nodiscard]] bool is_checked() const { return is_checked_; }
    /// Says which launch failed while the program didn't ask.
    void tell_unreported();
    /// What fail() has noted in check mode.
    [[nodiscard]] std::vector<FoundMisuse> misuses();

    // Memory.
    void add(void* data, std::size_t bytes, Space space, const Call& call, bool is_variable = false);
    /// The allocation that an address is in, freed ones as well; bytes is 0 if there is none.
    [[nodiscard]] Allocation find(const void* address);
    /// The allocation around an address, or not far from it; bytes is 0 if there is none.
    [[nodiscard]] Allocation find_near(const void* address);
    void mark_freed(const void* begin);
    [[nodiscard]] std::string leaks();

    std::mutex mutex;  ///< for the sets below
    std::set<const void*> streams, events;

private:
    Program();
    [[nodiscard]] cudaError_t noted(cudaError_t error);
    void note(const Call& call, const Misuse& misuse, const std::string& kernel, const std::string& advice);

    /// A launch that failed, while nobody has asked for an error.
    struct FailedLaunch {
        std::string kernel, why;
        std::string file;
        int line;
    };

    std::map<std::uintptr_t, Allocation> allocations_;
    cudaError_t sticky_ = cudaSuccess;
    bool is_checked_ = false;
    std::optional<FailedLaunch> unreported_;
    std::vector<FoundMisuse> misuses_;
    std::atomic<int> calls_to_failure_{0};
};

/// True for a variable of the environment that says something, and not 0.
[[nodiscard]] bool is_set(const char* name);

/// Starts what the environment asks for: check mode.
void begin_program();
/// At exit: an error that nobody has looked at, leaks. A grader that runs a program in its own process calls it, too.
__attribute__((visibility("default"))) void finish_program();
/// For graders and tests of error checks: Program::fail_call(). GPUCC_FAIL_CALL=3 does the same from outside.
__attribute__((visibility("default"))) void fail_call(int number);

}  // namespace gpucc
