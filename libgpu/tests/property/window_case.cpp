// SPDX-License-Identifier: MIT
// Windows on windows, read back in several ways.
#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

void window_case(Trial& trial, Random& plan, Random& draw, int size) {
    const gpu::DType type = static_cast<gpu::DType>(plan.below(dtype_count));
    const gpu::Shape shape = draw_shape(plan.below(5), draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(20), false, false}, plan, draw, 4);
    trial.program = "  " + x.definition + "\n";
    trial.want = x.elements;
    const int way = plan.below(3);
    with_type(type, [&]<class T>(Type<T>) {
        const gpu::View<const T> view{x.window};
        if (way == 0) {
            trial.program += "  auto z = gpu::to_host(" + x.spelling + ");";
            trial.got = to_elements(view.core());
        } else if (way == 1) {
            trial.program += "  gpu::Array<" + cpp_name(type) + "> z = " + x.spelling + ";";
            trial.got = to_elements(gpu::Array<T>(view).core());
        } else {
            trial.program += "  auto z = gpu::empty<" + cpp_name(type) + ">(" + braces(shape) +
                             ", gpu::Layout::column_major);\n  z = " + x.spelling + ";";
            auto z = gpu::empty<T>(shape, gpu::Layout::column_major);
            z = view;
            trial.got = to_elements(z.core());
        }
    });
}

}  // namespace property
