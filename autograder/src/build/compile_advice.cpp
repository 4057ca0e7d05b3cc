// SPDX-License-Identifier: MIT
#include "build/compile_advice.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {

namespace {

/// The launch "add<<<blocks, 256>>>(x, n)" as it is written with libgpu.
std::string of_launch(std::string_view source) {
    const std::size_t open = source.find("<<<");
    if (open == source.npos) return "";
    std::string_view name = last_name(source.substr(0, open));
    if (name.empty()) name = "kernel";
    std::string launch = "{.grid = blocks, .block = 256}", rest = "x, y, n";
    if (const std::size_t close = source.find(">>>", open); close != source.npos) {
        constexpr std::string_view fields[] = {".grid", ".block", ".shared", ".stream"};
        const auto given = arguments_of(source.substr(open + 3, close - open - 3));
        if (given.size() >= 2 && given.size() <= std::size(fields)) {
            launch.clear();
            for (std::size_t k = 0; k < given.size(); ++k)
                if (k < 2 || given[k] != "0")
                    launch += fmt::format("{}{} = {}", launch.empty() ? "" : ", ", fields[k], given[k]);
            launch = "{" + launch + "}";
        }
        if (const auto arguments = in_brackets(source, close + 3); close + 3 < source.size() && !arguments.empty())
            rest = arguments;
    }
    return fmt::format("kernels aren't launched by <<<...>>> here: write {}({}, {})", name, launch, rest);
}

/// "gpu::mean(x)" if the line calls a function that returns one number.
std::string reduction_in(std::string_view source) {
    for (const std::string_view name : {"sum", "mean", "max", "min", "prod", "dot", "all", "any", "argmax", "argmin",
                                        "count_nonzero", "var", "std", "median", "vdot", "linalg::norm"}) {
        const std::string call = fmt::format("gpu::{}(", name);
        const std::size_t at = source.find(call);
        if (at == source.npos) continue;
        const std::string_view inside = in_brackets(source, at + call.size() - 1);
        if (source.substr(at + call.size() + inside.size()).starts_with(").item()")) continue;
        constexpr std::size_t max_length = 60;
        return fmt::format("{}{})", call, inside.empty() || inside.size() > max_length ? "..." : inside);
    }
    return "";
}

std::string of_reduction(std::string_view source) {
    const std::string call = reduction_in(source);
    if (call.empty()) return "";
    return fmt::format("{} returns an array of one element, still on the device: write {}.item()",
                       call.substr(0, call.find('(')), call);
}

std::string to_device(std::string_view) {
    return "its elements are on the host: gpu::to_device(h) copies them to a new array";
}

constexpr std::string_view no_pointer =
    "an array isn't a pointer: give the array itself to a kernel; its address on the device is .data()";
constexpr std::string_view number_on_device = "the number is on the device: .item() fetches it";
constexpr std::string_view chooses_once =
    "the condition is an array, and ?: chooses once: write gpu::where(x > 0, x, y)";
constexpr std::string_view truth_on_device =
    "what it compares is on the device, and so is the result: write gpu::all(x == y).item(), or fetch a number with "
    ".item() and compare that";
constexpr std::string_view number_in_pair =
    "one of these isn't what the pair holds: a number on the device is fetched by .item()";
constexpr std::string_view options_in_braces =
    "an option is named, and stands in braces behind the arrays: {.axis = 1}";
constexpr std::string_view guard_of_device =
    "a device is current while a guard of it lives: write gpu::DeviceGuard guard{gpu::Device(0)}";

constexpr std::string_view index_of_device = "a device isn't a number: its number is its .index()";

/// Advice on a device in place of an int, or the reverse.
std::string of_device(const CompileError& error) {
    const std::string_view message = error.message;
    if (has(message, "'set_device'")) return std::string(guard_of_device);
    if (message.starts_with("no matching function for call to 'gpu::DeviceGuard::DeviceGuard(") ||
        message.starts_with("no matching constructor for initialization of 'gpu::DeviceGuard'") ||
        (has(message, "conver") && message.ends_with("'gpu::DeviceGuard'")) || has(message, "type 'gpu::DeviceGuard' "))
        return std::string(guard_of_device);
    if (message.starts_with("no matching function for call to 'gpu::Device::Device()'") ||
        message.starts_with("no matching constructor for initialization of 'gpu::Device'"))
        return "which device? gpu::Device d(0) is the first one, gpu::Device::current() the current one";
    if (message.ends_with("from incompatible type 'gpu::Device'")) return std::string(index_of_device);
    if (!has(message, "conver")) return "";
    if (has(message, "to 'gpu::Device'") || has(message, "type 'gpu::Device' "))
        return "a number isn't a device: write gpu::Device(0) for the first one";
    return has(message, "'gpu::Device' to '") ? std::string(index_of_device) : "";
}

/// Advice on a value on the device in place of one on the host, or the reverse: "cannot convert 'gpu::Array<float>' to
/// 'float' in return".
std::string of_conversion(const CompileError& error) {
    std::string_view message = error.message;
    const bool refers = message.starts_with("invalid initialization of reference");   // 'to' stands before 'from'
    const bool assigns = message.starts_with("assigning to ");                        // and here, of clang++
    const bool casts = message.starts_with("invalid cast") || message.starts_with("invalid 'static_cast'");
    if (!refers && !assigns && !casts && !has(message, "conver")) return "";
    const std::size_t middle = refers || assigns ? message.find(" from ") : message.rfind(" to ");
    if (middle == message.npos) return "";
    std::string_view from = message.substr(0, middle), to = message.substr(middle);
    if (refers || assigns) std::swap(from, to);
    if (has(from, "std::vector<") && has(to, "gpu::Array<")) return to_device(message);
    const bool is_view = has(from, "View<"), is_array = has(from, "Array<");
    const bool is_any = has(from, "gpu::AnyArray'");
    if (!has(from, "Expr<") && !is_array && !is_view && !is_any) return "";
    if (has(to, "vector<")) return "its elements are on the device: gpu::to_host(x) copies them to a std::vector";
    if (has(to, "*'"))
        return std::string(no_pointer);
    const auto wants = [&](std::string_view type) {
        return has(to, fmt::format("'{}'", type)) || has(to, fmt::format("'const {}'", type));
    };
    if (!wants("bool") && !wants("float") && !wants("double") && !wants("int") && !wants("long") && !wants("long int"))
        return "";
    if (is_any) return std::string(type_at_run_time);
    if (const std::string one = of_reduction(error.source); !one.empty()) return one;
    if (wants("bool")) return std::string(has(error.source, " ? ") ? chooses_once : truth_on_device);
    if (is_array || is_view) return std::string(number_on_device);
    return "an expression isn't a number: write (x + y).item(), which computes its only element and fetches it";
}

std::string of_runtime_call(std::string_view name) {
    const auto starts = [&](std::string_view with) { return name.starts_with(with); };
    const auto said = [&](std::string_view rest) { return fmt::format("{} isn't needed here: {}", name, rest); };
    if (starts("cudaMemcpy"))
        return said("gpu::to_device(h) copies to the device, gpu::to_host(x) to the host");
    if (starts("cudaMallocHost") || starts("cudaHostAlloc"))
        return said("write gpu::Pinned<float> h(n), memory of the host that copies fast");
    if (starts("cudaMalloc"))
        return said("an array has its own memory on the device: write gpu::Array<float> x = gpu::zeros<float>(n)");
    if (starts("cudaFree")) return said("an array frees its memory itself, where its life ends");
    if (starts("cudaMemset")) return said("write gpu::zeros<float>(n), or gpu::full for another value");
    if (starts("cudaDeviceSynchronize") || starts("cudaThreadSynchronize"))
        return said("gpu::to_host and .item() wait by themselves; to time something, write gpu::synchronize()");
    if (starts("cudaStream")) return said("a stream is an object: write gpu::Stream s");
    if (starts("cudaEvent")) return said("an event is an object: write gpu::Event e");
    if (starts("cudaGetLastError") || starts("cudaPeek") || starts("cudaError") || starts("cudaSuccess"))
        return said("what fails throws gpu::Error, so there is no code to check");
    if (name == "cudaSetDevice") return said(guard_of_device);
    if (starts("cuda") && name.size() > 4 && std::isupper(static_cast<unsigned char>(name[4])))
        return said("programs call gpu:: instead of the CUDA runtime");
    return "";
}

bool is_of_linalg(std::string_view name) {
    return is_one_of(name, {"cholesky", "det", "eigh", "inv", "lstsq", "norm", "pinv", "qr", "solve", "svd"});
}

/// Advice on a name that gpu:: doesn't have.
std::string of_library(const CompileError& error) {
    const std::string_view message = error.message;
    std::string_view name;
    if (has(message, "' is not a member of 'gpu'")) name = between(message, "'", "'");
    if (has(message, "in namespace 'gpu'")) name = between(message, " named '", "'");
    if (is_of_linalg(name)) return fmt::format("{0} is a function of gpu::linalg: write gpu::linalg::{0}(...)", name);
    return "";
}

/// Advice on an undeclared name.
std::string of_name(const CompileError& error) {
    const std::string_view message = error.message;
    std::string_view name;
    if (has(message, "' was not declared in this scope") || has(message, "' does not name a type") ||
        has(message, "' has not been declared"))
        name = between(message, "'", "'");
    for (const std::string_view start : {"use of undeclared identifier '", "unknown type name '"})
        if (message.starts_with(start)) name = between(message, start, "'");
    if (name.empty()) return "";
    if (is_one_of(name, {"__global__", "__device__", "__shared__", "__constant__", "__syncthreads"}))
        return fmt::format("{} is for kernels, and they stand in a .cu file or in a string: write the kernel there",
                           name);
    if (is_one_of(name, {"threadIdx", "blockIdx", "blockDim", "gridDim"}))
        return fmt::format("{} exists in kernels alone, and they stand in a .cu file or in a string", name);
    if (is_one_of(name, {"axis", "keepdims", "ord", "full_matrices"})) return std::string(options_in_braces);
    if (is_one_of(name, {"INFINITY", "INF", "inf", "Infinity", "infinity"}))
        return "infinity is INFINITY, which needs #include <cmath> at the top of the file; in quotes, as a kernel's "
               "text, it needs none";
    if (name == "None") return "NumPy's None is gpu::newaxis here";
    if (is_of_linalg(name)) return fmt::format("{0} is a function of gpu::linalg: write gpu::linalg::{0}(...)", name);
    return of_runtime_call(name);
}

/// Advice on a name that std:: doesn't have because a header is missing.
std::string of_header(const CompileError& error) {
    const std::string_view message = error.message;
    std::string_view name;
    if (has(message, "' is not a member of 'std'")) name = between(message, "'", "'");
    if (has(message, "in namespace 'std'")) name = between(message, " named '", "'");
    if (is_of_cmath(name) && has(in_brackets(error.source, error.source.find(fmt::format("{}(", name)) + name.size()),
                                 "gpu::"))
        return fmt::format("std::{0} takes one number, and this is an array: write gpu::{0}(...)", name);
    if (is_of_cmath(name))
        return fmt::format("the mathematical functions of std:: need a line at the top of the file: #include <cmath>; "
                           "of an array write gpu::{}(...)", name);
    const auto needs = [&](std::string_view header) {
        return fmt::format("std::{} needs a line at the top of the file: #include <{}>", name, header);
    };
    if (is_one_of(name, {"cout", "cerr", "clog"})) return needs("iostream");
    if (is_one_of(name, {"sort", "max_element", "min_element", "fill", "copy", "transform", "reverse", "generate"}))
        return needs("algorithm");
    if (is_one_of(name, {"accumulate", "iota", "inner_product", "partial_sum"})) return needs("numeric");
    return "";
}

/// The function in "no matching function for call to 'sin(...)'", which clang++ names alone.
std::string_view uncallable(std::string_view message) {
    const std::string_view call = between(message, "no matching function for call to '", "'");
    return call.substr(0, std::min(call.find_first_of("(<"), call.size()));
}

bool is_on_device(const CompileError& error) {
    const std::string_view text = has(error.message, "(") ? error.message : error.notes;
    return has(text, "gpu::Array<") || has(text, "gpu::Expr<") || has(text, "gpu::View<") || has(text, "'Array<") ||
           has(text, "'Expr<") || has(text, "Expr<typename");
}

/// What to use for a type that arrays can't hold.
std::string of_element(std::string_view type) {
    type = trimmed(type);
    constexpr std::size_t max_length = 60;
    if (type.size() > max_length) type = "";
    if (type.ends_with("long int")) type.remove_suffix(4);   // g++'s name for long and long long
    const auto said = [&](std::string_view wanted) {
        return fmt::format("an array's elements can't be {}: write {}", type, wanted);
    };
    if (type == "long long") return said("std::int64_t");
    if (is_one_of(type, {"unsigned long long", "long long unsigned int"})) return said("std::uint64_t");
    if (type == "char") return said("std::int8_t");
    if (type == "long double") return said("double");
    return fmt::format("an array's elements are numbers or bools: {} isn't one of their types",
                       type.empty() ? "this" : type);
}

/// "gpu::sum(x, {.axes = 0})": compilers don't say which name isn't one.
std::string of_options(const CompileError& error) {
    if (!error.message.starts_with("no matching function for call to '") || !has(error.source, "{.")) return "";
    for (const std::string_view before : {"<brace-enclosed initializer list>') to type 'const ",   // g++
                                          "cannot convert initializer list argument to 'const "})
        if (const auto type = between(error.notes, before, "'"); has(type, "gpu::"))
            return fmt::format("the options in braces aren't those of {}: look up their names, order and types there",
                               type.substr(0, type.find('&')));
    return "";
}

std::string of_call(const CompileError& error) {
    if (has(error.source, "std::ranges::") && has(error.message, "std::ranges::__") &&
        has(error.message, " for call to "))
        return "std::ranges works on host memory: call gpu's function of that name, or take the vector gpu::to_host(x)";
    const std::string_view name = uncallable(error.message);
    if (name.empty()) return "";
    if (has(error.source, fmt::format("std::{}(", name)) && is_of_cmath(name) && is_on_device(error))
        return fmt::format("std::{0} takes one number, and this is an array: write gpu::{0}(...)", name);
    if (has(error.source, fmt::format("gpu::{}(", name)) && is_of_cmath(name) && !is_on_device(error) &&
        has(error.notes, "ArrayLike"))
        return fmt::format("gpu::{0} takes an array: of a number write std::{0}(...)", name);
    if (is_one_of(name, {"max", "min", "argmax", "argmin", "sort", "maximum", "minimum"}) &&
        (has(error.message, "gpu::complex<") ||
         (!has(error.message, "(") && has(error.notes, "!is_complex(") && has(error.notes, "gpu::complex<"))))
        return fmt::format("complex numbers have no order: write gpu::{}(gpu::abs(z))", name);
    if (name == "to_device" && is_on_device(error)) return "this array is on the device: leave gpu::to_device out";
    const bool compares = is_one_of(name, {"max", "min"}) && has(error.source, fmt::format("std::{}(", name));
    if (compares && is_on_device(error)) {
        const std::string one = of_reduction(error.source);
        return one.empty() ? fmt::format("std::{0} compares two numbers: of arrays write gpu::{0}imum(x, y)", name)
                           : one;
    }
    const bool has_elements = is_one_of(name, {"arange", "empty", "eye", "identity", "linspace", "normal", "ones",
                                               "uniform", "zeros", "full"});
    if (!has_elements) return "";
    if (has(error.notes, "couldn't deduce template parameter 'T'") ||
        has(error.notes, "couldn't infer template argument 'T'"))
        return fmt::format("what are its elements? Write their type behind the name: {}<float>(...)", name);
    if (!has(error.notes, "constraints not satisfied") || has(error.message, fmt::format("{}<float>", name)) ||
        has(error.message, fmt::format("{}<double>", name)) || has(error.message, fmt::format("{}<int>", name)))
        return "";
    if (const auto type = between(error.message, fmt::format("'{}<", name), ">("); !type.empty())
        return of_element(type);
    if (const auto with = between(error.notes, "constraints not satisfied [with T = ", "]"); !with.empty())
        return of_element(with.substr(0, std::min(with.find(','), with.size())));
    const auto type = between(error.notes, "constraints not satisfied for class template 'Array' [with T = ", "]");
    return type.empty() ? "" : of_element(type);
}

std::string of_launch_call(const CompileError& error) {
    constexpr std::string_view braces =
        "a launch's braces name .grid, .block, .shared and .stream, those that you need in this order";
    const bool gcc = has(error.message, "no match for call to '(") && has(error.message, "gpu::RawKernel<");
    const bool clang = has(error.message, "no matching function for call to object of type '") &&
                       has(error.message, "gpu::RawKernel<");
    if (has(error.message, "designator order for field 'gpu::LaunchConfig::")) return std::string(braces);
    if (gcc && has(error.message, "(<brace-enclosed initializer list>")) return std::string(braces);
    if (clang && has(error.source, "({")) return std::string(braces);
    if ((gcc || clang) && !error.source.empty() && !has(error.source, "{"))
        return "a launch begins with its grid and its block: write kernel({.grid = blocks, .block = 256}, x, y, n)";
    return "";
}

/// Advice on a kernel's parts, and on its arguments.
std::string of_kernel(const CompileError& error) {
    const auto makes = [&](std::string_view kernel) {
        return has(error.message, fmt::format("no matching function for call to 'gpu::{0}::{0}(", kernel)) ||
               (error.message.starts_with("no matching constructor for initialization of") &&
                has(error.message, fmt::format("gpu::{}'", kernel)));
    };
    if (makes("ReductionKernel") || has(error.message, "call of overloaded 'ReductionKernel(") ||
        has(error.message, "use of deleted function 'gpu::ReductionKernel::ReductionKernel(") ||
        (error.message.starts_with("call to deleted constructor") && has(error.message, "gpu::ReductionKernel'")))
        return "a ReductionKernel takes seven strings: inputs, outputs, map, reduce, post, identity and name; options "
               "follow in braces: {.reduce_type = \"double\"}";
    if (makes("ElementwiseKernel"))
        return "an ElementwiseKernel takes four strings: inputs, outputs, operation and name";
    if (has(error.message, "designator order for field 'gpu::KernelOptions::"))
        return "a kernel's options stand in this order: .preamble, .options, .reduce_type";
    const bool calls = has(error.message, "Kernel) (std::vector<") || has(error.message, "Kernel) (const std::vector<");
    const bool clang = has(error.message, "no matching function for call to object of type '") &&
                       has(error.message, "Kernel'") && has(error.notes, "from 'std::vector<");
    return calls || clang ? to_device("") : "";
}

/// Advice on an operator whose operands don't have it.
std::string of_operator(const CompileError& error) {
    const bool gcc = error.message.starts_with("no match for 'operator");
    if (!gcc && !has(error.message, "to binary expression (") && !has(error.message, "to unary expression")) return "";
    const bool prints = has(error.message, "operator<<'") || has(error.message, "ostream");
    if (has(error.message, "std::vector<") && !has(error.message, "Array<") && !has(error.message, "Expr<"))
        return prints ? "a std::vector isn't printed as a whole: print its elements in a loop"
                      : std::string(vectors_calculate_not);
    const bool to_number = has(error.message, "'float' and '") || has(error.message, "'double' and '") ||
                           has(error.message, "'int' and '");
    if (!to_number || (!has(error.message, "Array<") && !has(error.message, "Expr<"))) return "";
    const std::string one = of_reduction(error.source);
    return one.empty() ? std::string(number_on_device) : one;
}

/// Advice on an array in a std::pair or a std::vector, and on the result of svd.
std::string of_pair(const CompileError& error) {
    if (has(error.message, "Svd<") && !has(error.message, "no member"))
        return "svd returns three arrays: write const auto [u, s, vt] = gpu::linalg::svd(x)";
    const bool makes = has(error.message, "to 'std::pair<") || has(error.message, "to 'pair<") ||
                       has(error.message, "call to 'std::pair<") || has(error.message, "return type 'pair<") ||
                       error.message.starts_with("no matching constructor for initialization of 'std::pair<");
    const bool appends = uncallable(error.message) == "std::vector" || has(error.message, "call to 'push_back'") ||
                         has(error.message, "::push_back(");
    if (!makes && !appends) return "";
    if (const std::string one = of_reduction(error.source); !one.empty()) return one;
    if (makes) return std::string(number_in_pair);
    const bool is_array = is_on_device(error) || has(error.message, "gpu::Array<") || has(error.notes, "Array<");
    return is_array ? std::string(number_on_device) : "";
}

std::string of_assignment(const CompileError& error) {
    const std::string_view sign = has(error.message, "no match for 'operator")
                                      ? between(error.message, "no match for 'operator", "'")
                                      : between(error.message, "no viable overloaded '", "'");
    if (!is_one_of(sign, {"=", "+=", "-=", "*=", "/=", "%="})) return "";
    if (has(error.message, "(operand types are 'const gpu::Array<") ||
        has(error.notes, "'this' argument has type 'const gpu::Array<") ||
        has(error.notes, "does not match adjusted type 'const Array<"))
        return "this array is const, so it can't be changed: assign to another array, or remove the const where it is "
               "declared";
    if (has(error.message, "(operand types are 'gpu::Array<") && has(error.message, "and 'std::vector<"))
        return to_device("");
    return has(error.notes, "from 'std::vector<") && has(error.notes, "to 'const gpu::Array<") ? to_device("") : "";
}

/// A static_assert's message, without the condition that compilers print.
std::string assertion(std::string_view message) {
    if (message.starts_with("static assertion failed: ")) return std::string(message.substr(25));
    if (const std::size_t end = message.find("': "); message.starts_with("static assertion failed due to") &&
                                                     end != message.npos)
        return std::string(message.substr(end + 3));
    const std::size_t quote = message.find(" \"");
    if (!message.starts_with("static_assert failed") || quote == message.npos || !message.ends_with('"')) return "";
    return std::string(message.substr(quote + 2, message.size() - quote - 3));
}

/// Advice on an array where a number or a truth value of the host is wanted.
std::string of_number(bool is_truth, std::string_view source) {
    for (const std::string_view name : {"max", "min"})
        if (has(source, fmt::format("std::{}(", name)))
            return fmt::format("std::{0} compares two numbers: of arrays write gpu::{0}imum(x, y)", name);
    if (const std::string one = of_reduction(source); !one.empty()) return one;
    if (const auto name = last_name(between(source, "std::", "(")); is_of_cmath(name))
        return fmt::format("std::{0} takes one number, and this is an array: write gpu::{0}(...)", name);
    if (is_truth || has(source, " ? ")) return std::string(has(source, " ? ") ? chooses_once : truth_on_device);
    return std::string(has(source, "pair<") ? number_in_pair : number_on_device);
}

/// Advice on a conversion that gpu's arrays delete.
std::string of_deleted(const CompileError& error) {
    const std::string_view message = error.message;
    if (!has(message, "deleted")) return "";
    if (has(message, "operator V() const") || has(message, "constructor of 'std::vector<") ||
        (has(message, "conversion function from") && has(message, " to 'std::vector<") &&
         !has(message, "::value_type'")))
        return "its elements are on the device: gpu::to_host(x) copies them to a std::vector";
    if (has(message, "::Array(const H&)") || has(message, "constructor of 'gpu::Array<") ||
        message.starts_with("conversion function from 'std::vector<"))
        return to_device(message);
    if (has(message, "::operator P() const") || has(message, "*' invokes a deleted function"))
        return std::string(no_pointer);
    const bool gcc_truth = has(message, "::operator B() const");
    const bool gcc =
        gcc_truth || has(message, "::operator T() const") || has(message, "::operator value_type() const");
    const bool contextual = message == "attempt to use a deleted function" && has(error.notes, "'operator ");
    const bool clang = (message.starts_with("conversion function from '") || has(message, " cast from '") ||
                        message.starts_with("static_cast from '")) &&
                       (has(message, "Array<") || has(message, "View<") || has(message, "Expr<"));
    if (!gcc && !clang && !contextual) return "";
    const std::string_view source = trimmed(error.source);
    const bool is_truth = contextual || gcc_truth || has(message, "T = bool") || has(message, " to 'bool'") ||
                          source.starts_with("if (") || source.starts_with("while (");
    return of_number(is_truth, error.source);
}

std::string of_assertion(const CompileError& error) {
    const std::string said = assertion(error.message);
    if (said.starts_with("the array is on a device already"))
        return "this array is on the device: leave gpu::to_device out";
    if (said.starts_with("an array isn't a number")) return of_number(false, error.source);
    if (said.starts_with("bits are those of integers") && has(error.source, "^"))
        return "`^` is exclusive or in C++: write gpu::pow(x, 2) or x * x";
    if (said.starts_with("x[...] takes a mask") && has(error.source, "]["))
        return "an element of a matrix is x(i, j) here, not x[i][j]";
    return said;
}

std::string of_constructor(const CompileError& error) {
    if (error.message.starts_with("template constraint failure for") && has(error.message, "class gpu::Array"))
        return of_element(between(error.source, "Array<", ">"));
    if (error.message.starts_with("constraints not satisfied for class template 'Array'"))
        return of_element(between(error.source, "Array<", ">"));
    const bool gcc =
        has(error.message, "no matching function for call to 'gpu::Array<") && has(error.message, "::Array(");
    const bool clang = error.message.starts_with("no matching constructor for initialization of 'gpu::Array<");
    if ((gcc && has(error.message, "(std::vector<")) || (clang && has(error.notes, "from 'std::vector<")))
        return to_device("");
    if ((has(error.message, "from '<brace-enclosed initializer list>' to 'gpu::Array<")) ||
        (clang && has(error.source, "{")))
        return "an array isn't made of numbers in braces: write gpu::to_device<float>({1, 2, 3})";
    return "";
}

/// True of "x(:, 1)" and "x[0:3]".
bool has_range(std::string_view source) {
    for (std::size_t k = 1; k + 1 < source.size(); ++k) {
        if (source[k] != ':' || source[k + 1] == ':' || source[k - 1] == ':') continue;
        const std::size_t before = source.find_last_not_of(' ', k - 1), after = source.find_first_not_of(' ', k + 1);
        if (before == source.npos || after == source.npos) continue;
        const bool digits = std::isdigit(static_cast<unsigned char>(source[before])) != 0 &&
                            std::isalnum(static_cast<unsigned char>(source[after])) != 0;
        if (digits || has("([,", source.substr(before, 1)) || has(")],", source.substr(after, 1)))
            return !has(source, " ? ");
    }
    return false;
}

/// "gpu::sum(x, .axis = 1)"; inside braces, such a name is right.
bool names_option_outside_braces(std::string_view source) {
    const std::size_t at = source.find(", .");
    if (at == source.npos) return false;
    const std::string_view before = source.substr(0, at);
    return std::count(before.begin(), before.end(), '{') <= std::count(before.begin(), before.end(), '}');
}

std::string of_syntax(const CompileError& error) {
    if (has(error.source, "<<<") && has(error.message, "expected ")) return of_launch(error.source);
    const bool dereferences = error.message.starts_with("invalid type argument of unary '*'") ||
                              error.message.starts_with("indirection requires pointer operand") ||
                              has(error.message, "no match for 'operator*' (operand type is");
    if (dereferences && has(error.source, "**")) return "C++ has no operator `**`: write gpu::pow(x, 2) or x * x";
    const bool expects = has(error.message, "expected ") || error.message.starts_with("stray '@'");
    if (expects && names_option_outside_braces(error.source)) return std::string(options_in_braces);
    if (expects && has(error.source, " @ ")) return "a product of matrices is gpu::matmul(x, y)";
    if (expects && has_range(error.source))
        return "a range is gpu::slice(0, k), and a whole axis gpu::all: write x(gpu::all, gpu::slice(0, k))";
    if (has(error.message, "ambiguous") && has(error.source, "{")) return std::string(options_in_braces);
    if (has(error.message, "conver") && has(error.message, "'bool'"))
        for (const std::string_view name : {"max", "min"})
            if (has(error.source, fmt::format("std::{}(", name)))
                return fmt::format("std::{0} compares two numbers: of arrays write gpu::{0}imum(x, y)", name);
    return "";
}

}  // namespace

bool is_assertion(std::string_view message) { return !assertion(message).empty(); }

std::string sentence_on(const CompileError& error) {
    for (const auto& of : {of_assertion, of_deleted, of_kernel, of_syntax, of_constructor, of_member, of_assignment,
                           of_launch_call, of_operator, of_pair, of_device, of_conversion, of_name, of_library,
                           of_header, of_options, of_call})
        if (const std::string said = of(error); !said.empty()) return said;
    return "";
}

namespace {

constexpr std::string_view of_cmath[] = {"abs",   "acos", "asin",  "atan",  "atan2", "cbrt",     "ceil",  "cos",
                                         "cosh",  "erf",  "exp",   "exp2",  "expm1", "fabs",     "floor", "fma",
                                         "fmax",  "fmin", "fmod",  "hypot", "isinf", "isfinite", "isnan", "log",
                                         "log10", "log2", "log1p", "pow",   "round", "sin",      "sinh",  "sqrt",
                                         "tan",   "tanh", "trunc"};

}  // namespace

bool has(std::string_view text, std::string_view words) { return text.find(words) != text.npos; }

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_of_cmath(std::string_view name) {
    return is_one_of(name, of_cmath);
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t from = text.find(before);
    if (from == text.npos) return "";
    text.remove_prefix(from + before.size());
    return text.substr(0, std::min(text.find(after), text.size()));
}

std::string_view last_name(std::string_view text) {
    text = trimmed(text);
    std::size_t from = text.size();
    while (from > 0 && is_name_char(text[from - 1])) --from;
    return text.substr(from);
}

std::string_view in_brackets(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t k = open; k < text.size(); ++k) {
        if (text[k] == '(') ++depth;
        if (text[k] == ')' && --depth == 0) return text.substr(open + 1, k - open - 1);
    }
    return "";
}

std::string_view last_object(std::string_view text) {
    std::size_t from = text.size();
    for (int depth = 0; from > 0; --from) {
        const char c = text[from - 1];
        if (c == ')' || c == ']') ++depth;
        if ((c == '(' || c == '[') && depth-- == 0) break;
        if (depth == 0 && !is_name_char(c) && !has(".:([", std::string_view(&c, 1))) break;
    }
    return from == text.size() ? "x" : text.substr(from);
}

std::vector<std::string_view> arguments_of(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        if (k < text.size()) depth += has("([{", text.substr(k, 1)) ? 1 : has(")]}", text.substr(k, 1)) ? -1 : 0;
        if (k < text.size() && (text[k] != ',' || depth > 0)) continue;
        parts.push_back(trimmed(text.substr(from, k - from)));
        from = k + 1;
    }
    return parts;
}

namespace {

/// The member that gpu's arrays have only to refuse it.
std::string_view refused_member(const CompileError& error) {
    if (const auto name = between(error.message, "NoMembers<Self>::", "("); !name.empty()) return name;   // g++
    if (has(error.message, "WriteGpuToHost")) return "begin";
    if (error.message.starts_with("expected primary-expression before ") && has(error.source, ".cast<")) return "cast";
    const bool clang = error.message == "attempt to use a deleted function" ||
                       error.message.starts_with("call to deleted member function '");
    constexpr std::string_view marked = "' has been explicitly marked deleted here";
    const std::string_view notes = error.notes;
    const std::size_t end = notes.find(marked);
    return clang && end != notes.npos ? last_name(notes.substr(0, end)) : "";
}

/// The name that "has no member named" complains about.
std::string_view missing_member(const CompileError& error) {
    const std::string_view message = error.message;
    if (const auto name = refused_member(error); !name.empty()) return name;
    return between(message, has(message, "has no member named '") ? "has no member named '" : "no member named '", "'");
}

/// Members of other libraries' arrays, and their equivalents here: {0} is the array, {1} the arguments, {2} the
/// brackets <...>, {3} the member's name, {4} .item() where a number is wanted.
struct Member {
    std::string_view names, write;
};
constexpr Member members[] = {
    {" cwiseProduct ", "{0} * {1}"},
    {" cwiseQuotient ", "{0} / {1}"},
    {" cwiseAbs ", "gpu::abs({0})"},
    {" cwiseSqrt ", "gpu::sqrt({0})"},
    {" cwiseMax ", "gpu::maximum({0}, {1})"},
    {" cwiseMin ", "gpu::minimum({0}, {1})"},
    {" maxCoeff ", "gpu::max({0}).item()"},
    {" minCoeff ", "gpu::min({0}).item()"},
    {" norm ", "gpu::linalg::norm({0}).item()"},
    {" squaredNorm ", "gpu::sum({0} * {0}).item()"},
    {" matmul mm ", "gpu::matmul({0}, {1})"},
    {" pow ", "gpu::pow({0}, {1})"},
    {" T ", "{0}.transpose()"},
    {" length count numel ", "{0}.size()"},
    {" ndim dim ", "{0}.rank()"},
    {" rows ", "{0}.shape()[0]"},
    {" cols columns ", "{0}.shape()[1]"},
    {" row ", "{0}({1})"},
    {" col ", "{0}(gpu::all, {1})"},
    {" topRows head ", "{0}(gpu::slice(0, {1}))"},
    {" bottomRows tail ", "{0}(gpu::slice(-{1}, gpu::none))"},
    {" leftCols ", "{0}(gpu::all, gpu::slice(0, {1}))"},
    {" rightCols ", "{0}(gpu::all, gpu::slice(-{1}, gpu::none))"},
    {" cast type ", "{0}.astype{2}()"},
    {" fill setConstant ", "{0} = {1}"},
    {" setZero ", "{0} = 0"},
    {" clone ", "{0}.copy()"},
    {" unsqueeze ", "{0}(gpu::all, gpu::newaxis)"},
    {" to_host cpu numpy get tolist to_vector ", "gpu::to_host({0})"},
    {" square cumsum sort argsort nonzero conj ", "gpu::{3}({0})"},
    {" at ", "{0}({1})"},
    {" clip repeat ", "gpu::{3}({0}, {1})"},
    {" sum mean prod max min all any argmax argmin var ", "gpu::{3}({0}){4}"},
    {" std ", "gpu::stddev({0}){4}"},
    {" dot ", "gpu::dot({0}, {1}){4}"},
};

/// Advice on a member of svd's result.
std::string of_svd(std::string_view name, std::string_view object) {
    constexpr std::string_view parts[][2] = {{" matrixU u ", "U"},
                                             {" singularValues s sigma values D ", "S"},
                                             {" matrixV V v ", "Vt.transpose()"},
                                             {"", "Vt"}};
    for (const auto& [names, part] : parts)
        if (names.empty() || has(names, fmt::format(" {} ", name)))
            return fmt::format("svd returns U, S and Vt, which is V transposed: write {}.{}", object, part);
    return "";
}

std::string of_vector(std::string_view name, std::string_view object) {
    if (name == "to_device") return fmt::format("vectors have no member to_device: write gpu::to_device({})", object);
    if (name == "to_host") return fmt::format("{} is on the host: leave .to_host() out", object);
    const bool calculates = is_one_of(name, {"array", "cwiseProduct", "dot", "max", "mean", "min", "norm", "sum"});
    return calculates ? std::string(vectors_calculate_not) : "";
}

/// Advice on a member of an array; `behind` is the text after the member's name.
std::string of_array(std::string_view name, std::string_view object, std::string_view behind, bool is_number) {
    const std::size_t open = behind.find('(');
    std::string_view given = open == behind.npos ? "" : in_brackets(behind, open);
    if (given.empty()) given = "y";
    const std::string_view angles = behind.starts_with("<") ? behind.substr(0, open) : "<float>";
    std::string_view inside = object;   // without the brackets of a function around it
    if (object.starts_with("(") && in_brackets(object, 0).size() + 2 == object.size()) inside = in_brackets(object, 0);
    const std::string_view item = is_number ? ".item()" : "";
    for (const Member& member : members)
        if (has(member.names, fmt::format(" {} ", name)))
            return fmt::format(fmt::runtime(member.write), member.write.starts_with("gpu::") ? inside : object, given,
                               angles, name, item);
    return is_of_cmath(name) ? fmt::format("gpu::{}({})", name, inside) : "";
}

}  // namespace

std::string of_member(const CompileError& error) {
    const std::string_view name = missing_member(error);
    if (name.empty()) return "";
    const std::size_t dot = error.source.find(fmt::format(".{}", name));
    const std::string_view object = dot == error.source.npos ? "x" : last_object(error.source.substr(0, dot));
    if (has(error.message, "gpu::linalg::Svd<")) return of_svd(name, object);
    if (has(error.message, "gpu::AnyArray'")) return std::string(type_at_run_time);
    if (has(error.message, "class std::vector<") || has(error.message, "in 'std::vector<"))
        return of_vector(name, object);
    const bool expression = has(error.message, "Expr<");
    if (!expression && !has(error.message, "gpu::Array<") && !has(error.message, "gpu::View<") &&
        refused_member(error).empty())
        return "";
    if (is_one_of(name, {"array", "matrix", "noalias"}))
        return fmt::format("gpu's arrays calculate element by element as they are: leave .{}() out", name);
    if (name == "to_device") return fmt::format("{} is on the device: leave .to_device() out", object);
    if (name == "begin" && has(error.source, "for ") && has(error.source, " : "))
        return "the elements of an array are on the device: loop over gpu::to_host(x), or calculate with the array";
    if (is_one_of(name, {"begin", "end", "cbegin", "cend"}))
        return fmt::format("the elements of {0} are on the device: gpu::to_host({0}) copies them to a std::vector",
                           object);
    const std::string_view start = trimmed(error.source);
    const bool is_number = start.starts_with("float ") || start.starts_with("double ") || start.starts_with("int ") ||
                           start.starts_with("const float ") || start.starts_with("const double ") ||
                           start.starts_with("if (");
    const std::size_t behind = dot == error.source.npos ? error.source.size() : dot + 1 + name.size();
    const std::string write = of_array(name, object, error.source.substr(behind), is_number);
    return write.empty() ? "" : fmt::format("gpu's arrays have no member {}: write {}", name, write);
}

}  // namespace course
