// SPDX-License-Identifier: MIT
#include "gpucc/driver/absent_headers.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "host/base/process.hpp"

namespace gpucc {

namespace {

/// Headers, with blanks between them, and what to write in their place.
struct AbsentLibrary {
    std::string_view headers, why;
};

constexpr AbsentLibrary absent[] = {
    {"cublas_v2.h cublas.h cublasLt.h cublasXt.h",
     "cuBLAS isn't in gpucc: write the product as a kernel, or use gpu::matmul of libgpu"},
    {"cusolverDn.h cusolver_common.h cusolverSp.h", "cuSOLVER isn't in gpucc: use gpu::linalg of libgpu"},
    {"cusparse.h cusparse_v2.h", "cuSPARSE isn't in gpucc: write the loop over the non-zero elements as a kernel"},
    {"cufft.h cufftXt.h cufftw.h", "cuFFT isn't in gpucc: use gpu::fft of libgpu"},
    {"curand.h",
     "cuRAND's host interface isn't in gpucc: draw numbers in a kernel (curand_kernel.h), or use gpu::random "
     "of libgpu"},
    {"cub/cub.cuh cub/device/device_reduce.cuh cub/device/device_scan.cuh cub/device/device_radix_sort.cuh "
     "cub/block/block_reduce.cuh cub/block/block_scan.cuh cub/warp/warp_reduce.cuh cub/util_type.cuh",
     "CUB isn't in gpucc: reduce and scan in shared memory, or with cooperative_groups/reduce.h"},
    {"cuda_bf16.h", "bfloat16 in host code isn't in gpucc: use float or cuda_fp16.h"},
    {"nvrtc.h", "NVRTC isn't in gpucc: use gpu::RawModule of libgpu, which compiles at run time"},
    {"mma.h", "tensor cores are for GPUs alone: write the product as a loop"},
    {"nvToolsExt.h nvtx3/nvToolsExt.h nvtx3/nvtx3.hpp", "NVTX isn't in gpucc: leave its ranges out"},
    {"cuda_gl_interop.h cuda_d3d11_interop.h vulkan/vulkan.h", "graphics need a GPU: write the picture to a file"},
    {"nvml.h", "NVML asks GPUs, and there is none"},
    {"cudnn.h cutlass/cutlass.h nccl.h npp.h nvjpeg.h", "this library isn't in gpucc"},
    {"cudaProfiler.h", "the driver API isn't in gpucc: include cuda_profiler_api.h"},
    {"texture_fetch_functions.h surface_functions.h",
     "texture references are gone from CUDA: read the array by its pointer"},
};

// Those of Thrust that there are, all in one.
constexpr std::string_view thrust_headers =
    "device_vector host_vector copy fill sequence generate for_each transform reduce transform_reduce inner_product "
    "count "
    "extrema sort scan functional device_ptr pair tuple execution_policy iterator/counting_iterator";

// Calls `use` with each word of a list.
template <class Use>
void for_each_word(std::string_view list, const Use& use) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        use(std::string(list.substr(0, end)));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

void write_header(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    gpu::detail::host::write_file(path, text);
}

}  // namespace

void write_absent_headers(const std::string& folder) {
    for (const AbsentLibrary& library : absent)
        for_each_word(library.headers, [&](const std::string& header) {
            write_header(folder + "/" + header, "#error \"" + std::string(library.why) + "\"\n");
        });
    for_each_word(thrust_headers, [&](const std::string& header) {
        write_header(folder + "/thrust/" + header + ".h", "#pragma once\n#include <gpucc/thrust.h>\n");
    });
}

}  // namespace gpucc
