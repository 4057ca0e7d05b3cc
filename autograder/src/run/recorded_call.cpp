// SPDX-License-Identifier: MIT
#include "run/recorded_call.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace course {

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

}  // namespace course
