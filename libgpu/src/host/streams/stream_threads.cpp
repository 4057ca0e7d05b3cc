// SPDX-License-Identifier: MIT
// How the tasks of streams come to be done: by threads of their own, and by threads that wait for them.
#include "host/streams/stream_threads.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "host/streams/start_thread.hpp"

namespace gpu::detail::host {

namespace {

// So many streams run at once; a GPU has a limit too.
constexpr std::size_t most_threads = 32;

// Naps grow while others do all the work: each wakes a core, and makes freeing memory dearer on it.
constexpr std::chrono::microseconds first_nap{50};
constexpr int naps_of_one_length = 4, longest_from = 12, most_naps = 20;

// Takes over a failure of work that the queue's first task comes after.
void take_over(Queue& queue, const Task& first, const Point& point) {
    const std::shared_ptr<Failure>& failure = point.queue->failure;
    if (failure == nullptr || point.queue->failed_at > point.ticket || !point.queue->drops(first)) return;
    if (queue.drops(first)) return;
    queue.failure = failure;
    queue.failed_at = queue.completed + 1;
}

}  // namespace

// The queue that the first task of this one still waits for, or null.
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

// The queue whose first task is to be done next so that this one gets on; null if that isn't ours to do.
std::shared_ptr<Queue> Streams::next_for(std::shared_ptr<Queue> queue) {
    while (!queue->running && !queue->tasks.empty()) {
        std::shared_ptr<Queue> other = blocker(*queue);
        if (other == nullptr) return queue->tasks.front().work != nullptr ? queue : nullptr;
        queue = std::move(other);
    }
    return nullptr;
}

// Something has changed for this queue: passes marks, drops what is to be dropped, calls whose turn it is, and lists
// queues that need a thread.
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

// One more task of this queue is done.
void Streams::advance(Queue& queue) {
    ++queue.completed;
    for (WaitingTicket* waiting : queue.waiting)
        if (waiting->ticket <= queue.completed) waiting->reached.notify_one();
    to_schedule_.insert(to_schedule_.end(), queue.dependents.begin(), queue.dependents.end());
    queue.dependents.clear();
    free_what_is_done();
}

// Does the first task of a queue, which is ready. The caller counts as looking for work afterwards.
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
    queue->running = false;
    if (error != nullptr) {
        queue->failure = std::make_shared<Failure>(Failure{.error = error, .number = ++failures_});
        queue->failed_at = queue->completed + 1;
    }
    ++threads_->looking;
    advance(*queue);
    schedule(queue);
}

// Sees to it that somebody looks for each listed queue.
void Streams::find_threads() {
    Threads& all = *threads_;
    while (ready_.size() > all.looking) {
        if (all.asleep > 0) {
            --all.asleep;
            ++all.woken;
            all.wake.notify_one();
        } else if (all.threads.size() < most_threads && !all.refused) {
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

// Without work, one thread naps for a while: whoever queues something needn't wake it, which costs more than a small
// kernel does. It leaves alone what was queued during its nap: most likely somebody is about to wait for that, and does
// it himself.
void Streams::work() {
    Lock held(mutex_.native());
    Threads& all = *threads_;
    bool rested = false;
    std::uint64_t seen = 0;  // tasks
    for (int naps = 0;;) {
        if (tasks_ != std::exchange(seen, tasks_)) naps = std::min(naps, longest_from);
        if (!ready_.empty() && !(rested && ready_.front()->listed_in_nap == all.naps)) {
            --all.looking;
            const std::shared_ptr<Queue> queue = ready_.front();
            run_first(held, queue);
            naps = 0;
            rested = false;
            continue;
        }
        if (all.stopping) return;
        if (!all.napping && (naps < most_naps || !ready_.empty())) {
            const int longer = std::min(naps, longest_from) / naps_of_one_length;
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
