// SPDX-License-Identifier: MIT
// Shows the smallest case of a race, and what becomes of the values when threads run in another order.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

struct Outcome {
    int wrong = 0;  ///< values
    bool race = false;
};

/// Differences of the odd numbers times `factor`, without a barrier, by one block of 8 threads in this order.
static Outcome run(int n, int factor, const std::string& schedule) {
    static const gpu::RawKernel<void(const float*, float*, int)> second_try(gpu::file("differences.cu"), "second_try");
    const gpu::Array<float> x = factor * (2 * gpu::arange<float>(n) + 1);
    auto y = gpu::zeros<float>({n});
    // [check]
    const gpu::CheckReport report =
        gpu::check([&] { second_try({.grid = 1, .block = 8}, x, y, n); }, {.schedule = schedule});
    // [/check]
    Outcome outcome{0, !report.clean()};
    const std::vector<float> values = gpu::to_host(y);
    for (int i = 1; i < n; ++i) outcome.wrong += !(values[i] == 2.0f * factor);
    return outcome;
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    int smallest = 0;
    for (int n = 1; n <= 3; ++n) {
        const bool race = run(n, 1, "fixed").race;
        std::printf("n = %d: %s\n", n, race ? "a race" : "nothing found");
        if (race && smallest == 0) smallest = n;
    }
    std::printf("Answer: %d\n", smallest);
    int factor = 1;
    for (const std::string schedule : {"fixed", "random:1", "random:2", "random:3", "random:1"}) {
        const Outcome outcome = run(8, ++factor, schedule);
        std::printf("n = 8, order %-8s: %d of 8 wrong, %s\n", schedule.c_str(), outcome.wrong,
                    outcome.race ? "a race" : "nothing found");
    }
}
