// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <string_view>

#include "codegen/kernel_raw_array.hpp"
#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "cuda/compile/skeletons.hpp"

namespace gpu::detail::cuda {

namespace {

using Role = Parameter::Role;

std::string number(int value) { return std::to_string(value); }

// A place among axes, and how the coordinate along one is cut off it: below 2^31 by a multiplication.
constexpr std::string_view narrow_division = R"(
typedef unsigned _Place;
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = (__umulhi(index, axis.magic) + index) >> axis.shift;
    const _Place coordinate = index - rest * (unsigned)axis.length;
    index = rest;
    return coordinate;
}
)";
constexpr std::string_view wide_division = R"(
typedef long long _Place;
// One copy of the long 64-bit division, however many axes there are.
static __device__ __noinline__ _Place _divide(_Place a, _Place b) { return a / b; }
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = _divide(index, axis.length), coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}
)";

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

/// `_Strided` and how places are cut into coordinates, if any parameter needs them.
void add_strided(SourceWriter& writer, const std::vector<Parameter>& parameters, int axes, bool is_wide) {
    const auto is_strided = [](const Parameter& parameter) { return parameter.strided; };
    if (std::none_of(parameters.begin(), parameters.end(), is_strided)) return;
    writer.add(is_wide ? wide_division : narrow_division);
    writer.add(strided_type(axes));
}

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
        lines += "    const _Place _c" + number(axis) + " = _cut(_rest, _r.axes[" + number(axis) + "]);\n";
    }
    if (count > 0) lines += "    const _Place _c" + number(first) + " = _rest;\n";
    return lines;
}

bool is_strided_input(const Parameter& parameter) { return parameter.strided && parameter.role == Role::input; }

/// An input that stays at one element along a pack.
bool is_flat(const Parameter& parameter, bool by_column) {
    return parameter.strided && (by_column ? parameter.same_across : parameter.same_along);
}

// These take so many instructions that copies of them cost more compile time than loads in flight win.
constexpr std::string_view costly[] = {"pow",  "sin",   "cos",   "tan",    "asin",   "acos", "atan", "atan2", "sinh",
                                       "cosh", "tanh",  "asinh", "acosh",  "atanh",  "exp",  "exp2", "expm1", "log",
                                       "log2", "log10", "log1p", "lgamma", "tgamma", "erf",  "erfc", "cbrt",  "fmod"};

bool is_long(const ReductionText& text) {
    constexpr std::size_t longest = 240;
    if (text.map.text.size() + text.reduce.text.size() > longest) return true;
    const std::string all = text.map.text + ' ' + text.reduce.text + ' ' + text.preamble.text;
    const std::vector<Token> tokens = tokens_of(all);
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
        return std::find(std::begin(costly), std::end(costly), token.text) != std::end(costly);
    });
}

/// How many packs of 16 bytes a thread loads before it uses the first one: 64 bytes together are enough where it has few
/// of them, or where its accumulator is a struct, which needs its registers. Such a struct is defined in a preamble.
int packs_in_flight(const ReductionText& text) {
    const auto inputs = std::count_if(text.parameters.begin(), text.parameters.end(), is_walked);
    if (is_long(text)) return 1;
    if (text.walk.has_many_packs && text.walk.pack <= 4 && inputs <= 2 && text.preamble.text.empty()) return 8;
    return inputs > 4 ? 1 : inputs > 2 || text.walk.pack > 4 ? 2 : 4;
}

/// Of these few are left behind packs; without packs they are all there is.
int elements_in_flight(const ReductionText& text) { return is_long(text) ? 2 : text.walk.is_packed ? 4 : 8; }

/// Writes the parts that differ between the inputs.
class Inputs {
public:
    explicit Inputs(const ReductionText& text)
        : text_(text),
          by_column_(text.walk.by_column),
          is_packed_(text.walk.is_packed),
          kept_(text.kept_rank),
          reduced_(text.reduced_rank) {}

    /// Where output `_o` begins, at the split's first element, as `NAME_at`; if a thread has several outputs, one each.
    [[nodiscard]] std::string starts() const {
        std::string lines;
        bool any_strided = false;
        for (const Parameter& parameter : text_.parameters) {
            if (!is_walked(parameter)) continue;
            const std::string array = "_arg_" + parameter.name, to = array + (has_several() ? "_at[_k]" : "_at");
            any_strided = any_strided || parameter.strided;
            std::string from = parameter.strided ? array + ".data + " + offset(array, 0, kept_)
                                                 : array + " + _o * _r.reduced + _begin";
            if (parameter.strided && reduced_ == 1) from += " + _begin * " + array + ".strides[" + number(kept_) + "]";
            lines += "            " + to + " = " + from + ";\n";
        }
        return (any_strided ? "            _Place _rest = (_Place)_o;\n" + coordinates(0, kept_) : "") + lines;
    }

    [[nodiscard]] std::string pointers() const {
        return each([&](const Parameter& parameter, const std::string& array) {
            return "        const " + parameter.type + "* " + array + (has_several() ? "_at[_pack];\n" : "_at;\n");
        });
    }

    /// What packs are loaded into: `NAME_v`.
    [[nodiscard]] std::string packs(const std::string& count) const {
        return each([&](const Parameter& parameter, const std::string& array) {
            const std::string type = is_one(parameter) ? parameter.type : "_Pack<" + parameter.type + ">";
            return "            " + type + " " + array + "_v[" + count + "];\n";
        });
    }

    [[nodiscard]] std::string elements(const std::string& count) const {
        return each([&](const Parameter& parameter, const std::string& array) {
            return "            " + parameter.type + " " + array + "_v[" + count + "];\n";
        });
    }

    /// Loads at `_at`, an offset among the split's elements, into slot `_u`.
    [[nodiscard]] std::string load_packs() const {
        return cuts() + each([&](const Parameter& parameter, const std::string& array) {
                   const std::string along = along_of(parameter, array);
                   const std::string slot = "                    " + array + "_v[_u]";
                   if (has_several()) {
                       return "#pragma unroll\n                    for (int _k = 0; _k < _pack; ++_k) " + array +
                              "_v[_u].at[_k] = " + array + "_at[_k][" + along + "];\n";
                   }
                   if (is_one(parameter)) return slot + " = " + array + "_at[" + along + "];\n";
                   const bool is_step_1 = !by_column_ && reduced_ == 1;
                   return slot + " = *(const _Pack<" + parameter.type + ">*)(" + array + "_at + " +
                          (is_step_1 ? "_at" : along) + ");\n";
               });
    }

    [[nodiscard]] std::string load_elements() const {
        return cuts() + each([&](const Parameter& parameter, const std::string& array) {
                   return "                    " + array + "_v[_u] = " + array + "_at[" + along_of(parameter, array) +
                          "];\n";
               });
    }

    /// The mapped element of slot `_u`, of a pack its element `_k`; `at` is its place in the split.
    [[nodiscard]] std::string mapped(bool is_pack, const std::string& at) const {
        std::string arguments;
        for (const Parameter& parameter : text_.parameters) {
            if (parameter.role == Role::output) continue;
            arguments += "_arg_" + parameter.name;
            if (is_walked(parameter)) {
                arguments += !is_pack || is_one(parameter) ? "_v[_u]" : "_v[_u].at[_k]";
            }
            arguments += ", ";
        }
        return "_map(" + arguments + "{_r.elements}, {_r.outputs}, _begin + " + at + ")";
    }

private:
    template <class F>
    [[nodiscard]] std::string each(F line) const {
        std::string lines;
        for (const Parameter& parameter : text_.parameters) {
            if (is_walked(parameter)) lines += line(parameter, "_arg_" + parameter.name);
        }
        return lines;
    }

    /// True if a thread's outputs lie anywhere.
    [[nodiscard]] bool has_several() const { return by_column_ && !is_packed_; }
    /// True if one element serves a whole pack.
    [[nodiscard]] bool is_one(const Parameter& parameter) const { return is_packed_ && is_flat(parameter, by_column_); }

    /// The coordinates along several reduced axes.
    [[nodiscard]] std::string cuts() const {
        const bool any = std::any_of(text_.parameters.begin(), text_.parameters.end(), is_strided_input);
        if (reduced_ <= 1 || !any) return {};
        return "                    _Place _rest = (_Place)_begin + _at;\n" + coordinates(kept_, reduced_);
    }

    [[nodiscard]] std::string along_of(const Parameter& parameter, const std::string& array) const {
        if (!parameter.strided) return "_at";
        if (reduced_ == 1) return "_at * " + array + ".strides[" + number(kept_) + "]";
        return offset(array, kept_, reduced_);
    }

    const ReductionText& text_;
    const bool by_column_, is_packed_;
    const int kept_, reduced_;
};

/// A loop over batches of a thread's loads: all of a batch are begun before the first is used. `step` is the distance
/// from one to the next, `use` what becomes of slot `_u` at `_at`.
std::string batches(const std::string& count, const std::string& first, const std::string& end, const std::string& step,
                    const std::string& slots, const std::string& load, const std::string& use) {
    return "#pragma unroll 1\n"
           "        for (int _i = " + first + "; _i < " + end + "; _i += " + count + " * " + step + ") {\n" + slots +
           "#pragma unroll\n"
           "            for (int _u = 0; _u < " + count + "; ++_u) {\n"
           "                const int _at = _i + _u * " + step + ";\n"
           "                if (_at < " + end + ") {\n" + load +
           "                }\n"
           "            }\n"
           "#pragma unroll\n"
           "            for (int _u = 0; _u < " + count + "; ++_u) {\n"
           "                const int _at = _i + _u * " + step + ";\n"
           "                if (_at >= " + end + ") break;\n" + use +
           "            }\n"
           "            _any = true;\n"
           "        }\n";
}

/// The post statement or a partial result of output `_o`, whose reduced value is `_v`.
std::string finish(const std::string& post, bool has_identity) {
    const std::string value = has_identity ? "_count > 0 ? _reduce(_identity(), _v) : _identity()" : "_v";
    return "    if (_r.is_split) {\n"
           "        _partials[_o * _r.output_step + blockIdx.y * _r.split_step] = _v;\n"
           "    } else {\n"
           "    const _accumulator _result = " + value + ";\n" + post + "    }\n";
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
            coordinate_lines = "    _Place _rest = (_Place)_o;\n" + coordinates(0, text.kept_rank);
            arguments += ", " + array + ".data[" + offset(array, 0, text.kept_rank) + "]";
        } else {
            arguments += ", " + array + "[_o]";
        }
    }
    return coordinate_lines + "    _post(" + arguments + ", {_r.elements}, {_r.outputs});\n";
}

/// Neighbouring threads take neighbouring elements of one output.
std::string rows_body(const ReductionText& text) {
    const Inputs inputs(text);
    const std::string few = number(elements_in_flight(text)), many = number(packs_in_flight(text));
    const std::string first = "_u == 0 && !_any ? ";
    std::string body =
        "    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _lane = _thread & (_width - 1);\n"
        "    const long long _output = ((long long)blockIdx.x << (8 - _r.width_log2)) + (_thread >> _r.width_log2);\n"
        "    // Threads without an output read a valid one and are left out at the end.\n"
        "    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;\n"
        "    const long long _begin = (long long)blockIdx.y * _r.chunk;\n"
        "    const int _count = _r.reduced - _begin < _r.chunk ? (int)(_r.reduced - _begin) : _r.chunk;\n"
        "    int _whole = 0;  // of them in packs\n"
        "    _Slot _a;\n"
        "    bool _any = false;\n"
        "    if (_r.is_join) {\n"
        "        const _accumulator* const _from = _partials + _o * _r.output_step;\n" +
        batches("_joined", "_lane", "_count", "_width", "            _Slot _p[_joined];\n",
                "                    _p[_u].value = _from[_at * _r.split_step];\n",
                "                _a.value = " + first + "_p[_u].value : _reduce(_a.value, _p[_u].value);\n") +
        "    } else {\n" + inputs.pointers() + "        {\n" + inputs.starts() + "        }\n";
    if (text.walk.is_packed) {
        body += "        _whole = _count & -_pack;\n" +
                batches(many, "_lane * _pack", "_whole", "(_pack << _r.width_log2)", inputs.packs(many),
                        inputs.load_packs(),
                        "#pragma unroll\n"
                        "                for (int _k = 0; _k < _pack; ++_k) {\n"
                        "                    const _accumulator _v = " + inputs.mapped(true, "(_at + _k)") + ";\n"
                        "                    _a.value = _k == 0 && " + first + "_v : _reduce(_a.value, _v);\n"
                        "                }\n");
    }
    body += batches(few, "_whole + _lane", "_count", "_width", inputs.elements(few), inputs.load_elements(),
                    "                const _accumulator _v = " + inputs.mapped(false, "_at") + ";\n"
                    "                _a.value = " + first + "_v : _reduce(_a.value, _v);\n") +
            "    }\n"
            "\n"
            "    alignas(_accumulator) __shared__ unsigned char _bytes[256 * sizeof(_accumulator)];\n"
            "    _accumulator* const _lanes = (_accumulator*)_bytes;\n"
            "    // The lanes that have a value are the first ones: those of packs, or of the elements behind them.\n"
            "    const int _packs = _whole / _pack, _left = _count - _whole;\n"
            "    const int _used = _packs > _left ? _packs : _left;\n"
            "    if (_any) _lanes[_thread] = _a.value;\n"
            "#pragma unroll 1\n"
            "    for (int _half = _width / 2; _half > 0; _half /= 2) {\n"
            "        if (_half < 32) __syncwarp(); else __syncthreads();\n"
            "        if (_lane < _half && _lane + _half < _used) {\n"
            "            _a.value = _reduce(_a.value, _lanes[_thread + _half]);\n"
            "            _lanes[_thread] = _a.value;\n"
            "        }\n"
            "    }\n"
            "    if (_lane != 0 || _output >= _r.outputs) return;\n"
            "    const _accumulator& _v = _a.value;\n" +
            finish(post_call(text, "_result"), !text.identity.empty());
    return body;
}

/// Neighbouring threads take neighbouring outputs, each as many as a pack has elements.
std::string columns_body(const ReductionText& text) {
    const Inputs inputs(text);
    const bool is_packed = text.walk.is_packed;
    const std::string many = number(packs_in_flight(text));
    // The outputs of a thread are neighbours in a pack; else those of a warp are.
    const auto place = [&](const std::string& column, const std::string& k) {
        return is_packed ? "(" + column + " * _pack + " + k + ")" : "(" + column + " + (" + k + " << _columns_log2))";
    };
    return "    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _columns_log2 = 8 - _r.width_log2;\n"
           "    const int _lane = _thread >> _columns_log2, _column = _thread & ((1 << _columns_log2) - 1);\n"
           "    const long long _first = (long long)blockIdx.x * (_pack << _columns_log2);\n"
           "    const long long _begin = (long long)blockIdx.y * _r.chunk;\n"
           "    const int _count = _r.reduced - _begin < _r.chunk ? (int)(_r.reduced - _begin) : _r.chunk;\n"
           "    long long _o_of[_pack];  // threads without an output read a valid one and are left out at the end\n"
           "#pragma unroll\n"
           "    for (int _k = 0; _k < _pack; ++_k) {\n"
           "        const long long _wanted = _first + " + place("_column", "_k") + ";\n"
           "        const long long _last = _r.outputs - " + (is_packed ? "_pack + _k" : "1") + ";\n"
           "        _o_of[_k] = _wanted < _last ? _wanted : _last;\n"
           "    }\n"
           "    _Slot _a[_pack];\n"
           "    bool _any = false;\n"
           "    if (_r.is_join) {\n" +
           batches("_joined", "_lane", "_count", "_width", "            _Slot _p[_joined][_pack];\n",
                   "#pragma unroll\n"
                   "                    for (int _k = 0; _k < _pack; ++_k)\n"
                   "                        _p[_u][_k].value =\n"
                   "                            _partials[_o_of[_k] * _r.output_step + _at * _r.split_step];\n",
                   "#pragma unroll\n"
                   "                for (int _k = 0; _k < _pack; ++_k) {\n"
                   "                    const _accumulator& _v = _p[_u][_k].value;\n"
                   "                    _a[_k].value = _u == 0 && !_any ? _v : _reduce(_a[_k].value, _v);\n"
                   "                }\n") +
           "    } else {\n" + inputs.pointers() +
           (is_packed ? "        {\n            const long long _o = _o_of[0];\n"
                      : "#pragma unroll\n"
                        "        for (int _k = 0; _k < _pack; ++_k) {\n"
                        "            const long long _o = _o_of[_k];\n") +
           inputs.starts() + "        }\n" +
           batches(many, "_lane", "_count", "_width", inputs.packs(many), inputs.load_packs(),
                   "#pragma unroll\n"
                   "                for (int _k = 0; _k < _pack; ++_k) {\n"
                   "                    const _accumulator _v = " + inputs.mapped(true, "_at") + ";\n"
                   "                    _a[_k].value = _u == 0 && !_any ? _v : _reduce(_a[_k].value, _v);\n"
                   "                }\n") +
           "    }\n"
           "\n"
           "    // The tree over the lanes, for as many of the pack's outputs at once as 32 KiB have room for.\n"
           "    enum { _room = 128 / sizeof(_accumulator), _half_pack = _pack / 2,\n"
           "           _together = _room >= _pack ? _pack : _room >= _half_pack ? _half_pack : _half_pack / 2 };\n"
           "    alignas(_accumulator) __shared__ unsigned char _bytes[256 * _together * sizeof(_accumulator)];\n"
           "    _accumulator* const _lanes = (_accumulator*)_bytes;\n"
           "    const int _used = _count < _width ? _count : _width;\n"
           "#pragma unroll\n"
           "    for (int _k0 = 0; _k0 < _pack; _k0 += _together) {\n"
           "        if (_k0 > 0) __syncthreads();\n"
           "        if (_any) {\n"
           "#pragma unroll\n"
           "            for (int _k = _k0; _k < _k0 + _together; ++_k)\n"
           "                _lanes[(_k - _k0) * 256 + _thread] = _a[_k].value;\n"
           "        }\n"
           "#pragma unroll 1\n"
           "        for (int _half = _width / 2; _half > 0; _half /= 2) {\n"
           "            __syncthreads();\n"
           "            if (_lane >= _half || _lane + _half >= _used) continue;\n"
           "#pragma unroll\n"
           "            for (int _k = _k0; _k < _k0 + _together; ++_k) {\n"
           "                _accumulator* const _to = _lanes + (_k - _k0) * 256 + _thread;\n"
           "                *_to = _reduce(*_to, _to[_half << _columns_log2]);\n"
           "            }\n"
           "        }\n"
           "        __syncthreads();\n"
           "        // Neighbouring threads write neighbouring outputs, whoever has computed them.\n"
           "#pragma unroll 1\n"
           "        for (int _j = _thread; _j < _together << _columns_log2; _j += 256) {\n" +
           (is_packed ? "            const int _slot = _j % _together, _owner = _j / _together;\n"
                      : "            const int _slot = _j >> _columns_log2;\n"
                        "            const int _owner = _j - (_slot << _columns_log2);\n") +
           "            const long long _o = _first + " + place("_owner", "(_k0 + _slot)") + ";\n"
           "            if (_o >= _r.outputs) continue;\n"
           "            const _accumulator& _v = _lanes[_slot * 256 + _owner];\n" +
           finish(post_call(text, "_result"), !text.identity.empty()) +
           "        }\n"
           "    }\n";
}

}  // namespace

KernelSource reduction_skeleton(const ReductionText& text) {
    const std::string entry = "libgpu_" + identifier(text.name);
    const int axes = std::max(text.kept_rank + text.reduced_rank, 1);

    SourceWriter writer;
    add_prelude(writer, text.typedefs, text.preamble, all_text(text));
    add_raw(writer, text.parameters);
    writer.add("struct _Axis { long long length; unsigned magic, shift; };\n");
    add_strided(writer, text.parameters, axes, text.walk.is_wide);
    writer.add("struct _Reduction {\n"
               "    long long outputs, reduced, elements, output_step, split_step;\n"
               "    int chunk, width_log2, is_split, is_join;\n"
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
    writer.add("\nenum { _pack = " + number(text.walk.pack) + " };\n"
               "template <class _T> struct alignas(sizeof(_T) * _pack) _Pack { _T at[_pack]; };\n"
               "// Room for an accumulator, which may have no default constructor.\n"
               "union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };\n"
               "// Partial results that a thread loads before it uses the first one: of 64 bytes.\n"
               "enum { _joinable = 64 / (sizeof(_accumulator)" +
               std::string(text.walk.by_column ? " * _pack" : "") +
               "), _joined = _joinable > 8 ? 8 : _joinable < 1 ? 1 : _joinable };\n");
    writer.add(kernel_head(text, entry) + (text.walk.by_column ? columns_body(text) : rows_body(text)) + "}\n");
    return writer.take(text.name, {entry}, text.options);
}

}  // namespace gpu::detail::cuda
