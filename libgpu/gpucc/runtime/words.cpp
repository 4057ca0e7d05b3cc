// SPDX-License-Identifier: MIT
#include "gpucc/runtime/words.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace gpucc {

namespace {

// libgpu's words, and those of a plain CUDA program.
constexpr std::array words = {
    std::pair(
        std::string_view("data() is an address on the device: on a GPU the program ends here. "),
        std::string_view("what cudaMalloc() gives is an address on the device: on a GPU the program ends here. ")),
    std::pair(std::string_view("event.record(other) and stream.wait(event), or call other.synchronize() in between"),
              std::string_view("cudaEventRecord(event, other) and cudaStreamWaitEvent(stream, event), or call "
                               "cudaStreamSynchronize(other) in between")),
    std::pair(std::string_view("event.record(first) and second.wait(event)"),
              std::string_view("cudaEventRecord(event, first) and cudaStreamWaitEvent(second, event)")),
    std::pair(std::string_view("wait first, with the event that copy_to_async() returns, event.synchronize(), or with "
                               "gpu::synchronize()"),
              std::string_view("wait first, with cudaStreamSynchronize() or cudaDeviceSynchronize()")),
    std::pair(std::string_view("std::vector h = gpu::to_host(x), or in a kernel"),
              std::string_view("cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost), or in a kernel")),
    std::pair(std::string_view("bring it over with gpu::to_device"),
              std::string_view("copy it to memory of cudaMalloc() with cudaMemcpy(..., cudaMemcpyHostToDevice)")),
    std::pair(std::string_view("bring it over with gpu::to_host"),
              std::string_view("copy it with cudaMemcpy(..., cudaMemcpyDeviceToHost)")),
    std::pair(std::string_view("pass a gpu::Array, such as gpu::Array<float> x = gpu::to_device(h)"),
              std::string_view("pass what cudaMalloc() or cudaMallocManaged() has given")),
    std::pair(std::string_view("give the kernel an array of the device (gpu::Array)"),
              std::string_view("give the kernel memory of cudaMalloc()")),
    std::pair(std::string_view("give the kernel arrays of the device (gpu::Array)"),
              std::string_view("give the kernel memory of cudaMalloc()")),
    std::pair(std::string_view("gpu::empty gives an array of anything: write it before it is read, or make it with "
                               "gpu::zeros"),
              std::string_view("cudaMalloc() gives memory of anything: write it before it is read, or clear it with "
                               "cudaMemset()")),
    std::pair(std::string_view("pass the kernel a gpu::Texture, and keep it until then"),
              std::string_view("pass what cudaCreateTextureObject() gives, until cudaDestroyTextureObject()")),
    std::pair(std::string_view("pass the kernel a gpu::Texture"),
              std::string_view("pass what cudaCreateTextureObject() gives")),
    std::pair(std::string_view("make this one with the option linear_memory"),
              std::string_view("make this one of cudaResourceTypeLinear")),
    std::pair(std::string_view("make this one without the option linear_memory"),
              std::string_view("make this one of a CUDA array or of cudaResourceTypePitch2D")),
    std::pair(std::string_view("send it with copy_from or gpu::to_device"),
              std::string_view("copy it over with cudaMemcpy(..., cudaMemcpyHostToDevice)")),
    std::pair(std::string_view("wait for the event that copy_from_async() returns, event.synchronize(),"),
              std::string_view("wait for it with cudaStreamSynchronize(),")),
    std::pair(std::string_view("LIBGPU_HOST_TIMEOUT"), std::string_view("GPUCC_TIMEOUT")),
    // Advice on what doesn't compile.
    std::pair(
        std::string_view("the C++ program allocates and copies, with gpu::zeros, gpu::to_device and gpu::to_host; a "
                         "kernel gets pointers"),
        std::string_view("host code calls CUDA's functions; a kernel gets pointers")),
    std::pair(std::string_view("let each block find its own and gpu::max do the rest, or write"),
              std::string_view("write")),
    std::pair(std::string_view("let each block find its own and gpu::min do the rest, or write"),
              std::string_view("write")),
    std::pair(std::string_view(", or gpu::ReductionKernel in the C++ program"), std::string_view("")),
    std::pair(std::string_view(" (gpu::memory_pool().set_limit() or LIBGPU_MEMORY_LIMIT)"),
              std::string_view(" (LIBGPU_MEMORY_LIMIT)")),
    std::pair(std::string_view("gpu::synchronize()"), std::string_view("cudaDeviceSynchronize()")),
    std::pair(std::string_view("gpu::check"), std::string_view("gpucc --check")),
};

// module.symbol<float>("c").copy_from(...), of a gpu::RawModule
void name_symbols(std::string& text) {
    constexpr std::string_view begin = "module.symbol<", middle = ">(\"",
                               end = "\").copy_from(...), of a gpu::RawModule";
    for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos; ++at) {
        const std::size_t name = text.find(middle, at), close = text.find(end, at);
        if (name == std::string::npos || close == std::string::npos || name > close) return;
        const std::size_t first = name + middle.size();
        text.replace(at, close + end.size() - at,
                     "cudaMemcpyToSymbol(" + text.substr(first, close - first) + ", &value, bytes)");
    }
}

}  // namespace

std::string in_cuda(std::string text) {
    name_symbols(text);
    for (const auto& [ours, theirs] : words)
        for (std::size_t at = 0; (at = text.find(ours, at)) != std::string::npos; at += theirs.size())
            text.replace(at, ours.size(), theirs);
    return text;
}

}  // namespace gpucc
