// SPDX-License-Identifier: MIT
#pragma once

#include <cufftXt.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "backend/fft.hpp"
#include "cuda/memory/device_memory.hpp"

namespace gpu::detail {
class Backend;
}

// The toolkit's header is used for types only: nothing in libgpu links cuFFT.
namespace gpu::detail::cuda {

/// The functions of cuFFT that libgpu calls, looked up on first use.
struct FftApi {
    decltype(&cufftCreate) create = nullptr;
    decltype(&cufftDestroy) destroy = nullptr;
    decltype(&cufftSetAutoAllocation) set_auto_allocation = nullptr;
    decltype(&cufftXtMakePlanMany) make_plan = nullptr;
    decltype(&cufftSetStream) set_stream = nullptr;
    decltype(&cufftSetWorkArea) set_work_area = nullptr;
    decltype(&cufftXtExec) exec = nullptr;
};

/// Loads cuFFT from the first candidate that works.
/// @throws LibraryNotFound with the package to install, what was tried, and why each failed
[[nodiscard]] FftApi load_fft(const std::vector<std::string>& candidates);

/// The process's cuFFT, loaded on the first call. @throws LibraryNotFound, as load_fft does, on every call
[[nodiscard]] const FftApi& fft();

/// "CUFFT_INVALID_SIZE: a length that isn't supported".
[[nodiscard]] std::string describe(cufftResult status);

/// Fourier transforms with cuFFT. Plans are kept for later calls of the same kind, shape and device, the last ones
/// used; their workspace comes from the stream-ordered pool, for the time of a call.
class CudaFourierTransforms final : public FourierTransforms {
public:
    /// The most plans that are kept. A plan's tables take device memory of cuFFT's own.
    static constexpr std::size_t max_plans = 64;

    CudaFourierTransforms(Backend& backend, DeviceMemory& memory, bool blocking)
        : backend_(backend), memory_(memory), blocking_(blocking) {}

    void transform(const FourierProblem& problem, void* from, void* to) override;

private:
    /// What a plan is made for; one serves both directions.
    struct Key {
        int device;
        DType real;
        FourierKind kind;  ///< forward stands for inverse as well
        std::vector<std::int64_t> lengths;
        std::int64_t batch;
        bool interleaved;

        friend bool operator<(const Key& a, const Key& b) {
            return std::tie(a.device, a.real, a.kind, a.lengths, a.batch, a.interleaved) <
                   std::tie(b.device, b.real, b.kind, b.lengths, b.batch, b.interleaved);
        }
    };
    struct Plan {
        cufftHandle handle = 0;
        std::size_t workspace = 0;   ///< bytes
        std::uint64_t last_use = 0;  ///< a number that grows with each call
    };
    using Plans = std::map<Key, Plan>;

    Plan& plan_for(const FourierProblem& problem);
    cufftResult make(const FourierProblem& problem, Plan& plan);
    void destroy(Plans::iterator plan);
    void run(const FourierProblem& problem, const Plan& plan, void* from, void* to);
    void check(const FourierProblem& problem, cufftResult status, const char* function);

    Backend& backend_;
    DeviceMemory& memory_;
    bool blocking_;
    std::mutex mutex_;  // a plan has one stream and one workspace at a time
    Plans plans_;       // never destroyed at exit: the library and the driver may be gone
    std::uint64_t uses_ = 0;
};

}  // namespace gpu::detail::cuda
