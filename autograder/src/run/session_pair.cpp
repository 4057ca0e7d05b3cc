// SPDX-License-Identifier: MIT
#include "run/session_pair.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "run/reference.hpp"

namespace course {

namespace {

// Of a call in the background that isn't awaited: its kernels are compiled long before.
const CheckLimits short_limits{.seconds_per_block = 1, .seconds = 5};

}  // namespace

/// The thread of the second runner: it makes the checked calls one after the other.
class SessionPair::Checker {
public:
    explicit Checker(SessionOptions options) : options_(std::move(options)) {
        options_.cancelled = cancelled_;
        thread_ = std::jthread([this] { work(); });
    }
    ~Checker() {
        *cancelled_ = true;
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        changed_.notify_one();
    }
    Checker(const Checker&) = delete;
    Checker& operator=(const Checker&) = delete;

    std::future<CallReply> post(const std::string& function, std::span<const Value> arguments,
                                std::span<const ValueType> results, const CheckLimits& limits) {
        Job job{.function = function,
                .arguments = {arguments.begin(), arguments.end()},
                .results = {results.begin(), results.end()},
                .limits = limits,
                .reply = {}};
        std::future<CallReply> reply = job.reply.get_future();
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        changed_.notify_one();
        return reply;
    }

private:
    struct Job {
        std::string function;
        std::vector<Value> arguments;
        std::vector<ValueType> results;
        CheckLimits limits;
        std::promise<CallReply> reply;
    };

    void work() {
        Session session(options_);  // made and left by this thread: the runner lives as long as its thread
        for (;;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
            if (stopped_) return;
            Job job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            try {
                job.reply.set_value(session.check_call(job.function, job.arguments, job.results, job.limits));
            } catch (...) {
                job.reply.set_exception(std::current_exception());
            }
        }
    }

    SessionOptions options_;
    std::shared_ptr<std::atomic<bool>> cancelled_ = std::make_shared<std::atomic<bool>>(false);
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool stopped_ = false;
    std::jthread thread_;  // the last member: it ends before the others go
};

SessionPair::SessionPair(const SessionOptions& usual, SessionOptions checked,
                         const std::optional<SessionOptions>& reference, const std::optional<SessionOptions>& given)
    : caller_(usual) {
    if (reference) reference_.emplace(*reference);
    if (given) given_.emplace(*given);
    checked.device = "host";
    checker_ = std::make_unique<Checker>(std::move(checked));
}

SessionPair::~SessionPair() {
    caller_.end();   // all go at the same time
    if (reference_) reference_->end();
    if (given_) given_->end();
}

CallReply SessionPair::call(const std::string& function, std::span<const Value> arguments,
                            std::span<const ValueType> results) {
    return caller_.call(function, arguments, results);
}

CallReply SessionPair::timed_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results) {
    return caller_.timed_call(function, arguments, results);
}

CallReply SessionPair::given_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results) {
    return (given_ ? *given_ : caller_).given_call(function, arguments, results);
}

CallReply SessionPair::ledger_call(const std::string& function, std::span<const Value> arguments,
                                   std::span<const ValueType> results) {
    return caller_.ledger_call(function, arguments, results);
}

CallReply SessionPair::check_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results, const CheckLimits& limits) {
    return checker_->post(function, arguments, results, limits).get();
}

std::optional<CallReply> SessionPair::reference_call(const ReferenceWork& work) {
    if (!reference_) return {};
    return call_reference(*reference_, work);
}

void SessionPair::begin_reference() {
    if (reference_) reference_->begin();
}

void SessionPair::expect_check(const std::string& function, std::span<const Value> arguments,
                               std::span<const ValueType> results) {
    static_cast<void>(checker_->post(function, arguments, results, short_limits));
}

}  // namespace course
