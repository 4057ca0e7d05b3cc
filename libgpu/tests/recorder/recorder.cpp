// SPDX-License-Identifier: MIT
// Linked into the test programs. If GPU_RECORD_KERNELS names a folder, the CUDA text of every kernel that is asked of
// the host backend is written there; gpu_recorded_test compiles them.
#ifdef GPU_WITH_CUDA
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "backend/observers.hpp"
#include "cuda/compile/skeletons.hpp"
#include "recorder/kernel_file.hpp"

namespace recorded {

namespace {

using namespace gpu::detail;

/// Keeps nothing in memory, so that forked children and the destructors of static objects may be recorded too.
class Recorder final : public TextObserver {
public:
    explicit Recorder(const char* folder) : folder_(folder) {}

    void generated(const ElementwiseText& text, const KernelSource& source) noexcept override {
        record(source, [&] { return cuda::elementwise_skeleton(text); });
    }
    void generated(const ReductionText& text, const KernelSource& source) noexcept override {
        record(source, [&] { return cuda::reduction_skeleton(text); });
        guarded([&] { last_.add(write_down(cuda::join_skeleton(text))); });
    }
    void generated(const RawText& text, const KernelSource& source) noexcept override {
        record(source, [&] { return cuda::raw_skeleton(text); });
    }
    void refused(const KernelSource& source) noexcept override {
        if (last_.source != std::hash<std::string>()(source.text)) return;
        guarded([&] {
            for (std::size_t k = 0; k < last_.count; ++k) mark_refused(folder_, last_.files[k]);
        });
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
    void record(const KernelSource& of_host, const MakeSource& make_source) const noexcept {
        guarded([&] {
            last_.count = 0;
            last_.add(write_down(make_source()));
            last_.source = std::hash<std::string>()(of_host.text);
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

    std::filesystem::path folder_;
};

thread_local Recorder::Last Recorder::last_;

[[maybe_unused]] const bool is_recording = [] {
    const char* const folder = std::getenv("GPU_RECORD_KERNELS");
    if (folder == nullptr || *folder == '\0') return false;
    text_observer = new Recorder(folder);  // leaked: kernels may be asked for after main
    return true;
}();

}  // namespace

}  // namespace recorded
#endif
