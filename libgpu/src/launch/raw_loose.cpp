// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gpu/error.hpp>

#include "codegen/kernel_parameters.hpp"
#include "launch/raw_core.hpp"

namespace gpu::detail {

namespace {

std::string spelled_type(const KernelParameter& type) {
    return std::string(type.is_const ? "const " : "") + (type.is_volatile ? "volatile " : "") + type.type +
           (type.is_pointer ? "*" : "");
}

// What is told without asking a compiler; it looks at the signature afterwards all the same.
void check_argument(const std::string& kernel, std::size_t position, const LooseArgument& argument,
                    const DeclaredParameter& declared) {
    const std::string which = "kernel " + kernel + ": argument " + std::to_string(position) +
                              (declared.name.empty() ? "" : " (" + declared.name + ")");
    const std::string wanted = std::string(declared.is_pointer && declared.is_const ? "const " : "") +
                               (declared.is_pointer && declared.is_volatile ? "volatile " : "") + declared.words +
                               (declared.is_pointer ? "*" : "");
    const std::string given =
        argument.array != nullptr ? "an array of " + argument.type.type : "of type " + spelled_type(argument.type);
    const bool known =
        !standard_type(declared.words).empty() && declared.type != argument.type.type && argument.type.type != "void";
    if (argument.type.is_pointer != declared.is_pointer && !standard_type(declared.words).empty())
        throw DTypeError(which + " is " + given + ", the source declares " + wanted);
    if (known && argument.type.struct_bytes == 0) {
        std::string advice;
        if (argument.array != nullptr)
            advice = ": convert the array by astype";
        else if (!declared.is_pointer)
            advice = ": the loose form converts no numbers, so write one of that type";
        throw DTypeError(which + " is " + given + ", the source declares " + wanted + advice);
    }
    const bool may_not_write = argument.array != nullptr ? argument.read_only : argument.type.is_const;
    if (declared.is_pointer && !declared.is_const && may_not_write)
        throw Error(which + " is const, and the kernel may write to it: the source declares " + wanted);
    if (declared.is_pointer && argument.type.is_volatile && !declared.is_volatile)
        throw Error(which + " is volatile: the source declares " + wanted);
}

}  // namespace

RawKernelCore::RawKernelCore(Snippet source, const std::string& name, const std::vector<KernelParameter>* parameters)
    : source_(std::move(source)), name_(tidy_name(name)) {
    if (parameters != nullptr) signature_ = make_signature(source_.text, name_, *parameters);
}

std::shared_ptr<const RawKernelCore::Resolved> RawKernelCore::resolve(const LooseArgument* arguments,
                                                                      std::size_t count) {
    std::string key;
    for (std::size_t k = 0; k < count; ++k)
        key += spelled_type(arguments[k].type) +
               (arguments[k].array != nullptr ? arguments[k].read_only ? "r" : "a" : "") + ',' +
               std::to_string(arguments[k].type.struct_bytes) + ';';
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Resolved>& known = resolved_[key];
    if (known != nullptr) return known;

    bool found = false;
    const auto declared = declared_parameters(source_.text, name_, count, found);
    if (found && declared.size() != count) {
        throw Error("kernel " + name_ + " takes " + std::to_string(declared.size()) +
                    (declared.size() == 1 ? " argument, but " : " arguments, but ") + std::to_string(count) +
                    (count == 1 ? " was given" : " were given"));
    }
    auto resolved = std::make_shared<Resolved>();
    std::vector<KernelParameter> parameters;
    for (std::size_t k = 0; k < count; ++k) {
        KernelParameter parameter = arguments[k].type;
        if (found) check_argument(name_, k + 1, arguments[k], declared[k]);
        if (parameter.is_pointer) {
            parameter.is_const = found ? declared[k].is_const : parameter.is_const || arguments[k].read_only;
            parameter.is_volatile = found ? declared[k].is_volatile : parameter.is_volatile;
        }
        resolved->is_const.push_back(parameter.is_const);
        parameters.push_back(std::move(parameter));
    }
    if (!source_.text.empty()) resolved->signature = make_signature(source_.text, name_, parameters);
    known = std::move(resolved);
    return known;
}

void launch_loose(RawKernelCore& kernel, const LaunchConfig& config, const LooseArgument* arguments, int count) {
    const auto size = static_cast<std::size_t>(count);
    const auto resolved = kernel.resolve(arguments, size);
    std::vector<void*> addresses(size), pointers(size + 1);
    for (std::size_t k = 0; k < size; ++k) {
        pointers[k] = const_cast<void*>(arguments[k].value);
        if (arguments[k].array == nullptr) continue;
        addresses[k] =
            dense_data(*arguments[k].array, static_cast<int>(k) + 1, !resolved->is_const[k], arguments[k].is_window);
        pointers[k] = &addresses[k];
    }
    launch_core(kernel, resolved->signature, config, pointers.data(), count);
}

}  // namespace gpu::detail
