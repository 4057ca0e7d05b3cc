// SPDX-License-Identifier: MIT
// What the pool holds while arrays come and go: freed memory stays, until it is trimmed.
#include <cstdio>
#include <optional>

#include <gpu/gpu.hpp>

namespace {

std::size_t show(const char* moment) {
    const gpu::MemoryPool pool = gpu::memory_pool();
    std::printf("%-28s used %4zu MiB   held %4zu MiB\n", moment, pool.used_bytes() >> 20, pool.held_bytes() >> 20);
    return pool.held_bytes() >> 20;
}

}  // namespace

int main() {
    constexpr int n = 16 << 20;  // floats: 64 MiB
    show("at the start");
    // [arrays]
    std::optional<gpu::Array<float>> x = gpu::zeros<float>({n});
    std::optional<gpu::Array<float>> y = gpu::ones<float>({n});
    show("x and y");
    x.reset();
    y.reset();
    gpu::synchronize();
    const std::size_t held = show("both are gone");
    {
        const gpu::Array<float> z = gpu::zeros<float>({n});
        show("z");
    }
    gpu::memory_pool().trim();
    show("z is gone, after trim()");
    // [/arrays]
    std::printf("Answer: %zu\n", held);
}
