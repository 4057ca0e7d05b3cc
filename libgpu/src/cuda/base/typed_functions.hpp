// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

#include <gpu/dtype.hpp>

#include "backend/library.hpp"

namespace gpu::detail::cuda {

using detail::look_up;

/// The four element types of cuBLAS's and cuSOLVER's functions, in the order of their letters S, D, C, Z.
[[nodiscard]] constexpr std::size_t letter_of(DType dtype) noexcept {
    return (is_complex(dtype) ? 2 : 0) + (real_dtype(dtype) == DType::float64 ? 1 : 0);
}

/// A function that the libraries have once for each element type, with void in the elements' place.
template <class Function>
struct ByType {
    std::array<Function*, 4> functions{};

    [[nodiscard]] Function* operator[](DType dtype) const noexcept { return functions[letter_of(dtype)]; }
};

/// Looks up prefix + S, D, C or Z + name.
template <class Function>
void look_up(void* library, const std::string& prefix, const std::string& name, ByType<Function>& function) {
    for (std::size_t k = 0; k < 4; ++k) look_up(library, prefix + "SDCZ"[k] + name, function.functions[k]);
}

/// True if a function of the toolkit's headers takes what ours takes: the same, or some pointer where we have one.
template <class Theirs, class Ours>
struct Matches : std::false_type {};
template <class R, class... Theirs, class... Ours>
    requires(sizeof...(Theirs) == sizeof...(Ours))
struct Matches<R(Theirs...), R(Ours...)>
    : std::bool_constant<((std::is_same_v<Theirs, Ours> || (std::is_pointer_v<Theirs> && std::is_pointer_v<Ours>)) &&
                          ...)> {};

}  // namespace gpu::detail::cuda
