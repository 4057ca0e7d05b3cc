// SPDX-License-Identifier: MIT
#include "cuda/fft/cuda_fft.hpp"

#include <algorithm>
#include <mutex>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "cuda/base/cudart.hpp"
#include "cuda/base/launch_limits.hpp"
#include "cuda/base/library.hpp"

namespace gpu::detail::cuda {

namespace {

// Toolkit 13 has libcufft.so.12: one version behind.
int fft_major() noexcept { return toolkit_major() - 1; }

std::string package() {
    return "libcufft-" + std::to_string(toolkit_major()) + "-" + std::to_string(CUDART_VERSION % 1000 / 10);
}

}  // namespace

FftApi load_fft(const std::vector<std::string>& candidates) {
    FftApi api;
    open_library(candidates,
                 "cuFFT, which computes Fourier transforms on the GPU, was not found. Install NVIDIA's package " +
                     package() + ", or set LIBGPU_CUFFT to the path of libcufft.so." + std::to_string(fft_major()) +
                     ".",
                 [&](void* library) {
                     look_up(library, "cufftCreate", api.create);
                     look_up(library, "cufftDestroy", api.destroy);
                     look_up(library, "cufftSetAutoAllocation", api.set_auto_allocation);
                     look_up(library, "cufftXtMakePlanMany", api.make_plan);
                     look_up(library, "cufftSetStream", api.set_stream);
                     look_up(library, "cufftSetWorkArea", api.set_work_area);
                     look_up(library, "cufftXtExec", api.exec);
                 });
    return api;
}

const FftApi& fft() {
    static std::mutex mutex;
    static const FftApi* api = nullptr;  // leaked with the library
    const std::lock_guard lock(mutex);
    if (!api)
        api = new FftApi(load_fft(library_candidates("libcufft", "LIBGPU_CUFFT", {fft_major(), fft_major() - 1})));
    return *api;
}

std::string describe(cufftResult status) {
    switch (static_cast<int>(status)) {  // versions differ in the names they have
        case CUFFT_SUCCESS: return "CUFFT_SUCCESS";
        case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN: no such plan";
        case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED: no memory for the library itself";
        case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE: no such type of transform";
        case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE: an argument is out of range";
        case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR: a step inside the library failed";
        case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED: a kernel failed";
        case CUFFT_SETUP_FAILED: return "CUFFT_SETUP_FAILED: the library can't start";
        case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE: a length that isn't supported";
        case CUFFT_UNALIGNED_DATA: return "CUFFT_UNALIGNED_DATA: an array isn't aligned";
        case CUFFT_INVALID_DEVICE: return "CUFFT_INVALID_DEVICE: the plan is another device's";
        case CUFFT_NO_WORKSPACE: return "CUFFT_NO_WORKSPACE: the plan has no workspace";
        case CUFFT_NOT_IMPLEMENTED: return "CUFFT_NOT_IMPLEMENTED: not for such arguments";
        case CUFFT_NOT_SUPPORTED: return "CUFFT_NOT_SUPPORTED: not for such arguments";
        default: return "cuFFT status " + std::to_string(static_cast<int>(status));
    }
}

namespace {

// "complex64, 3 x 4, 5 of them".
std::string problem_text(const FourierProblem& problem) {
    std::string text(name(problem.kind == FourierKind::real_to_complex ? problem.real : complex_dtype(problem.real)));
    for (int axis = 0; axis < problem.lengths.rank(); ++axis) {
        text += (axis == 0 ? ", " : " x ") + std::to_string(problem.lengths[axis]);
    }
    return problem.batch == 1 ? text : text + ", " + std::to_string(problem.batch) + " of them";
}

/// One side of a plan: how an item lies in memory.
struct PlanSide {
    long long embedding[3] = {};
    long long stride = 1, distance = 1;
    cudaDataType type;

    PlanSide(const FourierProblem& problem, bool is_complex) {
        const Shape lengths = is_complex ? problem.complex_lengths() : problem.lengths;
        for (int axis = 0; axis < lengths.rank(); ++axis) embedding[axis] = lengths[axis];
        (problem.interleaved ? stride : distance) = problem.interleaved ? problem.batch : lengths.size();
        const bool is_double = problem.real == DType::float64;
        type = is_complex ? (is_double ? CUDA_C_64F : CUDA_C_32F) : (is_double ? CUDA_R_64F : CUDA_R_32F);
    }
};

}  // namespace

void CudaFourierTransforms::check(const FourierProblem& problem, cufftResult status, const char* function) {
    if (status == CUFFT_SUCCESS) return;
    backend_.synchronize_stream(problem.device, problem.stream);  // throws if an earlier kernel has failed
    throw DeviceError(std::string(function) + " (" + problem_text(problem) + "): " + describe(status));
}

cufftResult CudaFourierTransforms::make(const FourierProblem& problem, Plan& plan) {
    long long lengths[3] = {};
    for (int axis = 0; axis < problem.lengths.rank(); ++axis) lengths[axis] = problem.lengths[axis];
    PlanSide from(problem, problem.kind != FourierKind::real_to_complex);
    PlanSide to(problem, problem.kind != FourierKind::complex_to_real);
    check(problem, fft().create(&plan.handle), "cufftCreate");
    cufftResult status = fft().set_auto_allocation(plan.handle, 0);
    if (status == CUFFT_SUCCESS) {
        const cudaDataType execution = problem.real == DType::float64 ? CUDA_C_64F : CUDA_C_32F;
        status = fft().make_plan(plan.handle, problem.lengths.rank(), lengths, from.embedding, from.stride,
                                 from.distance, from.type, to.embedding, to.stride, to.distance, to.type, problem.batch,
                                 &plan.workspace, execution);
    }
    if (status != CUFFT_SUCCESS) (void)fft().destroy(plan.handle);
    return status;
}

void CudaFourierTransforms::destroy(Plans::iterator plan) {
    use_device(plan->first.device);
    (void)fft().destroy(plan->second.handle);  // waits for work that uses its tables, as freeing memory does
    plans_.erase(plan);
}

CudaFourierTransforms::Plan& CudaFourierTransforms::plan_for(const FourierProblem& problem) {
    const FourierKind kind = problem.kind == FourierKind::inverse ? FourierKind::forward : problem.kind;
    const Key key{problem.device, problem.real,       kind, {problem.lengths.begin(), problem.lengths.end()},
                  problem.batch,  problem.interleaved};
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    if (plans_.size() == max_plans) {
        destroy(std::min_element(plans_.begin(), plans_.end(),
                                 [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; }));
        use_device(problem.device);
    }
    Plan plan;
    cufftResult status = make(problem, plan);
    if (status == CUFFT_ALLOC_FAILED) {  // the memory may be in the pool, or in other plans' tables
        while (!plans_.empty()) destroy(plans_.begin());
        use_device(problem.device);
        memory_.trim(problem.device);
        status = make(problem, plan);
    }
    check(problem, status, "cufftXtMakePlanMany");
    return plans_.emplace(key, plan).first->second;
}

void CudaFourierTransforms::run(const FourierProblem& problem, const Plan& plan, void* from, void* to) {
    const Scratch workspace(memory_, problem.device, plan.workspace, stream_of(problem.stream));
    check(problem, fft().set_stream(plan.handle, stream_of(problem.stream)), "cufftSetStream");
    if (plan.workspace > 0) check(problem, fft().set_work_area(plan.handle, workspace.data()), "cufftSetWorkArea");
    const int direction = problem.kind == FourierKind::inverse || problem.kind == FourierKind::complex_to_real
                              ? CUFFT_INVERSE
                              : CUFFT_FORWARD;
    const cufftResult status = fft().exec(plan.handle, from, to, direction);
    launch_history().add("cufftXtExec");
    check(problem, status, "cufftXtExec");
}

void CudaFourierTransforms::transform(const FourierProblem& problem, void* from, void* to) {
    use_device(problem.device);
    {
        const std::lock_guard lock(mutex_);
        Plan& plan = plan_for(problem);
        plan.last_use = ++uses_;
        run(problem, plan, from, to);
    }
    if (!blocking_) return;
    const cudaError_t outcome = cudaStreamSynchronize(stream_of(problem.stream));
    if (outcome == cudaSuccess) return;
    (void)cudaGetLastError();
    throw LaunchError("cufftXtExec (" + problem_text(problem) + ") failed: " + describe(outcome) +
                      " (LIBGPU_LAUNCH_BLOCKING=1: it is this call that did it)");
}

}  // namespace gpu::detail::cuda
