// SPDX-License-Identifier: MIT
// A runner's reply, as the session takes it: header, check record, ending or values. The input says them in few bytes,
// so that a sequence number and a size needn't be guessed.
#include <memory>

#include "fuzz/course_fixture.hpp"
#include "run/validate_reply.hpp"

namespace fuzz {

namespace {

using namespace course;

constexpr std::size_t memory_bytes = std::size_t{1} << 16, max_bytes = std::size_t{1} << 20;
constexpr std::uint64_t sequence = 4711;

Value argument_of(Values& from) {
    Value value{.place = static_cast<protocol::Place>(from.take<std::uint8_t>() % 3),
                .type = static_cast<protocol::Type>(from.take<std::uint8_t>() % 11),
                .shape = {},
                .bytes = {}};
    std::size_t bytes = size_of(value.type);
    for (int rank = value.place == protocol::Place::scalar ? 0 : from.take<std::uint8_t>() % 3; rank > 0; --rank) {
        value.shape.push_back(from.take<std::uint8_t>() % 8);
        bytes *= static_cast<std::size_t>(value.shape.back());
    }
    value.bytes = Bytes(bytes);
    return value;
}

protocol::ValueRecord record_of(Values& from) {
    protocol::ValueRecord record{};
    record.place = static_cast<protocol::Place>(from.number());
    record.type = static_cast<protocol::Type>(from.number());
    record.rank = static_cast<std::uint32_t>(from.number());
    record.argument = static_cast<std::uint32_t>(from.number());
    if (record.argument == 254) record.argument = protocol::no_argument;
    std::uint64_t bytes = size_of(record.type);
    for (std::uint32_t axis = 0; axis < std::min<std::uint32_t>(record.rank, protocol::max_rank); ++axis) {
        record.shape[axis] = static_cast<std::int64_t>(from.number());
        bytes *= static_cast<std::uint64_t>(record.shape[axis]);
    }
    record.offset = from.number();
    const std::uint64_t difference = from.number();  // from what the shape needs
    record.bytes = bytes + difference;
    return record;
}

std::unique_ptr<protocol::Reply> reply_of(Values& from) {
    auto reply = std::make_unique<protocol::Reply>();
    reply->magic = protocol::magic + from.take<std::uint8_t>();
    reply->version = protocol::version + from.take<std::uint8_t>();
    reply->sequence = sequence + from.take<std::uint8_t>();
    reply->status = static_cast<protocol::Status>(from.number());
    reply->value_count = static_cast<std::uint32_t>(from.number());
    reply->result_count = static_cast<std::uint32_t>(from.number());
    reply->message_size = static_cast<std::uint32_t>(from.number());
    reply->checked = static_cast<std::uint32_t>(from.number());
    reply->check_offset = from.number();
    for (std::uint32_t k = 0; k < std::min<std::uint32_t>(reply->value_count, protocol::max_values); ++k)
        reply->values[k] = record_of(from);
    // In few inputs: most have no recording.
    if (reply->message_size == 253) {
        reply->recording_offset = from.number();
        reply->recording_bytes = from.number();
    }
    const std::string_view message = from.rest();
    if (reply->message_size == 254) reply->message_size = protocol::message_bytes;
    for (std::size_t k = 0; !message.empty() && k < protocol::message_bytes; ++k)
        reply->message[k] = message[k % message.size()];
    return reply;
}

void check_values(const CallResult& taken, std::span<const Value> arguments, std::span<const ValueType> results,
                  bool inputs_returned) {
    require(taken.results.size() == results.size(), "another number of results than the manifest's");
    std::size_t total = 0, arrays = 0;
    const auto check = [&](const Value& value) {
        std::uint64_t elements = 1;
        for (const std::int64_t length : value.shape) elements *= static_cast<std::uint64_t>(length);
        require(value.bytes.size() == elements * size_of(value.type), "a value whose bytes don't fit its shape");
        total += value.bytes.size();
    };
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Value& value = taken.results[k];
        require(ValueType{value.place, value.type} == results[k], "a result of another type than the manifest's");
        check(value);
    }
    for (const Value& argument : arguments) arrays += argument.place != protocol::Place::scalar ? 1 : 0;
    require(taken.inputs_after.size() == (inputs_returned ? arrays : 0), "not all inputs came back");
    for (const Value& value : taken.inputs_after)
        if (!value.bytes.empty()) check(value);
    require(total <= max_bytes, "more bytes than allowed");
}

}  // namespace

FUZZ_TARGET(runner_reply, std::size_t{1} << 12) {
    static const std::vector<std::byte> memory(memory_bytes, std::byte{0x41});
    Values from(input);
    std::vector<Value> arguments(from.take<std::uint8_t>() % 5);
    for (Value& argument : arguments) argument = argument_of(from);
    std::vector<ValueType> results(from.take<std::uint8_t>() % 4);
    for (ValueType& type : results) {
        const Value value = argument_of(from);
        type = {value.place, value.type};
    }
    const bool inputs_returned = from.take<std::uint8_t>() % 2 == 1;
    const auto reply = reply_of(from);
    CallResult taken;
    try {
        validate_header(*reply, sequence);
        if (reply->checked != 0) taken.check = take_check(memory, reply->check_offset);
        take_recording(*reply, memory, taken);
        require(taken.recording.size() == reply->recording_bytes, "a recording of another length");
        if (reply->status != protocol::Status::done) {
            const CallEnded ended = ending_of(*reply);
            require(ended.reply.outcome != Outcome::returned, "an ending that returned");
            require(ended.reply.message.size() <= 5000, "a long message");
            require_plain(ended.reply.message, "a message");
            return;
        }
        take_values(*reply, memory, arguments, results, inputs_returned, max_bytes, taken);
    } catch (const BadReply& bad) {
        require_plain(bad.what(), "why a reply is refused");
        return;
    }
    check_values(taken, arguments, results, inputs_returned);
    require(used_bytes(*reply) <= memory.size(), "a valid reply used more than there is");
}

}  // namespace fuzz
