// SPDX-License-Identifier: MIT
// Objects of every kind with static storage, destroyed after main: the process must end well. Without an argument the
// program starts itself and looks at how it ended.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <gpu/gpu.hpp>

#include "support/child_process.hpp"
#include "support/wanted_gpu.hpp"

namespace {

// Made first, so destroyed last.
struct LastWord {
    bool wanted = false;
    ~LastWord() {
        if (wanted) std::puts("all static objects are destroyed");
    }
} last_word;

// At its end it uses libgpu once more: even that must not crash.
struct UserOfLibgpu {
    std::optional<gpu::Array<float>> array;
    ~UserOfLibgpu() {
        if (!array) return;
        try {
            const gpu::DeviceGuard device(array->device());
            gpu::Stream stream;
            const gpu::StreamGuard guard(stream);
            *array = *array + 1.f;
            (void)gpu::counts();
            (void)gpu::memory_pool().used_bytes();
            std::printf("after main: %g\n", static_cast<double>(gpu::sum(*array).item()));
        } catch (const gpu::Error& error) {
            std::printf("after main: %s\n", error.what());
        }
    }
} user;

std::optional<gpu::Array<float>> array;
std::optional<gpu::Array<float>> window_of;
std::optional<gpu::View<float>> window;
std::optional<gpu::Stream> stream;
std::optional<gpu::Event> event;
std::optional<gpu::Pinned<float>> pinned;
std::optional<gpu::LaunchLog> launch_log;
std::optional<gpu::RawKernel<void(float*)>> raw_kernel;
std::optional<gpu::ElementwiseKernel> elementwise_kernel;
std::optional<gpu::Texture> texture;

int child() {
    last_word.wanted = true;
    stream.emplace();
    event.emplace();
    launch_log.emplace(gpu::LaunchLogOptions{.times = true});
    pinned.emplace(100'000);
    raw_kernel.emplace("__global__ void set(float* x) { x[0] = 1; }", "set");
    elementwise_kernel.emplace("T x", "T y", "y = x + 1", "plus_one");
    array = gpu::ones<float>({100'000});
    user.array = gpu::ones<float>({10});
    *user.array = *user.array + 1.f;  // so that its kernels are there when main has ended
    (void)gpu::sum(*user.array);
    window_of = gpu::zeros<float>({10});
    texture.emplace(*window_of);
    window = (*window_of)(gpu::slice(2, 5));
    (*raw_kernel)({.grid = 1, .block = 1, .stream = *stream}, *array);
    (void)(*elementwise_kernel)(*array);
    const gpu::StreamGuard guard(*stream);
    for (int k = 0; k < 20; ++k) *array = *array * 2.f;  // still at work when main ends
    event->record();
    array->copy_to_async(*pinned);
    std::puts("main ends");
    return 7;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--child") return child();
    if (wanted_gpu_is_missing()) return 77;
    const ChildResult result = run_child({"/proc/self/exe", "--child"}, {});
    std::printf("%sexit code %d\n", result.output.c_str(), result.exit_code);
    const auto said = [&](const char* text) { return result.output.find(text) != std::string::npos; };
    return result.exit_code == 7 && said("main ends") && said("after main: ") &&
                   said("all static objects are destroyed")
               ? 0
               : 1;
}
