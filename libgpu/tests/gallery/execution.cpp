// SPDX-License-Identifier: MIT
#include "execution.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

#include <gpu/device.hpp>
#include <gpu/source.hpp>

namespace gallery {

namespace {

using gpu::DType;

// Calls f with a value of the spelled type.
template <class F>
auto with_type(const std::string& type, F f) {
    if (type == "float") return f(float{});
    if (type == "double") return f(double{});
    if (type == "int") return f(int{});
    if (type == "unsigned") return f(unsigned{});
    if (type == "short") return f(short{});
    if (type == "bool") return f(bool{});
    if (type == "char") return f(static_cast<signed char>(0));
    if (type == "long long") return f(std::int64_t{});
    return f(std::uint64_t{});
}

std::vector<std::byte> as_bytes(const Values& values, const std::string& type) {
    return with_type(type, [&values](auto zero) {
        using T = decltype(zero);
        std::vector<std::byte> bytes(values.size() * sizeof(T));
        for (std::size_t k = 0; k < values.size(); ++k) {
            const T value = static_cast<T>(values[k]);
            std::memcpy(bytes.data() + k * sizeof(T), &value, sizeof(T));
        }
        return bytes;
    });
}

Values as_values(const std::vector<std::byte>& bytes, const std::string& type) {
    return with_type(type, [&bytes](auto zero) {
        using T = decltype(zero);
        Values values(bytes.size() / sizeof(T));
        for (std::size_t k = 0; k < values.size(); ++k) {
            T value{};
            std::memcpy(&value, bytes.data() + k * sizeof(T), sizeof(T));
            values[k] = static_cast<double>(value);
        }
        return values;
    });
}

DType dtype(const std::string& type) {
    return with_type(type, [](auto zero) { return gpu::dtype_of<decltype(zero)>; });
}

double epsilon(const std::string& type) {
    if (type == "float") return static_cast<double>(std::numeric_limits<float>::epsilon());
    return type == "double" ? std::numeric_limits<double>::epsilon() : 0.0;
}

Values filled(const ArraySpec& spec) {
    using Filling = ArraySpec::Filling;
    Values values(static_cast<std::size_t>(spec.length), spec.filling == Filling::ones ? 1.0 : 0.0);
    std::mt19937_64 engine(static_cast<std::uint64_t>(spec.number));
    for (std::size_t k = 0; k < values.size(); ++k) {
        const std::uint64_t bits = engine();
        const auto index = static_cast<std::int64_t>(k);
        if (spec.filling == Filling::ramp) values[k] = static_cast<double>(index);
        if (spec.filling == Filling::modulo) values[k] = static_cast<double>(index % spec.number);
        if (spec.filling == Filling::random && spec.below > 0)
            values[k] = static_cast<double>(bits % static_cast<std::uint64_t>(spec.below));
        // In [-1, 1), and exactly a float.
        if (spec.filling == Filling::random && spec.below == 0)
            values[k] = static_cast<double>(bits >> 41) / 4194304.0 - 1.0;
        if (spec.filling == Filling::uninitialized) values[k] = std::numeric_limits<double>::quiet_NaN();
    }
    return values;
}

Expected expected(const KernelFile& file, const CheckSpec& check, const Contents& before) {
    std::vector<Values> arrays;
    Values numbers;
    for (const std::string& argument : check.arguments) {
        if (const auto found = before.find(argument); found != before.end())
            arrays.push_back(found->second);
        else
            numbers.push_back(std::stod(argument));
    }
    Expected want = reference(check.reference, arrays, numbers);
    if (check.reference == "constant") {
        want.values.resize(static_cast<std::size_t>(file.array(check.array).length), want.values[0]);
        want.sizes.resize(want.values.size(), want.sizes[0]);
    }
    return want;
}

std::string wrong_elements(const std::string& name, const Values& got, const Expected& want, double allowed_eps) {
    if (got.size() != want.values.size())
        return name + " has " + std::to_string(got.size()) + " elements, the reference " +
               std::to_string(want.values.size()) + "\n";
    std::ostringstream text;
    text.precision(17);
    int wrong = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
        const double error = std::fabs(got[k] - want.values[k]), allowed = allowed_eps * want.sizes[k];
        if (error <= allowed) continue;
        if (++wrong <= 4) text << name << "[" << k << "] is " << got[k] << ", should be " << want.values[k] << "\n";
    }
    if (wrong > 4) text << "... and " << wrong - 4 << " more\n";
    return text.str();
}

}  // namespace

Contents first_contents(const KernelFile& file) {
    Contents contents;
    for (const ArraySpec& spec : file.arrays) contents[spec.name] = filled(spec);
    return contents;
}

Execution::Execution(const KernelFile& file) : file_(file) {
    for (const LaunchSpec& launch : file.launches)
        kernels_.push_back(gpu::detail::make_raw_kernel(gpu::Source(file.text, file.name), launch.kernel, nullptr, {}));
}

void Execution::run() {
    arrays_.clear();
    for (const ArraySpec& spec : file_.arrays) {
        gpu::detail::ArrayCore core = gpu::detail::make_array(dtype(spec.type), gpu::Shape{spec.length});
        if (spec.filling != ArraySpec::Filling::uninitialized)
            gpu::detail::copy_from_host(core, as_bytes(filled(spec), spec.type).data(), spec.length);
        arrays_.emplace(spec.name, std::move(core));
    }
    for (std::size_t k = 0; k < kernels_.size(); ++k) launch(k);
    gpu::synchronize();
}

void Execution::launch(std::size_t number) {
    const LaunchSpec& launch = file_.launches[number];
    std::vector<void*> addresses(launch.arguments.size());
    std::vector<void*> arguments;
    for (std::size_t k = 0; k < launch.arguments.size(); ++k) {
        const ArgumentSpec& argument = launch.arguments[k];
        if (argument.array.empty()) {
            arguments.push_back(const_cast<std::byte*>(argument.bytes.data()));
            continue;
        }
        addresses[k] = gpu::detail::dense_data(arrays_.at(argument.array), static_cast<int>(k) + 1, true, false);
        arguments.push_back(&addresses[k]);
    }
    gpu::detail::launch_raw_kernel(*kernels_[number],
                                   {.grid = launch.grid, .block = launch.block, .shared = launch.shared},
                                   arguments.data(), static_cast<int>(arguments.size()));
}

Contents Execution::contents() const {
    Contents contents;
    for (const ArraySpec& spec : file_.arrays) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(spec.length) * gpu::size_of(dtype(spec.type)));
        gpu::detail::copy_to_host(arrays_.at(spec.name), bytes.data(), spec.length);
        contents[spec.name] = as_values(bytes, spec.type);
    }
    return contents;
}

std::string wrong_values(const KernelFile& file, const Contents& after) {
    const Contents before = first_contents(file);
    std::string wrong;
    for (const CheckSpec& check : file.checks)
        wrong += wrong_elements(check.array, after.at(check.array), expected(file, check, before),
                                check.within * epsilon(file.array(check.array).type));
    for (const ArraySpec& spec : file.arrays) {  // nothing else may have changed
        const bool checked = std::any_of(file.checks.begin(), file.checks.end(),
                                         [&spec](const CheckSpec& check) { return check.array == spec.name; });
        if (checked || spec.scratch) continue;
        const Values& first = before.at(spec.name);
        wrong += wrong_elements(spec.name, after.at(spec.name), {first, Values(first.size(), 0.0)}, 0);
    }
    return wrong;
}

double largest_difference(const KernelFile& file, const Contents& one, const Contents& other) {
    const Contents before = first_contents(file);
    double largest = 0;
    for (const CheckSpec& check : file.checks) {
        const Expected want = expected(file, check, before);
        const double eps = epsilon(file.array(check.array).type) * std::max(check.within, 1.0);
        const Values &a = one.at(check.array), &b = other.at(check.array);
        for (std::size_t k = 0; k < want.values.size(); ++k) {
            const double difference = std::fabs(a[k] - b[k]);
            if (difference == 0) continue;
            const double ratio = difference / (eps * want.sizes[k]);  // infinite for whole numbers
            if (!(ratio <= largest)) largest = ratio;
        }
    }
    return largest;
}

}  // namespace gallery
