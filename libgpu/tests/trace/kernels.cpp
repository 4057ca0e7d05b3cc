// SPDX-License-Identifier: MIT
#include "trace/kernels.hpp"

namespace pictures {

namespace {

gpu::Trace coalesced() {
    return gpu::trace([] {
        const std::string text = R"(
__global__ void copy(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
)";
        gpu::RawKernel<void(const float*, float*, int)> copy(text, "copy");
        const auto x = gpu::arange<float>(70);
        auto y = gpu::zeros<float>({70});
        copy({.grid = 2, .block = 40}, x, y, 70);
    });
}

gpu::Trace strided() {
    return gpu::trace([] {
        const std::string text = R"(
__global__ void every_other(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i < n) y[i] = x[2 * i];
}
)";
        gpu::RawKernel<void(const float*, float*, int)> every_other(text, "every_other");
        const auto x = gpu::arange<float>(64);
        auto y = gpu::zeros<float>({32});
        every_other({.grid = 1, .block = 32}, x, y, 32);
    });
}

constexpr const char* tree_text = R"(
__global__ void tree(const float* x, float* sum) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) *sum = part[0];
}
)";

gpu::Trace tree_of(const std::string& text) {
    return gpu::trace([&text] {
        gpu::RawKernel<void(const float*, float*)> tree(text, "tree");
        const auto x = gpu::arange<float>(64);
        auto sum = gpu::zeros<float>({1});
        tree({.grid = 1, .block = 64}, x, sum);
    });
}

gpu::Trace tree() { return tree_of(tree_text); }

gpu::Trace tree_without_barrier() {
    std::string text = tree_text;
    const std::string barrier = "        __syncthreads();\n";
    text.erase(text.find(barrier), barrier.size());
    return tree_of(text);
}

gpu::Trace halo() {
    return gpu::trace([] {
        const std::string text = R"(
__global__ void blur(const float* x, float* y, int n) {
    __shared__ float tile[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    tile[t + 1] = i < n ? x[i] : 0;
    if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0;
    if (t == 31) tile[33] = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    if (i < n) y[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;
}
)";
        gpu::RawKernel<void(const float*, float*, int)> blur(text, "blur");
        const auto x = gpu::arange<float>(64);
        auto y = gpu::zeros<float>({64});
        blur({.grid = 2, .block = 32}, x, y, 64);
    });
}

gpu::Trace bank_conflict() {
    return gpu::trace([] {
        const std::string text = R"(
__global__ void transpose(const float* x, float* y) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    y[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
)";
        gpu::RawKernel<void(const float*, float*)> transpose(text, "transpose");
        const gpu::Array<float> x = gpu::arange<float>(256).reshape({16, 16});
        auto y = gpu::zeros<float>({16, 16});
        transpose({.grid = 1, .block = {16, 16}}, x, y);
    });
}

gpu::Trace divergent_branch() {
    return gpu::trace([] {
        const std::string text = R"(
__global__ void odd_even(const int* x, int* y) {
    int t = threadIdx.x;
    if (t % 2 == 0)
        y[t] = x[t] * 3;
    else
        y[t] = x[t] + 1;
}
)";
        gpu::RawKernel<void(const int*, int*)> odd_even(text, "odd_even");
        const auto x = gpu::arange<int>(32);
        auto y = gpu::zeros<int>({32});
        odd_even({.grid = 1, .block = 32}, x, y);
    });
}

gpu::Trace deadlock() {
    return gpu::trace([] {
        const std::string text = R"(
__global__ void some(const float* x, float* y, int n) {
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t < n) {
        s[t] = x[t];
        __syncthreads();
        y[t] = s[n - 1 - t];
    } else {
        __syncthreads();
    }
}
)";
        gpu::RawKernel<void(const float*, float*, int)> some(text, "some");
        const auto x = gpu::arange<float>(20);
        auto y = gpu::zeros<float>({20});
        some({.grid = 1, .block = 32}, x, y, 20);
    });
}

gpu::Trace out_of_bounds() {
    return gpu::trace([] {
        const std::string text = R"(
__global__ void shift(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i + 1];
}
)";
        gpu::RawKernel<void(const float*, float*, int)> shift(text, "shift");
        const auto x = gpu::arange<float>(33);
        auto y = gpu::zeros<float>({33});
        shift({.grid = 1, .block = 64}, x, y, 33);
    });
}

constexpr const char* triple_text = R"(
__global__ void triple(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i];
}
)";
constexpr int chunk = 8192;

// Chunks that go up, through a kernel and down again, each in its stream; page-locked memory.
gpu::Trace overlapped_chunks() {
    gpu::RawKernel<void(const float*, float*, int)> triple(triple_text, "triple");
    std::vector<gpu::Pinned<float>> in, out;
    std::vector<gpu::Array<float>> x, y;
    std::vector<gpu::Stream> streams(3);
    for (std::size_t k = 0; k < streams.size(); ++k) {
        in.emplace_back(chunk);
        out.emplace_back(chunk);
        x.push_back(gpu::empty<float>({chunk}));
        y.push_back(gpu::empty<float>({chunk}));
    }
    return gpu::trace(
        [&] {
            for (std::size_t k = 0; k < streams.size(); ++k) {
                const gpu::StreamGuard guard(streams[k]);
                (void)x[k].copy_from_async(in[k]);
                triple({.grid = chunk / 64, .block = 64}, x[k], y[k], chunk);
                (void)y[k].copy_to_async(out[k]);
            }
            gpu::synchronize();
        },
        {.check = {}, .blocks = 1, .threads = 32});
}

// The same without streams, and with copies that the host waits for.
gpu::Trace staircase() {
    gpu::RawKernel<void(const float*, float*, int)> triple(triple_text, "triple");
    std::vector<float> host(chunk, 1.F);
    auto x = gpu::empty<float>({chunk}), y = gpu::empty<float>({chunk});
    return gpu::trace(
        [&] {
            for (int k = 0; k < 3; ++k) {
                x.copy_from(host);
                triple({.grid = chunk / 64, .block = 64}, x, y, chunk);
                gpu::synchronize();
                y.copy_to(host);
            }
        },
        {.check = {}, .blocks = 1, .threads = 32});
}

// Blocks that are too few, and more than there are multiprocessors.
gpu::Trace grids() {
    gpu::RawKernel<void(const float*, float*, int)> triple(triple_text, "triple");
    auto x = gpu::zeros<float>({chunk}), y = gpu::empty<float>({chunk});
    return gpu::trace(
        [&] {
            triple({.grid = 1, .block = 64}, x, y, chunk);
            triple({.grid = 200, .block = 40}, x, y, chunk);
            triple({.grid = 1100, .block = 32}, x, y, chunk);
        },
        {.check = {}, .blocks = 1, .threads = 32});
}

}  // namespace

const std::vector<Program>& programs() {
    static const std::vector<Program> all{
        {"coalesced_copy", coalesced, gpu::Picture::map},
        {"strided_copy", strided, gpu::Picture::requests},
        {"tree", tree, gpu::Picture::lanes},
        {"tree_without_barrier", tree_without_barrier, gpu::Picture::races},
        {"halo_tile", halo, gpu::Picture::map},
        {"bank_conflict", bank_conflict, gpu::Picture::banks},
        {"divergent_branch", divergent_branch, gpu::Picture::lanes},
        {"deadlock", deadlock, gpu::Picture::lanes},
        {"out_of_bounds", out_of_bounds, gpu::Picture::map},
        {"overlapped_chunks", overlapped_chunks, gpu::Picture::schedule},
        {"staircase", staircase, gpu::Picture::schedule},
        {"grids", grids, gpu::Picture::schedule},
    };
    return all;
}

}  // namespace pictures
