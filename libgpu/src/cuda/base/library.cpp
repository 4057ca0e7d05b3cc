// SPDX-License-Identifier: MIT
#include "cuda/base/library.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <gpu/error.hpp>

#include "cuda/base/cudart.hpp"
#include "cuda/base/toolkit_paths.hpp"

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
        if (size == sizeof(void*)) needs.wide.push_back(needs.parameters);
        ++needs.parameters;
    }
    (void)cudaGetLastError();
    if (error != cudaErrorInvalidValue) needs.parameters = -1;  // not "no such parameter": the driver can't tell
    return needs;
}

// "_ZN6filter4coefE" of "filter::coef": how the C++ ABI spells a variable in namespaces.
std::string mangled_variable(const std::string& name) {
    std::string mangled = "_ZN";
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find("::", begin), name.size());
        mangled += std::to_string(end - begin) + name.substr(begin, end - begin);
        begin = end + 2;
    }
    return mangled + "E";
}

}  // namespace

Library::Library(const Image& image, const std::string& kernel) {
    std::vector<std::byte> code = image.bytes;
    code.push_back(std::byte{0});  // PTX must end with a null; cubins ignore it
    std::array<char, 8192> log{};
    std::array<cudaJitOption, 2> options{cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(static_cast<std::size_t>(log.size()))};
    const cudaError_t error = cudaLibraryLoadData(&library_, code.data(), options.data(), values.data(),
                                                  static_cast<unsigned>(options.size()), nullptr, nullptr, 0);
    log.back() = '\0';
    // Broken PTX can "load": the call succeeds, and only the log reports it.
    if (error != cudaSuccess || log.front() != '\0') {
        (void)cudaGetLastError();
        const std::string said = log.front() == '\0' ? "" : "\n" + std::string(log.data());
        if (error == cudaSuccess) (void)cudaLibraryUnload(library_);
        throw LaunchError("kernel " + kernel + ": the driver can't load what was compiled: cudaLibraryLoadData: " +
                          describe(error) + said);
    }
}

Library::~Library() {
    // Errors such as cudaErrorCudartUnloading or a broken context don't matter: the library goes with the process.
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

cudaKernel_t Library::find_kernel(const std::string& entry) const {
    cudaKernel_t handle = nullptr;
    if (cudaLibraryGetKernel(&handle, library_, entry.c_str()) == cudaSuccess) return handle;
    (void)cudaGetLastError();
    return nullptr;
}

ModuleSymbol Library::find_symbol(const std::string& entry) const {
    ModuleSymbol symbol;
    if (cudaLibraryGetGlobal(&symbol.data, &symbol.bytes, library_, entry.c_str()) == cudaSuccess) return symbol;
    (void)cudaGetLastError();
    return {};
}

CudaKernel::CudaKernel(const Image& image, const std::string& name, const ThreadWork& work)
    : library_(std::make_shared<Library>(image, name)), work_(work) {
    for (const std::string& entry : image.entries) kernels_.push_back(library_->kernel(entry, name));
    if (kernels_.empty()) throw LaunchError("kernel " + name + ": the compiled image names no entry");
    needs_ = needs_of(name, kernels_.front());
}

CudaKernel::CudaKernel(std::shared_ptr<const Library> library, cudaKernel_t kernel, const std::string& name)
    : library_(std::move(library)), kernels_{kernel}, needs_(needs_of(name, kernel)) {}

std::shared_ptr<LoadedKernel> CudaModule::kernel(const std::string& entry, const std::string& name) {
    use_device(device_);
    cudaKernel_t const handle = library_->find_kernel(entry);
    return handle ? std::make_shared<CudaKernel>(library_, handle, name) : nullptr;
}

ModuleSymbol CudaModule::symbol(const std::string& name) {
    use_device(device_);
    const ModuleSymbol symbol = library_->find_symbol(name);
    return symbol.data ? symbol : library_->find_symbol(mangled_variable(name));
}

KernelAttributes attributes_of(const CudaKernel& kernel, std::size_t opt_in) {
    cudaFuncAttributes all{};
    check(cudaFuncGetAttributes(&all, kernel.function()), "cudaFuncGetAttributes");
    return {.registers = all.numRegs,
            .static_shared = all.sharedSizeBytes,
            .local_bytes = all.localSizeBytes,
            .constant_bytes = all.constSizeBytes,
            .max_threads_per_block = all.maxThreadsPerBlock,
            .max_dynamic_shared = opt_in > all.sharedSizeBytes ? opt_in - all.sharedSizeBytes : 0,
            .binary_version = all.binaryVersion};
}

int active_blocks_of(const CudaKernel& kernel, int threads, std::size_t shared) {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.function(), threads, shared),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
}

namespace {

std::string environment(const char* variable) {
    const char* value = std::getenv(variable);
    return value ? value : "";
}

}  // namespace

int toolkit_major() noexcept { return CUDART_VERSION / 1000; }

std::vector<std::string> library_candidates(const std::string& name, const char* variable) {
    return library_candidates(name, variable, {toolkit_major()});
}

std::vector<std::string> library_candidates(const std::string& name, const char* variable,
                                            const std::vector<int>& majors) {
    if (const std::string path = environment(variable); !path.empty()) return {path};
    std::vector<std::string> candidates;
    for (const int major : majors) {
        const std::string file = name + ".so." + std::to_string(major);
        if (const std::string configured = configured_library_directory(); !configured.empty()) {
            candidates.push_back(configured + "/" + file);
        }
        candidates.push_back(file);  // found by the dynamic linker: LD_LIBRARY_PATH, ld.so.cache
        candidates.push_back("/usr/local/cuda/lib64/" + file);
    }
    return candidates;
}

std::string existing_library(const std::string& name, const char* variable) {
    for (const std::string& candidate : library_candidates(name, variable)) {
        if (candidate.find('/') == std::string::npos) return {};  // it takes precedence over the rest
        std::error_code ignored;
        if (std::filesystem::exists(candidate, ignored)) return candidate;
    }
    return {};
}

std::string include_directory(const std::string& library) {
    std::vector<std::string> candidates{environment("LIBGPU_CUDA_INCLUDE")};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const std::string root = environment(variable); !root.empty()) candidates.push_back(root + "/include");
    }
    const std::filesystem::path beside = std::filesystem::path(library).parent_path();
    candidates.push_back((beside / "../include").lexically_normal().string());
    candidates.emplace_back(configured_include_directory());
    candidates.emplace_back("/usr/local/cuda/include");
    for (const std::string& candidate : candidates) {
        std::error_code ignored;
        if (!candidate.empty() && std::filesystem::exists(candidate + "/cuda_fp16.h", ignored)) return candidate;
    }
    return {};
}

}  // namespace gpu::detail::cuda
