// SPDX-License-Identifier: MIT
// Shows a branch on the lane, on the warp and on data: how often a warp takes both sides.
#include <algorithm>
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

/// The number of the line of branches.cu that ends with this comment.
static int line_of(const std::string& comment) {
    const std::string text = gpu::file("branches.cu").text();
    return 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(text.find(comment)), '\n'));
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int n = 256;
    gpu::random::Generator random(10);
    const auto x = random.uniform<float>({n}), y = random.uniform<float>({n}), data = random.uniform<float>({n});
    const auto ordered = gpu::sort(data);
    auto z = gpu::zeros<float>({n});
    struct Case {
        const char *name, *condition;
        const gpu::Array<float>& data;
    };
    const Case cases[] = {{"lane", "threadIdx.x % 2 == 0", data},
                          {"warp", "threadIdx.x / 32 % 2 == 0", data},
                          {"data", "data[i] < 0.5f", data},
                          {"sorted data", "data[i] < 0.5f", ordered}};
    const int one_side = line_of("// one side"), the_other = line_of("// the other");
    std::printf("%-12s %10s %10s\n", "branch on", "requests", "divergent");
    for (const Case& one : cases) {
        const std::string option = std::string("-DCONDITION=(") + one.condition + ")";
        using Branch = void(const float*, const float*, const float*, float*, int);
        const gpu::RawKernel<Branch> branch(gpu::file("branches.cu"), "branch", {{option}});
        const gpu::CheckReport report =
            gpu::check([&] { branch({.grid = 1, .block = n}, x, y, one.data, z, n); });
        int requests = 0, divergent = 0;  // of the two sides
        for (const gpu::LineCounts& line : report.kernels.at(0).lines) {
            if (line.line != one_side && line.line != the_other) continue;
            requests += int(line.work.global_requests);
            divergent += int(line.work.divergent_requests);
        }
        std::printf("%-12s %10d %10d\n", one.name, requests, divergent);
        if (one.name[0] == 'l' || one.name[0] == 'w') std::printf("Answer: %d\n", requests);
    }
}
