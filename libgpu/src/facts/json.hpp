// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <gpu/facts.hpp>

// What was found and counted, as JSON: members have the names that they have in the structs.
namespace gpu::facts {

using Json = nlohmann::ordered_json;

/// A value as text on one line, or over several (`indent` >= 0). Bytes that aren't valid UTF-8 become U+FFFD, since
/// JSON can't represent them.
inline std::string json_text(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// An array of the results of `convert` for each value.
template <class List, class Convert>
Json json_list(const List& values, Convert convert) {
    Json json = Json::array();
    for (const auto& value : values) json.push_back(convert(value));
    return json;
}

inline Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json json_of(const Dim3& lengths);
/// All but `prints`: what is printed is free.
Json json_of(const Counts& counts);
Json json_of(const WorkCounts& work);
Json json_of(const Finding& finding);
Json json_of(const WorkSpread& spread);
/// What it is, how it was launched, and its work, line by line.
Json json_of(const KernelCounts& kernel);

}  // namespace gpu::facts
