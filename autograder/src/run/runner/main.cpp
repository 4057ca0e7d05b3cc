// SPDX-License-Identifier: MIT
// course-runner OBJECT: started by the grader, with the descriptors in protocol/protocol.hpp. The only program of the
// autograder that loads a student's object. course-runner --replay CALL OBJECT repeats a recorded call in check mode,
// for a debugger; --call CALL OBJECT repeats it as it is, for a profiler.
// course-runner --reference loads no object: it has a function of its own.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <unistd.h>

#include <gpu/check.hpp>
#include <gpu/device.hpp>
#include <gpu/error.hpp>
#include <gpu/memory.hpp>
#include <gpu/raw_kernel.hpp>
#include <gpu/recording.hpp>
#include <gpu/stream.hpp>
#include <gpu/trace.hpp>

#include "run/runner/check.hpp"
#include "run/runner/connection.hpp"
#include "run/runner/device.hpp"
#include "run/runner/object.hpp"
#include "run/runner/recording.hpp"
#include "run/runner/reference.hpp"

namespace course::runner {
namespace {

using protocol::Order;
using protocol::Reply;
using protocol::Request;
using protocol::Status;
using protocol::ValueRecord;

// Appends values to the output memory, and lists them in a reply.
class OutputWriter final : public binding::Results {
public:
    OutputWriter(std::span<std::byte> memory, Reply& reply) : memory_(memory), reply_(reply) {}

    std::byte* add(binding::ValueType type, std::span<const std::int64_t> shape, std::size_t bytes,
                   std::uint32_t argument) override {
        if (reply_.value_count == protocol::max_values || bytes > memory_.size() - used_) {
            throw std::length_error("the results of this call are more than the grader can take");
        }
        ValueRecord& record = reply_.values[reply_.value_count++];
        record.place = static_cast<protocol::Place>(type.place);
        record.type = static_cast<protocol::Type>(type.type);
        record.rank = static_cast<std::uint32_t>(shape.size());
        record.argument = argument;
        std::copy(shape.begin(), shape.end(), record.shape);
        record.offset = used_;
        record.bytes = bytes;
        used_ = std::min((used_ + bytes + 63) / 64 * 64, memory_.size());
        return memory_.data() + record.offset;
    }

private:
    std::span<std::byte> memory_;
    Reply& reply_;
    std::size_t used_ = 0;
};

// The runner's half of the clock page: waits for `go`; sets `done` when told to, or when the call has failed.
class GradersClock {
public:
    GradersClock(Connection& connection, std::uint64_t sequence) : done_(connection.clock().done), sequence_(sequence) {
        const std::atomic_ref<std::uint64_t> go(connection.clock().go);
        connection.send(make_reply(sequence, Status::ready));
        while (go.load(std::memory_order_acquire) != sequence) std::this_thread::yield();
    }
    ~GradersClock() { stop(); }
    GradersClock(const GradersClock&) = delete;
    GradersClock& operator=(const GradersClock&) = delete;

    void stop() noexcept { done_.store(sequence_, std::memory_order_release); }

private:
    std::atomic_ref<std::uint64_t> done_;
    std::uint64_t sequence_;
};

// The faults of this call's kernels aren't the next call's.
void forget_kernel_faults() noexcept {
    for (int tries = 100; tries > 0; --tries) {
        try {
            return gpu::synchronize();
        } catch (...) {  // one stream's; there may be others
        }
    }
}

// The current device and stream before a call: the caller must find them unchanged afterwards.
class CurrentBefore {
public:
    /// Restores what the call has changed, and reports it; empty: nothing.
    [[nodiscard]] std::string put_back() const {
        static std::vector<std::unique_ptr<gpu::DeviceGuard>> devices;  // never destroyed
        static std::vector<std::unique_ptr<gpu::StreamGuard>> streams;
        const gpu::Device now = gpu::Device::current();
        if (!(now == device_)) {
            devices.push_back(std::make_unique<gpu::DeviceGuard>(device_));
            return "the function leaves " + now.to_string() + " the current device, and found " + device_.to_string() +
                   ": a gpu::DeviceGuard in a scope of its own puts it back";
        }
        if (gpu::Stream::current().native() == stream_) return "";
        streams.push_back(std::make_unique<gpu::StreamGuard>(gpu::StreamRef::from_native(stream_, device_)));
        return "the function leaves a stream of its own the current one: a gpu::StreamGuard in a scope of its own "
               "puts back the one before";
    }

private:
    gpu::Device device_ = gpu::Device::current();
    void* stream_ = gpu::Stream::current().native();
};

void take_results(binding::Call& call, Connection& connection, const Request& request, Reply& reply) {
    OutputWriter writer(connection.output(), reply);
    call.take_returned(writer);
    reply.result_count = reply.value_count;
    call.take_in_out(writer);
    if (request.return_inputs != 0) call.take_inputs(writer);
}

std::string text_of(std::span<const char> field) { return {field.data(), ::strnlen(field.data(), field.size())}; }

// The same call, traced: its pictures are in the requested file.
template <class F>
gpu::CheckReport drawn(const F& f, const gpu::CheckOptions& options, const Request& request) {
    const gpu::Trace trace = gpu::trace(f, {.check = options});
    const std::string file = text_of(request.pictures);
    const std::string name = file.substr(0, file.find('.')), kind = file.substr(std::min(file.find('.'), file.size()));
    if (kind == ".html") {
        trace.write_html(file, {.title = text_of(request.title), .subtitle = text_of(request.subtitle)});
    } else {
        std::string text = kind == ".json" ? trace.to_json() : trace.to_text();
        for (const gpu::Picture picture :
             {gpu::Picture::map, gpu::Picture::requests, gpu::Picture::banks, gpu::Picture::lanes, gpu::Picture::races,
              gpu::Picture::schedule, gpu::Picture::source}) {
            const bool wanted = name == gpu::to_string(picture);
            if (!wanted || (trace.launches.empty() && picture != gpu::Picture::schedule)) continue;
            if (kind == ".svg") text = trace.svg(picture);
            if (kind == ".txt") text = trace.to_text(picture);
        }
        std::ofstream out(file, std::ios::binary);
        if (!(out << text).flush()) throw gpu::Error("can't write " + file + ": " + std::strerror(errno));
    }
    return trace.report;
}

// Makes gpu::check behave the same in check mode and outside, so that called functions can't tell the difference. Only
// a function of the exercise's own may check kernels itself, and check mode's own call begins outside.
std::optional<gpu::detail::NoNewChecks> no_checks_of_their_own;

// The call in check mode. A call that throws has a report as well: on what was wrong up to there.
Reply checked_answer(binding::Call& call, Connection& connection, const Request& request, RecordedWork* work) {
    std::optional<Failure> failure;
    gpu::CheckReport report;
    const CurrentBefore before;
    const auto call_it = [&] {
        no_checks_of_their_own.emplace();
        if (work != nullptr) gpu::detail::CallRecorder::begin_check();
        try {
            call.invoke();
            if (const std::string left = before.put_back(); !left.empty()) failure = Failure{Status::left_behind, left};
        } catch (...) {
            failure = current_failure();
        }
        if (work != nullptr) gpu::detail::CallRecorder::end_check();
    };
    const gpu::CheckOptions options{.schedule = {},
                                    .workers = 0,
                                    .seconds_per_block = request.seconds_per_block,
                                    .strict_barriers = true,
                                    .only_cuda = true,
                                    .spoiled_copies = request.spoiled_copies != 0};
    no_checks_of_their_own.reset();
    try {
        report = request.pictures[0] == '\0' ? gpu::check(call_it, options) : drawn(call_it, options, request);
    } catch (const gpu::LaunchError&) {
        throw;  // from a kernel, noticed when waiting for all work
    } catch (const gpu::Error& error) {
        no_checks_of_their_own.emplace();
        return make_reply(request.sequence, Status::no_check, error.what());
    }
    Reply reply = failure ? make_reply(request.sequence, failure->status, failure->message)
                          : make_reply(request.sequence, Status::done);
    if (!failure) take_results(call, connection, request, reply);
    reply.counts = report.host;
    write_check(report, connection.output(), reply);
    if (!failure && work != nullptr) work->deliver(connection.output(), reply);
    if (failure) forget_kernel_faults();
    return reply;
}

/// Compiles the file of a kernel that nothing launches, to report its errors.
Reply compiled_kernel(Connection& connection, const Request& request) {
    const std::string named(request.function);
    const std::size_t space = named.rfind(' ');
    if (request.argument_count != 1 || space == named.npos)
        return make_reply(request.sequence, Status::wrong_arguments, "a kernel is one text, and has a file and a name");
    const std::span<const std::byte> text =
        connection.input().subspan(request.arguments[0].offset, request.arguments[0].bytes);
    const gpu::Source source(std::string(reinterpret_cast<const char*>(text.data()), text.size()),
                             named.substr(0, space));
    const gpu::RawKernel<> kernel(source, named.substr(space + 1));
    static_cast<void>(kernel.attributes());
    return make_reply(request.sequence, Status::done);
}

Reply answer(Connection& connection, const binding::Function* functions, const Request& request) try {
    if (request.order == Order::compile && functions != reference_functions())
        return compiled_kernel(connection, request);
    const bool replays = request.order == Order::replay;
    if (replays || request.order == Order::compile) {
        if (functions != reference_functions())  // there is student's code in this process
            return make_reply(request.sequence, Status::wrong_arguments, "only a runner without an object replays");
        no_checks_of_their_own.reset();
        const Reply reply = replays ? replayed_answer(connection, request) : compiled_answer(connection, request);
        no_checks_of_their_own.emplace();
        return reply;
    }
    const binding::Function* function = find_function(functions, request.function);
    if (function == nullptr) {
        return make_reply(request.sequence, Status::unknown_function, describe_unknown(functions, request.function));
    }
    if (!takes_arguments_of(*function, request)) {
        return make_reply(request.sequence, Status::wrong_arguments, describe_wrong_arguments(*function, request));
    }
    // A later recorded call may use what a call in check mode leaves behind: kernels, arrays.
    if (request.order == Order::check) gpu::detail::CallRecorder::prepare();
    std::optional<RecordedWork> work;  // it begins before the arguments are on the device
    if (request.order == Order::check && request.record != 0) work.emplace(request, connection.input());
    if (request.order == Order::call && request.record != 0) gpu::detail::CallRecorder::keep_texts();
    const std::unique_ptr<binding::Call> call = function->prepare(argument_values(request, connection.input()));
    gpu::synchronize();
    if (request.order == Order::check) return checked_answer(*call, connection, request, work ? &*work : nullptr);

    Reply reply = make_reply(request.sequence, Status::done);
    {
        Measurement measurement;
        std::optional<GradersClock> clock;
        if (request.order == Order::prepare) {
            const TrueValues true_values(*call, request);
            wake_device();
            clock.emplace(connection, request.sequence);
            true_values.write(connection.canaries());
        }
        std::optional<WrittenLedger> ledger;
        if (request.ledger != 0) {
            gpu::memory_pool().trim();
            ledger.emplace(connection.ledger());
        }
        const CurrentBefore before;
        measurement.start();
        if (request.order == Order::given) no_checks_of_their_own.reset();
        call->invoke();
        if (request.order == Order::given) no_checks_of_their_own.emplace();
        if (const std::string left = before.put_back(); !left.empty()) {
            gpu::synchronize();
            return make_reply(request.sequence, Status::left_behind, left);
        }
        ledger.reset();
        measurement.stop();
        if (clock) clock->stop();
        reply.counts = measurement.counts();
        reply.device_us = measurement.device_us();
    }
    // On a GPU, a kernel that writes past its array isn't stopped: only the guard words around the arrays show it.
    if (const std::string damage = gpu::damaged_arrays(); !damage.empty()) {
        return make_reply(request.sequence, Status::kernel_fault, damage);
    }
    take_results(*call, connection, request, reply);
    if (request.order == Order::call && request.record != 0) deliver_kernels(connection.output(), reply);
    return reply;
} catch (...) {
    const Failure failure = current_failure();
    no_checks_of_their_own.emplace();
    forget_kernel_faults();
    return make_reply(request.sequence, failure.status, failure.message);
}

Connection* loading_connection = nullptr;

[[noreturn]] void refuse_object(const std::string& message) {
    std::fflush(stdout);
    loading_connection->send(make_reply(0, Status::cannot_load, message));
    ::_exit(1);
}

// An exception that can't leave dlopen ends here.
[[noreturn]] void terminate_while_loading() {
    const bool thrown = std::current_exception() != nullptr;
    refuse_object("before any function was called, your code threw " +
                  (thrown ? current_failure().message : "something that it didn't catch"));
}

const binding::Function* load(Connection& connection, const char* object) {
    loading_connection = &connection;
    const std::terminate_handler usual = std::set_terminate(terminate_while_loading);
    try {
        const binding::Function* functions = load_object(object);
        std::set_terminate(usual);
        return functions;
    } catch (const CannotLoad& error) {
        refuse_object(error.what());
    } catch (...) {
        terminate_while_loading();
    }
}

/// Opens the device, loads the object, answers requests until the grader closes the connection. Null: there is no
/// object, only the reference's function (protocol/protocol.hpp).
void serve(const char* object) {
    Connection connection;
    try {
        open_device();
    } catch (const std::exception& error) {
        connection.send(make_reply(0, Status::no_device, error.what()));
        return;
    }
    connection.send(make_reply(0, Status::loading));
    no_checks_of_their_own.emplace();
    auto request = std::make_unique<Request>();
    if (!connection.receive(*request) || request->order != Order::load) return;  // the answer doesn't compile
    const binding::Function* const functions = object == nullptr ? reference_functions() : load(connection, object);
    connection.send(make_reply(0, Status::started));

    while (connection.receive(*request)) {
        const Reply reply = answer(connection, functions, *request);
        std::cout.flush();
        std::fflush(stdout);
        connection.send(reply);
    }
}

}  // namespace

}  // namespace course::runner

#if defined(__SANITIZE_ADDRESS__)
// The grader interprets the signal of a crash. Memory still allocated at the end isn't a leak.
extern "C" const char* __asan_default_options() {
    return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:detect_leaks=0:"
           "allocator_may_return_null=1";
}
#endif

int main(int argc, char** argv) {
    const std::string_view option = argc == 4 ? argv[1] : "";
    if (option == "--replay" || option == "--call") {
        using course::runner::Replay;
        std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
        const Replay how = option == "--replay" ? Replay::in_check_mode : Replay::as_it_is;
        const int code = course::runner::replay(argv[2], argv[3], how);
        std::fflush(stdout);
        std::_Exit(code);
    }
    if (argc != 2) {
        std::fputs("course-runner is started by course, not by hand\n", stderr);
        return 4;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // output before a crash isn't lost
    const bool is_reference = std::string_view(argv[1]) == course::protocol::reference_option;
    course::runner::serve(is_reference ? nullptr : argv[1]);
    std::fflush(stdout);
    std::_Exit(0);  // no student's destructor runs after the last call
}
