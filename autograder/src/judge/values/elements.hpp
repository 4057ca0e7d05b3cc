// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <course/check_host.hpp>

#include "manifest/manifest.hpp"
#include "run/caller.hpp"

namespace course {

/// Calls use(T()) with T the element type for `type`; booleans are bytes (a reply may contain any).
template <class Use>
decltype(auto) with_type(protocol::Type type, const Use& use) {
    using protocol::Type;
    switch (type) {
        case Type::boolean: break;
        case Type::int8: return use(std::int8_t());
        case Type::int16: return use(std::int16_t());
        case Type::int32: return use(std::int32_t());
        case Type::int64: return use(std::int64_t());
        case Type::uint8: break;
        case Type::uint16: return use(std::uint16_t());
        case Type::uint32: return use(std::uint32_t());
        case Type::uint64: return use(std::uint64_t());
        case Type::float32: return use(float());
        case Type::float64: return use(double());
    }
    return use(std::uint8_t());
}

/// libgpu fills fresh arrays (up to 4 MiB) with this byte for the runner: a NaN as a float or double, -1 or the largest
/// integer.
inline constexpr unsigned char unwritten_byte = 0xFF;

/// A read-only, typed view of a value's elements in row-major order.
class Elements {
public:
    explicit Elements(const Value& value);

    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    [[nodiscard]] bool floating() const noexcept { return type_ >= protocol::Type::float32; }
    [[nodiscard]] std::size_t element_bytes() const noexcept { return element_bytes_; }

    /// The element as T, which must be the value's own type.
    template <class T>
    [[nodiscard]] T as(std::int64_t i) const noexcept {
        T element;
        std::memcpy(&element, data_ + static_cast<std::size_t>(i) * sizeof(T), sizeof element);
        return element;
    }

    [[nodiscard]] double operator[](std::int64_t i) const;
    /// True if the element's bytes are still those of a fresh array.
    [[nodiscard]] bool unwritten(std::int64_t i) const noexcept;
    /// The element as short text: 7 digits of a float, 10 of a double. `exactly` gives all digits needed.
    [[nodiscard]] std::string text(std::int64_t i, bool exactly = false) const;

private:
    protocol::Type type_;
    const std::byte* data_;
    std::size_t element_bytes_;
    std::int64_t size_;
};

/// True if one of them holds an infinity or a NaN.
bool has_nonfinite(std::span<const Value> values);

/// A number as text, as a value of `type` would be printed.
std::string number_text(double number, protocol::Type type, bool exactly = false);

/// The number of elements that a shape holds.
std::int64_t size_of(const std::vector<std::int64_t>& shape) noexcept;

/// "(3,4)", "(5)", "()".
std::string shape_text(const std::vector<std::int64_t>& shape);

/// "[2,17]": the indices of the i-th element in row-major order; empty for a scalar.
std::string index_text(const std::vector<std::int64_t>& shape, std::int64_t i);

/// A check's arguments in the types that the manifest declares. Scalars are converted if that keeps the value.
/// @throws CheckError for a wrong number of arguments, a vector in place of a number, another element type, ...
std::vector<Value> to_values(const Function& function, std::vector<CheckValue> arguments);

/// A result in the form that checks use.
CheckValue to_check_value(const Value& value);

/// The default name of a case: "n = 257", "19 x 67", "n = 257 and 19 x 67"; without arrays "squares(257)".
std::string case_name(const Function& function, std::span<const Value> arguments);

/// True if one of them isn't a number.
bool has_arrays(std::span<const Value> values);

/// Elements of the largest array; 0 if there is none.
std::int64_t largest_size(std::span<const Value> values);

}  // namespace course
