// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gpu/recording.hpp>

// One description of a structure's fields writes it and reads it: see recording.cpp. Numbers take eight bytes, texts
// and lists have their length in front.
namespace gpu::detail::record {

/// Writes fields one after the other.
class Writer {
public:
    template <class T>
    void number(const T& value) {
        const auto wide = static_cast<std::uint64_t>(value);
        bytes_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    }
    template <class E>
    void choice(const E& value, E /*last*/) {
        number(static_cast<std::uint64_t>(value));
    }
    void text(const std::string& value) {
        number(value.size());
        bytes_ += value;
    }
    template <class T, class F>
    void list(std::vector<T>& values, const F& fields) {
        number(values.size());
        for (T& value : values) fields(*this, value);
    }
    [[nodiscard]] std::string& bytes() noexcept { return bytes_; }

private:
    std::string bytes_;
};

/// Reads them back from bytes that anybody may have written. @throws RecordingError
class Reader {
public:
    explicit Reader(std::string_view bytes) noexcept : rest_(bytes) {}

    template <class T>
    void number(T& value) {
        std::uint64_t wide = 0;
        std::memcpy(&wide, take(sizeof wide).data(), sizeof wide);
        if constexpr (std::is_same_v<T, bool>) {
            if (wide > 1) refuse("a truth value that is neither 0 nor 1");
            value = wide != 0;
        } else {
            value = static_cast<T>(wide);
            if (static_cast<std::uint64_t>(value) != wide) refuse("a number that doesn't fit its type");
        }
    }
    template <class E>
    void choice(E& value, E last) {
        std::uint64_t wide = 0;
        number(wide);
        if (wide > static_cast<std::uint64_t>(last)) refuse("a choice that doesn't exist");
        value = static_cast<E>(wide);
    }
    void text(std::string& value) { value = take(length()); }
    template <class T, class F>
    void list(std::vector<T>& values, const F& fields) {
        std::uint64_t count = 0;
        number(count);
        if (count > rest_.size() / sizeof count) refuse("a list beyond its end");   // an element has a number at least
        values.clear();
        for (std::uint64_t k = 0; k < count; ++k) fields(*this, values.emplace_back());
    }
    [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

private:
    [[noreturn]] static void refuse(const char* what) {
        throw RecordingError(std::string("the recording has ") + what);
    }
    std::string_view take(std::size_t bytes) {
        if (bytes > rest_.size()) refuse("an end in the middle of a step");
        const std::string_view taken = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return taken;
    }
    std::size_t length() {
        std::uint64_t value = 0;
        number(value);
        if (value > rest_.size()) refuse("a length beyond its end");
        return static_cast<std::size_t>(value);
    }

    std::string_view rest_;
};

}  // namespace gpu::detail::record
