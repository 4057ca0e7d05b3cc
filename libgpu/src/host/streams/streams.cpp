// SPDX-License-Identifier: MIT
// What a stream can be told. Events are in stream_events.cpp; how tasks come to be done is in stream_threads.cpp.
#include "host/streams/streams.hpp"

#include <algorithm>
#include <utility>

#include "host/streams/stream_threads.hpp"

namespace gpu::detail::host {

namespace {

// As on a GPU, where the driver's queue is full at some point too: a program that only ever launches doesn't fill the
// memory.
constexpr std::size_t most_queued = 1024;

struct HostStream {
    int device;
    std::shared_ptr<Queue> queue;
};

}  // namespace

Streams::Streams(int devices) : devices_(static_cast<std::size_t>(devices)), threads_(std::make_unique<Threads>()) {}

Streams::~Streams() {
    drain();
    threads_->stop(mutex_.native());
}

Streams::Lock Streams::lock() {
    Lock held(mutex_.native());
    if (threads_->generation != fork_generation()) forget_parent();
    return held;
}

// What was queued is the parent's to do; only what it would free is freed here too.
void Streams::forget_parent() {
    (void)threads_.release();
    threads_ = std::make_unique<Threads>();
    ready_.clear();
    const auto forget = [](Queue& queue) {
        queue.tasks.clear();
        queue.completed = queue.submitted;
        queue.running = queue.listed = false;
        queue.failure.reset();
        queue.dependents.clear();
        queue.waiting.clear();
    };
    for (Device& device : devices_) {
        forget(*device.legacy);
        for (const auto& queue : device.created) forget(*queue);
    }
    free_what_is_done();
}

void* Streams::create(int index) {
    auto stream = std::make_unique<HostStream>(HostStream{index, std::make_shared<Queue>()});
    const Lock held = lock();
    forget_destroyed(device(index));
    device(index).created.push_back(stream->queue);
    return stream.release();
}

void Streams::destroy(void* handle) noexcept {
    const std::unique_ptr<HostStream> stream(static_cast<HostStream*>(handle));
    const Lock held = lock();
    stream->queue->destroyed = true;
    forget_destroyed(device(stream->device));
}

void Streams::forget_destroyed(Device& device) {
    std::erase_if(device.created, [](const std::shared_ptr<Queue>& queue) {
        return queue->destroyed && queue->idle() && !queue->failed();
    });
}

std::shared_ptr<Queue> Streams::queue_of(int index, void* stream) {
    return stream != nullptr ? static_cast<HostStream*>(stream)->queue : device(index).legacy;
}

Point Streams::put(Device& device, const std::shared_ptr<Queue>& queue, Task task) {
    const auto wait_for = [&task](const std::shared_ptr<Queue>& other, std::uint64_t& up_to) {
        if ((other->idle() && !other->failed()) || up_to == other->submitted) return;
        task.after.push_back({other, other->submitted});
        up_to = other->submitted;
    };
    if (queue == device.legacy) {
        for (const auto& other : device.created) wait_for(other, other->before_default);
    } else {
        wait_for(device.legacy, queue->after_default);
    }
    task.number = ++tasks_;
    queue->tasks.push_back(std::move(task));
    return {queue, ++queue->submitted};
}

void Streams::submit(int index, void* stream, std::unique_ptr<Work> work) {
    Lock held = lock();
    const std::shared_ptr<Queue> queue = queue_of(index, stream);
    if (queue->tasks.size() >= most_queued) wait(held, {queue, queue->submitted - most_queued / 2});
    Task task;
    task.work = std::move(work);
    const Point point = put(device(index), queue, std::move(task));
    schedule(queue);
    find_threads();
    if (threads_->none()) wait(held, point);
}

Streams::Turn::Turn(Streams& streams, int index, void* stream) : streams_(streams) {
    Lock held = streams_.lock();
    queue_ = streams_.queue_of(index, stream);
    WaitingTurn turn;
    Task task;
    task.turn = &turn;
    (void)streams_.put(streams_.device(index), queue_, std::move(task));
    streams_.schedule(queue_);
    streams_.help(held, queue_, [&turn] { return turn.has_come; });
    turn.come.wait(held, [&turn] { return turn.has_come; });
    if (turn.failure == nullptr) return;
    streams_.end_turn(held, queue_);
    streams_.rethrow(held, *turn.failure);
}

Streams::Turn::~Turn() {
    Lock held = streams_.lock();
    streams_.end_turn(held, queue_);
}

void Streams::end_turn(Lock&, const std::shared_ptr<Queue>& queue) {
    queue->running = false;
    advance(*queue);
    schedule(queue);
    find_threads();
}

void Streams::synchronize(int index, void* stream) {
    Lock held = lock();
    Device& where = device(index);
    std::vector<std::shared_ptr<Queue>> queues{queue_of(index, stream)};
    if (stream == nullptr) {
        forget_destroyed(where);
        queues.insert(queues.end(), where.created.begin(), where.created.end());
    }
    std::vector<Point> points;
    for (const auto& queue : queues) points.push_back({queue, queue->submitted});
    for (const Point& point : points) wait(held, point);
    std::shared_ptr<Failure> first;
    for (const auto& queue : queues)
        if (queue->failed() && (first == nullptr || queue->failure->number < first->number)) first = queue->failure;
    if (first != nullptr) rethrow(held, *first);
}

void Streams::rethrow(Lock& held, Failure& failure) {
    if (failure.pending()) failure.reported = ++tasks_;
    const std::exception_ptr error = failure.error;
    held.unlock();
    std::rethrow_exception(error);
}

std::vector<Point> Streams::unfinished() const {
    std::vector<Point> points;
    const auto add = [&points](const std::shared_ptr<Queue>& queue) {
        if (!queue->idle()) points.push_back({queue, queue->submitted});
    };
    for (const Device& device : devices_) {
        add(device.legacy);
        for (const auto& queue : device.created) add(queue);
    }
    return points;
}

void Streams::drain() noexcept {
    Lock held = lock();
    for (const Point& point : unfinished()) wait(held, point);
}

void Streams::free(GuardedMemory& memory, void* data, std::size_t bytes) noexcept {
    {
        const Lock held = lock();
        if (std::vector<Point> after = unfinished(); !after.empty()) {
            frees_.push_back({std::move(after), &memory, data, bytes});
            bytes_to_free_ += bytes;
            return;
        }
    }
    memory.deallocate(data);
}

void Streams::free_what_is_done() noexcept {
    const auto reached = [](const Point& point) { return point.queue->completed >= point.ticket; };
    // In order: what a later one waits for includes what an earlier one does.
    while (!frees_.empty() && std::all_of(frees_.front().after.begin(), frees_.front().after.end(), reached)) {
        const Free& first = frees_.front();
        first.memory->deallocate(first.data);
        bytes_to_free_ -= first.bytes;
        frees_.pop_front();
    }
}

void Streams::finish_frees(std::size_t most_bytes) {
    Lock held = lock();
    while (!frees_.empty() && bytes_to_free_ > most_bytes) {
        const std::vector<Point> after = frees_.front().after;
        for (const Point& point : after) wait(held, point);
    }
}

}  // namespace gpu::detail::host
