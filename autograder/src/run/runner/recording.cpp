// SPDX-License-Identifier: MIT
#include "run/runner/recording.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/check.hpp>
#include <gpu/device.hpp>
#include <gpu/memory.hpp>
#include <gpu/recording.hpp>

#include "protocol/protocol.hpp"
#include "protocol/protocol_check.hpp"
#include "run/runner/check.hpp"
#include "run/runner/connection.hpp"
#include "run/runner/device.hpp"
#include "run/runner/object.hpp"

namespace course::runner {
namespace {

using gpu::detail::CallRecorder;
using gpu::detail::HostBytes;
using gpu::detail::RecordingError;
using protocol::RecordingHeader;
using protocol::Reply;
using protocol::Request;
using protocol::ValueRecord;

std::vector<HostBytes> bytes_of(std::span<const ValueRecord> values, std::span<const std::byte> memory) {
    std::vector<HostBytes> bytes;
    for (const ValueRecord& value : values) bytes.push_back(memory.subspan(value.offset, value.bytes));
    return bytes;
}

// The header, if each value was copied from the device: a replay can't produce what host code computed.
std::optional<RecordingHeader> header_of(const Reply& reply, std::span<const std::byte> memory) {
    RecordingHeader header{.value_count = reply.value_count, .result_count = reply.result_count, .values = {},
                           .copies = {}};
    const std::span values(reply.values, reply.value_count);
    const std::vector<HostBytes> bytes = bytes_of(values, memory);
    for (std::size_t k = 0; k < values.size(); ++k) {
        header.values[k] = values[k];
        header.values[k].offset = 0;
        if (bytes[k].empty()) continue;
        const std::optional<std::uint64_t> copy = CallRecorder::copy_that_gave(bytes[k]);
        if (!copy) return {};
        header.copies[k] = *copy;
    }
    return header;
}

void say_why_not(const std::string& why, Reply& reply) {
    std::copy_n(why.begin(), std::min(why.size(), sizeof reply.not_recorded), reply.not_recorded);
}

std::size_t end_of(const Reply& reply) {
    std::size_t end = reply.checked != 0 ? reply.check_offset + sizeof(protocol::CheckRecord) : 0;
    for (const ValueRecord& value : std::span(reply.values, reply.value_count))
        end = std::max<std::size_t>(end, value.offset + value.bytes);
    return (end + 63) / 64 * 64;
}

// Appends a recording in two parts; false if it is too long.
bool add_recording(std::string_view front, std::string_view rest, std::span<std::byte> memory, Reply& reply) {
    const std::size_t offset = end_of(reply), bytes = front.size() + rest.size();
    if (offset > memory.size() || bytes > memory.size() - offset) return false;
    const auto end = std::copy(front.begin(), front.end(), reinterpret_cast<char*>(memory.data()) + offset);
    std::copy(rest.begin(), rest.end(), end);
    reply.recording_offset = offset;
    reply.recording_bytes = bytes;
    return true;
}

// Appends a value at the reply's end.
void add_value(ValueRecord value, std::string_view bytes, std::span<std::byte> memory, Reply& reply) {
    value.offset = end_of(reply);
    if (value.offset > memory.size() || bytes.size() > memory.size() - value.offset)
        throw RecordingError("the recording gives more than the grader can take");
    if (!bytes.empty()) std::memcpy(memory.data() + value.offset, bytes.data(), bytes.size());
    reply.values[reply.value_count++] = value;
}

template <class T>
bool are_equal(std::string_view a, std::string_view b) {
    for (std::size_t at = 0; at < a.size(); at += sizeof(T)) {
        T x{}, y{};
        std::memcpy(&x, a.data() + at, sizeof x);
        std::memcpy(&y, b.data() + at, sizeof y);
        if (!(x == y || (x != x && y != y))) return false;
    }
    return true;
}

// Zeros are equal whatever their sign, and so are NaNs: a kernel that adds 0 changes no more.
bool is_sent(protocol::Type type, std::string_view value, const std::vector<std::string>& sent) {
    return !value.empty() && std::any_of(sent.begin(), sent.end(), [&](const std::string& one) {
        if (one.size() != value.size()) return false;
        return type == protocol::Type::float32   ? are_equal<float>(one, value)
               : type == protocol::Type::float64 ? are_equal<double>(one, value)
                                                 : one == value;
    });
}

}  // namespace

RecordedWork::RecordedWork(const Request& request, std::span<const std::byte> input) {
    CallRecorder::begin(bytes_of(std::span(request.arguments, request.argument_count), input));
}

RecordedWork::~RecordedWork() {
    std::string ignored;
    if (!ended_) (void)CallRecorder::end(ignored);
}

void RecordedWork::deliver(std::span<std::byte> memory, Reply& reply) {
    const std::optional<RecordingHeader> header = header_of(reply, memory);
    std::string why_not;
    const std::string recording = CallRecorder::end(why_not);
    ended_ = true;
    if (recording.empty()) return say_why_not(why_not, reply);
    if (!header) return say_why_not("results that host code computes", reply);
    const std::string_view front(reinterpret_cast<const char*>(&*header), sizeof *header);
    if (!add_recording(front, recording, memory, reply)) say_why_not("more work than a recording holds", reply);
}

void deliver_kernels(std::span<std::byte> memory, Reply& reply) {
    const std::string kernels = CallRecorder::new_kernels();
    if (!kernels.empty()) (void)add_recording({}, kernels, memory, reply);   // otherwise they are compiled later
}

Reply compiled_answer(Connection& connection, const Request& request) {
    if (request.argument_count != 1) throw RecordingError("the list of kernels is missing");
    const HostBytes list = bytes_of(std::span(request.arguments, 1), connection.input()).front();
    gpu::detail::compile_for_check({reinterpret_cast<const char*>(list.data()), list.size()});
    return make_reply(request.sequence, protocol::Status::done);
}

Reply replayed_answer(Connection& connection, const Request& request) {
    const std::span all(request.arguments, request.argument_count);
    if (all.empty()) throw RecordingError("the recording is missing");
    std::vector<HostBytes> arguments = bytes_of(all, connection.input());
    const HostBytes given = arguments.back();
    arguments.pop_back();
    RecordingHeader header{};
    if (given.size() < sizeof header) throw RecordingError("the recording is too short");
    std::memcpy(&header, given.data(), sizeof header);
    if (header.value_count > protocol::max_values || header.result_count > header.value_count)
        throw RecordingError("the recording has more values than a call gives");
    const std::string_view work(reinterpret_cast<const char*>(given.data()) + sizeof header,
                                given.size() - sizeof header);
    const gpu::detail::ReplayedCall replay = gpu::detail::replay_call(
        work, arguments,
        {.schedule = {}, .workers = 0, .seconds_per_block = request.seconds_per_block, .strict_barriers = true,
         .only_cuda = true},
        std::string_view(request.left_out, ::strnlen(request.left_out, sizeof request.left_out)));

    Reply reply = make_reply(request.sequence, protocol::Status::done);
    for (std::size_t k = 0; k < header.value_count; ++k) {
        std::string_view bytes;
        if (header.values[k].bytes > 0) {
            if (header.copies[k] >= replay.copies.size())
                throw RecordingError("the recording names a copy that isn't there");
            bytes = replay.copies[static_cast<std::size_t>(header.copies[k])];
        }
        if (bytes.size() != header.values[k].bytes)
            throw RecordingError("the recording has a value of another size than its copy");
        if (is_sent(header.values[k].type, bytes, replay.sent)) reply.sent |= std::uint32_t{1} << k;
        add_value(header.values[k], bytes, connection.output(), reply);
    }
    reply.result_count = header.result_count;
    reply.counts = replay.report.host;
    write_check(replay.report, connection.output(), reply);
    return reply;
}

namespace {

using protocol::Request;

struct RecordedCall {
    Request request{};
    std::size_t bytes = 0;
    // Aligned like the input memory.
    struct Free {
        void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte, Free> memory;
};

RecordedCall read_call(const char* file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(stream), {}};
    RecordedCall call;
    if (all.size() < sizeof(Request))
        throw std::runtime_error(std::string(file) + " is not a recorded call: it can't be read, or is too short");
    std::memcpy(&call.request, all.data(), sizeof(Request));
    call.bytes = all.size() - sizeof(Request);
    bool fits = call.request.magic == protocol::magic && call.request.version == protocol::version &&
                call.request.argument_count <= protocol::max_values;
    for (std::size_t k = 0; fits && k < call.request.argument_count; ++k) {
        const protocol::ValueRecord& record = call.request.arguments[k];
        fits = record.rank <= protocol::max_rank && record.offset <= call.bytes &&
               record.bytes <= call.bytes - record.offset;
    }
    if (!fits) throw std::runtime_error(std::string(file) + " was made by another version of the kit: make it again");
    call.memory.reset(static_cast<std::byte*>(::operator new(call.bytes + 1, std::align_val_t{64})));
    std::memcpy(call.memory.get(), all.data() + sizeof(Request), call.bytes);
    return call;
}

int make_call(const RecordedCall& recorded, const char* object, Replay how) {
    const Request& request = recorded.request;
    if (how == Replay::in_check_mode) open_device();
    const binding::Function* const functions = load_object(object);
    const binding::Function* const function = find_function(functions, request.function);
    if (function == nullptr) throw std::runtime_error(describe_unknown(functions, request.function));
    if (!takes_arguments_of(*function, request)) throw std::runtime_error(describe_wrong_arguments(*function, request));
    const std::unique_ptr<binding::Call> call =
        function->prepare(argument_values(request, {recorded.memory.get(), recorded.bytes}));
    gpu::synchronize();
    std::optional<Failure> failure;
    const auto invoke = [&] {
        try {
            call->invoke();
            if (how == Replay::as_it_is) gpu::synchronize();
        } catch (...) {
            failure = current_failure();
        }
    };
    if (how == Replay::as_it_is) {
        invoke();
        if (failure) std::printf("%s ended with: %s\n", request.function, failure->message.c_str());
        return failure ? 1 : 0;
    }
    const gpu::CheckReport report = gpu::check(
        invoke,
        {.schedule = {}, .workers = 0, .seconds_per_block = request.seconds_per_block, .strict_barriers = true,
         .only_cuda = true});
    if (failure) std::printf("%s ended with: %s\n", request.function, failure->message.c_str());
    if (report.clean())
        std::printf("%s has returned, and check mode found no mistake in this case.\n", request.function);
    else
        std::printf("%s has returned. Check mode found:\n%s", request.function, report.to_text().c_str());
    return report.clean() && !failure ? 0 : 1;
}

}  // namespace

int replay(const char* file, const char* object, Replay how) {
    try {
        return make_call(read_call(file), object, how);
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "course-runner: %s\n", error.what());
    } catch (...) {
        std::fprintf(stderr, "course-runner: %s\n", current_failure().message.c_str());
    }
    return 4;
}

}  // namespace course::runner
