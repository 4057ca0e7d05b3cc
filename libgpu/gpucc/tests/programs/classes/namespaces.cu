// SPDX-License-Identifier: MIT
// Namespaces in namespaces and without a name, scoped enumerations, unions and bit fields, on both sides.
#include <cstdint>
#include <cstdio>

namespace graphics {
inline namespace version2 {
enum class Channel : uint8_t { red, green, blue, alpha };

union Pixel {
    uint32_t word;
    struct {
        uint8_t red, green, blue, alpha;
    } part;
    uint8_t channels[4];
};

struct Flags {
    unsigned is_set : 1, level : 5, rest : 26;
};
}  // namespace version2

namespace detail {
template <Channel C>
__host__ __device__ uint8_t& channel(Pixel& p) {
    return p.channels[static_cast<int>(C)];
}
__host__ __device__ constexpr int weight(Channel c) {
    return c == Channel::red ? 77 : c == Channel::green ? 150 : c == Channel::blue ? 29 : 0;
}
}  // namespace detail

namespace detail::deep {
__device__ int grey(Pixel p) {
    int sum = 0;
    sum += detail::channel<Channel::red>(p) * weight(Channel::red);
    sum += detail::channel<Channel::green>(p) * weight(Channel::green);
    sum += detail::channel<Channel::blue>(p) * weight(Channel::blue);
    return sum >> 8;
}
}  // namespace detail::deep

__global__ void to_grey(Pixel* pixels, Flags* flags, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    const int level = detail::deep::grey(pixels[i]);
    pixels[i].part.red = pixels[i].part.green = pixels[i].part.blue = uint8_t(level);
    flags[i].is_set = level > 127;
    flags[i].level = level / 8;
    flags[i].rest = i;
}
}  // namespace graphics

namespace {
const int n = 100;
__device__ int seen;
__global__ void count(const graphics::Pixel* pixels, int n) {
    using graphics::Pixel;
    const Pixel* const own = pixels + threadIdx.x;
    if (threadIdx.x < n && own->part.alpha == 255) atomicAdd(&seen, 1);
}
}  // namespace

namespace g = graphics;

int main() {
    g::Pixel host[n];
    for (int i = 0; i < n; ++i) host[i].word = uint32_t(i) * 40503u | (i % 3 == 0 ? 0xff000000u : 0x10000000u);
    g::Pixel* pixels;
    graphics::Flags *flags, host_flags[n];
    cudaMalloc(&pixels, sizeof host);
    cudaMalloc(&flags, sizeof host_flags);
    cudaMemset(flags, 0, sizeof host_flags);
    cudaMemcpy(pixels, host, sizeof host, cudaMemcpyHostToDevice);
    g::to_grey<<<4, 32>>>(pixels, flags, n);
    count<<<1, 128>>>(pixels, n);
    cudaMemcpy(host, pixels, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(host_flags, flags, sizeof host_flags, cudaMemcpyDeviceToHost);
    int opaque = 0;
    cudaMemcpyFromSymbol(&opaque, seen, sizeof opaque);
    printf("%d opaque; pixel 9 is %08x, %u %u %u\n", opaque, host[9].word, host_flags[9].is_set, host_flags[9].level,
           host_flags[9].rest);
    printf("pixel 77 is %08x, blue %d\n", host[77].word, g::detail::channel<g::Channel::blue>(host[77]));
    cudaFree(pixels);
    cudaFree(flags);
    return 0;
}
