// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codegen/parameter_list.hpp"
#include "property/trial.hpp"

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

/// What a call is made of: the same for both kinds of kernels.
struct Call {
    Call(const char* in, const char* out, Kinds kinds, Random& plan);
    [[nodiscard]] gpu::DType type_of(const gpu::detail::ListedParameter& one) const {
        return one.dtype ? *one.dtype : placeholders.at(one.placeholder);
    }
    // Z is an output's only: nothing else decides it.
    [[nodiscard]] bool needs_outputs() const;

    gpu::detail::ListedParameters parameters;
    std::map<std::string, gpu::DType> placeholders;
    std::vector<gpu::Operand> operands;
    std::vector<Input> inputs;  ///< of x and y, then outputs that are given
    Input raw;
    std::vector<double> raw_values;
    std::vector<std::int64_t> raw_lengths;
    double number = 0;
    std::string definitions, spelling;
};

/// The first array has the whole shape, others are parts of it. `raw_rank`: t's; -1: any.
void add_inputs(Call& call, const gpu::Shape& shape, int raw_rank, Random& plan, Random& draw);

void add_outputs(Call& call, const gpu::Shape& shape, Random& plan, Random& draw);

/// x and y as a loop over the shape sees them.
class WalkedInputs {
public:
    WalkedInputs(const Call& call, const gpu::Shape& shape);
    void set(Cell& cell, std::size_t number) const;

private:
    std::vector<Elements> elements_;
    std::vector<double Cell::*> members_;  ///< in the order of the parameters: x or y, or both
};

[[nodiscard]] std::vector<gpu::detail::ArrayCore> run(const gpu::ElementwiseKernel& kernel, const Call& call,
                                                      const gpu::ElementwiseLaunch& launch);
[[nodiscard]] std::vector<gpu::detail::ArrayCore> run(const gpu::ReductionKernel& kernel, const Call& call,
                                                      const gpu::ReductionLaunch& launch);

/// What was wanted and what came of all outputs, one behind the other; of those that were given, the whole array.
void tell(Trial& trial, const Call& call, const std::vector<Elements>& wanted,
          const std::vector<gpu::detail::ArrayCore>& got, bool given);

}  // namespace property
