// SPDX-License-Identifier: MIT
#include <algorithm>

#include "codegen/kernel_raw_array.hpp"
#include "codegen/kernel_support.hpp"
#include "cuda/compile/skeletons.hpp"

namespace gpu::detail::cuda {

namespace {

using Role = Parameter::Role;

std::string number(int value) { return std::to_string(value); }

/// A function of one expression of the learner's.
void add_expression(SourceWriter& writer, const std::string& name, const std::string& parameters,
                    const Snippet& expression) {
    writer.add_head("\nstatic __device__ __forceinline__ _accumulator " + name + '(', parameters,
                    ") {\n    return (_accumulator)(\n");
    writer.add(expression);
    writer.add("    );\n}\n");
}

std::string joined(const std::vector<std::string>& parts) {
    std::string list;
    for (const std::string& part : parts) list += (list.empty() ? "" : ", ") + part;
    return list;
}

// Numbers and raw arrays, but for what is called like the reduced value.
bool is_in_post(const Parameter& parameter) {
    if (parameter.role == Role::output) return true;
    return parameter.name != "a" && (parameter.is_raw || parameter.role == Role::scalar);
}

/// An array whose element at an index is mapped.
bool is_walked(const Parameter& parameter) { return parameter.role == Role::input && !parameter.is_raw; }

void add_learners_functions(SourceWriter& writer, const ReductionText& text) {
    std::vector<std::string> map_parameters, post_parameters{"const _accumulator a"};
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role != Role::output) map_parameters.push_back(learners_parameter(parameter));
        if (is_in_post(parameter)) post_parameters.push_back(learners_parameter(parameter));
    }
    for (const char* const size : {"const _Size _in_ind", "const _Size _out_ind"}) {
        map_parameters.emplace_back(size);
        post_parameters.emplace_back(size);
    }
    map_parameters.emplace_back("const long long _J");
    writer.add("struct _Size {\n    long long n;\n    __device__ long long size() const { return n; }\n};\n");
    add_expression(writer, "_map", joined(map_parameters), text.map);
    add_expression(writer, "_reduce", "const _accumulator a, const _accumulator b", text.reduce);
    if (!text.identity.empty()) add_expression(writer, "_identity", "", {text.identity, text.name + " (identity)", 1});
    writer.add_head("\nstatic __device__ __forceinline__ void _post(", joined(post_parameters), ") {\n");
    writer.add(text.post, SourceWriter::Ending::semicolon);
    writer.add("}\n");
}

std::string kernel_head(const ReductionText& text, const std::string& entry) {
    std::string head = "\nextern \"C\" __global__ void __launch_bounds__(256) " + entry +
                       "(const _Reduction _r, _accumulator* const _partials";
    for (const Parameter& parameter : text.parameters) head += ", " + kernel_parameter(parameter);
    return head + ") {\n";
}

/// Coordinates of the linear index `_rest` along axes [first, first + count).
std::string coordinates(int first, int count) {
    std::string lines;
    for (int axis = first + count - 1; axis > first; --axis) {
        lines += "    const long long _c" + number(axis) + " = _cut(_rest, _r.axes[" + number(axis) +
                 "], _r.narrow);\n";
    }
    if (count > 0) lines += "    const long long _c" + number(first) + " = _rest;\n";
    return lines;
}

bool has_strided_input(const ReductionText& text) {
    return std::any_of(text.parameters.begin(), text.parameters.end(), [](const Parameter& parameter) {
        return parameter.strided && parameter.role == Role::input;
    });
}

/// `_value`: the mapped element `_at` of output `_o`. What depends on the output alone is computed once a thread.
void add_value_function(SourceWriter& writer, const ReductionText& text) {
    const int kept = text.kept_rank, reduced = text.reduced_rank;
    std::string parameters = "const _Reduction& _r, const long long _at", arguments;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role == Role::output) continue;
        const std::string array = "_arg_" + parameter.name;
        std::string argument = array;
        parameters += ", " + (parameter.is_raw ? "const " + raw_array_type(parameter) + "& " + array
                                               : kernel_parameter(parameter));
        if (is_walked(parameter)) {
            parameters += ", const long long " + array + "_base";
            argument = parameter.strided ? array + ".data[" + array + "_base + " + offset(array, kept, reduced) + "]"
                                         : array + "[" + array + "_base + _at]";
        }
        arguments += argument + ", ";
    }
    writer.add("\nstatic __device__ __forceinline__ _accumulator _value(" + parameters + ") {\n");
    if (has_strided_input(text)) writer.add("    long long _rest = _at;\n" + coordinates(kept, reduced));
    writer.add("    return _map(" + arguments + "{_r.elements}, {_r.outputs}, _at);\n}\n");
}

/// Where a thread works, then its part of an output's elements, then the tree over the output's lanes.
/// `value` spells the element at an index; `count` is how many elements an output has.
void add_body(SourceWriter& writer, const std::string& bases, const std::string& count, const std::string& value_head,
              const std::string& value_tail) {
    const auto value = [&](const std::string& at) { return value_head + at + value_tail; };
    writer.add(
        "    const int _width = 1 << _r.width_log2, _groups = 256 >> _r.width_log2;  // lanes, outputs of this block\n"
        "    const int _thread = threadIdx.x;\n"
        "    const int _lane = _r.by_column ? _thread >> (8 - _r.width_log2) : _thread & (_width - 1);\n"
        "    const int _group = _r.by_column ? _thread & (_groups - 1) : _thread >> _r.width_log2;\n"
        "    const int _hop = _r.by_column ? _groups : 1;  // threads from a lane to the next\n"
        "    const long long _split = blockIdx.x / _r.tiles;\n"
        "    const long long _output = (long long)(blockIdx.x % _r.tiles) * _groups + _group;\n"
        "    // Threads without an output or an element read a valid one and are left out of the tree below.\n"
        "    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;\n"
        "    const long long _begin = _split * _r.chunk;\n"
        "    const long long _end = _begin + _r.chunk < " + count + " ? _begin + _r.chunk : " + count + ";\n" + bases +
        "    long long _at = _begin + _lane;\n"
        "    _accumulator _a = " + value("(_at < _end ? _at : _begin)") + ";\n"
        "#pragma unroll 1\n"
        "    for (_at += _width; _at + 3 * _width < _end; _at += 4 * _width) {\n"
        "        const _accumulator _v0 = " + value("_at") + ";\n"
        "        const _accumulator _v1 = " + value("_at + _width") + ";\n"
        "        const _accumulator _v2 = " + value("_at + 2 * _width") + ";\n"
        "        const _accumulator _v3 = " + value("_at + 3 * _width") + ";\n"
        "        _a = _reduce(_reduce(_reduce(_reduce(_a, _v0), _v1), _v2), _v3);\n"
        "    }\n"
        "#pragma unroll 1\n"
        "    for (; _at < _end; _at += _width) _a = _reduce(_a, " + value("_at") + ");\n"
        "\n"
        "    alignas(_accumulator) __shared__ unsigned char _bytes[256 * sizeof(_accumulator)];\n"
        "    _accumulator* const _lanes = (_accumulator*)_bytes;\n"
        "    const int _used = _end - _begin < _width ? (int)(_end - _begin) : _width;\n"
        "    _lanes[_thread] = _a;\n"
        "#pragma unroll 1\n"
        "    for (int _half = _width / 2; _half > 0; _half /= 2) {\n"
        "        __syncthreads();\n"
        "        if (_lane < _half && _lane + _half < _used) {\n"
        "            _a = _reduce(_a, _lanes[_thread + _half * _hop]);\n"
        "            _lanes[_thread] = _a;\n"
        "        }\n"
        "    }\n"
        "    if (_lane != 0 || _output >= _r.outputs) return;\n");
}

/// The call of the learner's post statement with the accumulator `value`, at output `_o`.
std::string post_call(const ReductionText& text, const std::string& value) {
    std::string coordinate_lines, arguments = value;
    for (const Parameter& parameter : text.parameters) {
        const std::string array = "_arg_" + parameter.name;
        if (parameter.role != Role::output) {
            if (is_in_post(parameter)) arguments += ", " + array;
            continue;
        }
        if (parameter.strided) {
            coordinate_lines = "    long long _rest = _o;\n" + coordinates(0, text.kept_rank);
            arguments += ", " + array + ".data[" + offset(array, 0, text.kept_rank) + "]";
        } else {
            arguments += ", " + array + "[_o]";
        }
    }
    return coordinate_lines + "    _post(" + arguments + ", {_r.elements}, {_r.outputs});\n";
}

void add_first_kernel(SourceWriter& writer, const ReductionText& text, const std::string& entry) {
    std::string bases;
    if (has_strided_input(text)) {
        std::string sums;
        for (const Parameter& parameter : text.parameters) {
            if (parameter.role != Role::input || !parameter.strided) continue;
            const std::string array = "_arg_" + parameter.name;
            bases += "    long long " + array + "_base;\n";
            sums += "    " + array + "_base = " + offset(array, 0, text.kept_rank) + ";\n";
        }
        bases += "    {\n    long long _rest = _o;\n" + coordinates(0, text.kept_rank) + sums + "    }\n";
    }
    std::string arguments;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role == Role::output) continue;
        const std::string array = "_arg_" + parameter.name;
        arguments += ", " + array;
        if (!is_walked(parameter)) continue;
        if (!parameter.strided) bases += "    const long long " + array + "_base = _o * _r.reduced;\n";
        arguments += ", " + array + "_base";
    }
    writer.add(kernel_head(text, entry));
    add_body(writer, bases, "_r.reduced", "_value(_r, ", arguments + ")");
    writer.add("    if (_r.is_split) {\n"
               "        _partials[_o * _r.output_step + _split * _r.split_step] = _a;\n"
               "        return;\n"
               "    }\n" +
               post_call(text, text.identity.empty() ? "_a" : "_reduce(_identity(), _a)") + "}\n");
}

void add_second_kernel(SourceWriter& writer, const ReductionText& text, const std::string& entry) {
    writer.add(kernel_head(text, entry));
    if (!text.identity.empty()) {  // nothing to reduce: every output is the identity's
        writer.add("    if (_r.reduced == 0) {\n"
                   "    const long long _o = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "    if (_o >= _r.outputs) return;\n" + post_call(text, "_identity()") +
                   "    return;\n    }\n");
    }
    add_body(writer, "", "_r.reduced", "_partials[_o * _r.output_step + (", ") * _r.split_step]");
    writer.add(post_call(text, text.identity.empty() ? "_a" : "_reduce(_identity(), _a)") + "}\n");
}

}  // namespace

KernelSource reduction_skeleton(const ReductionText& text) {
    const std::string first = "libgpu_" + identifier(text.name), second = first + "_join";
    const int axes = std::max(text.kept_rank + text.reduced_rank, 1);

    SourceWriter writer;
    add_prelude(writer, text.typedefs, text.preamble, all_text(text));
    add_raw(writer, text.parameters);
    add_strided(writer, text.parameters, axes);
    writer.add("struct _Reduction {\n"
               "    long long outputs, reduced, chunk, elements, output_step, split_step;\n"
               "    unsigned tiles;\n"
               "    int width_log2, by_column, is_split, narrow;\n"
               "    _Axis axes[" + number(axes) + "];\n};\n"
               "typedef ");
    if (text.has_own_type)
        writer.add("\n").add(Snippet{text.accumulator, text.name + " (reduce_type)", 1});
    else
        writer.add(text.accumulator);
    writer.add(" _accumulator;\n"
               "static_assert(sizeof(_accumulator) <= " + number(largest_accumulator) +
               ", \"the accumulator of a reduction has at most " + number(largest_accumulator) + " bytes\");\n");
    add_learners_functions(writer, text);
    add_value_function(writer, text);
    add_first_kernel(writer, text, first);
    add_second_kernel(writer, text, second);
    return writer.take(text.name, {first, second}, text.options);
}

}  // namespace gpu::detail::cuda
