// SPDX-License-Identifier: MIT
#include "manifest/names.hpp"

#include <algorithm>

namespace course {

std::optional<protocol::ValueType> parse_value_type(std::string_view text) {
    protocol::ValueType type{protocol::Place::scalar, protocol::Type::boolean};
    const auto unwrap = [&](std::string_view head, protocol::Place place) {
        if (!text.starts_with(head) || !text.ends_with('>')) return;
        text = text.substr(head.size(), text.size() - head.size() - 1);
        type.place = place;
    };
    unwrap("array<", protocol::Place::device_array);
    if (type.place == protocol::Place::scalar) unwrap("vector<", protocol::Place::host_vector);
    const auto found = std::find(type_names.begin(), type_names.end(), text);
    if (found == type_names.end()) return std::nullopt;
    type.type = static_cast<protocol::Type>(found - type_names.begin());
    return type;
}

bool is_ratio(std::string_view counter) noexcept {
    return is_one_of(counter, ratio_names);
}

bool is_counted_in_check_mode(std::string_view counter) noexcept {
    return is_ratio(counter) || is_one_of(counter, work_counter_names);
}

bool is_parallelism(std::string_view counter) noexcept { return counter.ends_with(" parallelism"); }

bool is_about_work(std::string_view counter) noexcept {
    return is_counted_in_check_mode(counter) || is_parallelism(counter);
}

std::string to_string(protocol::ValueType type) {
    const std::string element(type_names.at(static_cast<std::size_t>(type.type)));
    switch (type.place) {
        case protocol::Place::device_array: return "array<" + element + ">";
        case protocol::Place::host_vector: return "vector<" + element + ">";
        case protocol::Place::scalar: break;
    }
    return element;
}

}  // namespace course
