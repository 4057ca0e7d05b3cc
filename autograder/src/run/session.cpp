// SPDX-License-Identifier: MIT
#include "run/session.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>

#include "protocol/protocol.hpp"
#include "run/file_use.hpp"
#include "run/process.hpp"
#include "run/sealed_memory.hpp"
#include "run/validate_reply.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace course {
namespace {

using protocol::Order;
using protocol::Reply;
using protocol::Request;
using protocol::Status;

constexpr std::size_t large_output = std::size_t{64} << 20;
constexpr double start_seconds = 60;  // to open the device: a GPU's first context can take long

Clock::time_point in(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

template <std::size_t bytes>
void set_text(char (&to)[bytes], const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), bytes - 1), to);
}

Value lent_bytes(std::span<const std::byte> bytes) {
    return {.place = protocol::recording_type.place,
            .type = protocol::recording_type.type,
            .shape = {std::ssize(bytes)},
            .bytes = {},
            .lent = bytes};
}

}  // namespace

/// A request and everything that its reply is checked against.
struct Session::Exchange {
    Request request{};
    std::span<const Value> arguments;
    std::span<const ValueType> results;
    double seconds = 0;
};

Session::Session(SessionOptions options) : options_(std::move(options)), printed_(std::make_unique<Printed>()) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // processes that a runner leaves behind become our children, and are found
}

Session::~Session() = default;

CallResult Session::call(const std::string& function, std::span<const Value> arguments,
                        std::span<const ValueType> results) {
    Exchange made{.arguments = arguments, .results = results, .seconds = options_.call_seconds};
    made.request.order = Order::call;
    made.request.return_inputs = 1;
    made.request.record = options_.records ? 1 : 0;
    return run(made, function);
}

CallResult Session::timed_call(const std::string& function, std::span<const Value> arguments,
                              std::span<const ValueType> results) {
    Exchange made{.arguments = arguments, .results = results, .seconds = options_.call_seconds};
    made.request.order = Order::prepare;
    return run(made, function);
}

CallResult Session::given_call(const std::string& function, std::span<const Value> arguments,
                              std::span<const ValueType> results) {
    Exchange made{.arguments = arguments, .results = results, .seconds = options_.call_seconds};
    made.request.order = Order::given;
    made.request.return_inputs = 1;
    return run(made, function);
}

CallResult Session::ledger_call(const std::string& function, std::span<const Value> arguments,
                               std::span<const ValueType> results) {
    Exchange made{.arguments = arguments, .results = results, .seconds = options_.call_seconds};
    made.request.order = Order::call;
    made.request.return_inputs = 1;
    made.request.ledger = 1;
    return run(made, function);
}

CallResult Session::check_call(const std::string& function, std::span<const Value> arguments,
                              std::span<const ValueType> results, const CheckLimits& limits) {
    Exchange made{.arguments = arguments, .results = results, .seconds = limits.seconds};
    made.request.order = Order::check;
    made.request.record = options_.records && limits.replays ? 1 : 0;
    made.request.spoiled_copies = limits.spoiled_copies ? 1 : 0;
    made.request.seconds_per_block = limits.seconds_per_block;
    set_text(made.request.pictures, limits.pictures.file);
    set_text(made.request.title, limits.pictures.title);
    set_text(made.request.subtitle, limits.pictures.subtitle);
    return run(made, function);
}

CallResult Session::replay(const Bytes& recording, std::span<const Value> arguments,
                          std::span<const ValueType> results, const CheckLimits& limits) {
    std::vector<Value> all;
    for (const Value& one : arguments)
        all.push_back({.place = one.place, .type = one.type, .shape = one.shape, .bytes = {}, .lent = one.data()});
    all.push_back(lent_bytes(recording));
    Exchange made{.arguments = all, .results = results, .seconds = limits.seconds};
    made.request.order = Order::replay;
    set_text(made.request.left_out, limits.left_out);
    made.request.seconds_per_block = limits.seconds_per_block;
    return run(made, "replay");
}

void Session::compile(const Bytes& kernels, double seconds) {
    const Value list = lent_bytes(kernels);
    Exchange made{.arguments = {&list, 1}, .results = {}, .seconds = seconds};
    made.request.order = Order::compile;
    static_cast<void>(run(made, "compile"));   // what isn't compiled now is compiled on demand
}

CallResult Session::compile_kernel(const std::string& file, const std::string& name, std::string_view text) {
    const Value source = lent_bytes(std::as_bytes(std::span(text)));
    Exchange made{.arguments = {&source, 1}, .results = {}, .seconds = options_.call_seconds};
    made.request.order = Order::compile;
    return run(made, fmt::format("{} {}", file, name));
}

std::string Session::output() const {
    constexpr std::size_t no_limit = ~std::size_t{0};
    std::string text = plain_text(printed_->text, no_limit, no_limit);
    if (printed_->dropped > 0) text += fmt::format("\n[... and {} bytes more, not kept]", printed_->dropped);
    return text;
}

// Starts a runner and waits until it has loaded the student's object. After the first time, a failure is no longer
// excused: whatever has changed since then, the student's code has run.
void Session::start() {
    if (!has_started_) return start_runner();
    try {
        start_runner();
    } catch (const CallEnded& ended) {
        if (ended.reply.outcome != Outcome::no_device) throw;
        throw ending_of_restart(ended.reply.message);
    } catch (const BadReply&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw ending_of_restart(error.what());
    }
}

void Session::start_runner() {
    if (!process_) launch_runner();
    wait_for_runner();
}

void Session::launch_runner() {
    // Files that an earlier runner left in its folder are removed; its kernels are kept, unless there are too many.
    FileUse kernels;
    kernels.add_folder(options_.kernel_cache, options_.file_bytes);
    for (const std::filesystem::path& folder : {options_.scratch, options_.kernel_cache}) {
        const bool stays = folder == options_.kernel_cache && kernels.bytes() <= options_.file_bytes / 2;
        if (!stays) remove_tree(folder);
        make_folders(folder);
        if (!options_.as) continue;
        give_folder(*options_.as, folder);
        if (has_started_) continue;   // by now the contents are the runner's own
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_directory()) give_folder(*options_.as, entry.path());
    }
    is_ready_ = false;
    process_ = std::make_unique<Process>(options_, *printed_);
    used_output_ = 0;
}

void Session::wait_for_runner() {
    Reply reply;
    const auto wait_for = [&](Status wanted, double seconds) {
        const Waited waited = process_->receive(reply, in(seconds));
        if (waited.reason != Waited::Reason::message) throw ending_of(waited, seconds, options_);
        validate_header(reply, 0);
        const Status excuse = wanted == Status::loading ? Status::no_device : Status::cannot_load;
        if (reply.status == excuse) {
            CallEnded ended = ending_of(reply);
            if (excuse == Status::no_device && options_.sandboxed && options_.device != "host")
                ended.reply.message += "\nmake doctor says whether this GPU works in the sandbox.";
            throw ended;
        }
        if (reply.status != wanted) throw BadReply("a message out of turn");
    };
    try {
        wait_for(Status::loading, start_seconds);
    } catch (const CallEnded& ended) {
        if (ended.reply.outcome == Outcome::no_device) throw;
        throw std::runtime_error(fmt::format("{} did not start ({}). It said: {}", options_.runner.string(),
                                             ended.reply.message, output()));
    } catch (const BadReply& bad) {
        throw std::runtime_error(fmt::format("{} is not this grader's runner: {}", options_.runner.string(),
                                             bad.what()));
    }
    has_started_ = true;
    Request load{};
    load.magic = protocol::magic;
    load.version = protocol::version;
    load.order = Order::load;
    process_->send(load);
    wait_for(Status::started, options_.call_seconds);  // from here on, the student's code can send messages
    is_ready_ = true;
}

void Session::end() noexcept {
    if (process_) process_->kill();
}

void Session::begin() {
    if (!process_) launch_runner();
}

CallResult Session::run(Exchange& made, const std::string& function) {
    const std::size_t values = made.results.size() + made.arguments.size();
    if (function.size() >= protocol::name_bytes || values > protocol::max_values) {
        throw std::length_error(fmt::format("{}: a call can have {} arguments and results and a name of {} characters",
                                            function, protocol::max_values, protocol::name_bytes - 1));
    }
    std::copy(function.begin(), function.end(), made.request.function);
    const auto with_ledger = [&](CallResult reply) {  // before the process ends, and its memory with it
        if (made.request.ledger != 0)
            reply.ledger = process_ ? take_ledger(process_->output().ledger()) : LedgerReport();
        return reply;
    };
    try {
        if (!process_ || !is_ready_) start();
        CallResult reply = with_ledger(exchange(made));
        if (options_.one_call) start_over();
        return reply;
    } catch (CallEnded& ended) {
        CallResult reply = with_ledger(std::move(ended.reply));
        if (ended.runner_lost || options_.one_call) process_.reset();
        return reply;
    } catch (const BadReply& bad) {
        CallResult reply = with_ledger(broken_protocol(bad.what()).reply);
        process_.reset();
        return reply;
    } catch (...) {
        process_.reset();
        throw;
    }
}

// The next call's process gets ready while the grader looks at this one's results.
void Session::start_over() {
    process_.reset();
    try {
        launch_runner();
    } catch (const std::exception&) {
        process_.reset();  // the next call starts one, or says why it can't
    }
}

CallResult Session::exchange(Exchange& made) {
    Process& process = *process_;
    Request& request = made.request;
    request.magic = protocol::magic;
    request.version = protocol::version;
    request.sequence = random_bits();
    CallResult taken;
    const Clock::time_point before_copies = Clock::now();
    const std::vector<protocol::ValueRecord> records = process.input().write(made.arguments);
    request.argument_count = static_cast<std::uint32_t>(records.size());
    std::copy(records.begin(), records.end(), request.arguments);
    std::vector<protocol::CanaryRecord> canaries;
    const bool is_student = !options_.object.empty();
    if (request.order == Order::prepare && is_student) canaries = place_decoys(process.input().bytes(), records);
    for (const protocol::CanaryRecord& one : canaries) taken.canaries.push_back(static_cast<std::int64_t>(one.element));
    process.output().poison(used_output_);
    process.output().clear_ledger();
    taken.copy_seconds = seconds_since(before_copies);

    Reply reply;
    const auto receive = [&] {
        const Waited waited = process.receive(reply, in(made.seconds));
        if (waited.reason != Waited::Reason::message) throw ending_of(waited, made.seconds, options_);
        validate_header(reply, request.sequence);
    };
    // A starting runner, or a copying grader, disturbs nobody.
    std::optional<DeviceLock::Held> held(std::in_place, options_.lock.get(), DeviceLock::Use::shared);
    const Clock::time_point start = Clock::now();
    process.send(request);
    receive();
    taken.seconds = seconds_since(start);
    if (request.order == Order::prepare) {
        if (reply.status != Status::ready) {
            if (reply.status == Status::done) throw BadReply("a result before the clock was started");
            throw ending_of(reply);
        }
        const Waited waited = process.time(request.sequence, canaries, in(made.seconds), taken.seconds);
        if (waited.reason != Waited::Reason::message) throw ending_of(waited, made.seconds, options_);
        const Clock::time_point done = Clock::now();
        receive();
        taken.delivery_seconds = seconds_since(done);
    }
    held.reset();
    const bool too_late = reply.status == Status::cannot_load || reply.status == Status::no_device;
    if (too_late) throw BadReply("a message out of turn");   // no excuse after the start
    const bool check = request.order == Order::check || request.order == Order::replay;
    if (reply.status == Status::no_check && !check) throw BadReply("a message out of turn");
    if (check ? reply.checked == 0 && reply.status == Status::done : reply.checked != 0)
        throw BadReply("a check record where none belongs, or none where one does");
    taken.counts = reply.counts;
    if (reply.checked != 0) taken.check = take_check(process.output().bytes(), reply.check_offset);
    if (reply.status != Status::done) {
        CallEnded ended = ending_of(reply);
        ended.reply.counts = taken.counts;
        ended.reply.seconds = taken.seconds;
        ended.reply.check = std::move(taken.check);
        throw ended;
    }
    const Clock::time_point before_results = Clock::now();
    take_values(reply, process.output().bytes(), made.arguments, made.results, request.return_inputs != 0,
                options_.memory_bytes, taken);
    taken.copy_seconds += seconds_since(before_results);
    if (request.order == Order::replay) taken.sent = reply.sent;
    if (request.record != 0) take_recording(reply, process.output().bytes(), taken);
    if (request.order == Order::call) taken.kernels = std::exchange(taken.recording, {});
    used_output_ = used_bytes(reply);
    const auto left_out = [](const Value& value) { return value.left_out; };
    const bool all_taken = std::none_of(taken.results.begin(), taken.results.end(), left_out) &&
                           std::none_of(taken.inputs_after.begin(), taken.inputs_after.end(), left_out);
    // Ends the runner, and with it frees the memory that it has filled.
    if (!all_taken && used_output_ > large_output && is_student) process_.reset();
    return taken;
}

void kill_leftover_processes() noexcept { kill_processes({.children = true}, 5); }

}  // namespace course
