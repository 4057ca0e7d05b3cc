// SPDX-License-Identifier: MIT
#include "cuda/compile/walk_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codegen/kernel_support.hpp"
#include "cuda/compile/skeletons.hpp"

namespace gpu::detail::cuda {

namespace {

using Role = Parameter::Role;

constexpr const char* cut = R"(
// Cuts the coordinate along an axis off an index below 2^31: a multiplication replaces the division.
static __device__ __forceinline__ unsigned _cut(unsigned& index, const _Extent& axis) {
    const unsigned rest = (__umulhi(index, axis.magic) + index) >> axis.shift, coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}
)";

bool is_output(const Parameter& parameter) { return parameter.role == Role::output; }
bool is_tiled(const Parameter& parameter) { return parameter.strided && parameter.along == Along::tile; }

bool is_same(const Parameter& parameter) {
    return !is_output(parameter) && parameter.strided && parameter.along == Along::same;
}
// An input of which a pack is read element by element.
bool is_gathered(const Parameter& parameter) {
    if (is_output(parameter) || is_same(parameter)) return false;
    return parameter.along == Along::off || (parameter.strided && parameter.along != Along::next);
}

std::string axis(int k) { return std::to_string(k); }
std::string length_of(int k) { return "_space.axes[" + axis(k) + "].length"; }

}  // namespace

WalkText::WalkText(const ElementwiseText& text)
    : text_(text),
      walk_(text.walk),
      rank_(std::max(text.rank, 1)),
      has_coordinates_(text.has_axes || text.has_index_steps) {
    bool has_strided_output = false;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role == Role::scalar || parameter.is_raw) continue;
        walked_.push_back(&parameter);
        if (is_output(parameter)) outputs_.push_back(&parameter);
        has_coordinates_ = has_coordinates_ || parameter.strided;
        has_strided_output = has_strided_output || (is_output(parameter) && parameter.strided);
    }
    if (walked_.empty() || is_bound_by_arithmetic(text.body.text)) each_ = 1;
    const bool fits_packs = each_ > 1 && text.width > 1 && !text.has_axes && !(rank_ == 1 && has_strided_output);
    if (walk_ == ElementWalk::packs && !fits_packs) walk_ = ElementWalk::elements;
}

ThreadWork WalkText::work() const {
    return {.walk = walk_, .block = text_.block, .elements = walk_ == ElementWalk::elements ? each_ : text_.width,
            .across_log2 = text_.across_log2};
}

std::string WalkText::space() const {
    std::string text;
    if (has_coordinates_) text = strided_type(rank_);
    return text + "struct _Extent { long long _start, _step; unsigned length, magic, shift, spare; };\n"
                  "struct _Space {\n    long long size, _begin, _first;\n"
                  "    unsigned _total, group_log2;\n    _Extent tiles[2], axes[" +
           axis(rank_) + "];\n};\n";
}

std::string WalkText::helpers() const {
    std::string text = has_coordinates_ && (rank_ > 1 || walk_ == ElementWalk::tiles) ? cut : "";
    if (walk_ == ElementWalk::tiles) return text + "struct alignas(16) _Bytes { unsigned char at[16]; };\n";
    if (walk_ == ElementWalk::elements) return text;
    text += "\nenum { _width = " + std::to_string(text_.width) + " };\n"
            "template <class _T> struct alignas(sizeof(_T) * _width) _Pack { _T at[_width]; };\n";
    const auto gathered = [](const Parameter* one) { return is_gathered(*one); };
    if (std::none_of(walked_.begin(), walked_.end(), gathered)) return text;
    return text + "template <class _T> static __device__ __forceinline__ _Pack<_T> _gather(const _T* _from, long long"
                  " _step) {\n"
                  "    _Pack<_T> _pack;\n#pragma unroll\n"
                  "    for (int _k = 0; _k < _width; ++_k) _pack.at[_k] = _from[_k * _step];\n    return _pack;\n}\n";
}

std::string WalkText::threads() const {
    const std::string start = text_.has_axes ? "" : "    const _Index _ind{_space.size};\n";
    switch (walk_) {
        case ElementWalk::packs: return start + packs();
        case ElementWalk::elements: return start + elements();
        case ElementWalk::tiles: return start + tiles();
    }
    return {};
}

/// One call of the body; `argument` says how a parameter's element is spelled.
template <class F>
std::string WalkText::call(const std::string& index, F argument) const {
    std::string text = "_element(";
    for (const Parameter& parameter : text_.parameters) {
        const bool is_whole = parameter.role == Role::scalar || parameter.is_raw;
        text += (is_whole ? "_arg_" + parameter.name : argument(parameter)) + ", ";
    }
    return text + index + ", _ind);\n";
}

// `_c0`, `_c1`, ... of the element `_e`, and what the body learns of them.
std::string WalkText::coordinates(const std::string& indent) const {
    if (!has_coordinates_) return "";
    std::string text;
    if (rank_ == 1) {
        text = indent + "const unsigned _c0 = _e;\n";
    } else {
        text = indent + "unsigned _rest = _e;\n";
        for (int k = rank_ - 1; k > 0; --k)
            text += indent + "const unsigned _c" + axis(k) + " = _cut(_rest, _space.axes[" + axis(k) + "]);\n";
        text += indent + "const unsigned _c0 = _rest;\n";
    }
    if (!text_.has_axes) return text;
    text += indent + "const _Index _ind{_space.size, {{";
    for (int k = 0; k < rank_; ++k)
        text += (k == 0 ? "" : ", ") + ("_space.axes[" + axis(k) + "]._start + _c") + axis(k);
    return text + "}}};\n";
}

std::string WalkText::element_at(const Parameter& parameter) const {
    const std::string array = "_arg_" + parameter.name;
    return parameter.strided ? array + ".data[" + offset(array, 0, rank_) + "]" : array + "[_space._begin + _e]";
}

// The body's `i` at the coordinates.
std::string WalkText::index() const {
    if (!text_.has_index_steps) return "_space._first + _e";
    std::string text = "_space._first";
    for (int k = 0; k < rank_; ++k) text += " + _c" + axis(k) + " * _space.axes[" + axis(k) + "]._step";
    return text;
}

// Where one axis is all, arrays begin anywhere: packs begin where the first output's do.
std::string WalkText::first_pack() const {
    if (outputs_.empty()) return "    const unsigned _head = 0, _packs = _space._total / _width;\n";
    const Parameter& first = *outputs_.front();
    return "    unsigned _head = (unsigned)((0 - (size_t)(_arg_" + first.name + " + _space._begin) / sizeof(" +
           first.type + ")) % _width);\n"
           "    if (_head > _space._total) _head = _space._total;\n"
           "    const unsigned _packs = (_space._total - _head) / _width;\n";
}

std::string WalkText::packs() const {
    const bool is_line = rank_ == 1;
    std::string fetch, store;
    for (const Parameter* one : walked_) {
        const std::string array = "_arg_" + one->name, pack = "_Pack<" + one->type + ">";
        const std::string step = array + ".strides[" + axis(rank_ - 1) + "]";
        if (is_same(*one)) {
            fetch += "        const " + one->type + " " + array + "_one = " + element_at(*one) + ";\n";
            continue;
        }
        fetch += "        " + std::string(is_output(*one) ? "" : "const ") + pack + " " + array + "_pack = ";
        if (is_output(*one)) {
            fetch += "*(const " + pack + "*)&" + element_at(*one) + ";\n";
            store += "        *(" + pack + "*)&" + element_at(*one) + " = " + array + "_pack;\n";
        } else if (is_gathered(*one)) {
            fetch += "_gather(&" + element_at(*one) + ", " + (one->strided ? step : "1") + ");\n";
        } else {
            fetch += "*(const " + pack + "*)&" + element_at(*one) + ";\n";
        }
    }
    const std::string step =
        text_.has_index_steps ? " + _k * _space.axes[" + axis(rank_ - 1) + "]._step" : std::string(" + _k");
    std::string text =
        "    const unsigned _thread = blockIdx.x * blockDim.x + threadIdx.x;\n" +
        (is_line ? first_pack() : "    const unsigned _packs = _space._total / _width;\n") +
        "    if (_thread < _packs) {\n"
        "        const unsigned _e = " + (is_line ? "_head + " : "") + "_thread * _width;\n" +
        coordinates("        ") + fetch +
        "#pragma unroll\n"
        "        for (int _k = 0; _k < _width; ++_k) {\n            " +
        call(index() + step, [](const Parameter& one) {
            return "_arg_" + one.name + (is_same(one) ? "_one" : "_pack.at[_k]");
        }) +
        "        }\n" + store + "    }\n";
    if (!is_line) return text;
    return text + "    const unsigned _left = _space._total - _packs * _width;  // fewer than two packs\n"
                  "    if (_thread < _left) {\n"
                  "        const unsigned _e = _thread < _head ? _thread : _thread + _packs * _width;\n" +
           one_by_one() + "    }\n";
}

std::string WalkText::one_by_one() const {
    return coordinates("        ") + "        " +
           call(index(), [&](const Parameter& one) { return element_at(one); });
}

// Where a block has all of its elements, a thread loads its own before it stores any.
std::string WalkText::staged() const {
    std::string declare, load, store;
    for (const Parameter* one : walked_) {
        const std::string array = "_arg_" + one->name;
        declare += "        " + one->type + " " + array + "_at[_each];\n";
        load += "            " + array + "_at[_k] = ";
        if (is_output(*one)) {
            declare += "        " + one->type + "* " + array + "_to[_each];\n";
            load += "*(" + array + "_to[_k] = &" + element_at(*one) + ");\n";
            store += "            *" + array + "_to[_k] = " + array + "_at[_k];\n";
        } else {
            load += element_at(*one) + ";\n";
        }
    }
    const std::string loop = "#pragma unroll\n        for (int _k = 0; _k < _each; ++_k) {\n"
                             "            const unsigned _e = _begin + _k * blockDim.x;\n";
    const bool sees_place = text_.has_axes || text_.has_index_steps;
    return declare + loop + coordinates("            ") + load + "        }\n" + loop +
           (sees_place ? coordinates("            ") : std::string()) + "            " +
           call(index(), [](const Parameter& one) { return "_arg_" + one.name + "_at[_k]"; }) + store + "        }\n";
}

std::string WalkText::elements() const {
    if (each_ == 1) {
        return "    const unsigned _first = blockIdx.x * blockDim.x + threadIdx.x, _threads = gridDim.x * blockDim.x;\n"
               "#pragma unroll 1\n"
               "    for (unsigned _e = _first; _e < _space._total; _e += _threads) {\n" +
               one_by_one() + "    }\n";
    }
    return "    enum { _each = " + std::to_string(each_) + " };\n"
           "    const unsigned _begin = blockIdx.x * blockDim.x * _each + threadIdx.x;\n"
           "    if (_begin - threadIdx.x + blockDim.x * _each <= _space._total) {\n" + staged() +
           "        return;\n    }\n"
           "#pragma unroll 1\n"
           "    for (unsigned _e = _begin; _e < _space._total; _e += blockDim.x) {\n" + one_by_one() + "    }\n";
}

// An array's first element of a thread in its tile, from `data`.
std::string WalkText::corner(const Parameter& one, const std::string& across, const std::string& last) const {
    const std::string array = "_arg_" + one.name;
    return array + ".data + " + (rank_ > 2 ? offset(array, 0, rank_ - 2) + " + " : std::string()) + "(_across_at + " +
           across + ") * " + array + ".strides[" + axis(rank_ - 2) + "] + (_last_at + " + last + ") * " + array +
           ".strides[" + axis(rank_ - 1) + "]";
}

// Copies the block's tile of an array to shared memory: neighbouring threads read along the array's own fast axis.
std::string WalkText::tile_of(const Parameter& one) const {
    const std::string array = "_arg_" + one.name, type = one.type, pitch = array + "_pitch";
    const std::string padding = "(sizeof(" + type + ") < 4 ? 4 / (int)sizeof(" + type + ") : 1)";
    return "    enum { " + pitch + " = _across + " + padding + " };\n"
           "    __shared__ _Bytes " + array + "_bytes[(_last * " + pitch + " * sizeof(" + type + ") + 15) / 16];\n"
           "    " + type + "* const " + array + "_tile = (" + type + "*)" + array + "_bytes;\n"
           "    if (_load_a < _rows) {\n"
           "        const " + type + "* _from = " + corner(one, "_load_a", "_load_l") + ";\n"
           "        const long long _next = _load_step * " + array + ".strides[" + axis(rank_ - 1) + "];\n"
           "        " + type + "* _to = " + array + "_tile + _load_l * " + pitch + " + _load_a;\n"
           "        unsigned _l = _load_l;\n"
           "#pragma unroll 1\n"
           "        for (; _l + (_loads - 1) * _load_step < _columns; _l += _loads * _load_step) {\n"
           "            " + type + " _value[_loads];\n"
           "#pragma unroll\n"
           "            for (int _k = 0; _k < _loads; ++_k) _value[_k] = _from[_k * _next];\n"
           "#pragma unroll\n"
           "            for (int _k = 0; _k < _loads; ++_k) _to[_k * _load_step * " + pitch + "] = _value[_k];\n"
           "            _from += _loads * _next;\n"
           "            _to += _loads * _load_step * " + pitch + ";\n"
           "        }\n"
           "#pragma unroll 1\n"
           "        for (; _l < _columns; _l += _load_step, _from += _next, _to += _load_step * " + pitch +
           ") *_to = *_from;\n"
           "    }\n";
}

// The elements of the tile: `_each` at once, and those that are left one by one.
std::string WalkText::tile_elements() const {
    std::string start, declare, load, store;
    std::vector<std::pair<std::string, std::string>> steps{{"_a", "_step"}};  // what grows from one element to the next
    for (const Parameter* one : walked_) {
        const std::string array = "_arg_" + one->name;
        if (is_tiled(*one)) {
            start += "    const " + one->type + "* " + array + "_in = " + array + "_tile + _tile_l * " + array +
                     "_pitch + _a;\n";
            steps.emplace_back(array + "_in", "_step");
            continue;
        }
        const std::string constness = is_output(*one) ? "" : "const ";
        start += "    " + constness + one->type + "* " + array + "_in = " + corner(*one, "_a", "_tile_l") + ";\n"
                 "    const long long " + array + "_next = _step * " + array + ".strides[" + axis(rank_ - 2) + "];\n";
        steps.emplace_back(array + "_in", array + "_next");
        declare += "        " + one->type + " " + array + "_at[_each];\n";
        load += "            " + array + "_at[_k] = " + array + "_in[_k * " + array + "_next];\n";
        if (is_output(*one)) store += "            " + array + "_in[_k * " + array + "_next] = " + array + "_at[_k];\n";
    }
    if (text_.has_index_steps) {
        start += "    long long _i = _space._first";
        for (int k = 0; k < rank_; ++k) {
            const std::string at = k == rank_ - 2 ? "(_across_at + _a)" : k == rank_ - 1 ? "(_last_at + _tile_l)"
                                                                                          : "_c" + axis(k);
            start += " + " + at + " * _space.axes[" + axis(k) + "]._step";
        }
        start += ";\n    const long long _i_next = _step * _space.axes[" + axis(rank_ - 2) + "]._step;\n";
        steps.emplace_back("_i", "_i_next");
    }
    const std::string i = text_.has_index_steps ? "_i + _k * _i_next" : "0";
    const auto stepped = [&](const std::string& count) {
        std::string text;
        for (const auto& [name, by] : steps) text += (text.empty() ? "" : ", ") + name + " += " + count + " * " + by;
        return text;
    };
    return start + "#pragma unroll 1\n    for (; _a + (_each - 1) * _step < _rows; " + stepped("_each") + ") {\n" +
           declare + "#pragma unroll\n        for (int _k = 0; _k < _each; ++_k) {\n" + load + "        }\n"
           "#pragma unroll\n        for (int _k = 0; _k < _each; ++_k) {\n            " +
           call(i, [](const Parameter& one) {
               const std::string array = "_arg_" + one.name;
               return is_tiled(one) ? array + "_in[_k * _step]" : array + "_at[_k]";
           }) +
           store + "        }\n    }\n"
           "#pragma unroll 1\n    for (; _a < _rows; " + stepped("1") + ") {\n        " +
           call(text_.has_index_steps ? "_i" : "0", [](const Parameter& one) { return "*_arg_" + one.name + "_in"; }) +
           "    }\n";
}

std::string WalkText::tiles() const {
    const std::string across = length_of(rank_ - 2), last = length_of(rank_ - 1);
    std::string text =
        "    enum { _across = " + std::to_string(1 << text_.across_log2) + ", _last = " +
        std::to_string(text_.width >> text_.across_log2) + ", _threads = " + std::to_string(tile_threads) + " };\n"
        "    enum { _load_step = _threads / _across, _step = _threads / _last, _each = " + std::to_string(each_) +
        ", _loads = 4 };\n"
        "    const unsigned _group = (1u << _space.group_log2) - 1;\n"
        "    unsigned _rest = blockIdx.x >> _space.group_log2;\n"
        "    const unsigned _last_at = _cut(_rest, _space.tiles[0]) * _last;\n"
        "    const unsigned _across_at =\n"
        "        ((_cut(_rest, _space.tiles[1]) << _space.group_log2) + (blockIdx.x & _group)) * _across;\n"
        "    if (_across_at >= " + across + ") return;  // the last group may have fewer tiles\n";
    for (int k = rank_ - 3; k > 0; --k)
        text += "    const unsigned _c" + axis(k) + " = _cut(_rest, _space.axes[" + axis(k) + "]);\n";
    if (rank_ > 2) text += "    const unsigned _c0 = _rest;\n";
    const auto side = [](const std::string& most, const std::string& length, const std::string& at) {
        return length + " - " + at + " < " + most + " ? " + length + " - " + at + " : " + most + ";\n";
    };
    text += "    const unsigned _rows = " + side("_across", across, "_across_at") +
            "    const unsigned _columns = " + side("_last", last, "_last_at") +
            "    const unsigned _load_a = threadIdx.x % _across, _load_l = threadIdx.x / _across;\n";
    for (const Parameter* one : walked_) {
        if (is_tiled(*one)) text += tile_of(*one);
    }
    return text + "    __syncthreads();\n"
                  "    const unsigned _tile_l = threadIdx.x % _last;\n"
                  "    unsigned _a = threadIdx.x / _last;\n"
                  "    if (_tile_l >= _columns) return;\n" +
           tile_elements();
}

}  // namespace gpu::detail::cuda
