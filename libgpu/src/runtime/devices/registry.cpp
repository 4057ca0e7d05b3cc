// SPDX-License-Identifier: MIT
#include "runtime/devices/registry.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

struct Backends {
    std::unique_ptr<Backend> host = make_host_backend();
    std::unique_ptr<Backend> cuda;
    std::string why_not_cuda;
};

Backends make_backends() {
    Backends made;
    // A process restricted to the host never touches the driver.
    const char* wanted = std::getenv("LIBGPU_DEVICE");
    if (wanted != nullptr && std::string(wanted).starts_with("host")) {
        made.why_not_cuda = "LIBGPU_DEVICE=" + std::string(wanted) + " asks for the host";
    } else {
        made.cuda = make_cuda_backend(made.why_not_cuda);
    }
    return made;
}

Backends& backends() {
    static auto* const instance = new Backends(make_backends());  // leaked: arrays may outlive main
    return *instance;
}

Device choose_default_device() {
    if (const char* wanted = std::getenv("LIBGPU_DEVICE"); wanted != nullptr && *wanted != '\0') {
        const auto [kind, index] = parse_device_name(wanted);
        return make_device(kind, index);
    }
    if (backends().cuda != nullptr) return Device::cuda(0);
#ifdef GPU_WITH_CUDA
    std::fprintf(stderr,
                 "libgpu: %s; running on the host backend (LIBGPU_DEVICE=host chooses it and silences this line)\n",
                 backends().why_not_cuda.c_str());
#endif
    return Device::host(0);
}

}  // namespace

Backend& backend(BackendKind kind) {
    Backends& all = backends();
    if (kind == BackendKind::host) return *all.host;
    if (all.cuda == nullptr) throw DeviceError("no GPU can be used: " + all.why_not_cuda);
    return *all.cuda;
}

Device default_device() {
    static const Device device = choose_default_device();
    return device;
}

Device make_device(BackendKind kind, int index) {
    return kind == BackendKind::cuda ? Device::cuda(index) : Device::host(index);
}

DeviceName parse_device_name(const std::string& text) {
    const auto colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    int index = 0;
    bool good = kind == "host" || kind == "cuda";
    if (colon != std::string::npos) {
        const char* first = text.data() + colon + 1;
        const char* last = text.data() + text.size();
        const auto [end, failure] = std::from_chars(first, last, index);
        good = good && failure == std::errc{} && end == last && index >= 0;
    }
    if (!good) throw DeviceError("LIBGPU_DEVICE=" + text + ": expected host, host:1, cuda, cuda:0, ...");
    return {kind == "host" ? BackendKind::host : BackendKind::cuda, index};
}

}  // namespace gpu::detail

namespace gpu {

std::string why_no_gpu() {
    const auto& known = detail::backends();
    return known.cuda != nullptr ? std::string() : known.why_not_cuda;
}

}  // namespace gpu
