// SPDX-License-Identifier: MIT
#include "build/compile_advice.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace course {

namespace {

using Names = std::initializer_list<std::string_view>;

bool has(std::string_view text, std::string_view words) { return text.find(words) != text.npos; }

bool is_one_of(std::string_view name, Names names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// What stands between two words; empty where either is missing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t from = text.find(before);
    if (from == text.npos) return "";
    text.remove_prefix(from + before.size());
    return text.substr(0, std::min(text.find(after), text.size()));
}

/// The name that ends a text: "add" of "int n = 3; add".
std::string_view last_name(std::string_view text) {
    text = trimmed(text);
    std::size_t from = text.size();
    while (from > 0 && is_name_char(text[from - 1])) --from;
    return text.substr(from);
}

/// The text in the brackets that open there, or nothing where they don't close in this line.
std::string_view in_brackets(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t k = open; k < text.size(); ++k) {
        if (text[k] == '(') ++depth;
        if (text[k] == ')' && --depth == 0) return text.substr(open + 1, k - open - 1);
    }
    return "";
}

/// The parts that commas outside brackets separate.
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

/// "add<<<blocks, 256>>>(x, n)" as it is written here.
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

/// "gpu::mean(x)" where the line calls a function whose result is one number.
std::string reduction_in(std::string_view source) {
    for (const std::string_view name : {"sum", "mean", "max", "min", "prod", "dot", "all", "any", "argmax", "argmin",
                                        "count_nonzero", "var", "std", "median", "vdot", "linalg::norm"}) {
        const std::string call = fmt::format("gpu::{}(", name);
        const std::size_t at = source.find(call);
        if (at == source.npos) continue;
        const std::string_view inside = in_brackets(source, at + call.size() - 1);
        constexpr std::size_t longest = 60;
        return fmt::format("{}{})", call, inside.empty() || inside.size() > longest ? "..." : inside);
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
    return "its elements are on the host: gpu::to_device(...) copies them to the device";
}

/// Of a value on the device where one of the host is wanted, or the other way round: "cannot convert
/// 'gpu::Array<float>' to 'float' in return".
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
    if (!has(from, "Expr<") && !is_array && !is_view) return "";
    if (has(to, "vector<")) return "its elements are on the device: gpu::to_host(...) copies them to a std::vector";
    if (has(to, "*'"))
        return "an array isn't a pointer: give the array itself to a kernel; its address on the device is .data()";
    if (!has(to, "'bool'") && !has(to, "'float'") && !has(to, "'double'") && !has(to, "'int'") &&
        !has(to, "'long'") && !has(to, "'long int'"))
        return "";
    if (const std::string one = of_reduction(error.source); !one.empty()) return one;
    if (has(to, "'bool'") && has(error.source, " ? "))
        return "the condition is an array, and ?: chooses once: write gpu::where(x > 0, x, y)";
    if (has(to, "'bool'"))
        return "what it compares is on the device, and so is the result: write gpu::all(x == y).item(), or fetch a "
               "number with .item() and compare that";
    if (is_array || is_view) return "the number is on the device: .item() fetches it";
    return "an expression isn't computed yet: assign it to a gpu::Array, whose .item() fetches a number";
}

/// "double" of a message that names an Expr<double>.
std::string_view element_of_expression(std::string_view message) {
    constexpr std::string_view name = "Expr<";
    const std::size_t from = message.rfind(name) + name.size();
    return message.substr(from, message.find('>', from) - from);
}

/// Functions of one element that both std:: and gpu:: have.
constexpr std::string_view of_cmath[] = {"abs",   "acos", "asin",  "atan",  "atan2", "cbrt",     "ceil",  "cos",
                                         "cosh",  "erf",  "exp",   "exp2",  "expm1", "fabs",     "floor", "fma",
                                         "fmax",  "fmin", "fmod",  "hypot", "isinf", "isfinite", "isnan", "log",
                                         "log10", "log2", "log1p", "pow",   "round", "sin",      "sinh",  "sqrt",
                                         "tan",   "tanh", "trunc"};

bool is_of_cmath(std::string_view name) {
    return std::find(std::begin(of_cmath), std::end(of_cmath), name) != std::end(of_cmath);
}

/// The name that "has no member named" complains about.
std::string_view missing_member(std::string_view message) {
    return between(message, has(message, "has no member named '") ? "has no member named '" : "no member named '", "'");
}

std::string of_member(const CompileError& error) {
    const std::string_view name = missing_member(error.message);
    const bool expression = has(error.message, "Expr<");
    if (name.empty() || (!expression && !has(error.message, "gpu::Array<") && !has(error.message, "gpu::View<")))
        return "";
    if (name == "item")
        return !expression ? "" : fmt::format("an expression isn't computed yet, so it has no item(): assign it to a "
                                              "gpu::Array<{}> r first, then r.item()",
                                              element_of_expression(error.message));
    std::string_view object = last_name(error.source.substr(0, error.source.find(fmt::format(".{}", name))));
    if (object.empty()) object = "x";
    const auto write = [&](std::string_view what) {
        return fmt::format("gpu's arrays have no member {}: write {}", name, what);
    };
    if (is_one_of(name, {"array", "matrix", "eval", "noalias"}))
        return fmt::format("gpu's arrays calculate element by element as they are: leave .{}() out", name);
    if (name == "cwiseProduct") return write(fmt::format("{} * y", object));
    if (name == "cwiseQuotient") return write(fmt::format("{} / y", object));
    if (name == "cwiseAbs") return write(fmt::format("gpu::abs({})", object));
    if (name == "cwiseSqrt") return write(fmt::format("gpu::sqrt({})", object));
    if (name == "cwiseMax") return write(fmt::format("gpu::maximum({}, y)", object));
    if (name == "cwiseMin") return write(fmt::format("gpu::minimum({}, y)", object));
    if (name == "maxCoeff") return write(fmt::format("gpu::max({}).item()", object));
    if (name == "minCoeff") return write(fmt::format("gpu::min({}).item()", object));
    if (name == "norm") return write(fmt::format("gpu::linalg::norm({}).item()", object));
    if (name == "squaredNorm") return write(fmt::format("gpu::sum({0} * {0}).item()", object));
    if (name == "dot") return write(fmt::format("gpu::dot({}, y)", object));
    if (name == "T") return write(fmt::format("{}.transpose()", object));
    if (is_one_of(name, {"length", "count", "numel"})) return write(fmt::format("{}.size()", object));
    if (name == "rows") return write(fmt::format("{}.shape()[0]", object));
    if (is_one_of(name, {"cols", "columns"})) return write(fmt::format("{}.shape()[1]", object));
    if (is_one_of(name, {"begin", "end", "cbegin", "cend"}))
        return fmt::format("the elements of {0} are on the device: gpu::to_host({0}) copies them to a std::vector",
                           object);
    if (name == "pow") return write(fmt::format("gpu::pow({}, y)", object));
    if (is_one_of(name, {"sum", "mean", "prod", "max", "min", "all", "any", "argmax", "argmin", "var", "std"})) {
        const std::string_view start = trimmed(error.source);
        const bool number = start.starts_with("float ") || start.starts_with("double ") || start.starts_with("int ") ||
                            start.starts_with("const float ") || start.starts_with("const double ") ||
                            start.starts_with("if (");
        return write(fmt::format("gpu::{}({}){}", name, object, number ? ".item()" : ""));
    }
    if (is_of_cmath(name) || is_one_of(name, {"square", "cumsum", "sort"}))
        return write(fmt::format("gpu::{}({})", name, object));
    return "";
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
    if (starts("cuda") && name.size() > 4 && std::isupper(static_cast<unsigned char>(name[4])))
        return said("programs call gpu:: instead of the CUDA runtime");
    return "";
}

/// Of a name that nothing declares.
std::string of_name(std::string_view message) {
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
    return of_runtime_call(name);
}

/// Of a name that std:: doesn't have, for want of a header.
std::string of_header(std::string_view message) {
    std::string_view name;
    if (has(message, "' is not a member of 'std'")) name = between(message, "'", "'");
    if (has(message, "in namespace 'std'")) name = between(message, " named '", "'");
    if (is_of_cmath(name))
        return "the mathematical functions of std:: need a line at the top of the file: #include <cmath>";
    const auto needs = [&](std::string_view header) {
        return fmt::format("std::{} needs a line at the top of the file: #include <{}>", name, header);
    };
    if (is_one_of(name, {"cout", "cerr", "clog"})) return needs("iostream");
    if (is_one_of(name, {"sort", "max_element", "min_element", "fill", "copy", "transform", "reverse", "generate"}))
        return needs("algorithm");
    if (is_one_of(name, {"accumulate", "iota", "inner_product", "partial_sum"})) return needs("numeric");
    return "";
}

/// The function of "no matching function for call to 'sin(...)'", which clang++ names alone.
std::string_view uncallable(std::string_view message) {
    const std::string_view call = between(message, "no matching function for call to '", "'");
    return call.substr(0, std::min(call.find_first_of("(<"), call.size()));
}

bool is_on_device(const CompileError& error) {
    const std::string_view text = has(error.message, "(") ? error.message : error.notes;
    return has(text, "gpu::Array<") || has(text, "gpu::Expr<") || has(text, "gpu::View<") || has(text, "'Array<") ||
           has(text, "'Expr<") || has(text, "Expr<typename");
}

/// What stands for a type that no array holds.
std::string of_element(std::string_view type) {
    type = trimmed(type);
    constexpr std::size_t longest = 60;
    if (type.size() > longest) type = "";
    if (type.ends_with("long int")) type.remove_suffix(4);   // g++'s name of a long or long long
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

std::string of_call(const CompileError& error) {
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
    const bool has_elements = is_one_of(name, {"arange", "empty", "eye", "identity", "linspace", "normal", "ones",
                                               "uniform", "zeros", "full"});
    if (!has_elements) return "";
    if (has(error.notes, "couldn't deduce template parameter 'T'") ||
        has(error.notes, "couldn't infer template argument 'T'"))
        return fmt::format("what are its elements? Write their type behind the name: {}<float>(...)", name);
    if (!has(error.notes, "constraints not satisfied")) return "";
    if (const auto type = between(error.message, fmt::format("'{}<", name), ">("); !type.empty())
        return of_element(type);
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

/// A static_assert's sentence, without the condition that the compilers print.
std::string assertion(std::string_view message) {
    if (message.starts_with("static assertion failed: ")) return std::string(message.substr(25));
    if (const std::size_t end = message.find("': "); message.starts_with("static assertion failed due to") &&
                                                     end != message.npos)
        return std::string(message.substr(end + 3));
    const std::size_t quote = message.find(" \"");
    if (!message.starts_with("static_assert failed") || quote == message.npos || !message.ends_with('"')) return "";
    return std::string(message.substr(quote + 2, message.size() - quote - 3));
}

std::string of_assertion(const CompileError& error) {
    const std::string said = assertion(error.message);
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

std::string of_syntax(const CompileError& error) {
    if (has(error.source, "<<<") && has(error.message, "expected ")) return of_launch(error.source);
    const bool dereferences = error.message.starts_with("invalid type argument of unary '*'") ||
                              error.message.starts_with("indirection requires pointer operand") ||
                              has(error.message, "no match for 'operator*' (operand type is");
    if (dereferences && has(error.source, "**")) return "C++ has no operator `**`: write gpu::pow(x, 2) or x * x";
    const bool loops = error.message == "'begin' was not declared in this scope" ||
                       error.message.starts_with("invalid range expression of type 'gpu::") ||
                       error.message.starts_with("invalid range expression of type 'const gpu::");
    if (loops && has(error.source, "for ") && has(error.source, " : "))
        return "the elements of an array are on the device: loop over gpu::to_host(x), or calculate with the array";
    if (has(error.message, "conver") && has(error.message, "'bool'"))
        for (const std::string_view name : {"max", "min"})
            if (has(error.source, fmt::format("std::{}(", name)))
                return fmt::format("std::{0} compares two numbers: of arrays write gpu::{0}imum(x, y)", name);
    return "";
}

}  // namespace

bool is_assertion(std::string_view message) { return !assertion(message).empty(); }

std::string sentence_on(const CompileError& error) {
    for (const auto& said : {of_assertion(error), of_syntax(error), of_constructor(error), of_member(error),
                             of_assignment(error), of_launch_call(error), of_conversion(error)})
        if (!said.empty()) return said;
    if (const std::string said = of_name(error.message); !said.empty()) return said;
    if (const std::string said = of_header(error.message); !said.empty()) return said;
    return of_call(error);
}

}  // namespace course
