// SPDX-License-Identifier: MIT
#include "build/member_advice.hpp"

#include <fmt/format.h>

#include "build/advice_words.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// The name that "has no member named" complains about.
std::string_view missing_member(std::string_view message) {
    return between(message, has(message, "has no member named '") ? "has no member named '" : "no member named '", "'");
}

/// Members that other libraries' arrays have, and what is written here: {0} is the array, {1} the arguments, {2} the
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
    {" square cumsum sort ", "gpu::{3}({0})"},
    {" sum mean prod max min all any argmax argmin var ", "gpu::{3}({0}){4}"},
    {" std ", "gpu::stddev({0}){4}"},
    {" dot ", "gpu::dot({0}, {1}){4}"},
};

/// "double" of a message that names an Expr<double>.
std::string_view element_of_expression(std::string_view message) {
    constexpr std::string_view name = "Expr<";
    const std::size_t from = message.rfind(name) + name.size();
    return message.substr(from, message.find('>', from) - from);
}

/// Advice on a member of what svd returns.
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

/// Advice on a member of an array, of which `behind` is what follows the member's name.
std::string of_array(std::string_view name, std::string_view object, std::string_view behind, bool is_number) {
    const std::size_t open = behind.find('(');
    std::string_view given = open == behind.npos ? "" : in_brackets(behind, open);
    if (given.empty()) given = "y";
    const std::string_view angles = behind.starts_with("<") ? behind.substr(0, open) : "<float>";
    std::string_view inside = object;   // without brackets, where a function's stand around it
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
    const std::string_view name = missing_member(error.message);
    if (name.empty()) return "";
    const std::size_t dot = error.source.find(fmt::format(".{}", name));
    const std::string_view object = dot == error.source.npos ? "x" : last_object(error.source.substr(0, dot));
    if (has(error.message, "gpu::linalg::Svd<")) return of_svd(name, object);
    if (has(error.message, "gpu::AnyArray'")) return std::string(type_at_run_time);
    if (has(error.message, "class std::vector<") || has(error.message, "in 'std::vector<"))
        return of_vector(name, object);
    const bool expression = has(error.message, "Expr<");
    if (!expression && !has(error.message, "gpu::Array<") && !has(error.message, "gpu::View<")) return "";
    if (name == "item")
        return !expression ? "" : fmt::format("an expression isn't computed yet, so it has no item(): assign it to a "
                                              "gpu::Array<{}> r first, then r.item()",
                                              element_of_expression(error.message));
    if (is_one_of(name, {"array", "matrix", "eval", "noalias"}))
        return fmt::format("gpu's arrays calculate element by element as they are: leave .{}() out", name);
    if (name == "to_device") return fmt::format("{} is on the device: leave .to_device() out", object);
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
