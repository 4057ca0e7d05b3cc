// SPDX-License-Identifier: MIT
// The kernels of one process are compiled for check mode by another.
#include <random>

#include "jit/file_cache.hpp"
#include "record/recorded.hpp"
#include "record/recording.hpp"

using namespace support;
using namespace gpu::detail::record;
using gpu::detail::compile_for_check;
using gpu::detail::RecordingError;

namespace {

std::uint64_t compiled() { return gpu::detail::cache_counters().misses.load(); }

/// Two kernels that no cache has: a raw one, and one from a body.
class FreshKernels {
public:
    gpu::Array<float> operator()(const gpu::Array<float>& x) const {
        auto y = gpu::empty<float>({x.size()});
        raw_({.grid = 1, .block = 32}, x, y, static_cast<int>(x.size()));
        auto z = gpu::empty<float>({x.size()});
        body_(y, gpu::out(z));
        return z;
    }

private:
    const std::string number_ = std::to_string(std::random_device()() % 1'000'000);
    const gpu::RawKernel<void(const float*, float*, int)> raw_{
        cu("__global__ void add(const float* x, float* y, int n) {\n"
           "    if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x] + " + number_ + ";\n}\n"),
        "add"};
    const gpu::ElementwiseKernel body_{"float x", "float y", "y = x - " + number_, "subtract"};
};

std::string refused(std::vector<Step> steps) {
    try {
        compile_for_check(to_bytes(steps));
    } catch (const RecordingError& error) {
        return error.what();
    }
    return "they were compiled";
}

}  // namespace

TEST_CASE("what a usual call makes is compiled for check mode, once") {
    CallRecorder::keep_texts();
    (void)CallRecorder::new_kernels();   // of other tests
    const FreshKernels function;
    const gpu::Array<float> x = gpu::to_device(Floats{1, 2, 3});
    const Floats result = gpu::to_host(function(x));
    const std::string kernels = CallRecorder::new_kernels();
    REQUIRE(from_bytes(kernels).size() == 2);
    CHECK(CallRecorder::new_kernels() == "");

    const std::uint64_t before = compiled();
    compile_for_check(kernels);
    CHECK(compiled() == before + 2);
    Floats checked;
    const gpu::CheckReport report = gpu::check([&] { checked = gpu::to_host(function(x)); }, {.only_cuda = true});
    CHECK(report.kernels.size() == 2);
    CHECK(checked == result);
    CHECK(compiled() == before + 2);
    (void)gpu::to_host(function(x));
    CHECK(CallRecorder::new_kernels() == "");
}

TEST_CASE("a list of kernels that no honest process makes is refused; a kernel that doesn't compile is left out") {
    CallRecorder::keep_texts();
    (void)CallRecorder::new_kernels();
    (void)gpu::to_host(FreshKernels()(gpu::to_device(Floats{1, 2})));
    std::vector<Step> steps = from_bytes(CallRecorder::new_kernels());
    REQUIRE(steps.size() == 2);
    const auto with = [&](Step step) {
        std::vector<Step> more = steps;
        more.push_back(std::move(step));
        return more;
    };
    CHECK(refused(with(Waited{})) == "the recording does more than make kernels");
    CHECK(refused(with(RawLaunch{})) == "the recording does more than make kernels");
    gpu::detail::ElementwiseText wide;
    wide.rank = 99;
    CHECK(refused(with(Kernel{2, wide})) == "the recording has a kernel with more axes than there are");
    const std::string bytes = to_bytes(steps);
    CHECK_THROWS_AS(compile_for_check(bytes.substr(0, bytes.size() - 1)), RecordingError);
    CHECK_THROWS_AS(compile_for_check(""), RecordingError);

    (void)gpu::to_host(FreshKernels()(gpu::to_device(Floats{1, 2})));
    steps = from_bytes(CallRecorder::new_kernels());
    REQUIRE(steps.size() == 2);
    gpu::detail::RawText broken{.name = "k", .source = {"__global__ void k() { asm(\"\"); }\n", "k.cu", 1},
                                .signature = "()", .options = {}};
    steps.insert(steps.begin(), Kernel{0, broken});
    const std::uint64_t before = compiled();
    CHECK(refused(steps) == "they were compiled");
    CHECK(compiled() == before + 2);
}
