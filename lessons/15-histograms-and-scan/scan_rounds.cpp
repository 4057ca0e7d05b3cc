// SPDX-License-Identifier: MIT
// Shows what is written in each round of two scans. Given a folder, it draws when threads work and wait.
#include <cstdio>
#include <map>
#include <string>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

using Written = std::map<int, std::map<int, int>>;  // interval, place: what was written there

static Written written(const std::string& name, const std::string& folder) {
    const gpu::RawKernel<void(const int*, int*)> scan(gpu::file("scans.cu"), name);
    const gpu::Array<int> x = gpu::arange<int>(8) + 1;
    auto y = gpu::empty<int>({8});
    const gpu::Trace trace = gpu::trace([&] { scan({.grid = 1, .block = 8}, x, y); });
    if (!folder.empty() && name == "up_and_down")
        trace.write_svg(folder + "/lanes_" + name + ".svg", gpu::Picture::lanes);

    Written values;
    const gpu::TracedLaunch& launch = trace.launches.at(0);
    for (const gpu::TracedAccess& access : launch.accesses)
        if (access.operation == gpu::MemoryOperation::write && launch.arrays[access.array].shared)
            values[access.interval][int(access.byte) / 4] = static_cast<int>(access.bits);
    std::printf("%s\nplace        ", name.c_str());
    for (int t = 0; t < 8; ++t) std::printf("%4d", t);
    int round = 0;
    for (const auto& [interval, row] : values) {
        const bool down = name == "up_and_down" && round > 3;
        const int width = down ? 2 >> (round - 4) : 1 << (round - 1);
        if (round == 0)
            std::printf("\nload         ");
        else if (name == "kogge_stone")
            std::printf("\nhop %d        ", width);
        else
            std::printf("\n%-5s width %d", down ? "down," : "up,", width);
        for (int t = 0; t < 8; ++t) row.contains(t) ? std::printf("%4d", row.at(t)) : std::printf("   .");
        ++round;
    }
    std::printf("\n");
    return values;
}

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // traces come from the host backend's check mode
    const std::string folder = argc > 1 ? argv[1] : "";
    Written rounds = written("kogge_stone", folder);
    std::printf("Answer: %d\n", (++ ++rounds.begin())->second.at(5));
    written("up_and_down", folder);
}
