// SPDX-License-Identifier: MIT
// What a warp's lanes say to each other: shuffles of all kinds, votes, matches, and the bits of their answers.
#include <cstdio>

constexpr unsigned every_lane = 0xffffffffu;

__global__ void sums(const int* in, int* out) {
    const int lane = threadIdx.x % 32;
    int down = in[threadIdx.x], around = in[threadIdx.x], before = in[threadIdx.x];
    for (int k = 16; k > 0; k >>= 1) down += __shfl_down_sync(every_lane, down, k);
    for (int k = 16; k > 0; k >>= 1) around += __shfl_xor_sync(every_lane, around, k);
    for (int k = 1; k < 32; k <<= 1) {
        const int left = __shfl_up_sync(every_lane, before, k);
        if (lane >= k) before += left;
    }
    const int whole = __shfl_sync(every_lane, down, 0);
    out[threadIdx.x] = (whole == around) * 1000000 + before;
}

__global__ void votes(const int* in, unsigned* out) {
    const int value = in[threadIdx.x], lane = threadIdx.x % 32;
    const unsigned even = __ballot_sync(every_lane, value % 2 == 0);
    const unsigned below = (1u << lane) - 1;
    const unsigned same = __match_any_sync(every_lane, value % 5);
    unsigned result = __popc(even & below);
    result += 100 * __any_sync(every_lane, value > 60) + 1000 * __all_sync(every_lane, value >= 0);
    result += 10000 * (__ffs(same) - 1);
    out[threadIdx.x] = result;
}

// Each half of a warp turns around; the rows of eight are shifted.
__global__ void pieces(int* out) {
    const int lane = threadIdx.x % 32;
    const int turned = __shfl_xor_sync(every_lane, lane, 15, 16);
    const int next = __shfl_sync(every_lane, lane, lane + 1, 8);
    double wide = lane * 0.5;
    wide = __shfl_down_sync(every_lane, wide, 1);
    out[threadIdx.x] = turned * 10000 + next * 100 + int(wide * 2);
}

__global__ void bits(unsigned* out) {
    const unsigned i = threadIdx.x * 0x01234567u + 1;
    out[threadIdx.x] = __brev(i) ^ __byte_perm(i, ~i, 0x1537) ^ __funnelshift_l(i, i * 3, threadIdx.x & 31) ^
                       (unsigned)__clz(i) ^ (unsigned)__mulhi((int)i, 12345) ^ __umulhi(i, i) ^
                       (unsigned)__ffsll((long long)i << 20) ^ (unsigned)__popcll(~0ull << (i & 63));
}

int main() {
    const int n = 64;
    int host[n], *in, *out, back[n];
    unsigned words[n];
    for (int i = 0; i < n; ++i) host[i] = i * 23 % 61;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, n>>>(in, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    printf("sums %d %d %d %d\n", back[0], back[31], back[32], back[63]);
    votes<<<1, n>>>(in, (unsigned*)out);
    cudaMemcpy(words, out, sizeof words, cudaMemcpyDeviceToHost);
    printf("votes %u %u %u %u\n", words[0], words[17], words[40], words[63]);
    pieces<<<2, 32>>>(out);
    cudaMemcpy(back, out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("pieces %d %d %d %d\n", back[0], back[7], back[16], back[31]);
    bits<<<1, n>>>((unsigned*)out);
    cudaMemcpy(words, out, sizeof words, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (unsigned word : words) sum = sum * 31 + word;
    printf("bits %08x\n", sum);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
