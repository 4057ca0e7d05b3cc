// SPDX-License-Identifier: MIT
#include "property/kernel_call.hpp"

#include <algorithm>
#include <stdexcept>

namespace property {

namespace {

using gpu::DType;
using gpu::detail::ListedParameter;

constexpr DType reals[] = {DType::float32, DType::float64, DType::float16};
constexpr DType integers[] = {DType::int32, DType::int64, DType::int16};

DType draw_type(Kinds kinds, Random& plan) {
    const bool real = kinds == Kinds::real || (kinds == Kinds::any && plan.chance(60));
    return real ? reals[plan.below(3)] : integers[plan.below(3)];
}

Values values_for(DType type) {
    Values values;
    values.exact = true;
    values.divisor = type != DType::boolean && is_integral(type);
    return values;
}

void add_operand(Call& call, const gpu::Operand& operand, const std::string& spelling) {
    call.operands.push_back(operand);
    call.spelling += (call.spelling.empty() ? "" : ", ") + spelling;
}

gpu::Operand operand_of(const Input& input) { return gpu::Operand(gpu::AnyArray(input.window)); }

void add_raw(Call& call, DType type, int wanted, Random& plan, Random& draw) {
    gpu::Shape shape;
    const int rank = wanted >= 0 ? wanted : plan.below(4);
    for (int axis = 0; axis < rank; ++axis) shape.append(draw.between(1, 6));
    call.raw = draw_input("t", type, shape, values_for(type), plan, draw, 4);
    for (const Element& element : call.raw.elements.values) call.raw_values.push_back(static_cast<double>(element.re));
    for (std::int64_t length : shape) call.raw_lengths.push_back(length);
    call.definitions += "  " + call.raw.definition + "\n";
    add_operand(call, operand_of(call.raw), call.raw.spelling);
}

// A part of the shape, as broadcasting completes it.
gpu::Shape draw_smaller(const gpu::Shape& shape, Random& plan) {
    if (plan.chance(50)) return shape;
    gpu::Shape smaller;
    for (int axis = plan.below(shape.rank() + 1); axis < shape.rank(); ++axis) {
        smaller.append(plan.chance(30) ? 1 : shape[axis]);
    }
    return smaller;
}

template <class Kernel, class Launch>
std::vector<gpu::detail::ArrayCore> run_any(const Kernel& kernel, const Call& call, const Launch& launch) {
    const auto with = [&](std::initializer_list<gpu::Operand> operands) -> std::vector<gpu::detail::ArrayCore> {
        if (call.parameters.outputs.size() == 1) {
            const auto [z] = kernel.template all<1>(operands, launch);
            return {z.core()};
        }
        const auto [z, w] = kernel.template all<2>(operands, launch);
        return {z.core(), w.core()};
    };
    const std::vector<gpu::Operand>& o = call.operands;
    switch (o.size()) {
        case 1: return with({o[0]});
        case 2: return with({o[0], o[1]});
        case 3: return with({o[0], o[1], o[2]});
        case 4: return with({o[0], o[1], o[2], o[3]});
        case 5: return with({o[0], o[1], o[2], o[3], o[4]});
        default: throw std::logic_error("a body with too many operands");
    }
}

}  // namespace

Call::Call(const char* in, const char* out, Kinds kinds, Random& plan)
    : parameters(gpu::detail::parse_parameters(in, out, "body")) {
    placeholders = {{"T", draw_type(kinds, plan)}, {"X", draw_type(kinds, plan)}, {"Z", draw_type(Kinds::real, plan)}};
}

bool Call::needs_outputs() const {
    return std::any_of(parameters.outputs.begin(), parameters.outputs.end(),
                       [](const ListedParameter& one) { return one.placeholder == "Z"; });
}

void add_inputs(Call& call, const gpu::Shape& shape, int raw_rank, Random& plan, Random& draw) {
    bool first = true;
    for (const ListedParameter& parameter : call.parameters.inputs) {
        const DType type = call.type_of(parameter);
        if (parameter.name == "s") {
            call.number = static_cast<double>(draw_value(type, values_for(type), draw).re);
            add_operand(call, gpu::Operand(call.number), std::to_string(call.number));
        } else if (parameter.is_raw) {
            add_raw(call, type, raw_rank, plan, draw);
        } else {
            const gpu::Shape own = first ? shape : draw_smaller(shape, plan);
            call.inputs.push_back(draw_input(parameter.name, type, own, values_for(type), plan, draw, 4));
            call.definitions += "  " + call.inputs.back().definition + "\n";
            add_operand(call, operand_of(call.inputs.back()), call.inputs.back().spelling);
            first = false;
        }
    }
}

void add_outputs(Call& call, const gpu::Shape& shape, Random& plan, Random& draw) {
    for (const ListedParameter& parameter : call.parameters.outputs) {
        const DType type = call.type_of(parameter);
        const Input target = draw_input(parameter.name, type, shape, values_for(type), plan, draw);
        call.definitions += "  " + target.definition + "\n";
        add_operand(call, gpu::Operand(gpu::Output(target.window)), "gpu::out(" + target.spelling + ")");
        call.inputs.push_back(target);
    }
}

WalkedInputs::WalkedInputs(const Call& call, const gpu::Shape& shape) {
    std::size_t next = 0;
    for (const ListedParameter& parameter : call.parameters.inputs) {
        if (parameter.is_raw || parameter.name == "s") continue;
        elements_.push_back(broadcasted(call.inputs[next++].elements, shape));
        members_.push_back(parameter.name == "x" ? &Cell::x : &Cell::y);
    }
}

void WalkedInputs::set(Cell& cell, std::size_t number) const {
    for (std::size_t k = 0; k < elements_.size(); ++k)
        cell.*members_[k] = static_cast<double>(elements_[k].values[number].re);
}

std::vector<gpu::detail::ArrayCore> run(const gpu::ElementwiseKernel& kernel, const Call& call,
                                        const gpu::ElementwiseLaunch& launch) {
    return run_any(kernel, call, launch);
}
std::vector<gpu::detail::ArrayCore> run(const gpu::ReductionKernel& kernel, const Call& call,
                                        const gpu::ReductionLaunch& launch) {
    return run_any(kernel, call, launch);
}

void tell(Trial& trial, const Call& call, const std::vector<Elements>& wanted,
          const std::vector<gpu::detail::ArrayCore>& got, bool given) {
    // The judge compares arrays of one type: of two outputs, one after the other, as double.
    std::int64_t count = 0;
    const std::size_t outputs = wanted.size();
    for (std::size_t k = 0; k < outputs; ++k) {
        Elements want = wanted[k], result;
        if (given) {
            const Input& target = call.inputs[call.inputs.size() - outputs + k];
            result = to_elements(target.array);
            want = target.base;
            for (std::size_t at = 0; at < target.place.size(); ++at) {
                want.values[target.place[at]] = wanted[k].values[at];
            }
        } else {
            result = to_elements(got[k]);
            if (result.dtype != want.dtype || !(result.shape == want.shape)) {
                throw std::runtime_error("an output has another type or shape: " + gpu::to_string(result.shape));
            }
        }
        if (outputs == 1) {
            trial.want = want;
            trial.got = result;
            return;
        }
        count += want.shape.size();
        trial.want.values.insert(trial.want.values.end(), want.values.begin(), want.values.end());
        trial.got.values.insert(trial.got.values.end(), result.values.begin(), result.values.end());
    }
    trial.want.dtype = trial.got.dtype = DType::float64;
    trial.want.shape = trial.got.shape = gpu::Shape{count};
}

}  // namespace property
