// SPDX-License-Identifier: MIT
#include "host/fourier.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "host/fibers/thread_pool.hpp"

namespace gpu::detail::host {

namespace {

/// One problem, done by whichever thread the stream has.
class FourierWork final : public Work {
public:
    FourierWork(const FourierModule& module, ThreadPool& pool, const FourierProblem& problem, void* from, void* to)
        : lines_of_(problem.real == DType::float64 ? module.float64 : module.float32),
          pool_(pool),
          problem_(problem),
          from_(from),
          to_(to) {}

    void run() override {
        const int last = problem_.lengths.rank() - 1;
        switch (problem_.kind) {
            case FourierKind::real_to_complex:
                along(last, FourierKind::real_to_complex, from_, to_);
                for (int axis = last; axis-- > 0;) along(axis, FourierKind::forward, to_, to_);
                break;
            case FourierKind::complex_to_real:
                for (int axis = 0; axis < last; ++axis) along(axis, FourierKind::inverse, from_, from_);
                along(last, FourierKind::complex_to_real, from_, to_);
                break;
            case FourierKind::forward:
            case FourierKind::inverse:
                along(last, problem_.kind, from_, to_);
                for (int axis = last; axis-- > 0;) along(axis, problem_.kind, to_, to_);
                break;
        }
    }

private:
    void along(int axis, FourierKind kind, const void* from, void* to) {
        const Shape lengths = problem_.complex_lengths();
        std::int64_t before = problem_.interleaved ? 1 : problem_.batch;
        std::int64_t inner = problem_.interleaved ? problem_.batch : 1;
        for (int k = 0; k < axis; ++k) before *= lengths[k];
        for (int k = axis + 1; k < lengths.rank(); ++k) inner *= lengths[k];
        const FourierLines all{kind, from, to, problem_.lengths[axis], inner, 0, before * inner};
        // Some ten thousand points pay for waking up another thread.
        constexpr std::int64_t points = std::int64_t{1} << 14;
        const std::int64_t part = std::max<std::int64_t>(1, points / all.n), parts = (all.last - 1) / part + 1;
        std::atomic<std::int64_t> next{0};
        auto work = [&] {
            for (std::int64_t k = next++; k < parts; k = next++) {
                FourierLines some = all;
                some.first = k * part;
                some.last = std::min(some.first + part, all.last);
                lines_of_(some);
            }
        };
        pool_.run(static_cast<int>(std::min<std::int64_t>(parts, pool_.workers()) - 1), work);
    }

    void (*lines_of_)(const FourierLines& lines);
    ThreadPool& pool_;
    FourierProblem problem_;
    void* from_;
    void* to_;
};

class HostFourierTransforms final : public FourierTransforms {
public:
    HostFourierTransforms(const FourierModule& module, ThreadPool& pool, Submit submit)
        : module_(module), pool_(pool), submit_(std::move(submit)) {}

    void transform(const FourierProblem& problem, void* from, void* to) override {
        for (const std::int64_t length : problem.lengths) {
            if (length > module_.max_points)
                throw Error("a Fourier transform of " + std::to_string(length) + " points: on the host it has " +
                            std::to_string(module_.max_points) + " at most");
        }
        submit_(problem.device, problem.stream, std::make_unique<FourierWork>(module_, pool_, problem, from, to));
    }

private:
    const FourierModule& module_;
    ThreadPool& pool_;
    Submit submit_;
};

}  // namespace

std::unique_ptr<FourierTransforms> make_fourier_transforms(const FourierModule& module, ThreadPool& pool,
                                                           Submit submit) {
    return std::make_unique<HostFourierTransforms>(module, pool, std::move(submit));
}

const FourierModule& open_fourier_module(const std::vector<std::string>& candidates) {
    const FourierModule* module = nullptr;
    open_library(candidates,
                 "Fourier transforms on the host are in libgpu_host_linalg.so, which isn't usable: build it (make "
                 "build, or the target gpu_host_linalg) so that it lies beside libgpu.so.",
                 [&module](void* library) {
                     const auto entry = reinterpret_cast<FourierModuleEntry>(::dlsym(library, fourier_module_entry));
                     if (entry == nullptr || entry()->version != fourier_module_version)
                         throw LibraryNotFound("of another version of libgpu");
                     module = entry();
                 });
    return *module;
}

}  // namespace gpu::detail::host
