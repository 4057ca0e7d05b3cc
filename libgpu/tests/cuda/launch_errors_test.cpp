// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "cuda/base/cudart.hpp"
#include "cuda/base/launch_limits.hpp"
#include "cuda/base/recent_launches.hpp"
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
    RecentLaunches launches;
    CHECK(launches.to_string().empty());
    launches.add("fill");
    launches.add("add");
    CHECK(launches.to_string() == "add, fill");
    for (int k = 0; k < 20; ++k) launches.add("k" + std::to_string(k));
    CHECK(launches.to_string() == "k19, k18, k17, k16, k15, k14, k13, k12");
}

TEST_CASE("of the last launches, the newest with a pointer to host memory is named") {
    const auto is_host = [](std::uintptr_t value) { return value == 77; };
    RecentLaunches launches;
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
    recent_launches().add("add", Wide{{1, 8}, {2, value}});
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
    recent_launches().add("none");
}

TEST_CASE("a kernel's fault is a LaunchError that says where to look; other errors are DeviceErrors") {
    recent_launches().add("crash");
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
