// SPDX-License-Identifier: MIT
// libgpu's own raw kernels: NVRTC takes each that libgpu can ask for.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include "codegen/convolve_text.hpp"
#include "codegen/indexing_text.hpp"
#include "codegen/jacobi_text.hpp"
#include "codegen/sort_text.hpp"
#include "cuda/compile/skeletons.hpp"
#include "with_nvrtc.hpp"

using namespace gpu;
using namespace gpu::detail;

namespace {

void check_compiles(const RawText& text, const std::string& arch) {
    std::string log;
    try {
        (void)cuda::compile_for(arch, cuda::raw_skeleton(text));
    } catch (const CompileFailure& failure) {
        log = failure.log;
    }
    CHECK_MESSAGE(log.empty(), text.name << " for " << arch << ":\n" << log << "\n" << text.source.text);
}

}  // namespace

TEST_CASE("NVRTC compiles the kernels of take, put, add_at and masks") {
    if (!with_nvrtc("indexing texts")) return;
    for (const std::string& arch : tested_archs()) {
        check_compiles(mask_positions_text(), arch);
        for (DType element : {DType::int8, DType::int16, DType::float32, DType::float64, DType::complex128}) {
            check_compiles(take_text({element, DType::int32, 1, 1}), arch);
            check_compiles(put_text({element, DType::uint64, 3, 2}), arch);
        }
        for (DType index : {DType::int8, DType::uint8, DType::int64}) {
            check_compiles(take_text({DType::float32, index, 8, 8}), arch);
        }
        for (DType element :
             {DType::int32, DType::uint32, DType::int64, DType::uint64, DType::float32, DType::float64}) {
            check_compiles(add_at_text({element, DType::int32, 1, 1}), arch);
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of convolutions") {
    if (!with_nvrtc("convolution texts")) return;
    for (const std::string& arch : tested_archs()) {
        for (DType element : {DType::int8, DType::uint16, DType::int32, DType::uint64, DType::float32, DType::float64,
                              DType::complex64, DType::complex128}) {
            check_compiles(convolve_plain_text(element, 1), arch);
            check_compiles(convolve_small_text(element, 3, 2, 1), arch);
            for (const bool tall : {false, true}) check_compiles(convolve_tiled_text(element, tall), arch);
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of small singular value decompositions") {
    if (!with_nvrtc("small singular values")) return;
    for (const std::string& arch : tested_archs()) {
        for (DType element : {DType::float32, DType::float64, DType::complex64, DType::complex128}) {
            check_compiles(jacobi_text(element), arch);
        }
    }
}

TEST_CASE("NVRTC compiles the kernels of sorts and histograms") {
    if (!with_nvrtc("sort texts")) return;
    for (const std::string& arch : tested_archs()) {
        for (DType element : {DType::boolean, DType::int8, DType::int64, DType::uint32, DType::uint64, DType::float16,
                              DType::float32, DType::float64}) {
            for (const bool with_positions : {false, true}) {
                check_compiles(sort_runs_text({element, with_positions}), arch);
                check_compiles(sort_merge_text({element, with_positions}), arch);
            }
        }
        check_compiles(histogram_text(DType::float32), arch);
        check_compiles(histogram_text(DType::float64), arch);
    }
}

TEST_CASE("NVRTC compiles the kernels of scans") {
    if (!with_nvrtc("scan texts")) return;
    const ScanTypes table[] = {{DType::boolean, DType::int64, DType::int64, false},
                               {DType::uint8, DType::uint64, DType::uint64, true},
                               {DType::float32, DType::float32, DType::float32, false},
                               {DType::complex64, DType::complex64, DType::complex64, true},
                               {DType::float32, DType::float64, DType::float64, true}};
    for (const std::string& arch : tested_archs()) {
        for (const ScanTypes& types : table) {
            check_compiles(scan_totals_text(types), arch);
            check_compiles(scan_chunks_text(types), arch);
        }
    }
}
#endif
