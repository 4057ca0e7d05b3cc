// SPDX-License-Identifier: MIT
// Shows how often nine weights are read as an array and as an argument; and how constant memory is written.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

struct Weights {
    float of[9];
};

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int rows = 34, columns = 66;
    const std::vector<float> weights{1, 2, 1, 2, 4, 2, 1, 2, 1};
    const auto image = gpu::random::Generator(9).uniform<float>({rows, columns});
    const auto on_device = gpu::to_device(weights);
    auto result = gpu::zeros<float>({rows, columns});
    const gpu::RawModule module(gpu::file("weights.cu"));
    const gpu::LaunchConfig shape{.grid = {3, 5}, .block = {32, 8}};
    // [constant]
    module.symbol<float>("in_constant").copy_from(weights);  // once, before the launches
    const auto from_constant = module.kernel<void(const float*, float*, int, int)>("from_constant");
    // [/constant]
    const auto from_array = module.kernel<void(const float*, float*, int, int, const float*)>("from_array");
    const auto from_argument = module.kernel<void(const float*, float*, int, int, Weights)>("from_argument");
    Weights by_value{};
    for (int k = 0; k < 9; ++k) by_value.of[k] = weights[std::size_t(k)];

    const auto count = [&](const char* name, const auto& launch) {
        const gpu::CheckReport report = gpu::check(launch);
        const double reads = double(report.kernels.at(0).work.global_reads) / ((rows - 2) * (columns - 2));
        std::printf("%-14s %g global reads per pixel\n", name, reads);
        return reads;
    };
    const double answer = count("an array", [&] { from_array(shape, image, result, rows, columns, on_device); });
    const auto first = result;  // a copy
    count("an argument", [&] { from_argument(shape, image, result, rows, columns, by_value); });
    const bool argument_agrees = gpu::array_equal(first, result).item();
    from_constant(shape, image, result, rows, columns);
    const bool constant_agrees = gpu::array_equal(first, result).item();
    std::printf("all three agree: %s\n", argument_agrees && constant_agrees ? "yes" : "no");
    std::printf("Answer: %g\n", answer);
}
