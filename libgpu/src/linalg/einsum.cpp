// SPDX-License-Identifier: MIT
// Einstein's notation, by diagonals, sums and one matrix product; and Kronecker's product.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/matmul.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "linalg/matrix_stack.hpp"
#include "linalg/products.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

bool contains(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

std::string quoted(char label) { return std::string("'") + label + "'"; }

std::string count_text(std::size_t count, const char* what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// An operand, and the letter of each of its axes: every one once.
struct Labelled {
    ArrayCore array;
    std::string labels;

    [[nodiscard]] int axis(char label) const { return static_cast<int>(labels.find(label)); }
    [[nodiscard]] std::int64_t length(char label) const { return array.shape[axis(label)]; }
};

/// What is to be computed: `ij,jk->ik`.
class Subscripts {
public:
    Subscripts(std::string_view text, std::size_t arrays) : text_(text) {
        std::string known;
        std::copy_if(text.begin(), text.end(), std::back_inserter(known), [](char c) { return c != ' '; });
        const std::size_t arrow = known.find("->");
        std::string inputs = known.substr(0, arrow);
        for (const char c : inputs + (arrow == std::string::npos ? "" : known.substr(arrow + 2))) {
            if (c == '.') refuse("an ellipsis isn't supported: give each axis a letter");
            if (c != ',' && std::isalpha(static_cast<unsigned char>(c)) == 0) refuse(quoted(c) + " isn't a letter");
        }
        for (std::size_t start = 0; start <= inputs.size();) {
            const std::size_t end = std::min(inputs.find(',', start), inputs.size());
            operands.push_back(inputs.substr(start, end - start));
            start = end + 1;
        }
        if (operands.size() != arrays) {
            refuse("the subscripts are for " + count_text(operands.size(), "operand") + ", and there " +
                   (arrays == 1 ? "is 1" : "are " + std::to_string(arrays)));
        }
        output = arrow == std::string::npos ? letters_that_occur_once(inputs) : known.substr(arrow + 2);
        for (const char label : output) {
            if (label == ',') refuse("there is one result, so no ',' behind '->'");
            if (std::count(output.begin(), output.end(), label) > 1) {
                refuse(quoted(label) + " occurs more than once behind '->'");
            }
            if (!contains(inputs, label)) refuse(quoted(label) + " behind '->' isn't an axis of any operand");
        }
    }

    [[noreturn]] void refuse(const std::string& why) const { throw LinAlgError("einsum(\"" + text_ + "\"): " + why); }

    /// The array with one axis for each letter: a diagonal for one that is repeated.
    [[nodiscard]] Labelled labelled(std::size_t k, const ArrayCore& array) const {
        const std::string& subscripts = operands[k];
        const std::string of_shape = "operand " + std::to_string(k) + ", of shape " + to_string(array.shape);
        if (static_cast<int>(subscripts.size()) != array.shape.rank()) {
            refuse('"' + subscripts + "\" has " + count_text(subscripts.size(), "letter") + " for " + of_shape);
        }
        Labelled made{array, {}};
        made.array.shape = {};
        made.array.strides = {};
        for (int axis = 0; axis < array.shape.rank(); ++axis) {
            const char label = subscripts[static_cast<std::size_t>(axis)];
            if (!contains(made.labels, label)) {
                made.labels += label;
                made.array.shape.append(array.shape[axis]);
                made.array.strides.push_back(array.strides[axis]);
                continue;
            }
            const int first = made.axis(label);
            if (made.array.shape[first] != array.shape[axis]) {
                refuse(quoted(label) + " has the lengths " + std::to_string(made.array.shape[first]) + " and " +
                       std::to_string(array.shape[axis]) + " in " + of_shape);
            }
            made.array.strides[first] += array.strides[axis];
        }
        return made;
    }

    std::vector<std::string> operands;
    std::string output;

private:
    static std::string letters_that_occur_once(const std::string& inputs) {
        std::string once;
        for (const char c : inputs) {
            if (c != ',' && std::count(inputs.begin(), inputs.end(), c) == 1) once += c;
        }
        std::sort(once.begin(), once.end());
        return once;
    }

    std::string text_;
};

// The operand with its axes in this order; one that it lacks has length 1.
ArrayCore in_order(const Labelled& operand, const std::string& labels) {
    ArrayCore made = operand.array;
    made.shape = {};
    made.strides = {};
    for (const char label : labels) {
        const bool has = contains(operand.labels, label);
        made.shape.append(has ? operand.length(label) : 1);
        made.strides.push_back(has ? operand.array.strides[operand.axis(label)] : 0);
    }
    return made;
}

// The sum over the axes behind the first `kept`.
ArrayCore summed(DType type, const NodePointer& value, int kept) {
    std::vector<int> axes;
    for (int axis = kept; axis < value->shape.rank(); ++axis) axes.push_back(axis);
    return reduce({.kind = Reduction::sum, .element = accumulator(type), .result = type}, value,
                  {.axis = Axes(std::span<const int>(axes))});
}

// Sums over the letters that aren't wanted; the wanted ones stay, in their order.
Labelled reduced_to(DType type, const Labelled& operand, const std::string& wanted) {
    std::string kept, rest;
    for (const char label : operand.labels) (contains(wanted, label) ? kept : rest) += label;
    if (rest.empty()) return operand;
    return {summed(type, leaf(in_order(operand, kept + rest)), static_cast<int>(kept.size())), kept};
}

ArrayCore copied_in_order(const Labelled& operand, const std::string& labels) {
    return copy_of(in_order(operand, labels), Layout::row_major);
}

// An axis of length 1 broadcasts: it has no part in a product with a longer one.
void drop_axes_to_broadcast(const Subscripts& subscripts, Labelled& a, Labelled& b) {
    const std::string labels = a.labels;
    for (const char label : labels) {
        if (!contains(b.labels, label) || a.length(label) == b.length(label)) continue;
        if (a.length(label) != 1 && b.length(label) != 1) {
            subscripts.refuse(quoted(label) + " has length " + std::to_string(a.length(label)) + " in operand 0 and " +
                              std::to_string(b.length(label)) + " in operand 1");
        }
        Labelled& shorter = a.length(label) == 1 ? a : b;
        std::string others = shorter.labels;
        others.erase(others.find(label), 1);
        shorter = {in_order(shorter, others), others};
    }
}

/// The letters of two operands by what happens to them.
struct Roles {
    std::string batch, left, right, contracted;

    Roles(const Labelled& a, const Labelled& b, const std::string& output) {
        for (const char label : output) {
            const bool in_a = contains(a.labels, label), in_b = contains(b.labels, label);
            (in_a && in_b ? batch : in_a ? left : right) += label;
        }
        for (const char label : a.labels) {
            if (contains(b.labels, label) && !contains(output, label)) contracted += label;
        }
    }
};

std::int64_t size_of_axes(const Labelled& operand, const std::string& labels) {
    std::int64_t size = 1;
    for (const char label : labels) size *= operand.length(label);
    return size;
}

// Matrices (batch, rows, columns) of an operand: each of the three is several axes.
NodePointer as_matrices(const Labelled& operand, const std::string& batch, const std::string& rows,
                        const std::string& columns) {
    TargetShape shape;
    if (!batch.empty()) shape.push_back(size_of_axes(operand, batch));
    shape.push_back(size_of_axes(operand, rows));
    shape.push_back(size_of_axes(operand, columns));
    return leaf(reshaped_or_copied(in_order(operand, batch + rows + columns), shape, Layout::row_major));
}

ArrayCore product_of(DType type, const Labelled& a, const Labelled& b, const std::string& output) {
    const Roles roles(a, b, output);
    const auto both = [&](DType element, const std::string& order) {
        return node(Op::multiply, element, element, leaf(in_order(a, order)), leaf(in_order(b, order)));
    };
    if (roles.contracted.empty()) return evaluate(both(type, output));
    if (roles.left.empty() && roles.right.empty()) {
        return summed(type, both(accumulator(type), output + roles.contracted), static_cast<int>(output.size()));
    }
    const ArrayCore made = matmul(type, as_matrices(a, roles.batch, roles.left, roles.contracted),
                                  as_matrices(b, roles.batch, roles.contracted, roles.right));
    const std::string order = roles.batch + roles.left + roles.right;
    Shape shape;
    for (const char label : order) shape.append(contains(a.labels, label) ? a.length(label) : b.length(label));
    const Labelled product{reshaped(made, TargetShape(shape)), order};
    return order == output ? product.array : copied_in_order(product, output);
}

}  // namespace

ArrayCore einsum(std::string_view text, DType type, const NodePointer& a, const NodePointer& b) {
    const Subscripts subscripts(text, b == nullptr ? 1 : 2);
    const std::string& output = subscripts.output;
    Labelled first = subscripts.labelled(0, array_value(cast_node(type, a)));
    if (b == nullptr) {
        const Labelled made = reduced_to(type, first, output);
        const bool is_done = made.labels == output && made.labels.size() < first.labels.size();
        return is_done ? made.array : copied_in_order(made, output);
    }
    Labelled second = subscripts.labelled(1, array_value(cast_node(type, b)));
    (void)common_device({&first.array, &second.array}, "einsum");
    drop_axes_to_broadcast(subscripts, first, second);
    first = reduced_to(type, first, output + second.labels);
    second = reduced_to(type, second, output + first.labels);
    return product_of(type, first, second, output);
}

ArrayCore kron(DType type, const NodePointer& a, const NodePointer& b) {
    ArrayCore x = array_value(cast_node(type, a)), y = array_value(cast_node(type, b));
    while (x.shape.rank() < y.shape.rank()) x = expanded(x, 0);
    while (y.shape.rank() < x.shape.rank()) y = expanded(y, 0);
    // Each axis becomes two, along which only one of the arrays varies.
    ArrayCore left = x, right = y;
    for (ArrayCore* each : {&left, &right}) {
        each->shape = {};
        each->strides = {};
    }
    Shape result;
    const auto add = [](ArrayCore& to, std::int64_t length, std::int64_t stride) {
        to.shape.append(length);
        to.strides.push_back(stride);
    };
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
        const std::int64_t n = x.shape[axis], m = y.shape[axis];
        std::int64_t whole = 0;
        const int axes = left.shape.rank() + (n != 1 ? 1 : 0) + (m != 1 ? 1 : 0);
        if (axes > max_rank || __builtin_mul_overflow(n, m, &whole)) {
            throw LinAlgError(operation_text("kron", a->shape, b->shape) +
                              (axes > max_rank ? ": together they have more than 8 axes with two or more elements"
                                               : ": an axis would have more than 2^63 - 1 elements"));
        }
        result.append(whole);
        if (n != 1) add(left, n, x.strides[axis]), add(right, 1, 0);
        if (m != 1) add(left, 1, 0), add(right, m, y.strides[axis]);
    }
    return reshaped(evaluate(node(Op::multiply, type, type, leaf(left), leaf(right))), TargetShape(result));
}

}  // namespace gpu::detail
