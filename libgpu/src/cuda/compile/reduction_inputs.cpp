// SPDX-License-Identifier: MIT
#include "cuda/compile/reduction_inputs.hpp"

#include <algorithm>

#include "cuda/compile/skeletons.hpp"

namespace gpu::detail::cuda {

namespace {

using Role = Parameter::Role;

}  // namespace

bool is_mapped(const Parameter& parameter) { return parameter.role == Role::input && !parameter.is_raw; }

std::string coordinates(int first, int count) {
    std::string lines;
    for (int axis = first + count - 1; axis > first; --axis) {
        const std::string number = std::to_string(axis);
        lines += "    const _Place _c" + number + " = _cut(_rest, _r.axes[" + number + "]);\n";
    }
    if (count > 0) lines += "    const _Place _c" + std::to_string(first) + " = _rest;\n";
    return lines;
}

template <class F>
std::string ReductionInputs::each(F line) const {
    std::string lines;
    for (const Parameter& parameter : text_.parameters) {
        if (is_mapped(parameter)) lines += line(parameter, "_arg_" + parameter.name);
    }
    return lines;
}

ReductionInputs::ReductionInputs(const ReductionText& text)
    : text_(text),
      by_column_(text.walk.by_column),
      is_packed_(text.walk.is_packed),
      kept_(text.kept_rank),
      reduced_(text.reduced_rank) {}

std::string ReductionInputs::starts() const {
    std::string lines;
    bool any_strided = false;
    for (const Parameter& parameter : text_.parameters) {
        if (!is_mapped(parameter)) continue;
        const std::string array = "_arg_" + parameter.name, to = array + (has_several() ? "_at[_k]" : "_at");
        any_strided = any_strided || parameter.strided;
        std::string from = parameter.strided ? array + ".data + " + offset(array, 0, kept_)
                                             : array + " + _o * _r.reduced + _begin";
        if (parameter.strided && reduced_ == 1)
            from += " + _begin * " + array + ".strides[" + std::to_string(kept_) + "]";
        lines += "            " + to + " = " + from + ";\n";
    }
    return (any_strided ? "            _Place _rest = (_Place)_o;\n" + coordinates(0, kept_) : "") + lines;
}

std::string ReductionInputs::pointers() const {
    return each([&](const Parameter& parameter, const std::string& array) {
        const std::string several = text_.walk.is_short ? "_at[_together];\n" : "_at[_pack];\n";
        return "        const " + parameter.type + "* " + array + (has_several() ? several : "_at;\n");
    });
}

std::string ReductionInputs::packs(const std::string& count) const {
    return each([&](const Parameter& parameter, const std::string& array) {
        const std::string type = is_one(parameter) ? parameter.type : "_Pack<" + parameter.type + ">";
        return "            " + type + " " + array + "_v[" + count + "];\n";
    });
}

std::string ReductionInputs::elements(const std::string& count) const {
    return each([&](const Parameter& parameter, const std::string& array) {
        return "            " + parameter.type + " " + array + "_v[" + count + "];\n";
    });
}

std::string ReductionInputs::load_packs() const {
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

std::string ReductionInputs::load_elements() const {
    return cuts() + each([&](const Parameter& parameter, const std::string& array) {
               return "                    " + array + "_v[_u] = " + array + "_at[" + along_of(parameter, array) +
                      "];\n";
           });
}

std::string ReductionInputs::load_together(bool is_pack) const {
    return cuts() + "#pragma unroll\n            for (int _k = 0; _k < _together; ++_k) {\n" +
           each([&](const Parameter& parameter, const std::string& array) {
               const std::string along = along_of(parameter, array);
               const std::string slot = "                " + array + "_v[_k] = ";
               if (!is_pack || is_one(parameter)) return slot + array + "_at[_k][" + along + "];\n";
               return slot + "*(const _Pack<" + parameter.type + ">*)(" + array + "_at[_k] + " + along + ");\n";
           }) +
           "            }\n";
}

std::string ReductionInputs::mapped(bool is_pack, const std::string& at, const std::string& slot,
                                    const std::string& element) const {
    std::string arguments;
    for (const Parameter& parameter : text_.parameters) {
        if (parameter.role == Role::output) continue;
        arguments += "_arg_" + parameter.name;
        if (is_mapped(parameter)) {
            arguments += "_v[" + slot + (!is_pack || is_one(parameter) ? "]" : "].at[" + element + "]");
        }
        arguments += ", ";
    }
    return "_map(" + arguments + "{_r.elements}, {_r.outputs}, _begin + " + at + ")";
}

// An input that stays at one element along a pack.
bool ReductionInputs::is_one(const Parameter& parameter) const {
    return is_packed_ && parameter.strided && (by_column_ ? parameter.same_across : parameter.same_along);
}

std::string ReductionInputs::cuts() const {
    const bool any = std::any_of(text_.parameters.begin(), text_.parameters.end(), [](const Parameter& parameter) {
        return parameter.strided && parameter.role == Role::input;
    });
    if (reduced_ <= 1 || !any) return {};
    return "                    _Place _rest = (_Place)_begin + _at;\n" + coordinates(kept_, reduced_);
}

std::string ReductionInputs::along_of(const Parameter& parameter, const std::string& array) const {
    if (!parameter.strided) return "_at";
    if (reduced_ == 1) return "_at * " + cast() + array + ".strides[" + std::to_string(kept_) + "]";
    return offset(array, kept_, reduced_, cast());
}

}  // namespace gpu::detail::cuda
