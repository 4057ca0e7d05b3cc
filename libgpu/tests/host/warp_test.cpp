// SPDX-License-Identifier: MIT
#include "host/support.hpp"

using namespace support;

namespace {

const char* const source = R"(
__global__ void shuffles(int* out, double* real) {
    int t = threadIdx.x;
    out[t] = __shfl_sync(0xffffffff, t, 5);
    out[64 + t] = __shfl_up_sync(0xffffffff, t, 3);
    out[128 + t] = __shfl_down_sync(0xffffffff, t, 3);
    out[192 + t] = __shfl_xor_sync(0xffffffff, t, 9);
    out[256 + t] = __shfl_sync(0xffffffff, t, 9, 8);
    out[320 + t] = __shfl_up_sync(0xffffffff, t, 2, 8);
    out[384 + t] = __shfl_down_sync(0xffffffff, t, 2, 8);
    out[448 + t] = __shfl_xor_sync(0xffffffff, t, 12, 8);
    real[t] = __shfl_xor_sync(0xffffffff, t + 0.25, 1);
}
__global__ void votes(unsigned* out) {
    int t = threadIdx.x;
    out[t] = __ballot_sync(0xffffffff, t % 3 == 0);
    out[64 + t] = __any_sync(0xffffffff, t == 40) != 0;
    out[128 + t] = __all_sync(0xffffffff, t >= 32) != 0;
    out[192 + t] = __match_any_sync(0xffffffff, t % 5);
}
__global__ void halves(int* out) {
    int t = threadIdx.x % 32, v = t;
    if (t < 16) for (int w = 8; w > 0; w /= 2) v += __shfl_down_sync(0x0000ffff, v, w);
    else for (int w = 8; w > 0; w /= 2) v += __shfl_down_sync(0xffff0000, v, w);
    __syncwarp();
    out[threadIdx.x] = v;
}
__global__ void one_lane_ended(int* out) {
    int t = threadIdx.x;
    if (t == 3) return;
    int v = 1;
    for (int w = 16; w > 0; w /= 2) v += __shfl_xor_sync(0xffffffff, v, w) * 0 + 1;
    out[t] = v + (int)__popc(__ballot_sync(0xffffffff, 1));
}
__global__ void late_end(int* out) {
    int t = threadIdx.x;
    if (t == 31) { for (int k = 0; k < 5; ++k) __syncwarp(1u << 31); return; }
    out[t] = __popc(__ballot_sync(0xffffffff, 1));
}
__global__ void short_warp(int* out) { out[threadIdx.x] = __popc(__ballot_sync(0xffffffff, 1)); }
__global__ void warp_sum(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    for (int w = 16; w > 0; w /= 2) v += __shfl_down_sync(0xffffffff, v, w);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
__global__ void without_self() { __shfl_sync(0x1, 0, 0); }
)";

int clipped(int lane, int from, int first, int last) { return from < first || from > last ? lane : from; }

}  // namespace

TEST_CASE("shuffles follow CUDA's rules, with full and with narrow widths") {
    const Buffer<int> out(512);
    const Buffer<double> real(64);
    launch(*build_raw("shuffles", source), shape(1, 64), out.data(), real.data());
    for (int t = 0; t < 64; ++t) {
        const int warp = t / 32 * 32, segment = t / 8 * 8;
        const auto at = [&](int row) { return out[static_cast<std::size_t>(row * 64 + t)]; };
        CAPTURE(t);
        REQUIRE(at(0) == warp + 5);
        REQUIRE(at(1) == clipped(t, t - 3, warp, warp + 31));
        REQUIRE(at(2) == clipped(t, t + 3, warp, warp + 31));
        REQUIRE(at(3) == (t ^ 9));
        REQUIRE(at(4) == segment + 1);
        REQUIRE(at(5) == clipped(t, t - 2, segment, segment + 7));
        REQUIRE(at(6) == clipped(t, t + 2, segment, segment + 7));
        REQUIRE(at(7) == ((t ^ 12) > segment + 7 ? t : (t ^ 12)));
        REQUIRE(real[static_cast<std::size_t>(t)] == (t ^ 1) + 0.25);
    }
}

TEST_CASE("votes and matches see the whole warp") {
    const Buffer<unsigned> out(256);
    launch(*build_raw("votes", source), shape(1, 64), out.data());
    for (unsigned t = 0; t < 64; ++t) {
        unsigned ballot = 0, same = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const unsigned other = t / 32 * 32 + lane;
            if (other % 3 == 0) ballot |= 1U << lane;
            if (other % 5 == t % 5) same |= 1U << lane;
        }
        CAPTURE(t);
        REQUIRE(out[t] == ballot);
        REQUIRE(out[64 + t] == (t >= 32));
        REQUIRE(out[128 + t] == (t >= 32));
        REQUIRE(out[192 + t] == same);
    }
}

TEST_CASE("two halves of a warp shuffle in divergent branches") {
    const Buffer<int> out(64);
    launch(*build_raw("halves", source), shape(1, 64), out.data());
    for (const std::size_t warp : {0U, 32U}) {
        CHECK(out[warp] == 120);
        CHECK(out[warp + 16] == 120 + 256);
    }
}

TEST_CASE("a lane that has ended isn't waited for, whenever it ends") {
    const Buffer<int> out(64, -1);
    launch(*build_raw("one_lane_ended", source), shape(1, 64), out.data());
    CHECK(out[0] == 6 + 31);
    CHECK(out[3] == -1);
    CHECK(out[40] == 6 + 32);
    launch(*build_raw("late_end", source), shape(1, 32), out.data());
    CHECK(out[0] == 31);
    launch(*build_raw("short_warp", source), shape(1, 40), out.data());
    CHECK(out[0] == 32);
    CHECK(out[39] == 8);
}

TEST_CASE("warps of many blocks sum by shuffles") {
    const int n = 5000;
    const Buffer<float> x(n, 1.0f), out(1);
    const auto before = atomics();
    launch(*build_raw("warp_sum", source), shape(20, 256), static_cast<const float*>(x.data()), out.data(), n);
    CHECK(out[0] == 5000.0f);
    CHECK(atomics() - before == 20 * 8);
}

TEST_CASE("a mask that leaves out its own lane is an error") {
    CHECK(
        launch_error([&] { launch(*build_raw("without_self", source), shape(1, 32)); }) ==
        "kernel without_self: block (0,0,0) thread (1,0,0) calls a warp operation on line 47 with the mask 0x1, which "
        "does not name its own lane");
}
