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
    {"cublas.h", "the old cuBLAS interface isn't in gpucc: include cublas_v2.h"},
    {"cublasLt.h cublasXt.h", "this part of cuBLAS isn't in gpucc: include cublas_v2.h, and call cublasSgemm"},
    {"cusolverDn.h cusolver_common.h cusolverSp.h", "cuSOLVER isn't in gpucc: use gpu::linalg of libgpu"},
    {"cusparse.h cusparse_v2.h", "cuSPARSE isn't in gpucc: write the loop over the non-zero elements as a kernel"},
    {"cufft.h cufftXt.h cufftw.h", "cuFFT isn't in gpucc: use gpu::fft of libgpu"},
    {"cub/block/block_reduce.cuh cub/block/block_scan.cuh cub/block/block_load.cuh cub/block/block_store.cuh "
     "cub/block/block_radix_sort.cuh cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh cub/util_type.cuh",
     "of CUB gpucc has the algorithms for whole arrays: in a kernel, reduce and scan in shared memory, or with "
     "cooperative_groups/reduce.h"},
    {"cuda/atomic cuda/std/atomic cuda/barrier cuda/pipeline cuda/std/barrier cuda/semaphore cuda/latch",
     "this part of libcu++ isn't in gpucc: use atomicAdd() and its like, __syncthreads() and cooperative groups"},
    {"cuda/std/complex cuda/std/tuple cuda/std/optional cuda/std/span cuda/std/mdspan cuda/std/chrono",
     "this part of cuda::std isn't in gpucc: write a struct"},
    {"cuda_fp8.h cuda_fp6.h cuda_fp4.h", "numbers of 4, 6 and 8 bits aren't in gpucc: use cuda_fp16.h or cuda_bf16.h"},
    {"thrust/async/reduce.h thrust/async/sort.h thrust/async/transform.h thrust/async/copy.h thrust/future.h",
     "Thrust's asynchronous algorithms aren't in gpucc: call thrust::reduce and its like"},
    {"thrust/universal_vector.h thrust/universal_ptr.h",
     "thrust::universal_vector isn't in gpucc: use thrust::device_vector, or cudaMallocManaged()"},
    {"thrust/complex.h",
     "thrust::complex isn't in gpucc: write a struct of two numbers with the operators that you need"},
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
    "device_vector host_vector copy fill sequence generate tabulate for_each transform transform_reduce transform_scan "
    "replace swap reverse gather scatter reduce inner_product count extrema find logical equal mismatch "
    "adjacent_difference sort scan unique remove partition merge set_operations binary_search functional device_ptr "
    "device_malloc device_free device_reference memory pair tuple execution_policy distance advance random "
    "system_error zip_function random/linear_congruential_engine random/uniform_int_distribution "
    "random/uniform_real_distribution random/normal_distribution system/cuda/execution_policy "
    "iterator/counting_iterator iterator/constant_iterator iterator/transform_iterator iterator/zip_iterator "
    "iterator/permutation_iterator iterator/discard_iterator iterator/reverse_iterator "
    "iterator/transform_output_iterator iterator/iterator_traits";

constexpr std::string_view std_headers = "algorithm array cmath cstddef cstdint functional limits type_traits utility";

constexpr std::string_view cub_headers =
    "device/device_reduce device/device_scan device/device_radix_sort device/device_select device/device_histogram "
    "device/device_run_length_encode device/device_segmented_reduce iterator/counting_input_iterator";

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
    for_each_word(cub_headers, [&](const std::string& header) {
        write_header(folder + "/cub/" + header + ".cuh", "#pragma once\n#include <gpucc/cub.h>\n");
    });
    for_each_word(std_headers, [&](const std::string& header) {
        write_header(folder + "/cuda/std/" + header, "#pragma once\n#include <gpucc/cuda_std.h>\n");
    });
}

}  // namespace gpucc
