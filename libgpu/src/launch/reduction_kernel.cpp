// SPDX-License-Identifier: MIT
#include <gpu/reduction_kernel.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <gpu/error.hpp>

#include "launch/evaluate.hpp"
#include "launch/operands.hpp"
#include "launch/source.hpp"
#include "runtime/storage.hpp"

namespace gpu {

using namespace detail;

struct ReductionKernel::Definition {
    std::string name, map, reduce, post, identity, reduce_type, key, made_in;
    SourceText preamble;
    std::vector<std::string> options;
    ListedParameters parameters;
    bool has_place = false;  ///< `_J` is used, possibly by a macro
    std::uint64_t number = next_kernel_number();
};

namespace {

// Names with a meaning of their own in the kernel's text.
void check_names(const std::string& name, const ListedParameters& parameters) {
    if (parameters.inputs.empty()) throw Error("kernel " + name + " has no input parameter");
    for (const ListedParameter& output : parameters.outputs) {
        if (output.is_raw) throw Error("kernel " + name + ": '" + output.name + "' is an output, which can't be raw");
        if (output.name == "a") throw Error("kernel " + name + ": an output can't be called 'a', the reduced value");
    }
    for (const ListedParameter& input : parameters.inputs) {
        if (input.is_raw && input.name == "a") {
            throw Error("kernel " + name + ": a raw array can't be called 'a', the reduced value");
        }
    }
}

// An expression is put into parentheses: an empty text or a statement has no value.
void check_expression(const std::string& name, const char* part, const std::string& text) {
    const auto last = text.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) throw Error("kernel " + name + ": its " + part + " expression is empty");
    if (text[last] == ';') {
        throw Error("kernel " + name + ": its " + part + " '" + text + "' is an expression, which has no ; at its end");
    }
}

void check_parts(const std::string& name, const std::string& map, const std::string& reduce, const std::string& post,
                 const std::string& identity) {
    check_expression(name, "map", map);
    check_expression(name, "reduce", reduce);
    if (!identity.empty()) check_expression(name, "identity", identity);
    if (post.find_first_not_of(" \t\r\n;") == std::string::npos)
        throw Error("kernel " + name + ": its post statement is empty: it assigns the outputs, as in y = a");
}

}  // namespace

ReductionKernel::ReductionKernel(std::string inputs, std::string outputs, std::string map, std::string reduce,
                                 std::string post, std::string identity, std::string name, KernelOptions options,
                                 const char* caller) {
    check_kernel_name(name);
    auto made = std::make_shared<Definition>();
    made->parameters = parse_parameters(inputs, outputs, name);
    check_names(name, made->parameters);
    made->preamble = preamble_of(options, name, caller);
    made->made_in = caller;
    check_parts(name, map, reduce, post, identity);
    for (const std::string* part :
         {&name, &inputs, &outputs, &map, &reduce, &post, &identity, &made->preamble.text, &options.reduce_type,
          &made->made_in}) {
        made->key += *part + '\0';
    }
    const std::string given = options_key(options.options);
    made->key += given;
    made->has_place = (map + made->preamble.text + given).find("_J") != std::string::npos;
    made->name = std::move(name);
    made->map = std::move(map);
    made->reduce = std::move(reduce);
    made->post = std::move(post);
    made->identity = std::move(identity);
    made->reduce_type = std::move(options.reduce_type);
    made->options = std::move(options.options);
    definition_ = std::move(made);
}

namespace {

// The requested type, by any of its names or a learner's own. Otherwise integers accumulate in 64 bits, halves in
// float, other types in themselves.
std::string accumulator_for(const std::string& wanted, DType output) {
    if (!wanted.empty()) {
        const std::optional<DType> named = dtype_named(wanted);
        return named ? std::string(kernel_name(*named)) : wanted;
    }
    return std::string(kernel_name(output == DType::boolean ? output : accumulator(output)));
}

// Where the results go: passed arrays in their own shape, new ones without the reduced axes.
struct Results {
    std::list<ArrayCore> given;
    std::list<ArrayCore> written;     ///< by the kernel; kept axes only
    std::vector<bool> is_in_between;  ///< the written result must then be copied to the passed array
};

void check_given(const std::string& name, const ListedParameter& parameter, const ArrayCore& out, const Shape& result) {
    if (out.shape == result) return;
    throw ShapeError("kernel " + name + ": output '" + parameter.name + "' has shape " + to_string(out.shape) +
                     ", the result has " + to_string(result));
}

Results results_of(const std::string& name, const std::vector<ListedParameter>& declared,
                   const MatchedOperands& matched, const ReducedShape& shapes, bool keepdims) {
    Results results;
    auto output = matched.outputs.begin();
    for (const ListedParameter& parameter : declared) {
        const DType dtype = matched.placeholders.require(parameter, name);
        bool in_between = false;
        if (matched.outputs.empty()) {
            results.written.push_back(make_array(dtype, shapes.kept));
            results.given.push_back(with_result_shape(results.written.back(), shapes));
        } else {
            const ArrayCore& out = *output++;
            check_given(name, parameter, out, shapes.result);
            in_between = std::any_of(matched.arrays.begin(), matched.arrays.end(),
                                     [&](const ArrayCore* input) { return share_memory(*input, out); });
            results.given.push_back(out);
            results.written.push_back(in_between ? make_array(dtype, shapes.kept) : kept_axes(out, shapes, keepdims));
        }
        results.is_in_between.push_back(in_between);
    }
    return results;
}

void copy_in_between(Results& results, const ReducedShape& shapes) {
    auto written = results.written.begin();
    auto in_between = results.is_in_between.begin();
    for (ArrayCore& given : results.given) {
        if (*in_between++) assign(given, leaf(with_result_shape(*written, shapes)), false);
        ++written;
    }
}

void add_out(std::vector<const Operand*>& operands, std::optional<Operand>& given, const ReductionLaunch& launch,
             const std::string& name, const ListedParameters& parameters) {
    if (!launch.out) return;
    if (parameters.outputs.size() != 1) {
        throw Error("kernel " + name + ": {.out = ...} is for one output; it has " +
                    std::to_string(parameters.outputs.size()) + ": pass all by gpu::out(array) as operands");
    }
    if (operands.size() < parameters.inputs.size()) return;  // reported as such
    if (operands.size() > parameters.inputs.size())
        throw Error("kernel " + name + ": its output is given twice, as an operand and by {.out = ...}");
    operands.push_back(&given.emplace(*launch.out));
}

}  // namespace

// Repeats an earlier call like this one, without matching operands or searching for the kernel.
AnyArray ReductionKernel::first(const std::vector<const Operand*>& operands, const ReductionLaunch& launch) const {
    const Definition& self = *definition_;
    if (!launch.stream.is_current() || launch.out || self.parameters.outputs.size() != 1)
        return run(operands, launch, 0).front();
    PlainCall call("reduction", self.number, operands);
    if (!call.signature || call.output != nullptr) return run(operands, launch, 0).front();
    call.signature->add(bool{launch.keepdims}).add(launch.axis.count());
    for (int k = 0; k < launch.axis.count(); ++k) call.signature->add(launch.axis[k]);
    const auto known = find_cached(*call.signature);
    if (known == nullptr || !numbers_fit(*known, call.inputs)) return run(operands, launch, 0, &call).front();
    ArrayCore written = make_array_on(known->device, known->dtype, known->kept, Layout::row_major);
    call.inputs.push_back({.array = &written});
    launch_cached(*known, call.inputs);
    written.shape = known->result;
    written.strides = dense_strides(known->result);
    return AnyArray(std::move(written));
}

std::vector<AnyArray> ReductionKernel::run(const std::vector<const Operand*>& given, const ReductionLaunch& launch,
                                           std::size_t expected, const detail::PlainCall* plain) const {
    const Definition& self = *definition_;
    const auto& [inputs, outputs] = self.parameters;
    check_result_count(self.name, outputs.size(), expected);
    const StreamScope stream(launch.stream);
    std::vector<const Operand*> operands = given;
    std::optional<Operand> named;
    add_out(operands, named, launch, self.name, self.parameters);
    MatchedOperands matched = match_operands(self.name, inputs, outputs, operands);
    if (!matched.has_loop) {
        throw Error("kernel " + self.name + ": one operand must be an array that is reduced, neither raw nor a number");
    }
    std::vector<const ArrayCore*> arrays = matched.arrays;
    for (const ArrayCore& output : matched.outputs) arrays.push_back(&output);
    const Device device = common_device(arrays, "kernel " + self.name);
    stream.check(device);
    const DeviceGuard guard(device);

    const ReducedShape shapes = reduced_shape(matched.shape, {.axis = launch.axis, .keepdims = launch.keepdims});
    if (self.identity.empty() && matched.shape.size() == 0 && shapes.kept.size() != 0) {
        throw ShapeError("kernel " + self.name + ": an empty array of shape " + to_string(matched.shape) +
                         " can't be reduced, the kernel has no identity");
    }
    check_disjoint(self.name, outputs, matched.outputs);
    Results results = results_of(self.name, outputs, matched, shapes, launch.keepdims);
    std::vector<Binding> bindings = matched.inputs;
    for (const Binding& output : bind_outputs(outputs, results.written)) bindings.push_back(output);
    CachePolicy keep;
    if (plain != nullptr) {
        keep = {&*plain->signature, plain->inputs, shapes.kept, shapes.result, results.written.front().dtype};
        keep.operands.push_back({.array = &results.written.front()});
    }
    const std::string key = self.key + types_key(bindings);
    launch_reduction({.device = device,
                      .shape = matched.shape,
                      .reduced = shapes.reduced,
                      .bindings = bindings,
                      .key = key,
                      .text =
                          [&] {
                              ReductionText text{
                                  .name = self.name,
                                  .parameters = {},
                                  .kept_rank = 0,
                                  .reduced_rank = 1,
                                  .accumulator = accumulator_for(self.reduce_type, results.written.front().dtype),
                                  .typedefs = matched.placeholders.typedefs(),
                                  .preamble = self.preamble,
                                  .map = {self.map, self.name + " (map)", 1},
                                  .reduce = {self.reduce, self.name + " (reduce)", 1},
                                  .post = {self.post, self.name + " (post)", 1},
                                  .identity = self.identity};
                              text.options = self.options;
                              text.made_in = self.made_in;
                              text.has_own_type = text.accumulator == self.reduce_type;
                              return text;
                          },
                      .in_order = self.has_place,
                      .keep = std::move(keep)});
    copy_in_between(results, shapes);
    return {results.given.begin(), results.given.end()};
}

}  // namespace gpu
