// SPDX-License-Identifier: MIT

#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "cuda/base/cudart.hpp"

using namespace gpu::detail::cuda;

namespace {

/// What `--why-no-gpu` of this very program prints when it is started with these variables.
std::string ask(const std::string& variables) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = "env " + variables + " '" + self + "' --why-no-gpu 2>&1";
    const auto close = [](std::FILE* pipe) { (void)pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
    REQUIRE(pipe);
    std::string output;
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe.get())) output += buffer.data();
    while (!output.empty() && output.back() == '\n') output.pop_back();
    return output;
}

bool driver_here() { return ask("A=b").find("has no NVIDIA driver") == std::string::npos; }

}  // namespace

TEST_CASE("no driver, an old driver, no device and anything else have a sentence each") {
    CHECK(why_unusable({13000, 0, 35, "cudaErrorInsufficientDriver: misleading", 0}) ==
          "this machine has no NVIDIA driver (libcuda.so.1 was not found)");
    CHECK(why_unusable({13000, 12020, 35, "x", 0}) ==
          "the NVIDIA driver supports CUDA 12.2, but libgpu was built with CUDA 13.0: install a newer driver, or build "
          "libgpu with an older toolkit");
    unsetenv("CUDA_VISIBLE_DEVICES");
    CHECK(why_unusable({13000, 13000, 100, "x", 0}) == "the NVIDIA driver finds no GPU");
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    CHECK(why_unusable({13000, 13000, 100, "x", 0}) ==
          "the NVIDIA driver finds no GPU (CUDA_VISIBLE_DEVICES is \"-1\")");
    unsetenv("CUDA_VISIBLE_DEVICES");
    CHECK(why_unusable({13000, 13000, 0, "x", 0}) == "the NVIDIA driver finds no GPU");
    CHECK(why_unusable({13000, 13000, 999, "cudaErrorUnknown: unknown error", 0}) ==
          "CUDA can't start: cudaErrorUnknown: unknown error");
    CHECK(why_unusable({13000, 13000, 0, "x", 1}).empty());
}

TEST_CASE("a process on a machine without a driver starts, and says that there is none") {
    if (driver_here()) {
        std::printf("SKIP: no driver: this machine has one\n");
        return;
    }
    CHECK(ask("A=b") == "this machine has no NVIDIA driver (libcuda.so.1 was not found)");
}

TEST_CASE("a driver older than the toolkit is named with both versions") {
    const char* directory = std::getenv("FAKE_LIBCUDA_DIR");
    if (!directory || !std::filesystem::exists(std::string(directory) + "/libcuda.so.1")) {
        std::printf("SKIP: old driver: FAKE_LIBCUDA_DIR has no stand-in libcuda.so.1\n");
        return;
    }
    const std::string library_path = "LD_LIBRARY_PATH='" + std::string(directory) + "'";
    const std::string answer = ask(library_path);
    CHECK(answer.find("the NVIDIA driver supports CUDA 11.0, but libgpu was built with CUDA ") == 0);
    CHECK(answer.find("install a newer driver") != std::string::npos);
    CHECK(ask("FAKE_CUDA_VERSION=99000 CUDA_VISIBLE_DEVICES= " + library_path) ==
          "the NVIDIA driver finds no GPU (CUDA_VISIBLE_DEVICES is \"\")");
}
#endif

#ifdef GPU_WITH_CUDA


#include <gpu/error.hpp>

#include "cuda/base/library.hpp"
#include "cuda/compile/compiler.hpp"

using namespace gpu::detail::cuda;

namespace {

std::string message_of(const std::vector<std::string>& candidates) {
    try {
        (void)load_nvrtc(candidates);
        return {};
    } catch (const gpu::LibraryNotFound& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("without NVRTC the error says what to set, what was tried, and why each failed") {
    const std::string message = message_of({"/nonexistent/libnvrtc.so.13", "libnvrtc-nowhere.so"});
    CHECK(message.find("NVRTC, which compiles kernels for the GPU, was not found. Set LIBGPU_NVRTC to the path of "
                       "libnvrtc.so." + std::to_string(toolkit_major()) + ". Tried:") == 0);
    CHECK(message.find("\n  /nonexistent/libnvrtc.so.13: ") != std::string::npos);
    CHECK(message.find("cannot open shared object file") != std::string::npos);
    CHECK(message.find("\n  libnvrtc-nowhere.so: ") != std::string::npos);
}

TEST_CASE("a library that isn't NVRTC is refused by name") {
    CHECK(message_of({"libm.so.6"}).find("\n  libm.so.6: it has no function nvrtcGetErrorString") != std::string::npos);
}

TEST_CASE("LIBGPU_NVRTC is the only place if it is set; otherwise the toolkit's name is tried in several") {
    setenv("LIBGPU_NVRTC", "/nonexistent", 1);
    CHECK(library_candidates("libnvrtc", "LIBGPU_NVRTC") == std::vector<std::string>{"/nonexistent"});
    unsetenv("LIBGPU_NVRTC");
    const auto candidates = library_candidates("libnvrtc", "LIBGPU_NVRTC");
    CHECK(candidates.size() >= 2);
    const std::string file = "libnvrtc.so." + std::to_string(toolkit_major());
    for (const std::string& candidate : candidates) {
        CHECK(candidate.substr(candidate.size() - file.size()) == file);
    }
}
#endif

#ifdef GPU_WITH_CUDA



#include "cuda/fft/cuda_fft.hpp"
#include "cuda/linear_algebra/linear_algebra.hpp"

using namespace gpu::detail::cuda;

namespace {

template <class Load>
std::string message_of(const Load& load) {
    try {
        (void)load();
        return {};
    } catch (const gpu::LibraryNotFound& error) {
        return error.what();
    }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("without cuBLAS or cuSOLVER the error says what to set, what was tried, and why each failed") {
    const std::string no_blas = message_of([] { return load_blas({"/nonexistent/libcublas.so.13", "libm.so.6"}); });
    CHECK(no_blas.find("cuBLAS, which multiplies matrices on the GPU, was not found. Set LIBGPU_CUBLAS to the path of "
                       "libcublas.so." +
                       std::to_string(toolkit_major()) + ". Tried:\n") == 0);
    CHECK(contains(no_blas, "\n  /nonexistent/libcublas.so.13: "));
    CHECK(contains(no_blas, "cannot open shared object file"));
    CHECK(contains(no_blas, "\n  libm.so.6: it has no function cublasCreate_v2"));
    const std::string no_solver = message_of([] { return load_solver({"libm.so.6"}); });
    CHECK(no_solver.find("cuSOLVER, which solves and decomposes on the GPU, was not found. Set LIBGPU_CUSOLVER to the "
                         "path of libcusolver.so." +
                         std::to_string(toolkit_major() - 1) + ". Tried:\n") == 0);
    CHECK(contains(no_solver, "\n  libm.so.6: it has no function cusolverDnCreate"));
}

TEST_CASE("without cuFFT the error says which package to install, what to set, and what was tried") {
    const std::string missing = message_of([] { return load_fft({"/nonexistent/libcufft.so.12", "libm.so.6"}); });
    const std::string major = std::to_string(toolkit_major());
    CHECK(missing.find("cuFFT, which computes Fourier transforms on the GPU, was not found. Install NVIDIA's package "
                       "libcufft-" + major + "-") == 0);
    CHECK(contains(missing, ", or set LIBGPU_CUFFT to the path of libcufft.so." + std::to_string(toolkit_major() - 1) +
                                ". Tried:\n"));
    CHECK(contains(missing, "\n  libm.so.6: it has no function cufftCreate"));
}

TEST_CASE("the toolkit's cuFFT has every function that libgpu calls") {
    const std::string missing = message_of([] { return fft(); });
    if (!missing.empty()) {
        std::printf("SKIP: functions of cuFFT: %s\n", missing.c_str());
        CHECK(!contains(missing, "it has no function"));
        return;
    }
    CHECK((fft().exec != nullptr));
    CHECK(describe(CUFFT_INVALID_SIZE) == "CUFFT_INVALID_SIZE: a length that isn't supported");
}

TEST_CASE("older versions of a library are tried after the toolkit's, each in all places") {
    const auto both = library_candidates("libcublas", "LIBGPU_CUBLAS_UNSET", {13, 12});
    REQUIRE(both.size() % 2 == 0);
    for (std::size_t k = 0; k < both.size(); ++k) {
        CHECK(contains(both[k], k < both.size() / 2 ? "libcublas.so.13" : "libcublas.so.12"));
    }
}

TEST_CASE("the toolkit's cuBLAS and cuSOLVER have every function that libgpu calls") {
    const std::string no_blas = message_of([] { return blas(); });
    const std::string no_solver = message_of([] { return solver(); });
    if (!no_blas.empty() || !no_solver.empty()) {
        std::printf("SKIP: functions of cuBLAS and cuSOLVER: %s%s\n", no_blas.c_str(), no_solver.c_str());
        CHECK(!contains(no_blas + no_solver, "it has no function"));
        return;
    }
    for (auto* function : blas().getrs_batched.functions) CHECK((function != nullptr));
    for (auto* function : solver().orgqr.functions) CHECK((function != nullptr));
    CHECK(describe(blas(), CUBLAS_STATUS_NOT_SUPPORTED).find("CUBLAS_STATUS_NOT_SUPPORTED: ") == 0);
}
#endif

#ifdef GPU_WITH_CUDA
#include "cuda/base/handle_pool.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

using gpu::detail::cuda::HandlePool;

namespace {

constexpr int threads = 4, rounds = 500, devices = 2;

}  // namespace

TEST_CASE("a handle is lent to one thread at a time, on its own device, and no more are made than are needed at once") {
    HandlePool<int> pool;
    std::atomic<int> made{0}, twice{0}, elsewhere{0};
    std::vector<std::atomic<int>> users(threads * devices + 1);
    std::vector<std::atomic<int>> device_of(users.size());
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
        all.emplace_back([&, t] {
            for (int round = 0; round < rounds; ++round) {
                const int device = (t + round) % devices;
                const auto lease = pool.take(device, [&] {
                    const int handle = made++;
                    device_of.at(static_cast<std::size_t>(handle)) = device;
                    return handle;
                });
                const auto handle = static_cast<std::size_t>(*lease);
                twice += users.at(handle)++ == 0 ? 0 : 1;
                elsewhere += device_of.at(handle) == device ? 0 : 1;
                std::this_thread::yield();
                --users.at(handle);
            }
        });
    }
    for (std::thread& thread : all) thread.join();
    CHECK(twice == 0);
    CHECK(elsewhere == 0);
    CHECK(made >= devices);
    CHECK(made <= threads * devices);
}

TEST_CASE("a handle that can't be made leaves the pool as it was, and a lease that was moved returns once") {
    HandlePool<int> pool;
    const auto fail = []() -> int { throw std::runtime_error("no handle"); };
    CHECK_THROWS_AS((void)pool.take(0, fail), std::runtime_error);
    {
        auto first = pool.take(0, [] { return 7; });
        const auto second = std::move(first);
        CHECK(*second == 7);
        CHECK(*pool.take(0, [] { return 8; }) == 8);
    }
    const auto again = pool.take(0, fail), other = pool.take(0, fail);
    CHECK(*again + *other == 15);
    CHECK_THROWS_AS((void)pool.take(0, fail), std::runtime_error);
}
#endif

#ifdef GPU_WITH_CUDA



#include "cuda/base/launch_limits.hpp"
#include "cuda/memory/device_memory.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

using Wide = std::vector<WideArgument>;

namespace {

const DeviceLimits h200{.grid = {2147483647, 65535, 65535},
                        .block = {1024, 1024, 64},
                        .threads = 1024,
                        .shared = 48 << 10,
                        .shared_opt_in = 227 << 10};
const KernelNeeds add{.name = "add", .threads = 512, .registers = 128, .static_shared = 1024, .parameters = 4};

std::string refusal(const LaunchShape& shape, int arguments = 4) {
    try {
        check_launch(h200, add, shape, arguments);
        return {};
    } catch (const gpu::LaunchError& error) {
        return error.what();
    }
}

LaunchShape shape(Extent3 grid, Extent3 block, std::size_t shared = 0) {
    return {.grid = grid, .block = block, .shared_bytes = shared};
}

}  // namespace

TEST_CASE("a launch within the limits is accepted, up to the last thread and byte") {
    CHECK(refusal(shape({2147483647, 65535, 65535}, {8, 1, 64})).empty());
    CHECK(refusal(shape({}, {512}, (227 << 10) - 1024)).empty());
}

TEST_CASE("each limit has a message with the value and the limit") {
    CHECK(refusal(shape({0}, {32})) == "kernel add: grid (0,1,1) is empty: every length must be at least 1");
    CHECK(refusal(shape({}, {1, 0})) == "kernel add: block (1,0,1) is empty: every length must be at least 1");
    CHECK(refusal(shape({1, 65536}, {})) ==
          "kernel add: grid (1,65536,1) is larger than the device's limit (2147483647,65535,65535)");
    CHECK(refusal(shape({}, {1, 1, 65})) ==
          "kernel add: block (1,1,65) is larger than the device's limit (1024,1024,64)");
    CHECK(refusal(shape({}, {64, 32})) == "kernel add: block (64,32,1) has 2048 threads; the device allows 1024");
    CHECK(refusal(shape({}, {513})) ==
          "kernel add: block (513,1,1) has 513 threads; with 128 registers a thread this kernel allows 512");
    CHECK(refusal(shape({}, {1}, 227 << 10)) ==
          "kernel add: a block needs 233472 bytes of shared memory (1024 static, 232448 dynamic); the device allows "
          "232448");
    CHECK(refusal(shape({}, {1}), 3) == "kernel add: it takes 4 arguments, but 3 were given");
}

TEST_CASE("a driver that can't tell a kernel's parameters doesn't make launches fail") {
    KernelNeeds unknown = add;
    unknown.parameters = -1;
    CHECK_NOTHROW(check_launch(h200, unknown, shape({}, {1}), 9));
}

TEST_CASE("the last launches are listed, newest first, eight at most") {
    LaunchHistory launches;
    CHECK(launches.to_string().empty());
    launches.add("fill");
    launches.add("add");
    CHECK(launches.to_string() == "add, fill");
    for (int k = 0; k < 20; ++k) launches.add("k" + std::to_string(k));
    CHECK(launches.to_string() == "k19, k18, k17, k16, k15, k14, k13, k12");
}

TEST_CASE("of the last launches, the newest with a pointer to host memory is named") {
    const auto is_host = [](std::uintptr_t value) { return value == 77; };
    LaunchHistory launches;
    CHECK(launches.host_pointer(is_host).empty());
    launches.add("first", Wide{{1, 77}});
    launches.add("add", Wide{{1, 5}, {3, 77}});
    launches.add("fill", Wide{{1, 5}});
    CHECK(launches.host_pointer(is_host) ==
          "kernel add: the argument 3 points to host memory; bring it over with gpu::to_device");
    for (int k = 0; k < 8; ++k) launches.add("others");
    CHECK(launches.host_pointer(is_host).empty());
}

TEST_CASE("an illegal address names an argument that is neither an array nor page-locked, but host memory") {
    const int local = 0;
    const auto value = reinterpret_cast<std::uintptr_t>(&local);
    launch_history().add("add", Wide{{1, 8}, {2, value}});
    CHECK(host_pointer_of_recent_launches() ==
          "kernel add: the argument 2 points to host memory; bring it over with gpu::to_device");
    AddressRange known;
    known.begin = known.array = value;
    known.length = known.bytes = sizeof local;
    device_arrays().add(known);
    CHECK(host_pointer_of_recent_launches().empty());
    device_arrays().remove(value);
    try {
        fail(cudaErrorIllegalAddress, "cudaStreamSynchronize");
    } catch (const gpu::LaunchError& error) {
        CHECK(std::string(error.what()).find("this process can't use the GPU any more") != std::string::npos);
        CHECK(std::string(error.what()).find(". kernel add: the argument 2 points to host memory") !=
              std::string::npos);
    }
    launch_history().add("none");
}

TEST_CASE("a kernel's fault is a LaunchError that says where to look; other errors are DeviceErrors") {
    launch_history().add("crash");
    try {
        fail(cudaErrorIllegalAddress, "cudaStreamSynchronize");
    } catch (const gpu::LaunchError& error) {
        const std::string message = error.what();
        CHECK(message.find("cudaStreamSynchronize: cudaErrorIllegalAddress: ") == 0);
        CHECK(message.find("the last launches, newest first: crash") != std::string::npos);
        CHECK(message.find("LIBGPU_LAUNCH_BLOCKING=1") != std::string::npos);
    }
    CHECK_THROWS_AS(fail(cudaErrorLaunchFailure, "x"), gpu::LaunchError);
    CHECK_THROWS_AS(fail(cudaErrorInvalidValue, "cudaMemcpyAsync"), gpu::DeviceError);
    CHECK_NOTHROW(check(cudaSuccess, "x"));
}
#endif

// A learner's comments and literals are never taken for libgpu's own marks, nor for code: as NVRTC sees it.
#ifdef GPU_WITH_CUDA

#include <algorithm>

#include "cuda/compile/skeletons.hpp"
#include "jit/compile_error.hpp"
#include "support/marks.hpp"
#include "texts.hpp"
#include "with_nvrtc.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

TEST_CASE("kernels with marks in comments and literals compile") {
    if (!with_nvrtc("marks in comments")) return;
    const RawText raw{
        .name = "k", .source = {support::kernel_with_marks(), "k.cu", 1}, .signature = "(float*, int)", .options = {}};
    CHECK(complaint(raw_skeleton(raw)) == "");
    auto body = texts::elementwise("marks", {texts::input("float", "x"), texts::output("float", "z")},
                                   support::body_with_marks());
    body.preamble = {support::marks_as_comments(), "marks", 1};
    CHECK(complaint(elementwise_skeleton(body)) == "");
    auto sum = texts::reduction("marks", {texts::input("float", "x"), texts::output("float", "z")}, "float",
                                support::marks_as_comments() + "x\n", "a + b", "z = a;", "0");
    CHECK(complaint(reduction_skeleton(sum)) == "");
}

TEST_CASE("an error behind marks is shown at its own line") {
    if (!with_nvrtc("errors behind marks")) return;
    const std::string text = support::kernel_with_marks() + "__device__ int f() { return nothing; }\n";
    const KernelSource source =
        raw_skeleton({.name = "k", .source = {text, "k.cu", 1}, .signature = "(float*, int)", .options = {}});
    const std::string line = std::to_string(std::count(text.begin(), text.end(), '\n'));
    const std::string told = explain_compile_failure(source, {complaint(source)});
    CHECK_MESSAGE(told.starts_with("kernel k does not compile\nk.cu:" + line + ":29: error: nothing is not declared"),
                  told);
}
#endif
