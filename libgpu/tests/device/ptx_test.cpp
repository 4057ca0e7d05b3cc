// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cstdlib>

#include "../cuda/texts.hpp"
#include "cuda/compile/compiler.hpp"
#include "on_gpu.hpp"

using namespace gpu::detail;

namespace {

void check_works(const Image& image, const KernelSource& source) {
    const auto kernel = backend().load(0, image, source);
    const auto x = small_numbers<float>(1009);
    const OnGpu<float> x_gpu(x), y(std::vector<float>(1009, 0)), z(1009);
    launch_over(*kernel, {1009}, {array(x_gpu.data()), array(y.data()), array(z.data())});
    const auto values = z.values();
    for (std::size_t k = 0; k < x.size(); ++k) REQUIRE(values[k] == x[k] * x[k]);
}

}  // namespace

TEST_CASE("PTX, which newer GPUs than the compiler get, loads and runs") {
    const KernelSource source = backend().generate(texts::squared_diff());
    check_works(cuda::compile_for("compute_75", source), source);
}

TEST_CASE("with LIBGPU_DEBUG=1 kernels carry debug information and run") {
    const KernelSource source = backend().generate(texts::squared_diff());
    setenv("LIBGPU_DEBUG", "1", 1);
    const std::string identity = backend().compiler_identity(0);
    const Image image = backend().compile(0, source);
    unsetenv("LIBGPU_DEBUG");
    CHECK(identity.find("--device-debug") != std::string::npos);
    CHECK(image.bytes.size() > backend().compile(0, source).bytes.size());
    check_works(image, source);
}
#endif
