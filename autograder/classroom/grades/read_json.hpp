// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace course {

/// Parses JSON that may be damaged: at most 64 levels deep; members with one of the names in `skip` become null.
/// @throws std::runtime_error
nlohmann::json read_json(std::string_view text, const std::vector<std::string_view>& skip = {});

/// A JSON object for reading key by key: each mistake becomes an error that names the key.
class JsonObject {
public:
    /// @param where for example "tasks[2]"; empty: the document. @throws std::runtime_error if it is no object.
    JsonObject(const nlohmann::json& json, std::string where);

    [[nodiscard]] bool has(const char* key) const;                                         ///< present, and not null
    [[nodiscard]] std::string text(const char* key, std::size_t max_bytes = 4096) const;  ///< made printable
    [[nodiscard]] std::string text_or_empty(const char* key) const { return has(key) ? text(key) : std::string(); }
    [[nodiscard]] int integer(const char* key, int min, int max) const;
    [[nodiscard]] double number(const char* key) const;  ///< null is 0
    [[nodiscard]] bool boolean(const char* key) const;
    [[nodiscard]] std::vector<std::string> texts(const char* key) const;
    [[nodiscard]] JsonObject object(const char* key) const;
    [[nodiscard]] std::vector<JsonObject> objects(const char* key) const;
    [[nodiscard]] const nlohmann::json& list(const char* key) const;
    [[noreturn]] void fail(const char* key, const std::string& expected) const;
    void know(const std::vector<std::string_view>& keys) const;  ///< @throws std::runtime_error for any other key

private:
    [[nodiscard]] const nlohmann::json& need(const char* key) const;

    const nlohmann::json* json_;
    std::string where_;
};

}  // namespace course
