// SPDX-License-Identifier: MIT
#include "run/reference.hpp"

#include <cstring>

#include "protocol/protocol_reference.hpp"

namespace course {

namespace {

template <class T>
Value argument_of(const std::vector<T>& values, ValueType type) {
    Value argument{.place = type.place, .type = type.type, .shape = {}, .bytes = Bytes(values.size() * sizeof(T))};
    if (type.place != protocol::Place::scalar) argument.shape = {std::ssize(values)};
    if (!values.empty()) std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
    return argument;
}

}  // namespace

CallReply call_reference(Session& session, const ReferenceWork& work) {
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
