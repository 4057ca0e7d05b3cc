// SPDX-License-Identifier: MIT
// Expressions into new arrays, into arrays that are there, into windows, and into their own inputs.
#include "property/term.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::detail::ArrayCore;

// target(window) = expression, and what the whole target then holds.
void assign_to_window(Trial& trial, const Expression& expression, const Input& target) {
    const Elements value = broadcasted(expression.reference(), target.elements.shape);
    trial.want = target.base;
    for (std::size_t k = 0; k < target.place.size(); ++k) trial.want.values[target.place[k]] = value.values[k];
    with_type(expression.dtype(), [&]<class T>(Type<T>) {
        gpu::View<T> window{target.window};
        window = gpu::Expr<T>(expression.node());
    });
    trial.got = to_elements(target.array);
}

}  // namespace

void elementwise_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 4);
    const std::string type = cpp_name(expression.dtype());
    trial.program = expression.definitions() + "  gpu::Array<" + type + "> z = " + expression.spelling() + ";";
    trial.want = expression.reference();
    with_type(expression.dtype(), [&]<class T>(Type<T>) {
        const gpu::Array<T> z = gpu::Expr<T>(expression.node());
        trial.got = to_elements(z.core());
    });
}

void assignment_case(Trial& trial, Random& plan, Random& draw, int size) {
    const Expression expression(plan, draw, size, 3);
    const gpu::DType dtype = expression.dtype();
    const std::string type = cpp_name(dtype);
    const int way = plan.below(4);
    const Input& first = expression.inputs().front();
    trial.program = expression.definitions();
    if (way == 0) {  // an array of the right shape, in either layout: its buffer is used again
        const gpu::Layout layout = plan.chance(50) ? gpu::Layout::column_major : gpu::Layout::row_major;
        trial.want = expression.reference();
        trial.program += "  auto z = gpu::empty<" + type + ">(" + braces(trial.want.shape) +
                         (layout == gpu::Layout::column_major ? ", gpu::Layout::column_major" : "") +
                         ");\n  z = " + expression.spelling() + ";";
        with_type(dtype, [&]<class T>(Type<T>) {
            auto z = gpu::empty<T>(trial.want.shape, layout);
            const T* const before = std::as_const(z).data();
            z = gpu::Expr<T>(expression.node());
            if (std::as_const(z).data() != before) throw std::logic_error("the buffer was not used again");
            trial.got = to_elements(z.core());
        });
    } else if (way == 1 && first.dtype == dtype && first.array.shape == first.window.shape &&
               expression.reference().shape == first.window.shape && first.spelling == "x0") {  // x = f(x, ...)
        trial.program += "  x0 = " + expression.spelling() + ";";
        trial.want = expression.reference();
        with_type(dtype, [&]<class T>(Type<T>) {
            gpu::Array<T> x(first.array);
            x = gpu::Expr<T>(expression.node());
            trial.got = to_elements(x.core());
        });
    } else if (way == 2 && first.dtype == dtype && first.spelling.find("broadcast") == std::string::npos &&
               gpu::broadcast(expression.reference().shape, first.elements.shape) == first.elements.shape) {
        // The same buffer is read and written; turned round, the window overlaps itself in another order.
        Input target = first;
        const bool flip = plan.chance(60) && target.elements.shape.rank() > 0 && target.elements.shape.size() > 0;
        if (flip) {
            std::vector<gpu::detail::Index> indices(static_cast<std::size_t>(target.elements.shape.rank()),
                                                    gpu::detail::to_index(gpu::all));
            const std::int64_t length = target.elements.shape[0];
            indices[0] = gpu::slice(length - 1, -length - 1, -1);
            target.window = gpu::detail::sliced(target.window, indices);
            const std::size_t rows = static_cast<std::size_t>(length), row = target.place.size() / rows;
            for (std::size_t k = 0; k < target.place.size(); ++k) {
                target.place[k] = first.place[(rows - 1 - k / row) * row + k % row];
            }
            target.spelling +=
                "(gpu::slice(" + std::to_string(length - 1) + ", " + std::to_string(-length - 1) + ", -1), ...)";
        }
        trial.program += "  " + target.spelling + " = " + expression.spelling() + ";";
        assign_to_window(trial, expression, target);
    } else {
        Values values;
        values.exact = true;
        const Input target = draw_input("z", dtype, expression.full_shape(), values, plan, draw);
        trial.program += "  " + target.definition + "\n  " + target.spelling + " = " + expression.spelling() + ";";
        assign_to_window(trial, expression, target);
    }
}

}  // namespace property
