// SPDX-License-Identifier: MIT
#include <gpu/raw_argument.hpp>

#include <algorithm>

#include <gpu/error.hpp>

#include "codegen/kernel_parameters.hpp"
#include "launch/raw_core.hpp"
#include "runtime/context.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

void check_place(const ArrayCore& core, const std::string& which) {
    if (core.storage == nullptr) throw Error(which + " of a raw kernel is an array that was moved from");
    const Device device = core.storage->device();
    if (device == current_device()) return;
    throw DeviceError(which + " of a raw kernel is on " + device.to_string() + ", the kernel would run on " +
                      current_device().to_string() + ": move the array, as in x.to(" + spelled(current_device()) +
                      "), or launch under gpu::DeviceGuard guard(" + spelled(device) + ")");
}

}  // namespace

std::string unqualified_name(std::string_view pretty) {
    const std::size_t at = pretty.find("T = ");
    if (at == std::string_view::npos) return {};
    std::string_view name = pretty.substr(at + 4);
    // g++ goes on with "; std::string_view = ...", both end with "]".
    int depth = 0;
    std::size_t begin = 0, end = 0;
    for (; end < name.size(); ++end) {
        const char c = name[end];
        depth += c == '<' || c == '(' || c == '{' ? 1 : 0;
        depth -= c == '>' || c == ')' || c == '}' ? 1 : 0;
        if (depth == 0 && (c == ';' || c == ']')) break;
        if (depth == 0 && c == ':') begin = end + 1;
    }
    return std::string(name.substr(begin, end - begin));
}

void* dense_data(const ArrayCore& core, int parameter, bool written, bool is_window) {
    const std::string which = "argument " + std::to_string(parameter);
    check_place(core, which);
    const bool by_columns = !is_dense(core, Layout::row_major) && is_dense(core, Layout::column_major);
    if (by_columns && is_window) {
        throw ShapeError(which + " of a raw kernel is a window in column-major order, as after transpose(): a kernel " +
                         "gets an address only and wouldn't know; pass its copy(gpu::Layout::row_major), its data() " +
                         "if the kernel counts so, or let the kernel take a StridedView, see gpu::strided");
    }
    if (!by_columns && !is_dense(core, Layout::row_major)) {
        throw ShapeError(which + " of a raw kernel is a window with strides " + to_string(core.strides) +
                         ": a kernel gets an address only; make a gpu::Array of it first, or let the kernel take a "
                         "StridedView, see gpu::strided");
    }
    if (written) core.storage->mark_written();
    return data_of(core);
}

void* strided_data(const ArrayCore& core, int rank, bool written, long long* shape, long long* strides) {
    check_place(core, "a strided argument");
    if (core.shape.rank() != rank) {
        throw ShapeError("a raw kernel's StridedView has " + std::to_string(rank) + " axes, the array has shape " +
                         to_string(core.shape));
    }
    std::copy(core.shape.begin(), core.shape.end(), shape);
    std::copy(core.strides.begin(), core.strides.end(), strides);
    if (written) core.storage->mark_written();
    return data_of(core);
}

RawSignature make_signature(const std::string& source, const std::string& name,
                            const std::vector<KernelParameter>& parameters) {
    bool found = false;
    const auto declared = declared_parameters(source, name, parameters.size(), found);
    RawSignature signature;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const KernelParameter& parameter = parameters[k];
        std::string type = parameter.type;
        // long, long long, size_t and int64_t are alike to us, and different types to a compiler.
        const bool wide = type == "long long" || type == "unsigned long long";
        if (wide && found && declared.size() == parameters.size() && standard_type(declared[k].words) == type)
            type = declared[k].words;
        signature.text += (k == 0 ? "" : ", ") + std::string(parameter.is_const ? "const " : "") +
                          (parameter.is_volatile ? "volatile " : "") + type + (parameter.is_pointer ? "*" : "");
        if (parameter.struct_bytes == 0) continue;
        const StructLayout layout{parameter.type, parameter.struct_bytes, parameter.struct_alignment};
        if (std::find(signature.structs.begin(), signature.structs.end(), layout) == signature.structs.end())
            signature.structs.push_back(layout);
    }
    signature.text = "(" + signature.text + ")";
    signature.key = signature.text;
    for (const StructLayout& layout : signature.structs)
        signature.key +=
            ';' + layout.name + ',' + std::to_string(layout.bytes) + ',' + std::to_string(layout.alignment);
    return signature;
}

}  // namespace gpu::detail
