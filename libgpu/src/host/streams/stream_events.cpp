// SPDX-License-Identifier: MIT
// Events: marks in a stream, which other streams and the host wait for.
#include <memory>
#include <utility>

#include <gpu/error.hpp>

#include "host/streams/stream_threads.hpp"
#include "host/streams/streams.hpp"

namespace gpu::detail::host {

void Streams::record(int index, void* stream, HostEvent& event) {
    auto mark = std::make_shared<Mark>();
    Task task;
    task.mark = mark;
    const Lock held = lock();
    const std::shared_ptr<Queue> queue = queue_of(index, stream);
    event.mark = mark;
    mark->point = put(device(index), queue, std::move(task));
    schedule(queue);
    find_threads();
}

void Streams::wait_event(int index, void* stream, const HostEvent& event) {
    const Lock held = lock();
    if (event.mark == nullptr) return;  // as in CUDA: nothing to wait for
    const std::shared_ptr<Queue> queue = queue_of(index, stream);
    Task task;
    task.after.push_back(event.mark->point);
    put(device(index), queue, std::move(task));
    schedule(queue);
    find_threads();
}

void Streams::synchronize(const HostEvent& event) {
    Lock held = lock();
    const std::shared_ptr<Mark> mark = event.mark;
    if (mark == nullptr) return;
    wait(held, mark->point);
    if (mark->failure != nullptr && mark->failure->pending()) rethrow(held, *mark->failure);
}

bool Streams::reached(const HostEvent& event) {
    const Lock held = lock();
    return event.mark == nullptr || event.mark->point.queue->completed >= event.mark->point.ticket;
}

std::chrono::steady_clock::time_point Streams::time_of(const HostEvent& event) {
    Lock held = lock();
    const std::shared_ptr<Mark> mark = event.mark;
    if (mark == nullptr) throw Error("elapsed_ms: an event was never recorded");
    wait(held, mark->point);
    if (!mark->reached) throw Error("elapsed_ms: an event was recorded before this process was forked");
    return mark->when;
}

}  // namespace gpu::detail::host
