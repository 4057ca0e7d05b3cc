// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "manifest/manifest.hpp"

namespace course {

/// A TOML table read key by key; every mistake becomes a ManifestError with file, line and column.
class TomlTable {
public:
    TomlTable(const toml::table& table, std::string file) : table_(&table), file_(std::move(file)) {}

    /// Throws for the first key that isn't one of these; call it first, so that a misspelt key is reported as such.
    void know(std::vector<std::string_view> keys) const;

    [[nodiscard]] bool has(std::string_view key) const { return table_->contains(key); }
    [[nodiscard]] std::string text(std::string_view key) const;                 ///< a string that isn't blank
    [[nodiscard]] std::string text_or_empty(std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t min) const;
    /// A number of minutes, points, ...: at most 10,000.
    [[nodiscard]] int count(std::string_view key, int min) const;
    [[nodiscard]] double number(std::string_view key, double min) const;
    [[nodiscard]] bool boolean_or_false(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;   ///< non-blank strings
    [[nodiscard]] std::vector<TomlTable> tables(std::string_view key) const;    ///< [[key]], none if it is missing
    [[nodiscard]] TomlTable table(std::string_view key) const;                  ///< key = { ... }
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;   ///< a list of them
    /// A date and time, with or without an offset from UTC.
    [[nodiscard]] toml::date_time date_time(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> keys() const;
    [[nodiscard]] bool is_table(std::string_view key) const;

    /// Where the table begins: "class.toml:12:1".
    [[nodiscard]] std::string place() const;

    /// Reports a mistake at a key's value (at the table's head, if it has no such key).
    [[noreturn]] void fail(std::string_view key, const std::string& message) const;
    /// Reports a mistake at the key itself.
    [[noreturn]] void fail_at_key(std::string_view key, const std::string& message) const;
    /// Reports a mistake at the index-th element of an array.
    [[noreturn]] void fail(std::string_view key, std::size_t index, const std::string& message) const;

private:
    [[nodiscard]] const toml::node& need(std::string_view key, std::string_view what) const;
    [[noreturn]] void fail_at(const toml::source_region& where, const std::string& message) const;

    const toml::table* table_;
    std::string file_;
};

/// A TOML file of the course, with its name in messages.
class TomlDocument {
public:
    /// @param shown as in "lessons/06-raw-kernels/lesson.toml"
    /// @param what it describes: "lesson 6"
    /// @throws ManifestError if it is missing or isn't TOML.
    TomlDocument(const std::filesystem::path& path, std::string shown, const std::string& what);
    /// The same for a text. @throws ManifestError if it isn't TOML.
    TomlDocument(std::string_view text, std::string shown);

    [[nodiscard]] TomlTable table() const { return {document_, shown_}; }
    /// Requires the key "format", with a version that this kit knows. @throws ManifestError.
    void need_format(std::int64_t newest, const std::string& what) const;

private:
    std::string shown_;
    toml::table document_;
};

}  // namespace course
