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
std::string stride(int k) { return ".strides[" + axis(k) + "]"; }

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
    const auto constant = [](const char* name, int value) {
        return std::string(", ") + name + " = " + std::to_string(value);
    };
    std::string all = "enum { _axes = " + axis(rank_) + constant("_block", text_.block);
    if (walk_ == Traversal::packs) all += constant("_pack", text_.width);
    if (walk_ != Traversal::packs && each_ > 1) all += constant("_each", each_);
    if (walk_ == Traversal::tiles) {
        const int across = 1 << text_.across_log2;
        const int last = text_.width >> (text_.across_log2 + text_.deep_log2);
        all += constant("_across", across) + constant("_last", last) +
               constant("_deep", is_deep_ ? 1 << text_.deep_log2 : 0) +
               constant("_loads", tile_loads_in_flight) + constant("_load_step", tile_threads / across) +
               constant("_step", is_deep_ ? 1 : tile_threads / last);
    }
    return all + " };\n";
}

std::string ElementwiseKernelWriter::space() const {
    return constants() + (has_coordinates_ ? text::strided : "") + text::walk +
           (text_.has_axes ? text::walk_index_of_axes : text::walk_index);
}

std::string ElementwiseKernelWriter::kernel(const std::string& entry) const {
    const auto gathered = [](const WalkedParameter* one) { return is_gathered(*one); };
    std::string all = has_coordinates_ && (rank_ > 1 || walk_ == Traversal::tiles) ? text::walk_cut : "";
    if (walk_ == Traversal::packs) all += text::pack;
    if (walk_ == Traversal::packs && std::any_of(walked_.begin(), walked_.end(), gathered)) all += text::walk_gather;
    if (walk_ == Traversal::tiles) all += text::walk_tile;
    all += "\nstruct _Arrays {\n    const _Space& _space;\n" + members() + walk() + "};\n#define _arrays _space";
    std::string parameters = "const _Space _space";
    for (const WalkedParameter& parameter : parameters_) {
        all += ", _arg_" + parameter.name;
        parameters += ", " + kernel_parameter(parameter);
    }
    all += "\n#define _kernel " + entry + "\n#define _parameters " + parameters + "\n";
    if (walk_ == Traversal::tiles)
        all += tile_places() + shared_tiles().start + tile_reader(AccessPattern::tile).start +
               (is_deep_ ? tile_reader(AccessPattern::deep).start : "") + tile_elements();
    switch (walk_) {
        case Traversal::packs: return all + (rank_ == 1 ? text::walk_line : text::walk_packs);
        case Traversal::elements: return all + (each_ > 1 ? text::walk_elements : text::walk_one_by_one);
        case Traversal::tiles: return all + (is_deep_ ? text::walk_deep_tiles : text::walk_tiles);
    }
    return {};
}

// What `_Arrays` does for the walk.
std::string ElementwiseKernelWriter::walk() const {
    switch (walk_) {
        case Traversal::packs: return packs() + (rank_ == 1 ? first_output() + one_by_one() : "");
        case Traversal::elements: return (each_ > 1 ? staged() : "") + one_by_one();
        case Traversal::tiles:
            return shared_tiles().members + tile_reader(AccessPattern::tile).members +
                   (is_deep_ ? tile_reader(AccessPattern::deep).members : "");
    }
    return {};
}

/// A call of the body; `argument` returns the spelling of a parameter's element.
template <class F>
std::string ElementwiseKernelWriter::call(const std::string& index, F argument) const {
    std::string text = "_element(";
    for (const WalkedParameter& parameter : parameters_) {
        const bool is_whole = parameter.role == Role::scalar || parameter.is_raw;
        text += (is_whole ? "_arg_" + parameter.name : argument(parameter)) + ", ";
    }
    return text + index + ", _ind);";
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
                               }) + "\n") +
           device_function("void _store(const _Packs& _v)", store);
}

std::string ElementwiseKernelWriter::one_by_one() const {
    return device_function("void _call(const unsigned _e)",
                           coordinates() + place() + "        " +
                               call(index(), [&](const WalkedParameter& one) { return element_at(one); }) + "\n");
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
                               call(index(), [](const WalkedParameter& one) { return "_v._arg_" + one.name; }) + "\n" +
                               store);
}

// An array's element at these coordinates of the tile; a tile of two axes has no `deep`.
std::string ElementwiseKernelWriter::in_tile(const WalkedParameter& one, const std::string& deep,
                                             const std::string& across, const std::string& last) const {
    const std::string array = "_arg_" + one.name;
    const int before = rank_ - (is_deep_ ? 3 : 2);
    std::string text = array + ".data";
    const auto add = [&](const std::string& place, int k) { text += " + " + place + " * " + array + stride(k); };
    for (int k = 0; k < before; ++k) add("_c" + axis(k), k);
    if (is_deep_) add("(_deep_at + " + deep + ")", before);
    add("(_across_at + " + across + ")", rank_ - 2);
    add("(_last_at + " + last + ")", rank_ - 1);
    return text;
}

// Where the block's tiles are in shared memory; each line of one has a few bytes more, for other banks.
ElementwiseKernelWriter::TileText ElementwiseKernelWriter::shared_tiles() const {
    std::string pitches, declare, lines, list;
    for (const WalkedParameter* one : walked_) {
        if (!is_tiled(*one)) continue;
        const std::string array = "_arg_" + one->name, size = "sizeof(" + one->type + ")";
        const bool is_across = one->access == AccessPattern::tile;
        const std::string others = !is_deep_ ? "_last" : is_across ? "_last * _deep" : "_last * _across";
        pitches += "    enum { " + array + "_pitch = " + (is_across ? "_across" : "_deep") + " + (" + size +
                   " < 4 ? 4 / (int)" + size + " : 1) };\n";
        declare += "        " + one->type + "* " + array + ";\n";
        lines += " __shared__ _Bytes " + array + "_bytes[(" + others + " * _Arrays::" + array + "_pitch * " + size +
                 " + 15) / 16];";
        list += (list.empty() ? "(" : ", (") + one->type + "*)" + array + "_bytes";
    }
    return {.members = pitches + "    struct _Tiles {\n" + declare + "    };\n",
            .start = "#define _shared_tiles" + lines + " const _Arrays::_Tiles _tiles = {" + list + "};\n"};
}

// How a thread copies its part of these arrays' tiles to shared memory: neighbouring threads read along the arrays' own
// fast axis.
ElementwiseKernelWriter::TileText ElementwiseKernelWriter::tile_reader(AccessPattern access) const {
    const bool is_across = access == AccessPattern::tile;
    const std::string type = is_across ? "_AlongAcross" : "_AlongDeep";
    const int by = !is_deep_ ? rank_ - 1 : is_across ? rank_ - 3 : rank_ - 2;
    const std::string reader = type + "& _r";
    std::string declare, values, start, fetch, keep, advance;
    for (const WalkedParameter* one : walked_) {
        if (!is_tiled(*one) || one->access != access) continue;
        const std::string array = "_arg_" + one->name, pitch = array + "_pitch";
        const std::string next = "_r." + array + "_next";
        const std::string to_next = "(" + std::string(is_deep_ ? "_last" : "_load_step") + " * " + pitch + ")";
        declare += "        const " + one->type + "* " + array + ";\n        " + one->type + "* " + array + "_to;\n" +
                   "        long long " + array + "_next;\n";
        values += "            " + one->type + " " + array + ";\n";
        start += " _r." + array + " = " +
                 (is_across ? in_tile(*one, "0", "_fast", "_other") : in_tile(*one, "_fast", "0", "_other")) +
                 "; _r." + array + "_to = _tiles." + array + " + _other * _Arrays::" + pitch + " + _fast; " + next +
                 " = " + (is_deep_ ? "" : "_load_step * ") + array + stride(by) + ";";
        fetch += "        _v." + array + " = _r." + array + "[_k * " + next + "];\n";
        keep += "        _r." + array + "_to[_k * " + to_next + "] = _v." + array + ";\n";
        advance += "        _r." + array + " += _loads * " + next + ";\n        _r." + array + "_to += _loads * " +
                   to_next + ";\n";
    }
    return {.members = "    struct " + type + " {\n" + declare + "        struct _Values {\n" + values +
                       "        };\n    };\n" +
                       device_function("void _fetch(" + type + "::_Values& _v, const " + reader + ", int _k)", fetch) +
                       device_function("void _keep(const " + type + "::_Values& _v, const " + reader + ", int _k)",
                                       keep) +
                       device_function("void _advance(" + reader + ")", advance),
            .start = std::string("#define _start_along_") + (is_across ? "across" : "deep") + start + "\n"};
}

// The coordinates along axes before a tile's: near ones, where the output's steps are shorter than across, and others.
std::string ElementwiseKernelWriter::tile_places() const {
    const int before = rank_ - (is_deep_ ? 3 : 2), far_axes = before - text_.near_axes;
    const auto cut_axes = [](int first, int end) {
        std::string text;
        for (int k = end - 1; k >= first; --k)
            text += " const unsigned _c" + axis(k) + " = _cut(_rest, _space.axes[" + axis(k) + "]);";
        return text;
    };
    return "#define _near_coordinates" + cut_axes(far_axes, before) + "\n#define _far_coordinates" +
           cut_axes(1, far_axes) + (far_axes > 0 ? " const unsigned _c0 = _rest;" : "") + "\n";
}

// The elements of a thread in the tile: along the axis across, or of three axes along the first one. As macros, the
// loop is compiled to the same code as if it were written out; with a struct it isn't.
std::string ElementwiseKernelWriter::tile_elements() const {
    const int varied = rank_ - (is_deep_ ? 3 : 2);
    const std::string deep = is_deep_ ? "_v" : "", across = is_deep_ ? "_a" : "_v";
    std::string start, values, load, store;
    std::vector<std::pair<std::string, std::string>> steps;  // what grows from one element to the next
    for (const WalkedParameter* one : walked_) {
        const std::string array = "_arg_" + one->name, pitch = "_Arrays::" + array + "_pitch";
        const std::string element = " const " + one->type + "* " + array + "_in = ";
        if (one->access == AccessPattern::tile) {
            start += element + "_tiles." + array + " + _l * " + pitch + " + " + across + ";";
            steps.emplace_back(array + "_in", tile_step(*one));
        } else if (one->access == AccessPattern::deep) {
            start += element + "_tiles." + array + " + (_a * _last + _l) * " + pitch + ";";
            steps.emplace_back(array + "_in", "1");
        } else if (is_same(*one)) {
            start += " const " + one->type + " " + array + "_one = *(" + in_tile(*one, deep, across, "_l") + ");";
        } else {
            start += (is_output(*one) ? " " + one->type + "* " + array + "_in = " : element) +
                     in_tile(*one, deep, across, "_l") + "; const long long " + array + "_next = _step * " + array +
                     stride(varied) + ";";
            steps.emplace_back(array + "_in", array + "_next");
            values += " " + one->type + " " + array + "_at[_each];";
            load += " " + array + "_at[_k] = " + array + "_in[_k * " + array + "_next];";
            if (is_output(*one)) store += " " + array + "_in[_k * " + array + "_next] = " + array + "_at[_k];";
        }
    }
    if (text_.has_index_steps()) {
        const std::string in[] = {"(_deep_at + " + deep + ")", "(_across_at + " + across + ")",
                                  "(_last_at + _l)"};
        start += " long long _i = _space._first";
        for (int k = 0; k < rank_; ++k)
            start += " + " + (k >= varied ? in[k - rank_ + 3] : "_c" + axis(k)) + " * _space.axes[" +
                     axis(k) + "]._step";
        start += "; const long long _i_next = _step * _space.axes[" + axis(varied) + "]._step;";
        steps.emplace_back("_i", "_i_next");
    }
    std::string advance;
    for (const auto& [name, by] : steps) advance += (advance.empty() ? " " : ", ") + name + " += _each * " + by;
    return "#define _start_elements" + start + "\n#define _advance_elements" + advance + "\n#define _values" + values +
           "\n#define _load_value" + load + "\n#define _call_element " +
           call(text_.has_index_steps() ? "_i + _k * _i_next" : "0",
                [&](const WalkedParameter& one) {
                    const std::string array = "_arg_" + one.name;
                    if (one.access == AccessPattern::tile) return array + "_in[_k * " + tile_step(one) + "]";
                    if (one.access == AccessPattern::deep) return array + "_in[_k]";
                    return array + (is_same(one) ? "_one" : "_at[_k]");
                }) + store + "\n";
}

// From one element of a thread to the next, in a tile along the axis across.
std::string ElementwiseKernelWriter::tile_step(const WalkedParameter& one) const {
    return is_deep_ ? "_last * _Arrays::_arg_" + one.name + "_pitch" : "_step";
}

}  // namespace gpu::detail::cuda
