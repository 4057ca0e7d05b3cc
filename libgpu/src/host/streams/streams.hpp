// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "base/fork_safe_mutex.hpp"
#include "host/memory/guarded_memory.hpp"

namespace gpu::detail::host {

// The parts of a stream. All are read and written under the lock of class Streams.

/// Something that a stream does in its turn: a launch, or a copy on the device.
class Work {
public:
    Work() = default;
    virtual ~Work() = default;
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// Called on any thread, without a lock; once, unless it belongs to a graph. Throws if the work fails.
    virtual void run() = 0;
    /// True if it takes less time than handing it to another thread: whoever queues it may as well run it.
    [[nodiscard]] virtual bool is_brief() const noexcept { return false; }
};

struct Queue;

/// A place in a queue, reached when the queue's first `ticket` tasks are done.
struct Point {
    std::shared_ptr<Queue> queue;
    std::uint64_t ticket = 0;
};

/// An exception from a task. Later tasks that were queued before it was reported are dropped.
struct Failure {
    std::exception_ptr error;
    std::uint64_t number = 0;  ///< among all failures, in the order in which they happened
    std::uint64_t reported = std::numeric_limits<std::uint64_t>::max();  ///< when, as a task's number

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
    std::shared_ptr<Failure> failure;  ///< of work before it: then there is nothing to do
};

/// A thread that waits until a queue has done this many tasks.
struct WaitingTicket {
    std::uint64_t ticket;
    std::condition_variable reached;
};

/// An entry of a queue: work, a mark, a thread's turn, or only a wait for the points in `after`.
struct Task {
    std::unique_ptr<Work> work;
    std::shared_ptr<Mark> mark;
    WaitingTurn* turn = nullptr;
    std::vector<Point> after;  ///< in other queues; must be reached before this starts
    std::uint64_t number = 0;  ///< among all tasks, in the order in which they were queued
};

/// A stream. Its tasks run one after the other, on any free thread.
struct Queue {
    std::deque<Task> tasks;  // without the running one
    std::uint64_t submitted = 0, completed = 0;
    bool running = false;  // a thread runs a task, or has its turn
    bool listed = false;   // among the queues that wait for a thread
    std::uint64_t listed_in_nap = 0;
    bool destroyed = false;  // its stream is destroyed; queued work is still done
    std::shared_ptr<Failure> failure;
    std::uint64_t failed_at = 0;  // the first ticket that failed or was dropped
    // The default stream and the others wait for each other: the other side's ticket that a task here already waits
    // for. (In a created stream: the default stream's. The default stream's are stored in the other streams.)
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

/// An event: where it was last recorded.
struct HostEvent {
    std::shared_ptr<Mark> mark;
};

/// The streams of all devices: queues of work, with CUDA's rules for the legacy default stream (the null handle): its
/// work waits for all earlier work in the device's other streams, and later work in those waits for it.
///
/// Work is done by threads that start when there is no idle one, and by threads that wait: whoever synchronises a
/// stream runs its next task unless another thread does. So a program that waits after each launch runs it as a plain
/// call. Brief work is run by the thread that queues it if nothing is before it. An exception from a task is stored
/// until somebody synchronises after it, and is thrown there, once; work queued after it until then is dropped. A
/// forked child starts with empty queues.
class Streams {
public:
    explicit Streams(int devices);
    /// Finishes all queued work first.
    ~Streams();
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    [[nodiscard]] int devices() const noexcept { return static_cast<int>(devices_.size()); }

    void* create(int device);
    void destroy(void* stream) noexcept;

    /// Queues work in a stream and returns; waits only if the queue is very long.
    void submit(int device, void* stream, std::unique_ptr<Work> work);

    /// The stream's queue if nothing is before new work in it: the caller does that work, without the lock, while what
    /// is queued later waits, and then calls finished(). Null otherwise.
    [[nodiscard]] std::shared_ptr<Queue> begin_at_once(int device, void* stream);
    /// `error`: what the work threw, or null.
    void finished(const std::shared_ptr<Queue>& queue, std::exception_ptr error);

    /// The calling thread's turn in a stream: begins after all earlier work; later work waits until the scope ends.
    class [[nodiscard]] Turn {
    public:
        /// @throws what earlier work threw.
        Turn(Streams& streams, int device, void* stream);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

    private:
        Streams& streams_;
        std::shared_ptr<Queue> queue_;
    };

    /// Waits for the stream (the default stream: for the device). @throws what its work threw.
    void synchronize(int device, void* stream);
    /// Waits for all work of all devices; stores exceptions for those who synchronise.
    void drain() noexcept;

    void record(int device, void* stream, HostEvent& event);
    void wait_event(int device, void* stream, const HostEvent& event);
    void synchronize(const HostEvent& event);
    [[nodiscard]] bool reached(const HostEvent& event);
    /// The time of a reached mark. @throws Error if the event was never recorded.
    [[nodiscard]] std::chrono::steady_clock::time_point time_of(const HostEvent& event);

    /// Frees an array once all work queued until now is done; at once if there is none.
    void free(GuardedMemory& memory, void* data, std::size_t bytes) noexcept;
    /// Waits until at most this many bytes remain to be freed.
    void finish_frees(std::size_t max_bytes);

private:
    struct Threads;
    struct Device {
        std::shared_ptr<Queue> legacy = std::make_shared<Queue>();  // the default stream
        std::vector<std::shared_ptr<Queue>> created;
    };
    struct Free {
        std::vector<Point> after;
        GuardedMemory* memory;
        void* data;
        std::size_t bytes;
    };
    using Lock = std::unique_lock<std::mutex>;

    [[nodiscard]] Lock lock();
    void forget_parent();

    Device& device(int index) { return devices_[static_cast<std::size_t>(index)]; }
    std::shared_ptr<Queue> queue_of(int device, void* stream);
    Point put(Device& device, const std::shared_ptr<Queue>& queue, Task task);
    static bool is_free(const Device& device, const std::shared_ptr<Queue>& queue);
    void complete_first(const std::shared_ptr<Queue>& queue, std::exception_ptr error);
    static void forget_destroyed(Device& device);
    [[nodiscard]] std::vector<Point> unfinished() const;

    void free_what_is_done() noexcept;

    static std::shared_ptr<Queue> blocker(Queue& queue);
    static std::shared_ptr<Queue> next_for(std::shared_ptr<Queue> queue);
    void schedule(const std::shared_ptr<Queue>& queue);
    void advance(Queue& queue);
    void run_first(Lock& lock, const std::shared_ptr<Queue>& queue);
    void find_threads();
    void work();
    template <class Done>
    void help(Lock& lock, const std::shared_ptr<Queue>& queue, Done done);
    void wait(Lock& lock, const Point& point);
    void end_turn(Lock& lock, const std::shared_ptr<Queue>& queue);
    [[noreturn]] void rethrow(Lock& lock, Failure& failure);

    ForkSafeMutex mutex_;
    std::vector<Device> devices_;
    std::vector<std::shared_ptr<Queue>> ready_;        // their first task can run
    std::vector<std::shared_ptr<Queue>> to_schedule_;  // used by schedule()
    std::deque<Free> frees_;
    std::size_t bytes_to_free_ = 0;
    std::uint64_t tasks_ = 0, failures_ = 0;
    std::unique_ptr<Threads> threads_;
};

}  // namespace gpu::detail::host
