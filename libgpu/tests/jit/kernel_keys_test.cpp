// SPDX-License-Identifier: MIT
// Keys of kernels and their texts are written apart: the check that a key is asked for one text alone.
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <gpu/gpu.hpp>

#include "codegen/kernel_text.hpp"
#include "jit/kernel_store.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/generated_call.hpp"
#include "runtime/devices/registry.hpp"

using namespace gpu::detail;

namespace {

struct CheckedKeys {
    CheckedKeys() { check_kernel_keys(true); }
    ~CheckedKeys() { check_kernel_keys(false); }
};

const gpu::Device host = gpu::Device::host();

RawText stores(const std::string& number) {
    return own_text("stores", "__global__ void stores(int* x) { *x = " + number + "; }\n");
}

int stored(const std::string& key, const std::string& number) {
    const gpu::DeviceGuard guard(host);
    gpu::Array<int> x = gpu::zeros<int>(1);
    launch_builtin_with(host, key, [&] { return stores(number); }, 1, x.data());
    return gpu::to_host(x)[0];
}

}  // namespace

TEST_CASE("a key that two texts share is found out, by its name and its kernel's") {
    const std::string key = "kernel_keys\x01";
    CHECK(stored(key, "1") == 1);
    CHECK(stored(key, "2") == 1);   // what it is about: nobody notices
    const CheckedKeys checked;
    CHECK(stored(key + "2", "2") == 2);
    CHECK(stored(key + "2", "2") == 2);
    CHECK_THROWS_WITH_AS(stored(key + "2", "3"), doctest::Contains("kernel stores has the key of another kernel"),
                         std::logic_error);
    CHECK_THROWS_WITH_AS(stored(key + "2", "3"), doctest::Contains("okernel_keys\\x012"), std::logic_error);
    CHECK(stored(key + "3", "3") == 3);
}

TEST_CASE("a call's signature stands for one kernel") {
    const CallSignature signature("a call of this test");
    const auto call = [&](const std::string& kernel, std::int64_t elements) {
        auto found = find_kernel(host, backend(host), "kernel_keys " + kernel,
                                 [&] { return backend(host).generate(stores(kernel)); });
        remember(std::make_shared<const CachedLaunch>(CachedLaunch{.device = host,
                                                                   .signature = std::string(signature.bytes()),
                                                                   .kernel = std::move(found),
                                                                   .elements = elements}));
    };
    call("1", 7);
    call("2", 7);   // nobody notices
    const CheckedKeys checked;
    call("2", 7);
    CHECK_THROWS_AS(call("1", 7), std::logic_error);
    CHECK_THROWS_AS(call("2", 8), std::logic_error);
    const bool is_first = find_cached(signature) != nullptr;
    CHECK((find_cached(signature) != nullptr) != is_first);   // the other call goes the whole way
}

TEST_CASE("kernels with one text, made in two files, are two: check mode names the file") {
    const gpu::DeviceGuard guard(host);
    const gpu::Array<float> x = gpu::ones<float>(300);
    const auto made_in = [&](const char* file) {
        const gpu::ElementwiseKernel same("float32 x", "float32 y", "y = x", "same", {}, file);
        const gpu::CheckReport report = gpu::check([&] { (void)same(x); });
        REQUIRE(report.kernels.size() == 1);
        return report.kernels[0].made_in;
    };
    CHECK(made_in("one.cpp") == "one.cpp");
    CHECK(made_in("two.cpp") == "two.cpp");
}
