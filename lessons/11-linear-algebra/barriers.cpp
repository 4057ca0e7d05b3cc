// SPDX-License-Identifier: MIT
// Shows what breaks in the tiled product without its first barrier, and without its second.
#include <cstdio>
#include <sstream>
#include <string>

#include <gpu/gpu.hpp>

/// The kernel's text without the barrier that the comment names; lines keep their numbers.
static gpu::Source without(const std::string& comment) {
    const gpu::Source whole = gpu::file("products.cu");
    std::string text = whole.text();
    const std::size_t at = comment.empty() ? std::string::npos : text.rfind("__syncthreads();", text.find(comment));
    if (at != std::string::npos) text.replace(at, 16, std::string(16, ' '));
    return {text, whole.file()};
}

/// Prints the statements of products.cu that the sentence names as products.cu:LINE.
static void show_lines(const std::string& sentence) {
    std::istringstream text(gpu::file("products.cu").text());
    std::string line;
    for (int number = 1; std::getline(text, line); ++number)
        if (sentence.find("products.cu:" + std::to_string(number) + " ") != std::string::npos) {
            const std::size_t first = line.find_first_not_of(' '), last = line.find(';');
            std::printf("    %d  %s\n", number, line.substr(first, last + 1 - first).c_str());
        }
}

/// Says what check mode finds; true if there is no mistake.
static bool look(const char* what, const std::string& comment) {
    const gpu::RawKernel<void(const float*, const float*, float*, int, int)> tiled(without(comment), "tiled");
    const int n = 64;
    const auto a = gpu::random::Generator(11).uniform<float>({n, n});
    auto c = gpu::empty<float>({n, n});
    const gpu::CheckReport report = gpu::check([&] { tiled({.grid = {2, 2}, .block = {32, 32}}, a, a, c, n, n); });
    std::printf("%s:%s\n", what, report.clean() ? " no mistake found" : "");
    for (const gpu::Finding& finding : report.findings) {
        std::printf("  %s\n    %s\n", finding.what.c_str(), finding.who.c_str());
        show_lines(finding.what);
    }
    return report.clean();
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const bool both = look("both barriers", "");
    look("without the first", "both tiles are there");
    const bool first_alone = look("without the second", "nobody reads them any more");
    std::printf("Answer: %s\n", both && !first_alone
                                    ? "a fast warp overwrites the tile while a slow one still reads it"
                                    : "nothing");
}
