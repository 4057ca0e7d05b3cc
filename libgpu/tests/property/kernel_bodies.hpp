// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace property {

/// What one element of an elementwise kernel, or one mapped element of a reduction, sees; in double.
struct Cell {
    double x = 0, y = 0;                                 ///< inputs that broadcast
    double s = 0;                                        ///< a number
    double z = 0, w = 0;                                 ///< outputs; before, their old values
    std::int64_t i = 0;                                  ///< the element's place: `i`, or in a reduction `_J`
    std::int64_t n = 0;                                  ///< `_ind.size()`, or in a reduction `_in_ind.size()`
    std::int64_t results = 0;                            ///< `_out_ind.size()`
    const std::vector<std::int64_t>* at = nullptr;       ///< `_ind.get()`
    const std::vector<double>* t = nullptr;              ///< a raw input in row-major order
    const std::vector<std::int64_t>* lengths = nullptr;  ///< its shape

    [[nodiscard]] double raw(std::int64_t j) const { return (*t)[static_cast<std::size_t>(j)]; }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(t->size()); }
};

/// For which elements T stands.
enum class Kinds : std::uint8_t { real, integer, any };

/// The body of an elementwise kernel, and the same as a C++ function. Parameters are called x, y (inputs), s (always a
/// number), t (raw) and z, w (outputs).
struct ElementwiseBody {
    const char* inputs;
    const char* outputs;
    const char* text;
    Kinds kinds;
    double scale;  ///< what values in between reach, where inputs are at most 9: rounding is of that size
    void (*function)(Cell& cell);
    int raw_rank = -1;           ///< t's; -1: any
    bool reads_outputs = false;  ///< they must be given
};
[[nodiscard]] const std::vector<ElementwiseBody>& elementwise_bodies();

/// How rounding grows over a reduction.
enum class Growth : std::uint8_t { sum, product, choice };

/// A reduction kernel's texts, and the same as C++ functions.
struct ReductionBody {
    const char* inputs;
    const char* outputs;
    const char* map;
    const char* reduce;
    const char* post;
    const char* identity;
    Kinds kinds;
    Growth growth;
    double (*map_function)(const Cell& cell);
    double (*reduce_function)(double a, double b);
    void (*post_function)(Cell& cell, double a);
    double start = 0;  ///< the identity's value
    const char* reduce_type = "";
};
[[nodiscard]] const std::vector<ReductionBody>& reduction_bodies();

}  // namespace property
