// SPDX-License-Identifier: MIT
#include "jit/advice.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "jit/mistakes.hpp"

namespace gpu::detail {

namespace {

struct Rule {
    std::string_view pattern;  // of the beginning of a message
    Advice (*say)(const Case&);
};

// Grouped by mistake, with the wording of NVRTC, g++ and clang in this order.
constexpr std::array rules{
    Rule{"identifier \"%\" is undefined", unknown},
    Rule{"'%' was not declared in this scope", unknown},
    Rule{"there are no arguments to '%' that depend on a template parameter", unknown},
    Rule{"'%' does not name a type", unknown},
    Rule{"'%' has not been declared", unknown},
    Rule{"use of undeclared identifier '%'", unknown},
    Rule{"unknown type name '%'", unknown},
    Rule{"no template named '%'", unknown},
    Rule{"namespace \"std\" has no member \"%\"", not_in_std},
    Rule{"'%' is not a member of 'std'", not_in_std},
    Rule{"no member named '%' in namespace 'std'", not_in_std},
    Rule{"'%' in namespace 'std' does not name a", not_in_std},
    Rule{"expected a \";\"", no_semicolon},
    Rule{"expected ';'", no_semicolon},
    Rule{"expected ',' or ';'", no_semicolon},
    Rule{"expected a \")\"", no_bracket},
    Rule{"expected ')'", no_bracket},
    Rule{"expected an expression", no_expression},
    Rule{"expected primary-expression", no_expression},
    Rule{"expected expression", no_expression},
    Rule{"class \"%\" has no member \"%\"", no_member},
    Rule{"'%' has no member named '%'", no_member},
    Rule{"no member named '%' in '%'", no_member_first},
    Rule{"argument of type \"%\" is incompatible with parameter of type \"%\"", given_then_wanted},
    Rule{"a value of type \"%\" cannot be assigned to an entity of type \"%\"", given_then_wanted},
    Rule{"a value of type \"%\" cannot be used to initialize an entity of type \"%\"", given_then_wanted},
    Rule{"cannot convert '%' to '%'", given_then_wanted},
    Rule{"invalid conversion from '%' to '%'", given_then_wanted},
    Rule{"assigning to '%' from incompatible type '%'", wanted_then_given},
    Rule{"cannot initialize a variable of type '%' with an lvalue of type '%'", wanted_then_given},
    Rule{"cannot initialize a variable of type '%' with an rvalue of type '%'", wanted_then_given},
    Rule{"no instance of overloaded function \"%\" matches the argument list", no_such_call},
    Rule{"no instance of function template \"%\" matches the argument list", no_such_call},
    Rule{"no matching function for call to '%'", no_such_call},
    Rule{"too few arguments in function call", too_few},
    Rule{"too few arguments to function '%'", too_few},
    Rule{"too many arguments in function call", too_many},
    Rule{"too many arguments to function '%'", too_many},
    Rule{"function \"%\" was referenced but not defined", no_body},
    Rule{"cannot open source file \"%\"", no_header},
    Rule{"could not open source file \"%\"", no_header},
    Rule{"#include %: kernels have no headers", no_header},
    Rule{"A function without execution space annotations", host_function},
    Rule{"A function explicitly marked as a __host__ function", host_function},
    Rule{"The execution space for the lambda closure class members was inferred to be __host__", host_function},
    Rule{"calling a __host__ function", host_function},
    Rule{"%: A function without execution space annotations", host_function},
    Rule{"%: A function marked as __host__ alone", host_function},
    Rule{"A namespace scope variable without memory space annotations", host_variable},
    Rule{"%: A variable without memory space annotations", host_variable},
    Rule{"initializer not allowed for __shared__ variable", shared_with_value},
    Rule{"%: a __shared__ variable has no initialiser", shared_with_value},
    Rule{"expression must have a constant value", no_constant},
    Rule{"variable length array '%' is used", no_constant},
    Rule{"ISO C++ forbids variable length array", no_constant},
    Rule{"variable length arrays are a C99 feature", no_constant},
    Rule{"variable length arrays in C++ are a Clang extension", no_constant},
    Rule{"cannot use thread_local specifier", thread_local_word},
    Rule{"thread_local: a kernel's variables", thread_local_word},
    Rule{"attempt to use poisoned \"%\"", sealed_word},
    Rule{"attempt to use a poisoned identifier", sealed_word},
    Rule{"%: check mode watches every kernel", sealed_word},
    Rule{"\"%\" has already been declared in the current scope", taken},
    Rule{"declaration of '%' shadows a parameter", taken},
    Rule{"redeclaration of '%'", taken},
    Rule{"conflicting declaration '%'", taken},
    Rule{"redefinition of '%'", taken},
    Rule{"expression must be a modifiable lvalue", read_only},
    Rule{"assignment of read-only", read_only},
    Rule{"increment of read-only", read_only},
    Rule{"read-only variable is not assignable", read_only},
    Rule{"cannot assign to variable '%' with const-qualified type", read_only},
    Rule{"expression must have integral or unscoped enum type", pointer_arithmetic},
    Rule{"expression must have arithmetic or unscoped enum type", pointer_arithmetic},
    Rule{"expected initializer before '%'", before_type},
    Rule{"invalid cast from type '%' to type %", other_accumulator},
    Rule{"operand of \"*\" must be a pointer", power},
    Rule{"invalid type argument of unary '*'", power},
    Rule{"indirection requires pointer operand", power},
    Rule{"invalid operands of types '%' and '%' to binary", operands},
    Rule{"invalid operands to binary expression ('%' and '%')", operands},
    Rule{"invalid operands ", operator_of_none},   // of types with aliases: 'const T' {aka 'const float'}
    Rule{"no operator \"%\" matches these operands", operator_of_none},
    Rule{"no match for 'operator", operator_of_none},
    Rule{"no suitable conversion function from \"%\" to \"%\"", given_then_wanted},
    Rule{"no viable conversion from '%' to '%'", given_then_wanted},
    Rule{"request for member '%' in '%', which is of pointer type", member_of_pointer},
    Rule{"request for member '%' in '%', which is of non-class type", member_of_pointer},
    Rule{"member reference base type '%'", member_of_pointer},
    Rule{"expression must have class type", member_of_pointer},
    Rule{"expression must have pointer-to-object type", no_array},
    Rule{"invalid types '%' for array subscript", no_array},
    Rule{"subscripted value is not an array", no_array},
    Rule{"a \"__global__\" function must have a void return type", kernel_returns},
    Rule{"a __global__ function must have a void return type", kernel_returns},
    Rule{"%: a __global__ function returns nothing", kernel_returns},
    Rule{"return value type does not match the function type", returns_a_value},
    Rule{"return-statement with a value, in function returning 'void'", returns_a_value},
    Rule{"void function '%' should not return a value", returns_a_value},
    Rule{"device-side kernel launch could not be processed", launch_inside},
    Rule{"<<<...>>>: a kernel can't launch", launch_inside},
};

}  // namespace

std::optional<std::vector<std::string>> match(std::string_view text, std::string_view pattern) {
    std::vector<std::string> parts;
    for (;;) {
        const auto hole = pattern.find('%');
        const std::string_view literal = pattern.substr(0, hole);
        if (text.substr(0, literal.size()) != literal) return std::nullopt;
        if (hole == std::string_view::npos) return parts;
        text.remove_prefix(literal.size());
        pattern.remove_prefix(hole + 1);
        const std::string_view next = pattern.substr(0, pattern.find('%'));
        const auto end = next.empty() ? text.size() : text.find(next);
        if (end == std::string_view::npos) return std::nullopt;
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::string undeclared_name(std::string_view message) {
    for (const Rule& rule : rules)
        if (rule.say == unknown)
            if (const auto parts = match(message, rule.pattern)) return parts->front();
    return {};
}

Advice advice_on(const Diagnostic& error, const SourceMap& map) {
    if (auto program = whole_program({error, map, {}})) return *program;
    for (const Rule& rule : rules)
        if (auto parts = match(error.message, rule.pattern)) return rule.say({error, map, *std::move(parts)});
    return {error.message};
}

namespace {

using Parts = std::vector<std::string>;

constexpr std::string_view no_streams = "a kernel has no streams; to print: printf(\"%f\\n\", value)";
constexpr std::string_view no_library = "kernels have no C++ library: write sqrt, fabs, min, max ... without std::";
constexpr std::string_view no_limits = "infinity is INFINITY here, and the largest float FLT_MAX";

// The line of the error, without comments and string contents.
std::string line_of(const Case& at) {
    const auto index = at.map.find(at.error.file, at.error.line);
    return index ? at.map.code(*index) : "";
}

// "threadIdx" if the line uses it without a member; otherwise empty.
std::string built_in_without_member(const std::string& line) {
    for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
        for (auto from = line.find(name); from != std::string::npos; from = line.find(name, from + 1)) {
            const auto next = line.find_first_not_of(" \t", from + name.size());
            if (next == std::string::npos || line[next] != '.') return std::string(name);
        }
    return {};
}

bool is_of_the_runtime(const std::string& name) {
    return name.size() > 4 && name.starts_with("cuda") && name[4] >= 'A' && name[4] <= 'Z';
}

// "threadIdx + 1", "int t = threadIdx": nothing if the compiler complains about other types.
std::optional<Advice> of_built_in(const Case& at) {
    std::string said = at.error.message;
    for (const std::string& line : at.error.rest)
        if (line.find("operand types are") != std::string::npos) said += line;   // NVRTC's
    const bool ours = said.find("uint3") != std::string::npos || said.find("dim3") != std::string::npos ||
                      said.find("__cuda_builtin_") != std::string::npos;
    const std::string name = ours ? built_in_without_member(line_of(at)) : "";
    if (name.empty()) return std::nullopt;
    return Advice{name + " has three members: write " + name + ".x"};
}

// Advice on an operator that the types around it don't have; nothing if the case isn't known.
std::optional<Advice> of_operator(const Case& at) {
    if (auto known = of_built_in(at)) return known;
    const std::string line = line_of(at);
    const auto column = static_cast<std::size_t>(std::max(at.error.column, 1)) - 1;
    const auto is = [&](char sign) {   // NVRTC points at an operand
        return at.error.message.find(std::string("operator") + sign) != std::string::npos ||
               (column < line.size() && line[column] == sign) ||
               (at.error.message.starts_with("expression must have integral") && line.find(sign) != std::string::npos);
    };
    if (is('^')) return Advice{"^ is exclusive or in C++: write x * x, or pow(x, y)"};
    if (is('%')) return Advice{"% is for integers: write fmod(x, y)"};
    const bool joins = is('+') || is('-') || is('*') || is('/') || is('<') || is('>');
    if (at.is_part("(reduce)") && joins && line.find("<<") == std::string::npos && line.find(">>") == std::string::npos)
        return Advice{"a and b are structures, which have no such operator",
                      "combine their members: Part{a.sum + b.sum, a.count + b.count}"};
    return std::nullopt;
}

// Functions in an operation's preamble or in a header have parameters of their own.
bool is_in_function(const Case& at) {
    const std::string_view file = at.error.file;
    return !at.is_raw() && (at.is_part("(preamble)") || file.ends_with(".cuh") || file.ends_with(".h") ||
                            file.ends_with(".hpp"));
}

// Names that other languages, and other C++, have for numbers that kernels call differently.
std::string number_named(const std::string& name) {
    if (is_one_of(name, {"inf", "INF", "Inf", "infinity", "Infinity", "infty", "HUGE_VAL", "HUGE_VALF"}))
        return "infinity is INFINITY here";
    if (is_one_of(name, {"NaN", "Nan"})) return "not a number is NAN here";
    if (is_one_of(name, {"numeric_limits", "MAXFLOAT", "FLOAT_MAX"})) return std::string(no_limits);
    if (is_one_of(name, {"pi", "PI", "Pi"})) return "pi is M_PI here, a double; (float)M_PI is a float";
    if (is_one_of(name, {"np", "numpy", "math", "torch", "cp"}))
        return "this is C++: functions have no prefix, as in sqrt(x), and infinity is INFINITY";
    return {};
}

std::string help_on_unknown(const std::string& name, const Case& at) {
    if (is_of_the_runtime(name))
        return "the C++ program allocates and copies, with gpu::zeros, gpu::to_device and gpu::to_host; a kernel gets "
               "pointers";
    if (is_one_of(name, {"cout", "cerr", "clog", "endl"})) return std::string(no_streams);
    if (name == "std") {
        const std::string line = at.map.lines()[*at.map.find(at.error.file, at.error.line)].text;
        return std::string(line.find("std::cout") != std::string::npos ? no_streams : no_library);
    }
    if (is_one_of(name, {"vector", "string", "array", "map", "Array", "Eigen"}))
        return "a kernel gets arrays as pointers: const float* x, and their length as int n";
    if (at.is_part("(reduce)"))
        return "the reduce expression joins a and b; what is done with an input belongs in the map expression";
    if (at.is_part("(operation)")) return "a scan's operation combines a and b and sees nothing else";
    if (at.is_part("(post)")) return "the post expression has a, the reduced value, and assigns the output";
    if (!at.is_raw()) {
        if (is_one_of(name, {"threadIdx", "blockIdx", "blockDim", "gridDim"}))
            return "in an elementwise kernel i is the element's index and _ind.size() their number";
        if (is_one_of(name, {"n", "N", "size", "length", "count"}))
            return "_ind.size() is the number of elements; what else the kernel needs is one of its parameters";
    }
    if (const std::string meant = similar_name(name, at.map.learners_code() + at.map.parameters()); !meant.empty())
        return "did you mean " + meant + "?";
    if (at.is_part("(reduce_type)"))
        return "declare it in the preamble: {.preamble = \"struct " + name +
               " { double sum, count; };\", .reduce_type = \"" + name + "\"}";
    if (is_in_function(at)) return "a function sees its own parameters and what stands before it: make it a parameter";
    if (!at.is_raw()) return {};
    return "a kernel sees its parameters and what its source declares, not the program's variables: make it a "
           "parameter";
}

// A type as one writes it: "const float*", not "const float *" or "T {aka const float}".
std::string type_name(std::string type) {
    if (const auto alias = type.find("{aka "); alias != std::string::npos)
        type = type.substr(alias + 5, type.size() - alias - 6);
    for (auto at = type.find(" *"); at != std::string::npos; at = type.find(" *")) type.erase(at, 1);
    return type;
}

std::string help_on_types(const std::string& given, const std::string& wanted) {
    const bool from_pointer = given.find_first_of("*[") != std::string::npos,
               to_pointer = wanted.find('*') != std::string::npos;
    if (from_pointer && !to_pointer) return "a pointer is the address of an array: x[i] is an element";
    if (!from_pointer && to_pointer)
        return "a pointer is the address of an array: x[i] is an element, &x[i] its address";
    if (given == "const " + wanted)
        return "what is const can only be read: remove the const where it is declared, or don't write";
    return "";
}

Advice other_type(const std::string& raw_given, const std::string& raw_wanted) {
    const std::string given = type_name(raw_given), wanted = type_name(raw_wanted);
    return {"this is a " + given + ", and a " + wanted + " is wanted", help_on_types(given, wanted)};
}

// The function whose call NVRTC's caret is in: the name before the innermost open bracket.
std::string called_name(const Case& at) {
    const auto index = at.map.find(at.error.file, at.error.line);
    if (!index || at.error.column < 1) return {};
    const std::string& code = at.map.code(*index);
    int depth = 0;
    for (std::size_t k = std::min(static_cast<std::size_t>(at.error.column) - 1, code.size()); k-- > 0;) {
        if (code[k] == ')') ++depth;
        if (code[k] != '(' || depth-- > 0) continue;
        const auto names = names_in(std::string_view(code).substr(0, k));
        return names.empty() ? "" : names.back();
    }
    return {};
}

Advice argument_count(const Case& at, const char* how_many) {
    std::string name = at.parts.empty() ? called_name(at) : at.parts.front();
    name = name.substr(0, name.find('('));
    if (const auto blank = name.find_last_of(" *&"); blank != std::string::npos) name.erase(0, blank + 1);
    return {std::string("too ") + how_many + " arguments" + (name.empty() ? "" : " for " + name)};
}

std::string help_on_header(const std::string& name) {
    const auto is_in = [&](std::string_view folder) { return name.substr(0, folder.size()) == folder; };
    if (is_in("thrust/"))
        return "use the arrays of the C++ program: expressions, sums, cumsum and the like, or gpu::ReductionKernel";
    if (is_in("cub/"))
        return "use cooperative_groups.h, whose tiles reduce and scan, or gpu::ReductionKernel in the C++ program";
    if (is_in("curand")) return "draw the numbers in the C++ program, with gpu::random, and give the kernel the array";
    if (name == "mma.h") return "tensor cores are for GPUs alone here: write the loop, or call gpu::matmul";
    if (name == "algorithm")
        return "leave the line out: math functions, min, max, printf, assert and the like are there without a header";
    if (is_one_of(name, {"iostream", "iomanip", "sstream", "fstream"})) return std::string(no_streams);
    return std::string("kernels have no C++ library, and arrays come as pointers; there are ") +
           std::string(header_list);
}

// "2", "at least 2", "single" or "no arguments", as clang says it.
int count_in(const std::string& words) {
    const auto digit = words.find_first_of("0123456789");
    if (digit == std::string::npos) return words.find("no") == 0 ? 0 : 1;
    int count = 0;
    std::from_chars(words.data() + digit, words.data() + words.size(), count);
    return count;
}

}  // namespace

Advice unknown(const Case& at) {
    const std::string& name = at.parts.front();
    if (is_of_the_runtime(name)) return {name + " is for the C++ program, not for kernels", help_on_unknown(name, at)};
    if (name == "std" && line_of(at).find("std::numeric_limits") != std::string::npos)
        return {"std::numeric_limits is not declared: " + std::string(no_limits)};
    if (const std::string number = number_named(name); !number.empty()) return {name + " is not declared: " + number};
    const std::string help = help_on_unknown(name, at);
    if (help.empty())
        return {name + " isn't among the parameters: add it to their string, as in \"T x, T " + name + "\""};
    return {name + " is not declared", help};
}

Advice not_in_std(const Case& at) {
    const std::string& name = at.parts.front();
    const bool stream = is_one_of(name, {"cout", "cerr", "clog", "endl"});
    if (name == "numeric_limits") return {"std::numeric_limits is not declared: " + std::string(no_limits)};
    return {"std::" + name + " is not declared", std::string(stream ? no_streams : no_library)};
}

Advice no_semicolon(const Case&) { return {"a ; is missing", "", true}; }

Advice no_bracket(const Case&) { return {"a ) is missing", "", true}; }

Advice no_expression(const Case&) { return {"something is missing here: a value is expected", "", true}; }

Advice no_member(const Case& at) {
    const std::string& name = at.parts.back();
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return static_cast<char>(std::tolower(c)); });
    const bool meant = lower != name && is_one_of(lower, {"x", "y", "z", "w"});
    return {"there is no member " + name, meant ? "did you mean " + lower + "?" : ""};
}

Advice no_member_first(const Case& at) { return no_member({at.error, at.map, {at.parts.front()}}); }

Advice given_then_wanted(const Case& at) {
    if (const auto known = of_built_in(at)) return *known;
    return other_type(at.parts[0], at.parts[1]);
}

Advice wanted_then_given(const Case& at) { return given_then_wanted({at.error, at.map, {at.parts[1], at.parts[0]}}); }

// atomicMax(float*, float); nothing if no pointer to a float is passed.
std::optional<Advice> of_integer_atomic(const Case& at, const std::string& name) {
    if (!is_one_of(name, {"atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor", "atomicCAS"})) return {};
    std::string said = at.error.message;
    for (const std::string& line : at.error.rest) said += line;
    const auto has = [&](const char* type) { return said.find(type) != std::string::npos; };
    if (!has("float *") && !has("float*") && !has("double *") && !has("double*")) return {};
    const std::string of_all = name == "atomicMax" ? "gpu::max" : name == "atomicMin" ? "gpu::min" : "";
    return Advice{name + " is for integers",
                  of_all.empty() ? "take the float's bits as an int: " + name + "((int*)x, ...) with __float_as_int()"
                                 : "let each block find its own and " + of_all +
                                       " do the rest, or write a loop around atomicCAS() with __float_as_int()"};
}

// tex2D(texture, x, y), or with an array in place of the texture.
std::optional<Advice> of_texture_fetch(std::string_view name) {
    const std::string fetch(name.substr(0, name.find('<')));
    if (!is_one_of(fetch, {"tex1Dfetch", "tex1D", "tex2D"})) return {};
    return Advice{fetch + " takes the type of a texel, a texture and a place in it",
                  "write " + fetch + "<float>(texture, " + (fetch == "tex2D" ? "x, y" : "x") +
                      "); the texture is a parameter of type cudaTextureObject_t"};
}

// clang gives the reason in a note. If several functions have the name, there is no single reason.
Advice no_such_call(const Case& at) {
    const std::string name = at.parts.front().substr(0, at.parts.front().find('('));
    if (auto known = of_integer_atomic(at, name)) return *known;
    if (auto known = of_texture_fetch(name)) return *known;
    const bool is_atomic = name.starts_with("atomic") && name != "atomicCAS";
    const std::string example = name + "(sum, x[i]), not *sum";
    const Advice none{"no " + name + " takes these arguments",
                      is_atomic ? name + " takes an address and a value of the same type: " + example
                                : "compare their number and their types with its declaration"};
    std::optional<Advice> only;
    for (const std::string& line : at.error.rest) {
        const auto note = line.find("note: candidate function not viable: ");
        if (line.find("error: ") != std::string::npos) break;
        if (note == std::string::npos) continue;
        if (only) return none;
        const std::string_view why = std::string_view(line).substr(note + 37);
        only = none;
        if (const auto types = match(why, "no known conversion from '%' to '%'"))
            only = other_type((*types)[0], (*types)[1]);
        if (const auto type = match(why, "%argument ('%') would lose const"))
            only = other_type((*type)[1], (*type)[1].substr((*type)[1].find("const ") == 0 ? 6 : 0));
        if (const auto counts = match(why, "requires % argument%, but % w")) {
            const bool few = count_in((*counts)[2]) < count_in((*counts)[0]);
            only = Advice{std::string("too ") + (few ? "few" : "many") + " arguments for " + name};
        }
    }
    return only ? *only : none;
}

Advice too_few(const Case& at) { return argument_count(at, "few"); }

Advice too_many(const Case& at) { return argument_count(at, "many"); }

Advice no_body(const Case& at) {
    const auto names = names_in(at.parts.front());  // "<unnamed>::half"
    return {names.back() + " is declared, and defined nowhere", std::string(no_body_help)};
}

Advice no_header(const Case& at) {
    const auto index = at.map.find(at.error.file, at.error.line);
    const std::string line = index ? at.map.lines()[*index].text : "";
    std::string name = at.parts.front();
    if (name.size() > 2 && (name.front() == '<' || name.front() == '"')) name = name.substr(1, name.size() - 2);
    if (const auto quote = line.find('"' + name + '"'); quote != std::string::npos) {
        return {.message = "there is no file " + name,
                .help = "it must lie next to the kernel's file, or in a folder that an option names: -Ifolder",
                .column = static_cast<int>(quote) + 1};
    }
    return {.message = "there is no header <" + name + "> for kernels",
            .help = help_on_header(name),
            .column = static_cast<int>(line.find('<') + 1)};
}

Advice host_function(const Case&) {
    return {"this function is not one of the device", "write __device__ before it, so that kernels may call it"};
}

Advice host_variable(const Case&) {
    return {"this variable is not one of the device",
            "write __device__ or __constant__ before it, const if it never changes, or make it a parameter"};
}

Advice shared_with_value(const Case&) {
    return {"a __shared__ variable can't be initialised",
            "let the block's threads assign its elements, then call __syncthreads()"};
}

Advice no_constant(const Case&) {
    return {"a constant is missing here",
            "an array's length must be known when the kernel is compiled: constexpr int n = 256;"};
}

Advice thread_local_word(const Case&) {
    return {"thread_local has no meaning in a kernel", "leave it out: each thread has its own local variables"};
}

Advice sealed_word(const Case& at) {
    const std::string word = at.parts.empty() ? "this word" : at.parts.front();  // clang doesn't repeat it
    return {word + " can't be used in a kernel",
            "leave it out: check mode watches every kernel, and none may leave itself out or ask what it is compiled "
            "with"};
}

Advice taken(const Case& at) {
    // "int i" of g++, "i" of the others
    const auto names = names_in(at.parts.front());
    const std::string name = names.empty() ? at.parts.front() : names.back();
    if (!at.is_raw() && name == "i")
        return {"i is already declared", "in an elementwise kernel i is the element's index: take another name"};
    return {name + " is already declared", "take another name, or assign to it without its type"};
}

Advice read_only(const Case& at) {
    if (at.is_part("(reduce)")) return {"a and b can't be written", "the reduce expression is only a value: a + b"};
    if (!at.is_raw())
        return {"an input can't be written", "assign to an output; what is read and written is an output as well"};
    return {"this is const and can't be written", "remove the const where it is declared, or write to another array"};
}

Advice pointer_arithmetic(const Case& at) {
    if (const auto known = of_operator(at)) return *known;
    if (at.is_raw())
        return {"you can't calculate with pointers", "a pointer is the address of an array: x[i] is an element"};
    return {at.error.message};
}

Advice before_type(const Case& at) {
    if (at.parts[0] != "gpu_value") return {at.error.message};
    return {"a ; is missing before this, at the end of the preamble: struct Part { double sum, count; };"};
}

Advice other_accumulator(const Case& at) {
    if (at.is_raw() || at.parts[1].find("gpu_value") == std::string::npos) return {at.error.message};
    const std::string given = type_name(at.parts[0]);
    return {"the map expression is a " + given + ", and a and b are another type",
            "name their type behind the kernel's name: {.reduce_type = \"" + given + "\"}"};
}

Advice power(const Case& at) {
    if (line_of(at).find("**") == std::string::npos) return {at.error.message};
    return {"C++ has no operator **: write x * x, or pow(x, y)"};
}

Advice operator_of_none(const Case& at) { return of_operator(at).value_or(Advice{at.error.message}); }

Advice member_of_pointer(const Case& at) {
    if (!at.is_raw()) return {"this is one number: it has no members"};
    return {"a pointer has no members", "an array's length is a parameter of the kernel: int n"};
}

Advice operands(const Case& at) {
    if (const auto known = of_operator(at)) return *known;
    const bool pointer = at.parts[0].find('*') != std::string::npos || at.parts[1].find('*') != std::string::npos;
    return pointer ? pointer_arithmetic(at) : Advice{at.error.message};
}

Advice no_array(const Case& at) {
    if (at.is_raw() && line_of(at).find("][") != std::string::npos)
        return {"a pointer has one index: write x[row * columns + column], not x[row][column]"};
    if (at.is_raw()) return {"[ ] is for arrays, and this isn't one"};
    return {"[ ] is for arrays, and this is one element",
            "x is the element at i already; for any element of an array declare it as: raw T x"};
}

Advice kernel_returns(const Case&) {
    return {"a kernel returns nothing", "its return type is void; results go into an array"};
}

Advice returns_a_value(const Case& at) {
    if (at.is_raw())
        return {"a kernel returns nothing",
                "write the value into an array: y[i] = value; return; alone ends the thread"};
    return {"nothing is returned here", "assign the value to the output: z = x + y"};
}

Advice launch_inside(const Case&) {
    return {"a kernel can't launch kernels",
            "launch it from the C++ program, or make it a __device__ function and call it"};
}

std::optional<Advice> whole_program(const Case& at) {
    const auto index = at.map.find(at.error.file, at.error.line);
    if (!index || !at.is_raw()) return std::nullopt;
    const auto is_main = [&](std::size_t k) {
        const std::string& code = at.map.code(k);
        const auto from = code.find("main");
        if (from == std::string::npos || at.map.lines()[k].ours) return false;
        const auto names = names_in(code);
        const auto next = code.find_first_not_of(' ', from + 4);
        return next != std::string::npos && code[next] == '(' && names.size() > 1 && names[0] == "int" &&
               names[1] == "main";
    };
    for (std::size_t k = 0; k < at.map.lines().size(); ++k)
        if (is_main(k) && (*index >= k || at.map.is_directive(*index)))
            return Advice{
                "a whole program was pasted: keep the kernels here; what main() does goes into the .cpp file"};
    return std::nullopt;
}

}  // namespace gpu::detail
