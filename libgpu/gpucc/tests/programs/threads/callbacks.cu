// SPDX-License-Identifier: MIT
// Functions of the host in a stream, wrappers that own streams and events, work that waits for another stream's.
#include <cstdio>
#include <string>
#include <utility>

class Stream {
public:
    Stream() { cudaStreamCreate(&stream_); }
    ~Stream() {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { cudaStreamSynchronize(stream_); }

private:
    cudaStream_t stream_ = nullptr;
};
class Event {
public:
    Event() { cudaEventCreateWithFlags(&event_, cudaEventDisableTiming); }
    ~Event() { cudaEventDestroy(event_); }
    void record(const Stream& stream) { cudaEventRecord(event_, stream); }
    void hold(const Stream& stream) const { cudaStreamWaitEvent(stream, event_, 0); }
    bool is_done() const { return cudaEventQuery(event_) == cudaSuccess; }

private:
    cudaEvent_t event_;
};

struct Report {
    std::string text;
    const int* value = nullptr;
};
void CUDART_CB add_line(void* data) {
    Report& report = *static_cast<Report*>(data);
    report.text += "value " + std::to_string(*report.value) + "\n";
}
void CUDART_CB add_status(cudaStream_t, cudaError_t status, void* data) {
    static_cast<Report*>(data)->text += std::string("status ") + cudaGetErrorName(status) + "\n";
}

__global__ void add(int* x, int by) { atomicAdd(x, by); }

int main() {
    Stream first, moved(std::move(first)), second;
    Event added;
    int *value, *host;
    cudaMalloc(&value, sizeof(int));
    cudaMallocHost(&host, sizeof(int));
    *host = -1;
    Report report{"", host};
    cudaMemsetAsync(value, 0, sizeof(int), moved);
    add<<<2, 32, 0, moved>>>(value, 3);
    added.record(moved);
    added.hold(second);
    cudaMemcpyAsync(host, value, sizeof(int), cudaMemcpyDeviceToHost, second);
    cudaLaunchHostFunc(second, add_line, &report);
    add<<<1, 8, 0, second>>>(value, -1);
    cudaMemcpyAsync(host, value, sizeof(int), cudaMemcpyDeviceToHost, second);
    cudaLaunchHostFunc(second, add_line, &report);
    cudaStreamAddCallback(second, add_status, &report, 0);
    second.wait();
    printf("%s%s, in the end %d\n", report.text.c_str(), added.is_done() ? "done" : "not done", *host);
    cudaFree(value);
    cudaFreeHost(host);
    return 0;
}
