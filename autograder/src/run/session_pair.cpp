// SPDX-License-Identifier: MIT
#include "run/session_pair.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "protocol/protocol.hpp"
#include "run/file_use.hpp"
#include "support/progress.hpp"

namespace course {

namespace {

// The limits of a call in the background that nobody waits for: its kernels are compiled long before.
const CheckLimits short_limits{.seconds_per_block = 1, .seconds = 5, .replays = true};

// The limits of all kernels that are compiled for an answer before its checked calls.
constexpr double compile_seconds = 60;
constexpr std::size_t max_kernel_bytes = std::size_t{32} << 20;

}  // namespace

/// The second runner's thread, which makes the checked calls one after the other.
class SessionPair::Checker {
public:
    Checker(SessionOptions options, std::optional<SessionOptions> replayer)
        : options_(std::move(options)), replayer_(std::move(replayer)) {
        options_.cancelled = cancelled_;
        if (replayer_) replayer_->cancelled = cancelled_;
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

    [[nodiscard]] bool replays() const noexcept { return replayer_.has_value(); }

    std::future<CallResult> post(const std::string& function, std::span<const Value> arguments,
                                std::span<const ValueType> results, const CheckLimits& limits,
                                Bytes recording = {}) {
        return post({.function = function,
                     .arguments = {arguments.begin(), arguments.end()},
                     .results = {results.begin(), results.end()},
                     .limits = limits,
                     .recording = std::move(recording)});
    }

    /// Queues kernels for compilation that the checked calls will need.
    void post_kernels(Bytes kernels) {
        kernel_bytes_ += kernels.size();
        if (kernel_bytes_ <= max_kernel_bytes) static_cast<void>(post({.kernels = std::move(kernels)}));
    }

private:
    struct Job {
        std::string function = {};
        std::vector<Value> arguments = {};
        std::vector<ValueType> results = {};
        CheckLimits limits = {};
        Bytes recording = {};   ///< only to be replayed; empty: make the call
        Bytes kernels = {};     ///< only to be compiled
        std::promise<CallResult> reply = {};
    };

    std::future<CallResult> post(Job job) {
        std::future<CallResult> reply = job.reply.get_future();
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        changed_.notify_one();
        return reply;
    }

    void work() {
        Session session(options_);  // created and destroyed by this thread: the runner lives as long as its thread
        std::optional<Session> replayer;
        if (replayer_) replayer.emplace(*replayer_);
        for (;;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return stopped_ || !jobs_.empty(); });
            if (stopped_) return;
            Job job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            try {
                job.reply.set_value(do_job(job, session, replayer));
            } catch (...) {
                job.reply.set_exception(std::current_exception());
            }
        }
    }

    CallResult do_job(const Job& job, Session& session, std::optional<Session>& replayer) {
        const auto replay = [&](const Bytes& recording) {
            return replayer->replay(recording, job.arguments, job.results, job.limits);
        };
        if (!job.kernels.empty()) {
            if (replayer && !has_called_) compile(job.kernels, *replayer);
            return {};
        }
        if (!job.recording.empty()) return replay(job.recording);
        if (replayer && !std::exchange(has_called_, true)) copy_kernels(replayer_->kernel_cache, options_.kernel_cache);
        CallResult reply = session.check_call(job.function, job.arguments, job.results, job.limits);
        if (replayer && job.limits.replays && !reply.recording.empty())
            reply.replay = std::make_shared<const CallResult>(replay(reply.recording));
        return reply;
    }

    // Until the first checked call: only this thread uses the target folder, and no kernel has run in the replayer's.
    void compile(const Bytes& kernels, Session& replayer) {
        const auto start = std::chrono::steady_clock::now();
        if (compile_seconds_left_ > 0) replayer.compile(kernels, compile_seconds_left_);
        compile_seconds_left_ -= seconds_since(start);
    }

    SessionOptions options_;
    std::optional<SessionOptions> replayer_;
    bool has_called_ = false;   ///< the second runner has been started
    double compile_seconds_left_ = compile_seconds;
    std::size_t kernel_bytes_ = 0;   ///< posted so far
    std::shared_ptr<std::atomic<bool>> cancelled_ = std::make_shared<std::atomic<bool>>(false);
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool stopped_ = false;
    std::jthread thread_;  // the last member: it ends before the others are destroyed
};

SessionPair::SessionPair(const SessionOptions& usual, SessionOptions checked,
                         Session* reference, const std::optional<SessionOptions>& given,
                         std::optional<SessionOptions> replayer)
    : hands_kernels_on_(replayer && usual.records), caller_(usual), reference_(reference) {
    if (given) given_.emplace(*given);
    checked.device = "host";
    if (replayer) replayer->device = "host";
    checker_ = std::make_unique<Checker>(std::move(checked), std::move(replayer));
}

SessionPair::~SessionPair() { end(); }   // all end at the same time

void SessionPair::end() noexcept {
    caller_.end();
    if (given_) given_->end();
    checker_.reset();   // its runners are on the host, and end immediately
}

CallResult SessionPair::call(const std::string& function, std::span<const Value> arguments,
                            std::span<const ValueType> results) {
    CallResult reply = caller_.call(function, arguments, results);
    if (hands_kernels_on_ && !reply.kernels.empty()) checker_->post_kernels(std::exchange(reply.kernels, {}));
    return reply;
}

CallResult SessionPair::timed_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results) {
    return caller_.timed_call(function, arguments, results);
}

CallResult SessionPair::compile_kernel(const std::string& file, const std::string& name, std::string_view text) {
    return caller_.compile_kernel(file, name, text);
}

CallResult SessionPair::given_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results) {
    return (given_ ? *given_ : caller_).given_call(function, arguments, results);
}

CallResult SessionPair::ledger_call(const std::string& function, std::span<const Value> arguments,
                                   std::span<const ValueType> results) {
    return caller_.ledger_call(function, arguments, results);
}

CallResult SessionPair::check_call(const std::string& function, std::span<const Value> arguments,
                                  std::span<const ValueType> results, const CheckLimits& limits) {
    return checker_->post(function, arguments, results, limits).get();
}

std::optional<CallResult> SessionPair::replay_call(const Bytes& recording, std::span<const Value> arguments,
                                                  std::span<const ValueType> results, const CheckLimits& limits) {
    if (!checker_->replays() || recording.empty()) return {};
    return checker_->post("replay", arguments, results, limits, recording).get();
}

std::optional<CallResult> SessionPair::reference_call(const ReferenceWork& work) {
    if (!reference_) return {};
    return call_reference(*reference_, work);
}

void SessionPair::begin() {
    caller_.begin();
    if (given_) given_->begin();
    if (reference_) reference_->begin();
}

void SessionPair::expect_check(const std::string& function, std::span<const Value> arguments,
                               std::span<const ValueType> results) {
    if (hands_kernels_on_) return;   // its kernels come with the call's reply
    static_cast<void>(checker_->post(function, arguments, results, short_limits));
}

std::string recorded_call(const std::string& function, std::span<const Value> arguments, double seconds_per_block) {
    constexpr std::size_t alignment = 64;
    if (function.size() >= protocol::name_bytes || arguments.size() > protocol::max_values)
        throw std::length_error("the call of " + function + " has too many arguments, or too long a name");
    protocol::Request request{};
    request.magic = protocol::magic;
    request.version = protocol::version;
    request.sequence = 1;
    request.order = protocol::Order::check;
    request.seconds_per_block = seconds_per_block;
    std::copy(function.begin(), function.end(), request.function);
    std::string memory;
    for (const Value& value : arguments) {
        if (value.shape.size() > protocol::max_rank) throw std::length_error("an argument has more than 8 axes");
        protocol::ValueRecord& record = request.arguments[request.argument_count];
        record.place = value.place;
        record.type = value.type;
        record.rank = static_cast<std::uint32_t>(value.shape.size());
        record.argument = request.argument_count++;
        std::copy(value.shape.begin(), value.shape.end(), record.shape);
        record.offset = memory.size();
        record.bytes = value.data().size();
        memory.append(reinterpret_cast<const char*>(value.data().data()), value.data().size());
        memory.resize((memory.size() + alignment - 1) / alignment * alignment);
    }
    std::string bytes(sizeof request, '\0');
    std::memcpy(bytes.data(), &request, sizeof request);
    return bytes + memory;
}

namespace {

template <class T>
Value argument_of(const std::vector<T>& values, ValueType type) {
    Value argument{.place = type.place, .type = type.type, .shape = {}, .bytes = Bytes(values.size() * sizeof(T))};
    if (type.place != protocol::Place::scalar) argument.shape = {std::ssize(values)};
    if (!values.empty()) std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
    return argument;
}

}  // namespace

CallResult call_reference(Session& session, const ReferenceWork& work) {
    std::vector<std::int64_t> shapes;
    std::vector<ValueType> types;
    for (const ShapedType& one : work.results) {
        types.push_back(one.type);
        shapes.push_back(static_cast<std::int64_t>(one.type.place));
        shapes.push_back(static_cast<std::int64_t>(one.type.type));
        shapes.push_back(std::ssize(one.shape));
        shapes.insert(shapes.end(), one.shape.begin(), one.shape.end());
    }
    const std::vector bytes{static_cast<std::uint64_t>(work.bytes)};
    const Value arguments[] = {argument_of(bytes, protocol::reference_bytes),
                               argument_of(shapes, protocol::reference_shapes)};
    return session.timed_call(protocol::reference_name, arguments, types);
}

}  // namespace course
