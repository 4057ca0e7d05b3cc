// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpu::detail::report {

/// Writes one JSON text, member by member, indented by two spaces. The caller closes what it opens.
class JsonWriter {
public:
    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    /// The name of the value that comes next.
    JsonWriter& key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }  // else it would be a truth
    void value(std::uint64_t number) { scalar(std::to_string(number)); }
    void value(std::int64_t number) { scalar(std::to_string(number)); }
    void value(int number) { scalar(std::to_string(number)); }
    void value(bool truth) { scalar(truth ? "true" : "false"); }

    /// Ends with a newline.
    [[nodiscard]] std::string text() const { return text_ + '\n'; }

private:
    void open(char bracket);
    void close(char bracket);
    void scalar(std::string_view text);
    void separate();

    std::string text_;
    int depth_ = 0;
    bool first_ = true;  // in this object or array
    bool after_key_ = false;
};

/// With its quotes. Bytes that are no UTF-8 become U+FFFD, as JSON has no place for them.
std::string json_string(std::string_view text);

}  // namespace gpu::detail::report
