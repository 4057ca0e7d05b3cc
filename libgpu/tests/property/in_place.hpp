// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <string>
#include <utility>

#include "property/operations.hpp"

/// The operators in place, for whoever draws one.
namespace property {

// One row an operator: what it is of, as C++ refuses the rest when it compiles.
struct Update {
    const char* symbol;
    bool of_bool, of_real, of_complex, divides;
};
inline constexpr Update updates[] = {{"+", true, true, true, false},    {"-", false, true, true, false},
                                     {"*", true, true, true, false},    {"/", false, true, true, true},
                                     {"%", false, true, false, true},   {"&", true, false, false, false},
                                     {"|", true, false, false, false},  {"^", true, false, false, false},
                                     {"<<", false, false, false, true}, {">>", false, false, false, true}};

constexpr bool is_offered(int number, gpu::DType type) {
    const Update& update = updates[number];
    if (type == gpu::DType::boolean) return update.of_bool;
    if (gpu::is_complex(type)) return update.of_complex;
    return update.of_real || !gpu::is_floating(type);
}

template <int number, class Target, class B>
void apply(Target& a, const B& b) {
    if constexpr (number == 0) a += b;
    if constexpr (number == 1) a -= b;
    if constexpr (number == 2) a *= b;
    if constexpr (number == 3) a /= b;
    if constexpr (number == 4) a %= b;
    if constexpr (number == 5) a &= b;
    if constexpr (number == 6) a |= b;
    if constexpr (number == 7) a ^= b;
    if constexpr (number == 8) a <<= b;
    if constexpr (number == 9) a >>= b;
}

template <class T, class Target, class B>
void update(int number, Target& a, const B& b) {
    [&]<int... k>(std::integer_sequence<int, k...>) {
        const auto one = [&]<int n>(std::integral_constant<int, n>) {
            if constexpr (is_offered(n, gpu::dtype_of<T>)) apply<n>(a, b);
        };
        (void)((number == k && (one(std::integral_constant<int, k>{}), true)) || ...);
    }(std::make_integer_sequence<int, static_cast<int>(std::size(updates))>{});
}

/// The row of `a + b` for "+".
[[nodiscard]] const Operation& row_of(const std::string& symbol);

}  // namespace property
