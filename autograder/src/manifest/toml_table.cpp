// SPDX-License-Identifier: MIT
#include "manifest/toml_table.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/text.hpp"

namespace course {

namespace {

std::string kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "a list";
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a number";
        case toml::node_type::boolean: return "a boolean";
        default: return "a date or time";
    }
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

}  // namespace

ManifestError::ManifestError(const std::string& text) : std::runtime_error(plain_text(text, 8192, 60)) {}

std::string TomlTable::place() const {
    const toml::source_position at = table_->source().begin;
    return fmt::format("{}:{}:{}", file_, at.line, at.column);
}

void TomlTable::fail_at(const toml::source_region& where, const std::string& message) const {
    throw ManifestError(fmt::format("{}:{}:{}: {}", file_, where.begin.line, where.begin.column, message));
}

void TomlTable::fail(std::string_view key, const std::string& message) const {
    const toml::node* node = table_->get(key);
    fail_at(node ? node->source() : table_->source(), message);
}

void TomlTable::fail(std::string_view key, std::size_t index, const std::string& message) const {
    fail_at(table_->get(key)->as_array()->get(index)->source(), message);
}

void TomlTable::fail_at_key(std::string_view name, const std::string& message) const {
    for (const auto& [key, node] : *table_)
        if (key.str() == name) fail_at(key.source(), message);
    fail_at(table_->source(), message);
}

void TomlTable::know(std::vector<std::string_view> keys) const {
    std::sort(keys.begin(), keys.end());
    for (const auto& [key, node] : *table_)
        if (!std::binary_search(keys.begin(), keys.end(), key.str()))
            fail_at(key.source(),
                    fmt::format("unknown key \"{}\"; expected one of: {}", key.str(), fmt::join(keys, ", ")));
}

const toml::node& TomlTable::need(std::string_view key, std::string_view what) const {
    if (const toml::node* node = table_->get(key)) return *node;
    fail_at(table_->source(), fmt::format("the key \"{}\" is missing here; expected {}", key, what));
}

std::string TomlTable::text(std::string_view key) const {
    const toml::node& node = need(key, "a string");
    const auto* value = node.as_string();
    if (!value) fail(key, fmt::format("\"{}\" is {}; expected a string", key, kind_of(node)));
    if (is_blank(value->get())) fail(key, fmt::format("\"{}\" is empty; expected a string with something in it", key));
    return value->get();
}

std::string TomlTable::text_or_empty(std::string_view key) const { return has(key) ? text(key) : std::string(); }

std::int64_t TomlTable::integer(std::string_view key, std::int64_t min) const {
    const toml::node& node = need(key, "an integer");
    const auto* value = node.as_integer();
    if (!value) fail(key, fmt::format("\"{}\" is {}; expected an integer", key, kind_of(node)));
    if (value->get() < min) fail(key, fmt::format("\"{}\" is {}; expected {} or more", key, value->get(), min));
    return value->get();
}

int TomlTable::count(std::string_view key, int min) const {
    constexpr std::int64_t max_number = 10'000;   // so that sums fit an int
    const std::int64_t value = integer(key, min);
    if (value > max_number) fail(key, fmt::format("\"{}\" is {}; expected {} to {}", key, value, min, max_number));
    return static_cast<int>(value);
}

double TomlTable::number(std::string_view key, double min) const {
    const toml::node& node = need(key, "a number");
    if (!node.is_number()) fail(key, fmt::format("\"{}\" is {}; expected a number", key, kind_of(node)));
    const double value = node.value<double>().value_or(0);
    if (!(value >= min) || value > 1e18) fail(key, fmt::format("\"{}\" is {}; expected {} or more", key, value, min));
    return value;
}

bool TomlTable::boolean_or_false(std::string_view key) const {
    const toml::node* node = table_->get(key);
    if (!node) return false;
    const auto* value = node->as_boolean();
    if (!value) fail(key, fmt::format("\"{}\" is {}; expected true or false", key, kind_of(*node)));
    return value->get();
}

std::vector<std::string> TomlTable::texts(std::string_view key) const {
    const toml::node& node = need(key, "a list of strings");
    const auto* list = node.as_array();
    if (!list) fail(key, fmt::format("\"{}\" is {}; expected a list of strings", key, kind_of(node)));
    std::vector<std::string> values;
    for (std::size_t k = 0; k < list->size(); ++k) {
        const auto* value = list->get(k)->as_string();
        const std::string which = fmt::format("element {} of \"{}\"", k + 1, key);
        if (!value) fail(key, k, fmt::format("{} is {}; expected a string", which, kind_of(*list->get(k))));
        if (is_blank(value->get()))
            fail(key, k, fmt::format("{} is empty; expected a string with something in it", which));
        values.push_back(value->get());
    }
    return values;
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
    std::vector<TomlTable> found;
    const toml::node* node = table_->get(key);
    if (!node) return found;
    const auto* list = node->as_array();
    if (!list || !list->is_homogeneous(toml::node_type::table))
        fail(key, fmt::format("\"{0}\" is {1}; expected tables, written [[{0}]]", key, kind_of(*node)));
    for (const toml::node& element : *list) found.emplace_back(*element.as_table(), file_);
    return found;
}

TomlTable TomlTable::table(std::string_view key) const {
    const toml::node& node = need(key, "a table, { ... }");
    if (!node.is_table()) fail(key, fmt::format("\"{}\" is {}; expected a table, {{ ... }}", key, kind_of(node)));
    return {*node.as_table(), file_};
}

std::vector<std::int64_t> TomlTable::integers(std::string_view key) const {
    const toml::node& node = need(key, "a list of integers");
    const auto* list = node.as_array();
    if (!list) fail(key, fmt::format("\"{}\" is {}; expected a list of integers", key, kind_of(node)));
    std::vector<std::int64_t> values;
    for (std::size_t k = 0; k < list->size(); ++k) {
        const auto* value = list->get(k)->as_integer();
        if (!value) {
            const auto kind = kind_of(*list->get(k));
            fail(key, k, fmt::format("element {} of \"{}\" is {}; expected an integer", k + 1, key, kind));
        }
        values.push_back(value->get());
    }
    return values;
}

toml::date_time TomlTable::date_time(std::string_view key) const {
    const toml::node& node = need(key, "a date and time");
    const auto* value = node.as_date_time();
    if (!value) {
        fail(key,
             fmt::format("\"{}\" is {}; expected a date and time, as in 2026-12-01T23:59:00", key, kind_of(node)));
    }
    return value->get();
}

std::vector<std::string> TomlTable::keys() const {
    std::vector<std::string> names;
    for (const auto& [key, node] : *table_) names.emplace_back(key.str());
    return names;
}

bool TomlTable::is_table(std::string_view key) const {
    const toml::node* node = table_->get(key);
    return node && node->is_table();
}

namespace {

template <class Parse>
toml::table parsed(const std::string& shown, const Parse& parse) {
    try {
        return parse();
    } catch (const toml::parse_error& error) {
        throw ManifestError(fmt::format("{}:{}:{}: this isn't TOML: {}", shown, error.source().begin.line,
                                        error.source().begin.column, error.description()));
    }
}

}  // namespace

TomlDocument::TomlDocument(const std::filesystem::path& path, std::string shown, const std::string& what)
    : shown_(std::move(shown)) {
    if (!std::filesystem::is_regular_file(path))
        throw ManifestError(fmt::format("{}: there is no such file; expected the description of {}", shown_, what));
    document_ = parsed(shown_, [&] { return toml::parse_file(path.string()); });
}

TomlDocument::TomlDocument(std::string_view text, std::string shown)
    : shown_(std::move(shown)), document_(parsed(shown_, [&] { return toml::parse(text); })) {}

void TomlDocument::need_format(std::int64_t newest, const std::string& what) const {
    const TomlTable all = table();
    if (const std::int64_t format = all.integer("format", 1); format > newest)
        all.fail("format",
                 fmt::format("this {} needs a newer kit: it has format {}, and this kit knows formats up to {}", what,
                             format, newest));
}

}  // namespace course
