// SPDX-License-Identifier: MIT
#include "run/validate_reply.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "protocol/protocol.hpp"
#include "protocol/protocol_canaries.hpp"
#include "protocol/protocol_check.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"

namespace course {
namespace {

using protocol::Place;
using protocol::Status;
using protocol::Type;
using protocol::ValueRecord;

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    throw BadReply(fmt::format(text, std::forward<Arguments>(arguments)...));
}

const char* name_of(Type type) {
    static constexpr const char* names[] = {"bool",  "int8",   "int16",  "int32",   "int64",  "uint8",
                                            "uint16", "uint32", "uint64", "float32", "float64"};
    return names[static_cast<std::uint32_t>(type)];
}

const char* name_of(Place place) {
    static constexpr const char* names[] = {"scalar", "host vector", "device array"};
    return names[static_cast<std::uint32_t>(place)];
}

// The bytes of an array of this shape; nothing in the record is trusted.
std::uint64_t bytes_of(const ValueRecord& record, std::size_t k) {
    std::uint64_t bytes = size_of(record.type);
    bool empty = false;
    for (std::uint32_t axis = 0; axis < record.rank; ++axis) {
        const std::int64_t length = record.shape[axis];
        if (length < 0) refuse("value {} has a negative length, {}", k, length);
        empty = empty || length == 0;
        const auto factor = static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1));
        if (bytes > std::numeric_limits<std::uint64_t>::max() / factor) refuse("value {} is too large to exist", k);
        bytes *= factor;
    }
    return empty ? 0 : bytes;
}

void validate_record(const ValueRecord& record, std::size_t k, std::size_t memory_bytes) {
    if (record.place > Place::device_array) refuse("value {} is in a place that doesn't exist", k);
    if (record.type > Type::float64) refuse("value {} has an element type that doesn't exist", k);
    if (record.rank > protocol::max_rank) refuse("value {} has {} axes; {} is the most", k, record.rank,
                                                 protocol::max_rank);
    if (record.place == Place::scalar && record.rank != 0) refuse("value {} is a scalar with axes", k);
    const std::uint64_t bytes = bytes_of(record, k);
    if (record.bytes != bytes) refuse("value {} has {} bytes; its shape needs {}", k, record.bytes, bytes);
    if (record.offset > memory_bytes || record.bytes > memory_bytes - record.offset) {
        refuse("value {} lies outside the output memory", k);
    }
}

void validate_recording(const protocol::Reply& reply, std::size_t memory_bytes) {
    if (reply.recording_bytes > protocol::max_recording_bytes) {
        refuse("a recording of {} bytes; {} is the most", reply.recording_bytes, protocol::max_recording_bytes);
    }
    if (reply.recording_offset > memory_bytes || reply.recording_bytes > memory_bytes - reply.recording_offset) {
        refuse("the recording lies outside the output memory");
    }
}

void expect_type(const ValueRecord& record, ValueType type, std::size_t k) {
    if (record.place == type.place && record.type == type.type) return;
    refuse("value {} is a {} of {}; exercise.toml says a {} of {}", k, name_of(record.place), name_of(record.type),
           name_of(type.place), name_of(type.type));
}

Value shape_of(const ValueRecord& record) {
    return {.place = record.place,
            .type = record.type,
            .shape = {record.shape, record.shape + record.rank},
            .bytes = {},
            .left_out = record.bytes > 0};
}

Value copy_out(const ValueRecord& record, std::span<const std::byte> memory) {
    const auto bytes = memory.subspan(record.offset, record.bytes);
    Value value = shape_of(record);
    value.bytes = Bytes(bytes.size());
    value.left_out = false;
    prefer_large_pages(value.bytes.data(), bytes.size());
    copy_bytes(value.bytes.data(), bytes.data(), bytes.size());
    return value;
}

// The expected shapes of results are known only later, when the check states them. No right result is this much larger
// than its arguments, and a wrong one needn't be copied.
std::uint64_t max_taken(std::span<const Value> arguments) noexcept {
    std::uint64_t bytes = std::uint64_t{256} << 20;
    for (const Value& argument : arguments) bytes += 2 * argument.data().size();
    return bytes;
}

bool has_shape(const ValueRecord& record, const Value& argument) noexcept {
    return std::equal(record.shape, record.shape + record.rank, argument.shape.begin(), argument.shape.end());
}

}  // namespace

std::size_t size_of(Type type) noexcept {
    const std::size_t bytes = protocol::element_bytes(type);
    return bytes > 0 ? bytes : 1;   // for a type that isn't in the list
}

std::size_t used_bytes(const protocol::Reply& reply) noexcept {
    std::size_t used = 0;
    for (std::uint32_t k = 0; k < std::min<std::uint32_t>(reply.value_count, protocol::max_values); ++k) {
        used = std::max<std::size_t>(used, reply.values[k].offset + reply.values[k].bytes);
    }
    if (reply.checked != 0) used = std::max<std::size_t>(used, reply.check_offset + sizeof(protocol::CheckRecord));
    if (reply.recording_bytes > 0)
        used = std::max<std::size_t>(used, reply.recording_offset + reply.recording_bytes);
    return used;
}

void take_recording(const protocol::Reply& reply, std::span<const std::byte> memory, CallResult& taken) {
    validate_recording(reply, memory.size());
    taken.recording = Bytes(reply.recording_bytes);
    if (!taken.recording.empty())
        copy_bytes(taken.recording.data(), memory.data() + reply.recording_offset, taken.recording.size());
    const std::string_view why(reply.not_recorded, ::strnlen(reply.not_recorded, sizeof reply.not_recorded));
    taken.not_recorded = plain_text(why, why.size(), 1);
}

void validate_header(const protocol::Reply& reply, std::uint64_t sequence) {
    if (reply.magic != protocol::magic) refuse("a message that isn't a reply");
    if (reply.version != protocol::version) {
        refuse("a reply of version {}; this is version {}", reply.version, protocol::version);
    }
    if (reply.sequence != sequence) refuse("a reply to no request of ours (its sequence number is wrong)");
    if (reply.status > Status::left_behind) refuse("a status that doesn't exist");
    if (reply.value_count > protocol::max_values || reply.result_count > reply.value_count) {
        refuse("{} values, {} of them results; {} is the most", reply.value_count, reply.result_count,
               protocol::max_values);
    }
    if (reply.message_size > protocol::message_bytes) refuse("a message of {} bytes", reply.message_size);
    if (reply.status != Status::done && reply.value_count != 0) refuse("values in a reply that carries none");
    validate_recording(reply, protocol::ledger_offset);
    if (reply.status != Status::done && reply.recording_bytes != 0) refuse("a recording in a reply that carries none");
    if (reply.checked > 1) refuse("{} check records; 1 is the most", reply.checked);
}

void take_values(const protocol::Reply& reply, std::span<const std::byte> memory, std::span<const Value> arguments,
                 std::span<const ValueType> results, bool inputs_returned, std::size_t max_bytes, CallResult& taken) {
    const std::size_t returned = reply.result_count, in_out = results.size() - std::min(results.size(), returned);
    if (returned > results.size()) {
        refuse("{} results; exercise.toml says {}", returned, results.size());
    }
    std::size_t arrays = 0;
    for (const Value& argument : arguments) arrays += argument.place != Place::scalar ? 1 : 0;
    const std::size_t inputs = inputs_returned && arrays > in_out ? arrays - in_out : 0;
    if (reply.value_count != results.size() + inputs) {
        refuse("{} values, {} of them results; exercise.toml and the arguments ask for {}", reply.value_count, returned,
               results.size() + inputs);
    }

    std::uint64_t total = 0, total_results = 0;
    std::vector<bool> seen(arguments.size(), false);
    for (std::size_t k = 0; k < reply.value_count; ++k) {
        const ValueRecord& record = reply.values[k];
        validate_record(record, k, memory.size());
        if (record.bytes > max_bytes - total) refuse("values of more than {} bytes together", max_bytes);
        total += record.bytes;
        if (k < results.size()) {
            expect_type(record, results[k], k);
            total_results += record.bytes;
        }
        if (k < returned) {
            if (record.argument != protocol::no_argument) refuse("result {} is marked as an argument", k);
            continue;
        }
        if (record.argument >= arguments.size() || seen[record.argument])
            refuse("value {} doesn't belong to a valid argument", k);
        const Value& argument = arguments[record.argument];
        if (argument.place == Place::scalar) refuse("value {} belongs to a scalar argument", k);
        expect_type(record, {argument.place, argument.type}, k);
        seen[record.argument] = true;
    }

    std::vector<Value> after(arguments.size());
    const bool is_taken = total_results <= max_taken(arguments);
    for (std::size_t k = 0; k < reply.value_count; ++k) {
        const ValueRecord& record = reply.values[k];
        if (k < results.size()) {
            taken.results.push_back(is_taken ? copy_out(record, memory) : shape_of(record));
        } else {
            const bool as_before = has_shape(record, arguments[record.argument]);
            after[record.argument] = as_before ? copy_out(record, memory) : shape_of(record);
        }
    }
    for (std::size_t k = 0; inputs_returned && k < arguments.size(); ++k) {
        if (arguments[k].place != Place::scalar) taken.inputs_after.push_back(std::move(after[k]));
    }
}

namespace {

constexpr std::size_t message_bytes = 4096, message_lines = 40;

CallEnded ended(Outcome outcome, std::string message, bool runner_lost = true) {
    CallEnded ended;
    ended.reply.outcome = outcome;
    ended.reply.message = std::move(message);
    ended.runner_lost = runner_lost;
    return ended;
}

std::string describe_bytes(std::size_t bytes) {
    if (bytes >= std::size_t{1} << 30) return fmt::format("{:.3g} GiB", static_cast<double>(bytes) / (1 << 30));
    return fmt::format("{:.3g} MiB", static_cast<double>(bytes) / (1 << 20));
}

CallEnded ending_of(const Death& death) {
    if (death.signalled) return ended(Outcome::crashed, "your code crashed: " + describe_signal(death.number));
    if (death.number == protocol::connection_lost) return broken_protocol("its connection to the grader was closed");
    return ended(Outcome::exited, fmt::format("your code ended the program itself (exit code {})", death.number));
}

}  // namespace

std::string describe_signal(int number) {
    switch (number) {
        case SIGSEGV: return "segmentation fault (SIGSEGV)";
        case SIGBUS: return "bus error (SIGBUS)";
        case SIGFPE: return "arithmetic error, such as an integer division by zero (SIGFPE)";
        case SIGILL: return "illegal instruction (SIGILL)";
        case SIGABRT:
            return "abort (SIGABRT): an index past the end of a std::vector, a failed assert, an uncaught exception, a "
                   "damaged heap or abort() itself";
        case SIGXFSZ: return "it wrote a file of more than 256 MiB (SIGXFSZ)";
        case SIGKILL: return "killed (SIGKILL), perhaps because the computer ran out of memory";
        default: break;
    }
    const char* name = ::sigabbrev_np(number);
    return name != nullptr ? fmt::format("signal SIG{}", name) : fmt::format("signal {}", number);
}

CallEnded broken_protocol(const std::string& what) {
    return ended(Outcome::bad_reply, "the runner broke the protocol: " + what);
}

CallEnded ending_of_restart(const std::string& why) {
    return ended(Outcome::crashed, "after your code had run, it could not be started again: " +
                                       plain_text(why, message_bytes, message_lines));
}

CallEnded ending_of(const Waited& waited, double seconds, const SessionOptions& limits) {
    switch (waited.reason) {
        case Waited::Reason::dead: return ending_of(waited.death);
        case Waited::Reason::too_late:
            return ended(Outcome::timed_out,
                         fmt::format("no answer within {:g} s; is there a loop that never ends?", seconds));
        case Waited::Reason::too_much_memory:
            return ended(Outcome::out_of_memory,
                         fmt::format("your code used more than {} of memory, which is the limit",
                                     describe_bytes(limits.memory_bytes)));
        case Waited::Reason::too_many_files:
            return ended(Outcome::out_of_memory,
                         fmt::format("your code wrote more than {} of files, which is the limit",
                                     describe_bytes(limits.file_bytes)));
        case Waited::Reason::too_many_threads:
            return ended(Outcome::out_of_memory, "your code started more than 4096 threads, which is the limit");
        case Waited::Reason::disconnected: return broken_protocol("its connection to the grader was closed");
        case Waited::Reason::damaged_message: return broken_protocol("a message that isn't a reply");
        case Waited::Reason::message: break;
    }
    return broken_protocol("a message out of turn");
}

CallEnded ending_of(const protocol::Reply& reply) {
    using protocol::Status;
    const std::string message = plain_text({reply.message, reply.message_size}, message_bytes, message_lines);
    switch (reply.status) {
        case Status::kernel_does_not_compile: return ended(Outcome::kernel_does_not_compile, message, false);
        // After a fault, a GPU's context is lost, and the host's memory may be damaged: the next call starts a new
        // runner.
        case Status::kernel_fault: return ended(Outcome::kernel_fault, message, true);
        case Status::exception: return ended(Outcome::exception, "your code threw " + message, false);
        case Status::unknown_function:
        case Status::wrong_arguments: return ended(Outcome::missing_function, message, false);
        case Status::cannot_load: return ended(Outcome::cannot_load, message);
        case Status::no_device: return ended(Outcome::no_device, message);
        case Status::no_check: return ended(Outcome::no_check, "check mode can't be used any more: " + message);
        case Status::left_behind: return ended(Outcome::left_behind, message, false);
        case Status::loading:
        case Status::started:
        case Status::ready:
        case Status::done: break;
    }
    return broken_protocol("a message out of turn");
}

}  // namespace course
