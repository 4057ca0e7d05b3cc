// SPDX-License-Identifier: MIT
#include "host/streams/streams.hpp"

#include <algorithm>
#include <condition_variable>
#include <system_error>
#include <thread>
#include <utility>

#include <gpu/error.hpp>

#include "base/fork_safe_mutex.hpp"
#include "host/base/own_thread.hpp"

namespace gpu::detail::host {

namespace {

// A GPU driver's queue has a limit too: so a program that only ever launches doesn't fill the memory.
constexpr std::size_t max_queued = 1024;

struct HostStream {
    int device;
    std::shared_ptr<Queue> queue;
};

// The maximum number of streams that run at once; a GPU has a limit too.
constexpr std::size_t max_threads = 32;

// Naps grow while other threads do all the work: each wakes a core, and makes freeing memory there more expensive.
constexpr std::chrono::microseconds first_nap{50};
constexpr int naps_of_one_length = 4, max_length_from = 12, max_naps = 20;

// Adopts a failure of work that the queue's first task depends on.
void take_over(Queue& queue, const Task& first, const Point& point) {
    const std::shared_ptr<Failure>& failure = point.queue->failure;
    if (failure == nullptr || point.queue->failed_at > point.ticket || !point.queue->drops(first)) return;
    if (queue.drops(first)) return;
    queue.failure = failure;
    queue.failed_at = queue.completed + 1;
}

}  // namespace

/// The threads that run the streams' work. Each is asleep, looking for work (now or after its nap), or at work.
struct Streams::Threads {
    std::uint64_t generation = fork_generation();
    std::condition_variable wake, nap;
    int asleep = 0, woken = 0;  // woken: sleepers that were notified
    std::size_t looking = 0;    // helping threads of the program count too
    bool napping = false;
    std::uint64_t naps = 0;
    bool stopping = false;
    bool refused = false;  // the system allows no more
    std::vector<std::thread> threads;

    [[nodiscard]] bool none() const noexcept { return threads.empty(); }

    void stop(std::mutex& mutex) {
        {
            const std::lock_guard held(mutex);
            stopping = true;
        }
        wake.notify_all();
        nap.notify_all();
        for (std::thread& thread : threads) thread.join();
    }
};

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

// Queued work belongs to the parent; only what it would have freed is freed here too.
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
    if (queue->tasks.size() >= max_queued) wait(held, {queue, queue->submitted - max_queued / 2});
    const bool brief = work->is_brief();
    Task task;
    task.work = std::move(work);
    const Point point = put(device(index), queue, std::move(task));
    schedule(queue);
    if (brief && queue->listed && queue->tasks.size() == 1)
        return help(held, queue, [&] { return queue->completed >= point.ticket; });
    find_threads();
    if (threads_->refused && threads_->none()) wait(held, point);  // nobody else would do it
}

// True if no work is before new work of this queue, in it or in those that it waits for.
bool Streams::is_free(const Device& device, const std::shared_ptr<Queue>& queue) {
    const auto is_done = [](const std::shared_ptr<Queue>& other) { return other->idle() && !other->failed(); };
    if (!is_done(queue)) return false;
    return queue == device.legacy ? std::all_of(device.created.begin(), device.created.end(), is_done)
                                  : is_done(device.legacy);
}

std::shared_ptr<Queue> Streams::begin_at_once(int index, void* stream) {
    const Lock held = lock();
    std::shared_ptr<Queue> queue = queue_of(index, stream);
    if (!is_free(device(index), queue)) return nullptr;
    ++tasks_;
    ++queue->submitted;
    queue->running = true;
    return queue;
}

void Streams::finished(const std::shared_ptr<Queue>& queue, std::exception_ptr error) {
    const Lock held = lock();
    complete_first(queue, std::move(error));
    if (!ready_.empty()) find_threads();
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
    // In order: whatever a later entry waits for includes what an earlier one does.
    while (!frees_.empty() && std::all_of(frees_.front().after.begin(), frees_.front().after.end(), reached)) {
        const Free& first = frees_.front();
        first.memory->deallocate(first.data);
        bytes_to_free_ -= first.bytes;
        frees_.pop_front();
    }
}

void Streams::finish_frees(std::size_t max_bytes) {
    Lock held = lock();
    while (!frees_.empty() && bytes_to_free_ > max_bytes) {
        const std::vector<Point> after = frees_.front().after;
        for (const Point& point : after) wait(held, point);
    }
}

// Events: marks in a stream that other streams and the host wait for.

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

// How streams' tasks get done: by the class's own threads, and by threads that wait for them.

// Runs the first tasks of a queue, and of those it waits for, until `done()` or until another thread runs the next one.
template <class Done>
void Streams::help(Lock& held, const std::shared_ptr<Queue>& queue, Done done) {
    bool looking = false;
    while (!done()) {
        const std::shared_ptr<Queue> next = next_for(queue);
        if (next == nullptr) break;
        if (looking) --threads_->looking;
        run_first(held, next);
        looking = true;
    }
    if (!looking) return;
    --threads_->looking;
    find_threads();
}

// The queue that this one's first task still waits for, or null.
std::shared_ptr<Queue> Streams::blocker(Queue& queue) {
    Task& first = queue.tasks.front();
    while (!first.after.empty()) {
        const Point& point = first.after.back();
        if (point.queue->completed < point.ticket) return point.queue;
        take_over(queue, first, point);
        first.after.pop_back();
    }
    return nullptr;
}

// The queue whose first task must run next for this one to advance; null if it isn't ours to run.
std::shared_ptr<Queue> Streams::next_for(std::shared_ptr<Queue> queue) {
    while (!queue->running && !queue->tasks.empty()) {
        std::shared_ptr<Queue> other = blocker(*queue);
        if (other == nullptr) return queue->tasks.front().work != nullptr ? queue : nullptr;
        queue = std::move(other);
    }
    return nullptr;
}

// Call when something has changed for this queue: passes marks, drops work after a failure, wakes threads whose turn it
// is, and lists queues that need a thread.
void Streams::schedule(const std::shared_ptr<Queue>& changed) {
    to_schedule_.push_back(changed);
    while (!to_schedule_.empty()) {
        const std::shared_ptr<Queue> queue = std::move(to_schedule_.back());
        to_schedule_.pop_back();
        while (!queue->running && !queue->listed && !queue->tasks.empty()) {
            if (const std::shared_ptr<Queue> other = blocker(*queue); other != nullptr) {
                auto& dependents = other->dependents;
                if (std::find(dependents.begin(), dependents.end(), queue) == dependents.end())
                    dependents.push_back(queue);
                break;
            }
            Task& first = queue->tasks.front();
            const bool dropped = queue->drops(first);
            if (first.turn != nullptr) {
                queue->running = true;
                if (dropped) first.turn->failure = queue->failure;
                first.turn->has_come = true;
                first.turn->come.notify_one();
                queue->tasks.pop_front();
                break;
            }
            if (first.work != nullptr && !dropped) {
                queue->listed = true;
                queue->listed_in_nap = threads_->naps;
                ready_.push_back(queue);
                break;
            }
            if (first.mark != nullptr) {
                first.mark->reached = true;
                first.mark->when = std::chrono::steady_clock::now();
                if (dropped) first.mark->failure = queue->failure;
            }
            queue->tasks.pop_front();
            advance(*queue);
        }
    }
}

// Counts one more finished task of this queue.
void Streams::advance(Queue& queue) {
    ++queue.completed;
    for (WaitingTicket* waiting : queue.waiting)
        if (waiting->ticket <= queue.completed) waiting->reached.notify_one();
    to_schedule_.insert(to_schedule_.end(), queue.dependents.begin(), queue.dependents.end());
    queue.dependents.clear();
    free_what_is_done();
}

// Runs the first task of a queue, which is ready. Afterwards the caller counts as looking for work.
void Streams::run_first(Lock& held, const std::shared_ptr<Queue>& queue) {
    if (queue->listed) std::erase(ready_, queue);
    queue->listed = false;
    queue->running = true;
    std::unique_ptr<Work> work = std::move(queue->tasks.front().work);
    queue->tasks.pop_front();
    find_threads();
    held.unlock();
    std::exception_ptr error;
    try {
        work->run();
    } catch (...) {
        error = std::current_exception();
    }
    work.reset();
    held.lock();
    ++threads_->looking;
    complete_first(queue, std::move(error));
}

// The queue's first task has been run.
void Streams::complete_first(const std::shared_ptr<Queue>& queue, std::exception_ptr error) {
    queue->running = false;
    if (error != nullptr) {
        queue->failure = std::make_shared<Failure>(Failure{.error = std::move(error), .number = ++failures_});
        queue->failed_at = queue->completed + 1;
    }
    advance(*queue);
    if (!queue->tasks.empty() || !to_schedule_.empty()) schedule(queue);
}

// Makes sure that a thread looks for each listed queue.
void Streams::find_threads() {
    Threads& all = *threads_;
    while (ready_.size() > all.looking) {
        if (all.asleep > 0) {
            --all.asleep;
            ++all.woken;
            all.wake.notify_one();
        } else if (all.threads.size() < max_threads && !all.refused) {
            try {
                all.threads.push_back(start_thread([this] { work(); }));
            } catch (const std::system_error&) {
                all.refused = true;
                return;
            }
        } else {
            return;
        }
        ++all.looking;
    }
}

// Without work, one thread naps for a while, so that whoever queues something needn't wake it, which costs more than a
// small kernel. It ignores what was queued during its nap: most likely the program is about to wait for that, and runs
// it itself.
void Streams::work() {
    Lock held(mutex_.native());
    Threads& all = *threads_;
    bool rested = false;
    std::uint64_t seen = 0;  // tasks
    for (int naps = 0;;) {
        if (tasks_ != std::exchange(seen, tasks_)) naps = std::min(naps, max_length_from);
        if (!ready_.empty() && !(rested && ready_.front()->listed_in_nap == all.naps)) {
            --all.looking;
            const std::shared_ptr<Queue> queue = ready_.front();
            run_first(held, queue);
            naps = 0;
            rested = false;
            continue;
        }
        if (all.stopping) return;
        if (!all.napping && (naps < max_naps || !ready_.empty())) {
            const int longer = std::min(naps, max_length_from) / naps_of_one_length;
            ++naps;
            ++all.naps;
            all.napping = true;
            all.nap.wait_for(held, first_nap * (1 << longer));
            all.napping = false;
            rested = true;
            continue;
        }
        rested = false;
        if (!ready_.empty()) continue;
        naps = 0;
        --all.looking;
        ++all.asleep;
        all.wake.wait(held, [&all] { return all.woken > 0 || all.stopping; });
        if (all.stopping) return;
        --all.woken;
    }
}

void Streams::wait(Lock& held, const Point& point) {
    Queue& queue = *point.queue;
    const auto done = [&] { return queue.completed >= point.ticket; };
    help(held, point.queue, done);
    if (done()) return;
    WaitingTicket waiting;
    waiting.ticket = point.ticket;
    queue.waiting.push_back(&waiting);
    waiting.reached.wait(held, done);
    std::erase(queue.waiting, &waiting);
}

}  // namespace gpu::detail::host
