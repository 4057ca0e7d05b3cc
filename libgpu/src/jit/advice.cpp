// SPDX-License-Identifier: MIT
#include "jit/advice.hpp"

#include <array>
#include <string_view>

#include "jit/advice_cases.hpp"

namespace gpu::detail {

namespace {

struct Rule {
    std::string_view pattern;  // of a message's beginning
    Advice (*say)(const Case&);
};

// NVRTC, g++ and clang, in this order within an idea.
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
    Rule{"invalid operands ", operator_of_none},   // of types with other names: 'const T' {aka 'const float'}
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

}  // namespace gpu::detail
