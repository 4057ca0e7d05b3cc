// SPDX-License-Identifier: MIT
// Linked into the test programs. If GPU_RECORD_KERNELS names a folder, the CUDA text of every kernel that is asked of
// the host backend is written there; gpu_recorded_test compiles them.
#ifdef GPU_WITH_CUDA
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "backend/observers.hpp"
#include "cuda/compile/skeletons.hpp"
#include "record/recorder.hpp"
#include "recorder/kernel_file.hpp"

namespace recorded {

namespace {

using namespace gpu::detail;

/// Keeps nothing in memory, so that forked children and the destructors of static objects may be recorded too.
class Recorder final : public record::Recorder {
public:
    Recorder(std::unique_ptr<Backend> host, const char* folder)
        : record::Recorder(*host), host_(std::move(host)), folder_(folder) {}

    KernelSource generate(const ElementwiseText& text) const override {
        return record(host_->generate(text), [&] { return cuda::elementwise_skeleton(text); });
    }
    KernelSource generate(const ReductionText& text) const override {
        const auto made = record(host_->generate(text), [&] { return cuda::reduction_skeleton(text); });
        guarded([&] { last_.add(write_down(cuda::join_skeleton(text))); });
        return made;
    }
    KernelSource generate(const RawText& text) const override {
        return record(host_->generate(text), [&] { return cuda::raw_skeleton(text); });
    }
    Image compile(int device, const KernelSource& source) override {
        try {
            return host_->compile(device, source);
        } catch (const CompileFailure&) {
            refused(source);
            throw;
        }
    }

private:
    // A kernel is compiled by the thread that asked for its text. No destructor: static objects outlive it.
    struct Last {
        std::size_t source = 0, count = 0;
        char files[2][80] = {};

        void add(const std::string& name) {
            files[count][name.copy(files[count], sizeof files[count] - 1)] = '\0';
            ++count;
        }
    };
    static thread_local Last last_;

    template <class MakeSource>
    KernelSource record(KernelSource of_host, const MakeSource& make_source) const {
        guarded([&] {
            last_.count = 0;
            last_.add(write_down(make_source()));
            last_.source = std::hash<std::string>()(of_host.text);
        });
        return of_host;
    }
    void refused(const KernelSource& source) const noexcept {
        if (last_.source != std::hash<std::string>()(source.text)) return;
        guarded([&] {
            for (std::size_t k = 0; k < last_.count; ++k) mark_refused(folder_, last_.files[k]);
        });
    }
    std::string write_down(const KernelSource& source) const {
        return write(folder_, {.source = source, .program = program_invocation_short_name, .file = {}});
    }

    // A kernel that is missing would pass for one that compiles.
    template <class F>
    static void guarded(const F& f) noexcept {
        try {
            f();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "GPU_RECORD_KERNELS: %s\n", error.what());
            std::abort();
        }
    }

    std::unique_ptr<Backend> host_;
    std::filesystem::path folder_;
};

thread_local Recorder::Last Recorder::last_;

const char* folder_named = nullptr;

// Before any static object may ask for a backend.
[[gnu::constructor(101)]] void begin() {
    folder_named = std::getenv("GPU_RECORD_KERNELS");
    if (folder_named == nullptr || *folder_named == '\0') return;
    host_wrapper = [](std::unique_ptr<Backend> host) -> std::unique_ptr<Backend> {
        return std::make_unique<Recorder>(std::move(host), folder_named);
    };
}

}  // namespace

}  // namespace recorded
#endif
