// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>

namespace gpu::detail {

/// One parameter of a kernel's list: "T x", "float y" or "raw T table".
struct ListedParameter {
    std::string name;
    std::string placeholder;      ///< "T"; empty if the type is fixed
    std::optional<DType> dtype;   ///< the fixed type
    bool is_raw = false;          ///< the whole array, for every element
    bool is_output = false;
};

/// Parses "T x, raw float y" as in CuPy. @throws Error that names the kernel and the part that can't be parsed
std::vector<ListedParameter> parse_parameters(const std::string& list, const std::string& kernel);

/// Parses both lists of a kernel. @throws Error also if a name is in both, or there is no output
struct ListedParameters {
    std::vector<ListedParameter> inputs, outputs;
};
ListedParameters parse_parameters(const std::string& inputs, const std::string& outputs, const std::string& kernel);

/// @throws Error unless it is an identifier
void check_kernel_name(const std::string& name);

/// The type for a name in a parameter list: "float", "float32", "int", "int64", "unsigned int", "bool".
std::optional<DType> dtype_named(const std::string& name);

/// Placeholders and the types that arrays gave them, in the order of first use.
class Placeholders {
public:
    /// Records that an array argument of this type is passed for the parameter.
    /// @throws DTypeError if the parameter's type is fixed, or was decided, to another one
    void decide(const ListedParameter& parameter, DType dtype, const std::string& kernel);

    /// The parameter's type, if it has been decided.
    [[nodiscard]] std::optional<DType> type_of(const ListedParameter& parameter) const;
    /// @throws DTypeError that says what to pass
    [[nodiscard]] DType require(const ListedParameter& parameter, const std::string& kernel) const;

    /// "typedef float T;\n" for each.
    [[nodiscard]] std::string typedefs() const;

private:
    struct Decision {
        std::string placeholder;
        DType dtype;
        std::string by;   ///< the parameter that decided
    };
    [[nodiscard]] const Decision* find(const std::string& placeholder) const;
    std::vector<Decision> decisions_;
};

}  // namespace gpu::detail
