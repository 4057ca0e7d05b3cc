// SPDX-License-Identifier: MIT
#include "classroom/grades/read_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/text.hpp"

namespace course {

namespace {

using Json = nlohmann::json;

/// Builds the document without the members to skip, which are most of a result.json.
class Builder {
public:
    explicit Builder(const std::vector<std::string_view>& skip) : skip_(&skip) {}

    bool null() { return value(nullptr); }
    bool boolean(bool truth) { return value(truth); }
    bool number_integer(std::int64_t number) { return value(number); }
    bool number_unsigned(std::uint64_t number) { return value(number); }
    bool number_float(double number, const std::string&) { return value(number); }
    bool string(std::string& text) { return value(std::move(text)); }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return start(Json::object()); }
    bool start_array(std::size_t) { return start(Json::array()); }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    bool key(std::string& name) {
        if (skipping_ > 0) return true;
        key_ = std::move(name);
        skip_next_ = std::find(skip_->begin(), skip_->end(), key_) != skip_->end();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
        error_ = error.what();
        return false;
    }

    Json root;
    [[nodiscard]] const std::string& error() const { return error_; }

private:
    static constexpr std::size_t max_levels = 64;

    Json* add(Json value) {
        if (open_.empty()) {
            root = std::move(value);
            return &root;
        }
        Json& into = *open_.back();
        if (into.is_array()) {
            into.push_back(std::move(value));
            return &into.back();
        }
        return &(into[key_] = std::move(value));
    }
    bool value(Json one) {
        if (skipping_ > 0) return true;
        if (skip_next_) {
            skip_next_ = false;
            return true;
        }
        add(std::move(one));
        return true;
    }
    bool start(Json empty) {
        if (++levels_ > max_levels) {
            error_ = fmt::format("more than {} levels of nesting", max_levels);
            return false;
        }
        if (skipping_ > 0 || skip_next_) {
            skip_next_ = false;
            ++skipping_;
            return true;
        }
        open_.push_back(add(std::move(empty)));
        return true;
    }
    bool end() {
        --levels_;
        if (skipping_ > 0)
            --skipping_;
        else
            open_.pop_back();
        return true;
    }

    const std::vector<std::string_view>* skip_;
    std::vector<Json*> open_;
    std::string key_, error_;
    std::size_t levels_ = 0, skipping_ = 0;
    bool skip_next_ = false;
};

}  // namespace

nlohmann::json read_json(std::string_view text, const std::vector<std::string_view>& skip) {
    Builder builder(skip);
    if (!Json::sax_parse(text.begin(), text.end(), &builder))
        throw std::runtime_error(plain_line(builder.error().empty() ? "it isn't JSON" : builder.error()));
    return std::move(builder.root);
}

JsonObject::JsonObject(const nlohmann::json& json, std::string where) : json_(&json), where_(std::move(where)) {
    if (!json.is_object())
        throw std::runtime_error(fmt::format("{} isn't a JSON object", where_.empty() ? "it" : where_));
}

void JsonObject::fail(const char* key, const std::string& expected) const {
    throw std::runtime_error(fmt::format("\"{}{}{}\" should be {}", where_, where_.empty() ? "" : ".", key, expected));
}

void JsonObject::know(const std::vector<std::string_view>& keys) const {
    for (const auto& [key, value] : json_->items()) {
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        const std::string near = closest_match(key, keys);
        throw std::runtime_error(fmt::format("\"{}{}{}\" is unknown; {}", where_, where_.empty() ? "" : ".",
                                             plain_line(key),
                                             near.empty() ? fmt::format("expected one of: {}", fmt::join(keys, ", "))
                                                          : fmt::format("did you mean \"{}\"?", near)));
    }
}

bool JsonObject::has(const char* key) const {
    const auto at = json_->find(key);
    return at != json_->end() && !at->is_null();
}

const nlohmann::json& JsonObject::need(const char* key) const {
    const auto at = json_->find(key);
    if (at == json_->end()) fail(key, "there");
    return *at;
}

std::string JsonObject::text(const char* key, std::size_t max_bytes) const {
    const Json& value = need(key);
    if (!value.is_string()) fail(key, "a string");
    return plain_text(value.get_ref<const std::string&>(), max_bytes, 200);
}

int JsonObject::integer(const char* key, int min, int max) const {
    const Json& value = need(key);
    if (!value.is_number_integer()) fail(key, "an integer");
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT32_MAX)
                                                 : value.get<std::int64_t>() >= INT32_MIN;
    const std::int64_t number = fits ? value.get<std::int64_t>() : INT64_MAX;
    if (number < min || number > max) fail(key, fmt::format("{} to {}", min, max));
    return static_cast<int>(number);
}

double JsonObject::number(const char* key) const {
    const Json& value = need(key);
    if (value.is_null()) return 0;
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, "a number");
    return value.get<double>();
}

bool JsonObject::boolean(const char* key) const {
    const Json& value = need(key);
    if (!value.is_boolean()) fail(key, "true or false");
    return value.get<bool>();
}

const nlohmann::json& JsonObject::list(const char* key) const {
    const Json& value = need(key);
    if (!value.is_array()) fail(key, "a list");
    return value;
}

std::vector<std::string> JsonObject::texts(const char* key) const {
    std::vector<std::string> texts;
    for (const Json& one : list(key)) {
        if (!one.is_string()) fail(key, "a list of strings");
        texts.push_back(plain_line(one.get_ref<const std::string&>()));
    }
    return texts;
}

JsonObject JsonObject::object(const char* key) const { return {need(key), where_ + (where_.empty() ? "" : ".") + key}; }

std::vector<JsonObject> JsonObject::objects(const char* key) const {
    std::vector<JsonObject> objects;
    for (const Json& one : list(key))
        objects.emplace_back(one, fmt::format("{}{}{}[{}]", where_, where_.empty() ? "" : ".", key, objects.size()));
    return objects;
}

}  // namespace course
