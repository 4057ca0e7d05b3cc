// SPDX-License-Identifier: MIT
// course-probe: answers questions about the device. Links libgpu, never loads a student's code; prints facts, one per
// line: "probe backend host". Values contain no line breaks; other lines are libgpu's or the driver's. A GPU is held
// exclusively while it is measured.
//   course-probe               which device there is, and why no GPU is used
//   course-probe --measure     also a canary kernel, and the bandwidths of host memory, device memory, the link, and
//                              between two GPUs
//   course-probe --bandwidth   for a GPU, only the copy bandwidth
//   course-probe --canary      only the canary kernel

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <latch>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <dlfcn.h>

#include <gpu/gpu.hpp>

#include "support/parallel.hpp"

namespace {

constexpr const char* canary_source = R"(
extern "C" __global__ void canary(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 3 + i;
}
)";

/// Compiles, launches and checks a tiny kernel; returns what went wrong, or nothing.
std::string canary() {
    constexpr int n = 1000;
    std::vector<int> in(n);
    for (int i = 0; i < n; ++i) in[static_cast<std::size_t>(i)] = 7 * i + 1;
    const gpu::Array<int> x = gpu::to_device(in);
    gpu::Array<int> y = gpu::zeros<int>({n});
    const gpu::RawKernel<void(const int*, int*, int)> kernel(canary_source, "canary");
    kernel({.grid = 8, .block = 128}, x, y, n);
    const std::vector<int> out = gpu::to_host(y);
    for (int i = 0; i < n; ++i)
        if (const int want = in[static_cast<std::size_t>(i)] * 3 + i; out[static_cast<std::size_t>(i)] != want)
            return "element " + std::to_string(i) + " is " + std::to_string(out[static_cast<std::size_t>(i)]) +
                   ", not " + std::to_string(want);
    return "";
}

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point stop) {
    return std::chrono::duration<double>(stop - start).count();
}

/// Bytes read and written per second when all CPU threads copy, each its own piece: the best of several measurements.
double host_bandwidth() {
    struct Piece {
        std::vector<char> from, to;
        Clock::time_point start, stop;
    };
    std::vector<Piece> pieces(std::max(1U, std::thread::hardware_concurrency()));
    // larger than caches
    const std::size_t bytes = std::min(std::size_t{32} << 20, (std::size_t{1} << 30) / pieces.size());
    double best_seconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 8; ++round) {  // before the first one, each thread allocates its memory
        std::latch ready(static_cast<std::ptrdiff_t>(pieces.size()));
        std::vector<std::jthread> threads;
        for (Piece& piece : pieces)
            threads.emplace_back([&piece, &ready, bytes, round] {
                if (round == 0) piece.from.assign(bytes, 1), piece.to.assign(bytes, 2);
                ready.arrive_and_wait();
                piece.start = Clock::now();
                std::memcpy(piece.to.data(), piece.from.data(), bytes);
                piece.stop = Clock::now();
            });
        threads.clear();  // waits for each
        const auto first = std::min_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
                               return a.start < b.start;
                           })->start;
        const auto last = std::max_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
                              return a.stop < b.stop;
                          })->stop;
        best_seconds = std::min(best_seconds, seconds_between(first, last));
    }
    return 2.0 * static_cast<double>(pieces.size() * bytes) / best_seconds;
}

/// Bytes read and written per second by a copy on the device: the best of several measurements.
double copy_bandwidth() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const std::int64_t n = on_gpu ? std::int64_t{1} << 26 : std::int64_t{1} << 24;  // 256 MiB, 64 MiB
    const gpu::Array<float> from = gpu::zeros<float>({n});
    gpu::Array<float> to = gpu::zeros<float>({n});
    float best_ms = 1e30f;
    for (int round = 0; round < 8; ++round) {
        gpu::Event start, stop;
        start.record();
        to = from;
        stop.record();
        best_ms = std::min(best_ms, gpu::elapsed_ms(start, stop));
    }
    return 2.0 * static_cast<double>(n) * sizeof(float) / (static_cast<double>(best_ms) * 1e-3);
}

/// Bytes per second of a copy from page-locked memory to the device, the fastest way over the link.
double link_bandwidth() {
    constexpr std::size_t n = std::size_t{1} << 24;  // 64 MiB
    const gpu::Pinned<float> host(n);
    gpu::Array<float> device = gpu::zeros<float>({n});
    double best_seconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 4; ++round) {
        gpu::synchronize();
        const Clock::time_point start = Clock::now();
        device.copy_from(host);
        gpu::synchronize();
        best_seconds = std::min(best_seconds, seconds_between(start, Clock::now()));
    }
    return static_cast<double>(n * sizeof(float)) / best_seconds;
}

/// Bytes per second of a copy from the first GPU's memory to the second one's, whatever joins the two.
double peer_bandwidth() {
    constexpr std::int64_t n = std::int64_t{1} << 26;  // 256 MiB
    const gpu::Device second(1);
    const gpu::Array<float> from = gpu::zeros<float>({n});
    gpu::Array<float> to;
    double best_seconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 6; ++round) {  // in the first ones the other device's pool asks for its memory
        gpu::synchronize();
        const Clock::time_point start = Clock::now();
        to = from.to(second);
        {
            const gpu::DeviceGuard there(second);
            gpu::synchronize();
        }
        best_seconds = std::min(best_seconds, seconds_between(start, Clock::now()));
    }
    return static_cast<double>(n) * sizeof(float) / best_seconds;
}

void say(const char* fact, std::string value) {
    for (char& character : value)
        if (character == '\n' || character == '\r') character = ' ';
    std::printf("probe %s %s\n", fact, value.c_str());
}

/// Prints the fact in bytes per second, or why it isn't known.
void say_rate(const char* fact, double (*measured)()) {
    try {
        say(fact, std::to_string(measured()));
    } catch (const std::exception& error) {
        say("rate_error", error.what());
    }
}

/// Prints what was wrong with a tiny kernel; nothing if it was right.
void say_canary() {
    try {
        say("canary", canary());
    } catch (const std::exception& error) {
        say("canary", error.what());
    }
}

/// "GPU-5d1e...", independent of CUDA_VISIBLE_DEVICES; empty if the driver doesn't provide it. Queries the driver that
/// libgpu has loaded, so that the probe needs no toolkit.
std::string uuid_of(int index) {
    struct Uuid {
        unsigned char bytes[16];
    };
    using Get = int (*)(int*, int);
    using GetUuid = int (*)(Uuid*, int);
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (driver == nullptr) return {};
    const auto get = reinterpret_cast<Get>(::dlsym(driver, "cuDeviceGet"));
    auto get_uuid = reinterpret_cast<GetUuid>(::dlsym(driver, "cuDeviceGetUuid_v2"));   // also for a MIG slice
    if (get_uuid == nullptr) get_uuid = reinterpret_cast<GetUuid>(::dlsym(driver, "cuDeviceGetUuid"));
    int device = 0;
    Uuid uuid{};
    const bool known =
        get != nullptr && get_uuid != nullptr && get(&device, index) == 0 && get_uuid(&uuid, device) == 0;
    ::dlclose(driver);
    if (!known) return {};
    std::string text = "GPU-";
    for (int k = 0; k < 16; ++k) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(uuid.bytes[k]));
        text += two;
        if (k == 3 || k == 5 || k == 7 || k == 9) text += '-';
    }
    return text;
}

void describe(std::string_view measure) {
    say("why_no_gpu", gpu::why_no_gpu());
    const gpu::Device device = gpu::Device::current();
    const gpu::DeviceProperties properties = device.properties();
    say("backend", device.kind() == gpu::BackendKind::cuda ? "cuda" : "host");
    say("device", device.to_string());
    say("name", properties.name);
    const bool on_gpu = device.kind() == gpu::BackendKind::cuda;
    const std::string uuid = on_gpu ? uuid_of(device.index()) : "";
    say("uuid", uuid);
    say("devices", std::to_string(gpu::Device::count()));
    say("multiprocessors", std::to_string(properties.multiprocessors));
    say("total_memory", std::to_string(properties.total_memory));
    say("compute_capability", std::to_string(properties.compute_capability));
    std::optional<course::DeviceLock> lock;
    if (on_gpu && (measure == "--bandwidth" || measure == "--measure")) lock.emplace(uuid);
    const course::DeviceLock::Held alone(lock ? &*lock : nullptr, course::DeviceLock::Use::alone);
    if (measure == "--bandwidth" && on_gpu) say_rate("copy_bytes_per_second", copy_bandwidth);
    if (measure == "--canary") {
        say_canary();
        return;
    }
    if (measure != "--measure") return;
    const gpu::KernelCache cache = gpu::kernel_cache();
    const gpu::CacheStatistics cached = cache.statistics();
    say("cache_folder", cache.folder());
    say("cache_limit", std::to_string(cache.limit()));
    say("cache_files", std::to_string(cached.files));
    say("cache_bytes", std::to_string(cached.bytes));
    say_canary();
    say_rate("host_bytes_per_second", host_bandwidth);
    say_rate("copy_bytes_per_second", copy_bandwidth);
    if (on_gpu) say_rate("link_bytes_per_second", link_bandwidth);
    if (on_gpu && device.index() == 0 && gpu::Device::count() > 1) say_rate("peer_bytes_per_second", peer_bandwidth);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        describe(argc > 1 ? argv[1] : "");
        return 0;
    } catch (const std::exception& error) {
        say("error", error.what());
        return 1;
    }
}
