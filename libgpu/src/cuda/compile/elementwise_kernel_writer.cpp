// SPDX-License-Identifier: MIT
#include "cuda/compile/elementwise_kernel_writer.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include <embedded/skeletons.hpp>

#include "codegen/kernel_support.hpp"
#include "cuda/compile/skeletons.hpp"

namespace gpu::detail::cuda {

namespace {

using Role = Parameter::Role;

// Loads in flight per thread and array: enough to hide DRAM latency.
constexpr int tile_loads_in_flight = 8;

bool is_output(const Parameter& parameter) { return parameter.role == Role::output; }
bool is_tiled(const WalkedParameter& parameter) {
    return parameter.strided && (parameter.access == AccessPattern::tile || parameter.access == AccessPattern::deep);
}

bool is_same(const WalkedParameter& parameter) {
    return !is_output(parameter) && parameter.strided && parameter.access == AccessPattern::broadcast;
}
// An input of which a pack is read element by element.
bool is_gathered(const WalkedParameter& parameter) {
    if (is_output(parameter) || is_same(parameter)) return false;
    return parameter.access == AccessPattern::unaligned ||
           (parameter.strided && parameter.access != AccessPattern::contiguous);
}

std::string axis(int k) { return std::to_string(k); }
std::string length_of(int k) { return "_space.axes[" + axis(k) + "].length"; }

}  // namespace

ElementwiseKernelWriter::ElementwiseKernelWriter(const PlannedElementwise& text)
    : text_(text),
      walk_(text.walk),
      rank_(std::max(text.rank, 1)),
      is_deep_(text.deep_log2 > 0),
      has_coordinates_(text.has_axes || text.has_index_steps()) {
    bool has_strided_output = false;
    std::size_t array = 0;
    for (const Parameter& parameter : text.parameters) parameters_.push_back({parameter});
    for (WalkedParameter& parameter : parameters_) {
        if (parameter.role == Role::scalar || parameter.is_raw) continue;
        if (array < text.access.size()) parameter.access = text.access[array++];
        walked_.push_back(&parameter);
        if (is_output(parameter)) outputs_.push_back(&parameter);
        has_coordinates_ = has_coordinates_ || parameter.strided;
        has_strided_output = has_strided_output || (is_output(parameter) && parameter.strided);
    }
    if (walked_.empty() || is_bound_by_arithmetic(text.body.text)) each_ = 1;
    const bool fits_packs = each_ > 1 && text.width > 1 && !text.has_axes && !(rank_ == 1 && has_strided_output);
    if (walk_ == Traversal::packs && !fits_packs) walk_ = Traversal::elements;
}

ThreadWork ElementwiseKernelWriter::work() const {
    return {.walk = walk_, .block = text_.block, .elements = walk_ == Traversal::elements ? each_ : text_.width,
            .across_log2 = text_.across_log2, .deep_log2 = text_.deep_log2};
}

std::string ElementwiseKernelWriter::constants() const {
    const std::string own = walk_ == Traversal::packs ? ", _pack = " + std::to_string(text_.width)
                            : walk_ == Traversal::elements && each_ > 1 ? ", _each = " + std::to_string(each_) : "";
    return "enum { _axes = " + axis(rank_) + ", _block = " + std::to_string(text_.block) + own + " };\n";
}

std::string ElementwiseKernelWriter::space() const {
    return constants() + (has_coordinates_ ? text::strided : "") + text::walk +
           (text_.has_axes ? text::walk_index_of_axes : text::walk_index);
}

std::string ElementwiseKernelWriter::kernel(const std::string& entry) const {
    const auto gathered = [](const WalkedParameter* one) { return is_gathered(*one); };
    std::string all = has_coordinates_ && (rank_ > 1 || walk_ == Traversal::tiles) ? text::walk_cut : "";
    if (walk_ == Traversal::tiles) all += "struct alignas(16) _Bytes { unsigned char at[16]; };\n";
    if (walk_ == Traversal::packs) all += text::pack;
    if (walk_ == Traversal::packs && std::any_of(walked_.begin(), walked_.end(), gathered)) all += text::walk_gather;
    std::string parameters = "const _Space _space";
    for (const WalkedParameter& parameter : parameters_) parameters += ", " + kernel_parameter(parameter);
    if (walk_ == Traversal::tiles) {
        return all + "\nextern \"C\" __global__ void __launch_bounds__(_block) " + entry + "(" + parameters + ") {\n" +
               (text_.has_axes ? "" : "    const _Index _ind{_space.size};\n") + tiles() + "}\n";
    }
    const bool is_line = rank_ == 1, has_packs = walk_ == Traversal::packs;
    all += "\nstruct _Arrays {\n    const _Space& _space;\n" + members() + (has_packs ? packs() : "") +
           (has_packs && is_line ? first_output() : "") + (!has_packs && each_ > 1 ? staged() : "") +
           (!has_packs || is_line ? one_by_one() : "") + "};\n#define _arrays _space";
    for (const WalkedParameter& parameter : parameters_) all += ", _arg_" + parameter.name;
    return all + "\n#define _kernel " + entry + "\n#define _parameters " + parameters + "\n" +
           (has_packs ? is_line ? text::walk_line : text::walk_packs
                      : each_ > 1 ? text::walk_elements : text::walk_one_by_one);
}

/// A call of the body; `argument` returns the spelling of a parameter's element.
template <class F>
std::string ElementwiseKernelWriter::call(const std::string& index, F argument) const {
    std::string text = "_element(";
    for (const WalkedParameter& parameter : parameters_) {
        const bool is_whole = parameter.role == Role::scalar || parameter.is_raw;
        text += (is_whole ? "_arg_" + parameter.name : argument(parameter)) + ", ";
    }
    return text + index + ", _ind);\n";
}

// `_c0`, `_c1`, ... of the element `_e`.
std::string ElementwiseKernelWriter::coordinates() const {
    if (!has_coordinates_) return "";
    if (rank_ == 1) return "        const unsigned _c0 = _e;\n";
    std::string text = "        unsigned _rest = _e;\n";
    for (int k = rank_ - 1; k > 0; --k)
        text += "        const unsigned _c" + axis(k) + " = _cut(_rest, _space.axes[" + axis(k) + "]);\n";
    return text + "        const unsigned _c0 = _rest;\n";
}

// What the body learns of its place, where the coordinates are known.
std::string ElementwiseKernelWriter::place() const {
    std::string text = "        const _Index _ind{_space.size";
    for (int k = 0; text_.has_axes && k < rank_; ++k)
        text += (k == 0 ? ", {{" : ", ") + ("_space.axes[" + axis(k) + "]._start + _c") + axis(k);
    return text + (text_.has_axes ? "}}};\n" : "};\n");
}

std::string ElementwiseKernelWriter::element_at(const WalkedParameter& parameter) const {
    const std::string array = "_arg_" + parameter.name;
    return parameter.strided ? array + ".data[" + offset(array, 0, rank_) + "]" : array + "[_space._begin + _e]";
}

// The body's `i` at the coordinates.
std::string ElementwiseKernelWriter::index() const {
    if (!text_.has_index_steps()) return "_space._first + _e";
    std::string text = "_space._first";
    for (int k = 0; k < rank_; ++k) text += " + _c" + axis(k) + " * _space.axes[" + axis(k) + "]._step";
    return text;
}

std::string ElementwiseKernelWriter::members() const {
    std::string text;
    for (const WalkedParameter& parameter : parameters_) text += "    " + kernel_member(parameter) + ";\n";
    return text;
}

std::string ElementwiseKernelWriter::first_output() const {
    std::string place = "0";
    if (!outputs_.empty()) {
        const WalkedParameter& first = *outputs_.front();
        place = "(size_t)(_arg_" + first.name + " + _space._begin) / sizeof(" + first.type + ")";
    }
    return device_function("size_t _first_output()", "        return " + place + ";\n");
}

// A pack of each array from the element `_e` on.
std::string ElementwiseKernelWriter::packs() const {
    std::string declare, load, store;
    for (const WalkedParameter* one : walked_) {
        const std::string array = "_arg_" + one->name, pack = "_Pack<" + one->type + ">";
        const std::string to = "        _v." + array + " = ";
        if (is_same(*one)) {
            declare += "        " + one->type + " " + array + ";\n";
            load += to + element_at(*one) + ";\n";
            continue;
        }
        declare += "        " + pack + " " + array + ";\n";
        if (is_output(*one)) {
            declare += "        " + pack + "* " + array + "_to;\n";
            load += "        _v." + array + "_to = (" + pack + "*)&" + element_at(*one) + ";\n" + to + "*_v." + array +
                    "_to;\n";
            store += "        *_v." + array + "_to = _v." + array + ";\n";
        } else if (is_gathered(*one)) {
            const std::string step = one->strided ? array + ".strides[" + axis(rank_ - 1) + "]" : "1";
            load += to + "_gather(&" + element_at(*one) + ", " + step + ");\n";
        } else {
            load += to + "*(const " + pack + "*)&" + element_at(*one) + ";\n";
        }
    }
    const std::string step =
        text_.has_index_steps() ? " + _k * _space.axes[" + axis(rank_ - 1) + "]._step" : std::string(" + _k");
    return "    struct _Packs {\n" + declare + "    };\n" +
           device_function("void _load(_Packs& _v, const unsigned _e)", coordinates() + load) +
           device_function("void _call(_Packs& _v, const unsigned _e, const int _k)",
                           (text_.has_index_steps() ? coordinates() : "") + place() + "        " +
                               call(index() + step, [](const WalkedParameter& one) {
                                   return "_v._arg_" + one.name + (is_same(one) ? "" : ".at[_k]");
                               })) +
           device_function("void _store(const _Packs& _v)", store);
}

std::string ElementwiseKernelWriter::one_by_one() const {
    return device_function("void _call(const unsigned _e)",
                           coordinates() + place() + "        " +
                               call(index(), [&](const WalkedParameter& one) { return element_at(one); }));
}

// What a thread has of the element `_e` between its load and its store.
std::string ElementwiseKernelWriter::staged() const {
    std::string declare, load, store;
    for (const WalkedParameter* one : walked_) {
        const std::string array = "_arg_" + one->name;
        declare += "        " + one->type + " " + array + ";\n";
        load += "        _v." + array + " = ";
        if (is_output(*one)) {
            declare += "        " + one->type + "* " + array + "_to;\n";
            load += "*(_v." + array + "_to = &" + element_at(*one) + ");\n";
            store += "        *_v." + array + "_to = _v." + array + ";\n";
        } else {
            load += element_at(*one) + ";\n";
        }
    }
    const bool sees_place = text_.has_axes || text_.has_index_steps();
    return "    struct _Staged {\n" + declare + "    };\n" +
           device_function("void _load(_Staged& _v, const unsigned _e)", coordinates() + load) +
           device_function("void _call(_Staged& _v, const unsigned _e)",
                           (sees_place ? coordinates() : std::string()) + place() + "        " +
                               call(index(), [](const WalkedParameter& one) { return "_v._arg_" + one.name; }) + store);
}

// An array's element at these coordinates of the tile; a tile of two axes has no `deep`.
std::string ElementwiseKernelWriter::in_tile(const WalkedParameter& one, const std::string& deep,
                                             const std::string& across, const std::string& last) const {
    const std::string array = "_arg_" + one.name;
    const int before = rank_ - (is_deep_ ? 3 : 2);
    std::string text = array + ".data";
    if (before > 0) text += " + " + offset(array, 0, before);
    if (is_deep_) text += " + (_deep_at + " + deep + ") * " + array + ".strides[" + axis(before) + "]";
    return text + " + (_across_at + " + across + ") * " + array + ".strides[" + axis(rank_ - 2) + "] + (_last_at + " +
           last + ") * " + array + ".strides[" + axis(rank_ - 1) + "]";
}

// Copies the block's tiles of these arrays to shared memory. Neighbouring threads read along the arrays' own fast axis;
// each begins several loads, of all the arrays, before it stores the first value.
std::string ElementwiseKernelWriter::tile_loads(const std::vector<const WalkedParameter*>& arrays) const {
    const bool is_across = arrays.front()->access == AccessPattern::tile;
    const std::string fast = is_across ? "_across" : "_deep";
    // A thread keeps its coordinates on two axes and loops along the third, or on one and loops along the other.
    const std::string end = !is_deep_ ? "_columns" : is_across ? "_layers" : "_rows";
    const std::string guard = std::string(is_across ? "_fast < _rows" : "_fast < _layers") +
                              (is_deep_ ? " && _other < _columns" : "");
    const std::string step = is_deep_ ? "1" : "_load_step";
    const std::string others = !is_deep_ ? "_last" : is_across ? "_last * _deep" : "_last * _across";
    std::string tiles, start, declare, load, store, advance;
    for (const WalkedParameter* one : arrays) {
        const std::string array = "_arg_" + one->name, pitch = array + "_pitch";
        const int along = !is_deep_ ? rank_ - 1 : is_across ? rank_ - 3 : rank_ - 2;
        tiles += "    enum { " + pitch + " = " + fast + " + (sizeof(" + one->type + ") < 4 ? 4 / (int)sizeof(" +
                 one->type + ") : 1) };\n"
                 "    __shared__ _Bytes " + array + "_bytes[(" + others + " * " + pitch + " * sizeof(" + one->type +
                 ") + 15) / 16];\n"
                 "    " + one->type + "* const " + array + "_tile = (" + one->type + "*)" + array + "_bytes;\n";
        start += "        const " + one->type + "* " + array + "_from = " +
                 (is_across ? in_tile(*one, "0", "_fast", "_other") : in_tile(*one, "_fast", "0", "_other")) + ";\n"
                 "        const long long " + array + "_next = " + (is_deep_ ? "" : "_load_step * ") + array +
                 ".strides[" + axis(along) + "];\n"
                 "        " + one->type + "* " + array + "_to = " + array + "_tile + _other * " + pitch + " + _fast;\n"
                 "        enum { " + array + "_to_next = " + (is_deep_ ? "_last" : "_load_step") + " * " + pitch +
                 " };\n";
        declare += "            " + one->type + " " + array + "_value[_loads];\n";
        load += "                " + array + "_value[_k] = " + array + "_from[_k * " + array + "_next];\n";
        store += "                " + array + "_to[_k * " + array + "_to_next] = " + array + "_value[_k];\n";
        advance += "            " + array + "_from += _loads * " + array + "_next;\n"
                   "            " + array + "_to += _loads * " + array + "_to_next;\n";
    }
    const std::string each = "#pragma unroll\n            for (int _k = 0; _k < _loads; ++_k) {\n"
                             "                if (_j + _k * " + step + " < " + end + ") {\n";
    return tiles + "    {\n    const unsigned _fast = threadIdx.x % " + fast + ", _other = threadIdx.x / " + fast +
           ";\n    if (" + guard + ") {\n" + start +
           "#pragma unroll 1\n"
           "        for (unsigned _j = " + (is_deep_ ? "0" : "_other") + "; _j < " + end + "; _j += _loads * " + step +
           ") {\n" + declare + each + load + "                }\n            }\n" + each + store +
           "                }\n            }\n" + advance + "        }\n    }\n    }\n";
}

// A thread's elements of the tile, `_each` at a time: across the rows or, in a tile of three axes, along the first one.
std::string ElementwiseKernelWriter::tile_elements() const {
    const int varied = rank_ - (is_deep_ ? 3 : 2);
    const std::string v = axis(varied), end = is_deep_ ? "_layers" : "_rows";
    const std::string deep = is_deep_ ? "_v" : "", across = is_deep_ ? "_tile_a" : "_v";
    std::string start, load, store;
    // the increments from one element to the next
    std::vector<std::pair<std::string, std::string>> steps{{"_v", "_step"}};
    std::string declare;
    for (const WalkedParameter* one : walked_) {
        const std::string array = "_arg_" + one->name;
        const std::string element = "    const " + one->type + "* " + array + "_in = ";
        if (one->access == AccessPattern::tile) {
            start += element + array + "_tile + _tile_l * " + array + "_pitch + " + across + ";\n";
            steps.emplace_back(array + "_in", is_deep_ ? "_last * " + array + "_pitch" : "_step");
        } else if (one->access == AccessPattern::deep) {
            start += element + array + "_tile + (_tile_a * _last + _tile_l) * " + array + "_pitch;\n";
            steps.emplace_back(array + "_in", "1");
        } else if (is_same(*one)) {
            start += "    const " + one->type + " " + array + "_one = *(" + in_tile(*one, deep, across, "_tile_l") +
                     ");\n";
        } else {
            start += (is_output(*one) ? "    " + one->type + "* " + array + "_in = " : element) +
                     in_tile(*one, deep, across, "_tile_l") + ";\n"
                     "    const long long " + array + "_next = _step * " + array + ".strides[" + v + "];\n";
            steps.emplace_back(array + "_in", array + "_next");
            declare += "        " + one->type + " " + array + "_at[_each];\n";
            load += "            " + array + "_at[_k] = " + array + "_in[_k * " + array + "_next];\n";
            if (is_output(*one))
                store += "            " + array + "_in[_k * " + array + "_next] = " + array + "_at[_k];\n";
        }
    }
    if (text_.has_index_steps()) {
        const std::vector<std::string> in = {"(_deep_at + " + deep + ")", "(_across_at + " + across + ")",
                                             "(_last_at + _tile_l)"};
        start += "    long long _i = _space._first";
        for (int k = 0; k < rank_; ++k) {
            const bool is_tiles = k >= varied;
            start += " + " + (is_tiles ? in[static_cast<std::size_t>(k - rank_ + 3)] : "_c" + axis(k)) +
                     " * _space.axes[" + axis(k) + "]._step";
        }
        start += ";\n    const long long _i_next = _step * _space.axes[" + v + "]._step;\n";
        steps.emplace_back("_i", "_i_next");
    }
    std::string advance;
    for (const auto& [name, by] : steps) advance += (advance.empty() ? "" : ", ") + name + " += _each * " + by;
    const std::string each = "#pragma unroll\n        for (int _k = 0; _k < _each; ++_k) {\n"
                             "            if (_v + _k * _step < " + end + ") {\n";
    return start + "#pragma unroll 1\n    for (; _v < " + end + "; " + advance + ") {\n" + declare +
           (load.empty() ? "" : each + load + "            }\n        }\n") + each + "            " +
           call(text_.has_index_steps() ? "_i + _k * _i_next" : "0",
                [&](const WalkedParameter& one) {
                    const std::string array = "_arg_" + one.name;
                    if (one.access == AccessPattern::tile)
                        return array + "_in[_k * " + (is_deep_ ? "_last * " + array + "_pitch" : "_step") + "]";
                    if (one.access == AccessPattern::deep) return array + "_in[_k]";
                    return array + (is_same(one) ? "_one" : "_at[_k]");
                }) +
           store + "            }\n        }\n    }\n";
}

// Computes where the block's tile begins. Blocks that run at the same time work on neighbours along the last axis, in
// groups across it, and along axes where the output's strides are smaller than across, so that parts of a sector meet
// in the cache.
std::string ElementwiseKernelWriter::tile_places() const {
    const int before = rank_ - (is_deep_ ? 3 : 2), far_axes = before - text_.near_axes;
    const std::string across = length_of(rank_ - 2);
    const auto cut_axis = [](int k) {
        return "    const unsigned _c" + axis(k) + " = _cut(_rest, _space.axes[" + axis(k) + "]);\n";
    };
    std::string text = "    const unsigned _group = (1u << _space.group_log2) - 1;\n"
                       "    unsigned _rest = blockIdx.x >> _space.group_log2;\n";
    if (is_deep_) text += "    const unsigned _deep_at = _cut(_rest, _space.tiles[2]) * _deep;\n";
    text += "    const unsigned _last_at = _cut(_rest, _space.tiles[0]) * _last;\n";
    for (int k = before - 1; k >= far_axes; --k) text += cut_axis(k);
    text += "    const unsigned _across_at =\n"
            "        ((_cut(_rest, _space.tiles[1]) << _space.group_log2) + (blockIdx.x & _group)) * _across;\n"
            "    if (_across_at >= " + across + ") return;  // the last group may have fewer tiles\n";
    for (int k = far_axes - 1; k > 0; --k) text += cut_axis(k);
    return text + (far_axes > 0 ? "    const unsigned _c0 = _rest;\n" : "");
}

std::string ElementwiseKernelWriter::tiles() const {
    const auto side = [](const std::string& most, const std::string& length, const std::string& at) {
        return length + " - " + at + " < " + most + " ? " + length + " - " + at + " : " + most + ";\n";
    };
    std::string text =
        "    enum { _across = " + std::to_string(1 << text_.across_log2) + ", _last = " +
        std::to_string(text_.width >> (text_.across_log2 + text_.deep_log2)) + ", _threads = " +
        std::to_string(tile_threads) + ", _each = " + std::to_string(each_) + ", _loads = " +
        std::to_string(tile_loads_in_flight) + " };\n" +
        (is_deep_ ? "    enum { _deep = " + std::to_string(1 << text_.deep_log2) + ", _step = 1 };\n"
                  : "    enum { _load_step = _threads / _across, _step = _threads / _last };\n") +
        tile_places() +
        "    const unsigned _rows = " + side("_across", length_of(rank_ - 2), "_across_at") +
        "    const unsigned _columns = " + side("_last", length_of(rank_ - 1), "_last_at");
    if (is_deep_) text += "    const unsigned _layers = " + side("_deep", length_of(rank_ - 3), "_deep_at");
    std::vector<const WalkedParameter*> together;
    for (const WalkedParameter* one : walked_) {
        if (!is_tiled(*one)) continue;
        if (is_deep_) text += tile_loads({one});
        else together.push_back(one);
    }
    if (!is_deep_) text += tile_loads(together);
    return text + "    __syncthreads();\n"
                  "    const unsigned _tile_l = threadIdx.x % _last;\n" +
           (is_deep_ ? "    const unsigned _tile_a = threadIdx.x / _last;\n    unsigned _v = 0;\n"
                       "    if (_tile_l >= _columns || _tile_a >= _rows) return;\n"
                     : "    unsigned _v = threadIdx.x / _last;\n    if (_tile_l >= _columns) return;\n") +
           tile_elements();
}

std::string line_directive(int line, std::string_view file) {
    std::string quoted;
    for (const char c : file) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\n' ? ' ' : c;
    }
    return "#line " + std::to_string(line) + " \"" + quoted + "\"\n";
}

std::string identifier(std::string_view name) {
    constexpr std::size_t longest = 64;
    std::string result(name.substr(0, longest));
    std::replace_if(result.begin(), result.end(),
                    [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    return result;
}

SourceWriter& SourceWriter::add(std::string_view text) {
    text_ += text;
    lines_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    return *this;
}

void SourceWriter::announce(int line, std::string_view file) {
    marks_.push_back(text_.size());
    add(line_directive(line, file));
}

SourceWriter& SourceWriter::add(const SourceText& snippet, Ending ending) {
    announce(snippet.line, snippet.file);
    add(snippet.text);
    if (snippet.text.empty() || snippet.text.back() != '\n') add("\n");
    if (ending == Ending::semicolon) add(";\n");
    if (ending != Ending::last) announce(lines_ + 2, "libgpu generated");  // the line after the directive
    return *this;
}

SourceWriter& SourceWriter::add_announced(std::string_view text) {
    if (!text.empty()) marks_.push_back(text_.size());
    return add(text);
}

SourceWriter& SourceWriter::add_head(std::string_view before, std::string_view parameters, std::string_view behind) {
    ((heads_ += '(') += parameters) += ")\n";
    return add(before).add(parameters).add(behind);
}

KernelSource SourceWriter::take(const std::string& name, std::vector<std::string> entries,
                                const std::vector<std::string>& options) {
    return {.name = name,
            .text = std::move(text_),
            .entries = std::move(entries),
            .options = options,
            .heads = std::move(heads_),
            .marks = std::move(marks_)};
}

}  // namespace gpu::detail::cuda
