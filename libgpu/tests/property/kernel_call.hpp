// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codegen/parameter_list.hpp"
#include "property/kernel_bodies.hpp"
#include "property/trial.hpp"

namespace property {

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
