// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

// What the streams of the host backend are made of. All of it is read and written under the lock of class Streams.
namespace gpu::detail::host {

/// Something that a stream does when its turn comes: a launch, or a copy on the device.
class Work {
public:
    Work() = default;
    virtual ~Work() = default;
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// Called once, on any thread, without a lock. Throws if the work fails.
    virtual void run() = 0;
};

struct Queue;

/// A place in a queue, reached when the queue's first `ticket` tasks are done.
struct Point {
    std::shared_ptr<Queue> queue;
    std::uint64_t ticket = 0;
};

/// What a task threw. Tasks behind it that were put into their queues before somebody was told are dropped.
struct Failure {
    std::exception_ptr error;
    std::uint64_t number = 0;  ///< of all failures, in the order in which they happened
    std::uint64_t reported = std::numeric_limits<std::uint64_t>::max();  ///< when, in the numbering of tasks

    [[nodiscard]] bool pending() const noexcept { return reported == std::numeric_limits<std::uint64_t>::max(); }
};

/// An event's place in a stream.
struct Mark {
    Point point;
    bool reached = false;
    std::chrono::steady_clock::time_point when;
    std::shared_ptr<Failure> failure;  ///< of work before it
};

/// A thread that waits for its turn in a queue, to do something itself.
struct WaitingTurn {
    std::condition_variable come;
    bool has_come = false;
    std::shared_ptr<Failure> failure;  ///< of work before it: there is nothing to do then
};

/// A thread that waits until a queue has done this many tasks.
struct WaitingTicket {
    std::uint64_t ticket;
    std::condition_variable reached;
};

/// One thing in a queue: work, a mark, somebody's turn, or a mere wait for the points in `after`.
struct Task {
    std::unique_ptr<Work> work;
    std::shared_ptr<Mark> mark;
    WaitingTurn* turn = nullptr;
    std::vector<Point> after;  ///< in other queues, to be reached before this starts
    std::uint64_t number = 0;  ///< of all tasks, in the order in which they were put into queues
};

/// A stream. Its tasks run one after the other, on whichever thread is free.
struct Queue {
    std::deque<Task> tasks;  // without the running one
    std::uint64_t submitted = 0, completed = 0;
    bool running = false;  // somebody does a task, or has its turn
    bool listed = false;   // among those that wait for a thread
    std::uint64_t listed_in_nap = 0;
    bool destroyed = false;  // its stream is; what is queued is still done
    std::shared_ptr<Failure> failure;
    std::uint64_t failed_at = 0;  // the ticket that failed or was dropped first
    // The default stream and the others wait for each other: up to which ticket of the other side, a task here already
    // does. (In a created stream: of the default stream. In the default stream this is kept in the others.)
    std::uint64_t after_default = 0, before_default = 0;
    std::vector<std::shared_ptr<Queue>> dependents;  // their first task waits for this queue
    std::vector<WaitingTicket*> waiting;

    [[nodiscard]] bool idle() const noexcept { return completed == submitted; }
    [[nodiscard]] bool failed() const noexcept { return failure != nullptr && failure->pending(); }
    /// True if the failure is one that this task must not run after.
    [[nodiscard]] bool drops(const Task& task) const noexcept {
        return failure != nullptr && task.number < failure->reported;
    }
};

}  // namespace gpu::detail::host
