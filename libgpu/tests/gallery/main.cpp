// SPDX-License-Identifier: MIT
// The gallery's program. Without a command it is the test: every kernel in a process of its own.
//   --list                     one line a kernel: name | kind | lines | variable | why not on a GPU
//   --judge FILE               one kernel against its first lines, on the current device
//   --launch FILE              one kernel, launched once: for compute-sanitizer
//   --compare FILE DEVICE DEVICE   a correct kernel on two devices ("host:0", "cuda:0"): the largest difference
// GALLERY_COMPILER names the host backend's compiler, LIBGPU_DEVICE the device; GALLERY_NVRTC=1 asks NVRTC instead.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gpu/device.hpp>
#include <gpu/error.hpp>

#include "execution.hpp"
#include "judgement.hpp"
#include "variant.hpp"
#include "support/wanted_compiler.hpp"
#include "support/wanted_gpu.hpp"

namespace {

int list() {
    for (const auto& path : gallery::kernel_files(GALLERY_DIR)) {
        const gallery::KernelFile file = gallery::read_kernel_file(path);
        std::string lines;
        const auto& finding = file.finding;
        for (std::size_t k = 0; finding && k < finding->lines.size(); ++k)
            lines += (k > 0 ? " " : "") + std::to_string(finding->lines[k]);
        std::printf("%s|%s|%s|%s|%s\n", file.name.c_str(), finding ? std::string(to_string(finding->kind)).c_str() : "",
                    lines.c_str(), finding ? finding->variable.c_str() : "", file.not_on_gpu.c_str());
    }
    return 0;
}

int judge(const char* path) {
    ::alarm(60);  // whatever happens, the test goes on
    const gallery::KernelFile file = gallery::read_kernel_file(path);
    const std::string wrong = file.finding ? gallery::judge_buggy(file) : gallery::judge_correct(file);
    std::printf("%s", wrong.c_str());
    return wrong.empty() ? 0 : 1;
}

int judge_variant(const char* path, const char* name) {
    ::alarm(60);
    const gallery::KernelFile file = gallery::read_kernel_file(path);
    const std::string wrong = gallery::judge_correct(gallery::variant_of(file, name));
    std::printf("%s", wrong.c_str());
    return wrong.empty() ? 0 : 1;
}

int launch(const char* path) {
    const gallery::KernelFile file = gallery::read_kernel_file(path);
    if (!file.not_on_gpu.empty()) {
        std::printf("SKIP: %s\n", file.not_on_gpu.c_str());
        return 77;
    }
    gallery::Execution(file).run();
    return 0;
}

gpu::Device device(const std::string& name) {
    const std::size_t colon = name.find(':');
    const int index = std::stoi(name.substr(colon + 1));
    return name.substr(0, colon) == "cuda" ? gpu::Device::cuda(index) : gpu::Device::host(index);
}

int compare(const char* path, const char* one, const char* other) {
    const gallery::KernelFile file = gallery::read_kernel_file(path);
    gallery::Contents contents[2];
    for (const int k : {0, 1}) {
        const gpu::DeviceGuard guard(device(k == 0 ? one : other));
        gallery::Execution execution(file);
        execution.run();
        contents[k] = execution.contents();
        const std::string wrong = gallery::wrong_values(file, contents[k]);
        if (!wrong.empty()) {
            std::printf("wrong on %s: %s", k == 0 ? one : other, wrong.c_str());
            return 1;
        }
    }
    const double difference = gallery::largest_difference(file, contents[0], contents[1]);
    if (difference == 0)
        std::printf("equal\n");
    else
        std::printf("%.3g of the allowed difference\n", difference);
    return difference <= 1 ? 0 : 1;
}

int command(int argc, char** argv) {
    const std::string_view name = argv[1];
    if (name == "--list" && argc == 2) return list();
    if (name == "--judge" && argc == 3) return judge(argv[2]);
    if (name == "--judge-variant" && argc == 4) return judge_variant(argv[2], argv[3]);
    if (name == "--launch" && argc == 3) return launch(argv[2]);
    if (name == "--compare" && argc == 5) return compare(argv[2], argv[3], argv[4]);
    return -1;
}

}  // namespace

int main(int argc, char** argv) {
    if (wanted_compiler_is_missing("GALLERY_COMPILER") || wanted_gpu_is_missing()) return 77;
    if (const char* const compiler = std::getenv("GALLERY_COMPILER")) ::setenv("LIBGPU_HOST_CXX", compiler, 1);
    try {
        const int status = argc > 1 ? command(argc, argv) : -1;
        if (status >= 0) return status;
        doctest::Context context(argc, argv);
        const bool nvrtc = std::getenv("GALLERY_NVRTC") != nullptr;  // a test of its own: it needs no compiler of ours
        context.addFilter(nvrtc ? "test-case" : "test-case-exclude", "NVRTC*");
        return context.run();
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
