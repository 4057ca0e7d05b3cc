// SPDX-License-Identifier: MIT
#include "cuda/library.hpp"

#include <array>
#include <sstream>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

namespace {

KernelNeeds needs_of(const std::string& name, const void* kernel) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
    KernelNeeds needs{.name = name, .threads = attributes.maxThreadsPerBlock, .registers = attributes.numRegs,
                      .static_shared = attributes.sharedSizeBytes, .parameters = 0};
    std::size_t offset = 0, size = 0;
    cudaError_t error = cudaSuccess;
    while ((error = cudaFuncGetParamInfo(kernel, static_cast<std::size_t>(needs.parameters), &offset, &size)) ==
           cudaSuccess) {
        ++needs.parameters;
    }
    (void)cudaGetLastError();
    if (error != cudaErrorInvalidValue) needs.parameters = -1;  // not "no such parameter": the driver can't tell
    return needs;
}

}  // namespace

Library::Library(const Image& image, const std::string& kernel) {
    std::vector<std::byte> code = image.bytes;
    code.push_back(std::byte{0});  // PTX must end with a null; a cubin doesn't mind
    std::array<char, 8192> log{};
    std::array<cudaJitOption, 2> options{cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(static_cast<std::size_t>(log.size()))};
    const cudaError_t error = cudaLibraryLoadData(&library_, code.data(), options.data(), values.data(),
                                                  static_cast<unsigned>(options.size()), nullptr, nullptr, 0);
    log.back() = '\0';
    // Broken PTX has been seen to "load": the call succeeded, and only the log told.
    if (error != cudaSuccess || log.front() != '\0') {
        (void)cudaGetLastError();
        const std::string said = log.front() == '\0' ? "" : "\n" + std::string(log.data());
        if (error == cudaSuccess) (void)cudaLibraryUnload(library_);
        throw LaunchError("kernel " + kernel + ": the driver can't load what was compiled: cudaLibraryLoadData: " +
                          describe(error) + said);
    }
}

Library::~Library() {
    // cudaErrorCudartUnloading and errors of a broken context are all the same here: it goes with the process.
    if (library_) (void)cudaLibraryUnload(library_);
}

cudaKernel_t Library::kernel(const std::string& entry, const std::string& name) const {
    cudaKernel_t handle = nullptr;
    const cudaError_t error = cudaLibraryGetKernel(&handle, library_, entry.c_str());
    if (error == cudaSuccess) return handle;
    (void)cudaGetLastError();
    throw LaunchError("kernel " + name + ": the compiled image has no kernel \"" + entry +
                      "\": cudaLibraryGetKernel: " + describe(error));
}

CudaKernel::CudaKernel(const Image& image, const std::string& name) : library_(image, name) {
    std::istringstream entries(image.entry);
    for (std::string entry; std::getline(entries, entry);) kernels_.push_back(library_.kernel(entry, name));
    if (kernels_.empty()) throw LaunchError("kernel " + name + ": the compiled image names no entry");
    needs_ = needs_of(name, kernels_.front());
}

}  // namespace gpu::detail::cuda
