// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {

/// A function that `course own` can't take: what is in its way, and what to do instead.
class OwnFunctionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A type that such a function may take or return.
struct OwnType {
    const char* eigen;     ///< "VectorXf", or "float"
    const char* element;   ///< "float"
    int rank;              ///< 0: a number
    bool is_array;         ///< Eigen's Array, not its Matrix
};

/// A parameter, and what is drawn for it.
struct OwnParameter {
    std::string name;
    const OwnType* type = nullptr;
    std::vector<std::string> lengths = {};   ///< "m", "n": a letter for each axis
    std::string low = {}, high = {};         ///< as written
};

/// The Eigen function that is to be ported.
struct OwnFunction {
    std::string name;
    const OwnType* returns = nullptr;
    std::vector<OwnParameter> parameters;

    /// The letters of all lengths, each once.
    [[nodiscard]] std::vector<std::string> letters() const;
};

/// The function of this name in the text of a file: it takes Eigen's dynamic vectors and matrices of float or double by
/// value or constant reference, and numbers by value, and returns one of these. Lines of the form
///     // own: x(n) from 0.1 to 10
///     // own: A(m, n)
/// say which lengths agree and what is drawn; by default all lengths are n, and floating-point values lie in [-1, 1].
/// @throws OwnFunctionError
OwnFunction own_function(const std::string& text, const std::string& name);

}  // namespace course
