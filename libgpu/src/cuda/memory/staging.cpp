// SPDX-License-Identifier: MIT
#include "cuda/memory/staging.hpp"

#include <pthread.h>

#include <csignal>
#include <cstring>
#include <mutex>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

namespace {

constexpr int slots = 8;
constexpr std::size_t slot_bytes = std::size_t{2} << 20;

/// Blocks all signals; helper threads inherit the mask, so the program's signals go to the program's threads.
class BlockedSignals {
public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t before_;
};

/// The link between a ring's slots and an address in device memory, see StagedCopy.
struct RingLink {
    int device;
    char* memory;
    const cudaEvent_t* sent;
    char* device_data;
    cudaStream_t stream;

    int enter() const { return cudaSetDevice(device); }
    [[nodiscard]] char* slot(int slot) const { return memory + static_cast<std::size_t>(slot) * slot_bytes; }
    int send(int slot, CopyChunk piece) const {
        return start(slot, device_data + piece.offset, this->slot(slot), piece.bytes, cudaMemcpyHostToDevice);
    }
    int fetch(int slot, CopyChunk piece) const {
        return start(slot, this->slot(slot), device_data + piece.offset, piece.bytes, cudaMemcpyDeviceToHost);
    }
    int wait(int slot) const { return cudaEventSynchronize(sent[slot]); }

private:
    int start(int slot, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) const {
        const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);
        return error != cudaSuccess ? error : cudaEventRecord(sent[slot], stream);
    }
};

}  // namespace

struct Staging::Ring {
    std::mutex mutex;  // held for a whole copy: two at once would only share the bus
    char* memory = nullptr;
    cudaEvent_t sent[slots] = {};
    bool refused = false;

    // The device must be current.
    bool ready() {
        if (memory != nullptr || refused) return memory != nullptr;
        void* made = nullptr;
        refused = cudaHostAlloc(&made, slots * slot_bytes, cudaHostAllocPortable) != cudaSuccess;
        for (cudaEvent_t& event : sent)
            refused = refused || cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess;
        if (!refused)
            memory = static_cast<char*>(made);
        else if (made != nullptr)
            (void)cudaFreeHost(made);
        if (refused) (void)cudaGetLastError();
        return !refused;
    }

    ~Ring() {  // the runtime may be gone; there is nobody to report to
        for (cudaEvent_t event : sent)
            if (event != nullptr) (void)cudaEventDestroy(event);
        if (memory != nullptr) (void)cudaFreeHost(memory);
    }
};

Staging::Staging(int device_count) {
    for (int device = 0; device < device_count; ++device) rings_.push_back(std::make_unique<Ring>());
}

Staging::~Staging() = default;

template <class Copy>
bool Staging::through_ring(int device, void* device_data, std::size_t bytes, cudaStream_t stream, Copy copy) {
    use_device(device);
    // Waits for earlier work first, without the ring: a copy after a long kernel mustn't block other copies.
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    Ring& ring = *rings_.at(static_cast<std::size_t>(device));
    const std::lock_guard lock(ring.mutex);
    if (!ring.ready()) return false;
    RingLink link{device, ring.memory, ring.sent, static_cast<char*>(device_data), stream};
    StagedCopy<RingLink> staged(link, bytes, slot_bytes);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const int threads = staging_threads(piece_count(bytes, slot_bytes), slots, cores);
    int error = 0;
    {
        const BlockedSignals blocked;
        error = copy(staged, threads);
    }
    // Even after an error: the slots then belong to the next copy.
    const cudaError_t last = cudaStreamSynchronize(stream);
    check(error != 0 ? static_cast<cudaError_t>(error) : last, "cudaMemcpyAsync");
    return true;
}

bool Staging::to_device(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    return through_ring(device, to, bytes, stream, [from](StagedCopy<RingLink>& copy, int threads) {
        return copy.to_device(static_cast<const char*>(from), threads);
    });
}

bool Staging::to_host(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    return through_ring(device, const_cast<void*>(from), bytes, stream, [to](StagedCopy<RingLink>& copy, int threads) {
        return copy.to_host(static_cast<char*>(to), threads);
    });
}

bool is_page_locked(const void* data, std::size_t bytes) {
    const auto locked = [](const char* address) {
        cudaPointerAttributes facts{};
        if (cudaPointerGetAttributes(&facts, address) != cudaSuccess) {
            (void)cudaGetLastError();
            return false;
        }
        if (facts.type == cudaMemoryTypeDevice)
            throw DeviceError("copy: the host memory is memory of cuda:" + std::to_string(facts.device) +
                              ": use gpu::Array's copying, or x.to(device)");
        return facts.type == cudaMemoryTypeHost || facts.type == cudaMemoryTypeManaged;
    };
    const auto* const first = static_cast<const char*>(data);
    return bytes > 0 && locked(first) && locked(first + bytes - 1);
}

void SmallCopies::to_host(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    const auto place = places_.take(device, [] {
        void* made = nullptr;
        check(cudaHostAlloc(&made, max_bytes, cudaHostAllocPortable), "cudaHostAlloc");
        return made;
    });
    check(cudaMemcpyAsync(*place, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    std::memcpy(to, *place, bytes);
}

}  // namespace gpu::detail::cuda
