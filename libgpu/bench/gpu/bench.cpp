// SPDX-License-Identifier: MIT
#include "bench.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace bench {

namespace {

// What a program that wants nothing but bandwidth would write.
const char* const source = R"(
__global__ void add16(const float4* x, const float4* y, float4* z, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 a = x[i], b = y[i];
    z[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__global__ void write16(float4* z, float value, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) z[i] = make_float4(value, value, value, value);
}
__global__ void write_gaps(float* z, float value, long long n) {
    long long i = blockIdx.x * 4LL * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; ++k, i += blockDim.x)
        if (i < n) z[2 * i] = value;
}
__device__ float joined(float4 a) { return a.x + a.y + a.z + a.w; }
__global__ void read16(const float4* x, float* never, long long n) {
    long long step = (long long)gridDim.x * blockDim.x, i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float sum = 0;
    for (; i + 3 * step < n; i += 4 * step) {
        float4 a = x[i], b = x[i + step], c = x[i + 2 * step], d = x[i + 3 * step];
        sum += (joined(a) + joined(b)) + (joined(c) + joined(d));
    }
    for (; i < n; i += step) sum += joined(x[i]);
    if (sum == -1.2345f) *never = sum;
}
)";

const gpu::RawModule& kernels() {
    static const gpu::RawModule module{gpu::Source(source)};
    return module;
}

struct alignas(16) Float4 {
    float x, y, z, w;
};

}  // namespace

}  // namespace bench

template <>
inline constexpr const char* gpu::kernel_type_name<bench::Float4> = "float4";

namespace bench {

namespace {

// The address as the kernels take it.
const Float4* wide(const gpu::Array<float>& x) { return reinterpret_cast<const Float4*>(x.data()); }
Float4* wide(gpu::Array<float>& x) { return reinterpret_cast<Float4*>(x.data()); }

void read_all(const gpu::Array<float>& x, gpu::Array<float>& never) {
    static const auto kernel = kernels().kernel<void(const Float4*, float*, std::int64_t)>("read16");
    const int blocks = 16 * gpu::Device::current().properties().multiprocessors;
    kernel({.grid = blocks, .block = 256}, wide(x), never, x.size() / 4);
}

struct Library {
    explicit Library(const std::string& name) {
        for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
            if (const char* folder = std::getenv(variable)) open(std::string(folder) + "/lib64/" + name);
        for (const char* folder : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/"})
            open(folder + name);
    }
    void open(const std::string& path) {
        if (handle == nullptr) handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    ~Library() {
        if (handle != nullptr) ::dlclose(handle);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(::dlsym(handle, name));
    }
    void* handle = nullptr;
};

}  // namespace

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int repeats(double seconds) {
    if (seconds > 1) return 1;
    if (seconds > 0.1) return 3;
    if (seconds > 0.01) return 5;
    return seconds > 0.002 ? 9 : 15;
}

Bench::Bench(std::int64_t elements)
    : elements_(elements), on_gpu_(gpu::Device::current().kind() == gpu::BackendKind::cuda) {
    // Four times the cache. The host's caches are left as they are: there, sizes are small and only results count.
    const auto cache = static_cast<std::int64_t>(gpu::Device::current().properties().l2_cache);
    flush_ = gpu::zeros<float>({on_gpu_ ? std::max<std::int64_t>(cache, 8 << 20) : 4});
}

double Bench::measure(const std::function<void()>& call) {
    gpu::Event start, stop;
    gpu::Array<float> never = gpu::zeros<float>({1});
    const auto time = [&] {
        read_all(flush_, never);
        start.record();
        call();
        stop.record();
        return static_cast<double>(gpu::elapsed_ms(start, stop)) / 1000;
    };
    time();  // compiles, allocates
    std::vector<double> seconds{time()};
    for (int k = repeats(seconds.front()); k > 1; --k) seconds.push_back(time());
    return median(seconds);
}

double Bench::limit(Limit limit) {
    if (limit == Limit::none) return 0;
    const auto known = limits_.find(limit);
    if (known != limits_.end()) return known->second;
    const double value = measured(limit);
    return limits_[limit] = value;
}

double Bench::measured(Limit limit) {
    const std::int64_t n = elements_, wide_n = n / 4;
    const auto bytes = static_cast<double>(4 * n);
    gpu::Array<float> x = gpu::random::uniform<float>({n}), z = gpu::empty<float>({n});
    const gpu::LaunchConfig config{.grid = (wide_n + 255) / 256, .block = 256};
    switch (limit) {
        case Limit::none: return 0;
        case Limit::stream: {
            const gpu::Array<float> y = gpu::random::uniform<float>({n});
            const auto add = kernels().kernel<void(const Float4*, const Float4*, Float4*, std::int64_t)>("add16");
            const double copy = 2 * bytes / measure([&] { z = x; });
            const double loads = 3 * bytes / measure([&] { add(config, wide(x), wide(y), wide(z), wide_n); });
            return std::max(copy, loads);
        }
        case Limit::read: {
            const double read = bytes / measure([&] { read_all(x, z); });
            return std::max(read, this->limit(Limit::stream));
        }
        case Limit::write: {
            const auto write = kernels().kernel<void(Float4*, float, std::int64_t)>("write16");
            return bytes / measure([&] { write(config, wide(z), 1.0F, wide_n); });
        }
        case Limit::gaps: {
            const auto write = kernels().kernel<void(float*, float, std::int64_t)>("write_gaps");
            const gpu::LaunchConfig half{.grid = (n / 2 + 1023) / 1024, .block = 256};
            return bytes / measure([&] { write(half, z, 1.0F, n / 2); });
        }
        case Limit::philox:
        case Limit::philox_normal: {
            const double seconds = curand_seconds(*this, z, limit == Limit::philox_normal);
            return seconds > 0 ? bytes / seconds : 0;
        }
        case Limit::to_device:
        case Limit::to_host: {
            if (!on_gpu_) return 0;
            gpu::Pinned<float> host(static_cast<std::size_t>(n));
            if (limit == Limit::to_device) return bytes / measure([&] { x.copy_from(host); });
            return bytes / measure([&] { x.copy_to(host); });
        }
    }
    return 0;
}

double curand_seconds(Bench& bench, gpu::Array<float>& target, bool normal) {
    if (!bench.on_gpu()) return 0;
    const Library library("libcurand.so.10");
    if (library.handle == nullptr) return 0;
    using Generator = void*;
    const auto create = library.function<int(Generator*, int)>("curandCreateGenerator");
    const auto destroy = library.function<int(Generator)>("curandDestroyGenerator");
    const auto set_stream = library.function<int(Generator, void*)>("curandSetStream");
    const auto uniform = library.function<int(Generator, float*, std::size_t)>("curandGenerateUniform");
    const auto gaussian = library.function<int(Generator, float*, std::size_t, float, float)>("curandGenerateNormal");
    if (create == nullptr || destroy == nullptr || set_stream == nullptr || uniform == nullptr || gaussian == nullptr)
        return 0;
    constexpr int philox4_32_10 = 161;
    Generator generator = nullptr;
    if (create(&generator, philox4_32_10) != 0) return 0;
    const std::unique_ptr<void, int (*)(Generator)> owner(generator, destroy);
    if (set_stream(generator, gpu::Stream::current().native()) != 0) return 0;
    const auto count = static_cast<std::size_t>(target.size());
    bool done = true;
    const double seconds = bench.measure([&] {
        done = (normal ? gaussian(generator, target.data(), count, 0, 1) : uniform(generator, target.data(), count)) ==
                   0 &&
               done;
    });
    return done ? seconds : 0;
}

}  // namespace bench
