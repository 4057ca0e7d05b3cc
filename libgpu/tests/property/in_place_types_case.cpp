// SPDX-License-Identifier: MIT
// x += y where y has another type: a narrower one as it is, any one with a cast, and x = (x + y).astype<T>().
#include <stdexcept>

#include "property/in_place.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;

enum class Way { widened, cast_operand, cast_result };

bool is_complex_type(DType type) { return format_of(type).kind == Format::Kind::complex; }

// Complex numbers become true or false, and no real ones.
bool is_castable(DType from, DType to) { return !is_complex_type(from) || is_complex_type(to) || to == DType::boolean; }

// An integer 0 is no divisor, and a fraction would become one.
bool is_divisible_by(DType other, DType working) { return !is_integral(working) || is_integral(other); }

// Where the reference says so, libgpu offers the operator; the rest would not compile.
template <class T, class U>
constexpr bool takes_as_it_is =
    !std::is_same_v<T, U> && gpu::detail::promote_types(gpu::dtype_of<T>, gpu::dtype_of<U>) == gpu::dtype_of<T>;

std::vector<DType> operands_for(Way way, const Update& update, DType type) {
    const Operation& row = row_of(update.symbol);
    std::vector<DType> list;
    for (int k = 0; k < dtype_count; ++k) {
        const DType other = static_cast<DType>(k);
        if (other == type) continue;
        const Value operands[] = {{static_cast<int>(type), nullptr, 0}, {k, nullptr, 0}};
        bool fits = false;
        if (way == Way::widened) fits = promoted(type, other) == type;
        if (way == Way::cast_operand)
            fits = is_castable(other, type) && (!update.divides || is_divisible_by(other, type));
        if (way == Way::cast_result)
            fits = row.find(operands) != nullptr && is_castable(row.result_type(operands), type);
        if (fits) list.push_back(other);
    }
    return list;
}

void run(Way way, int number, const Input& x, const Input& y, bool as_array) {
    with_type(x.dtype, [&]<class T>(Type<T>) {
        with_type(y.dtype, [&]<class U>(Type<U>) {
            const auto apply_to = [&](auto& target) {
                if (way == Way::widened) {
                    if constexpr (takes_as_it_is<T, U>)
                        update<T>(number, target, gpu::View<const U>(y.window));
                    else
                        throw std::logic_error("libgpu doesn't widen what the reference widens");
                } else if constexpr (!gpu::is_complex(gpu::dtype_of<U>) || gpu::is_complex(gpu::dtype_of<T>) ||
                                     std::is_same_v<T, bool>) {
                    update<T>(number, target, gpu::Expr<U>(gpu::detail::leaf(y.window)).template astype<T>());
                }
            };
            if (as_array) {
                gpu::Array<T> target(x.array);
                apply_to(target);  // into the array's own buffer
            } else {
                gpu::View<T> target(x.window);
                apply_to(target);
            }
        });
    });
}

// x = (x + y).astype<T>(): what the static_assert of an operator in place says to write.
void run_cast(const Operation& row, const Input& x, const Input& y) {
    const Value operands[] = {{static_cast<int>(x.dtype), gpu::detail::leaf(x.window), 0},
                              {static_cast<int>(y.dtype), gpu::detail::leaf(y.window), 0}};
    const Value made = row.find(operands)(operands);
    with_type(x.dtype, [&]<class T>(Type<T>) {
        with_type(static_cast<DType>(made.kind), [&]<class R>(Type<R>) {
            if constexpr (!gpu::is_complex(gpu::dtype_of<R>) || gpu::is_complex(gpu::dtype_of<T>) ||
                          std::is_same_v<T, bool>) {
                gpu::View<T> target(x.window);
                target = gpu::Expr<R>(made.node).template astype<T>();
            }
        });
    });
}

}  // namespace

void in_place_types_case(Trial& trial, Random& plan, Random& draw, int size) {
    constexpr int operators = static_cast<int>(std::size(updates));
    Way way = static_cast<Way>(plan.below(3));
    DType type = static_cast<DType>(plan.below(dtype_count));
    int number = plan.below(operators);
    std::vector<DType> others;
    for (;; number = (number + 1) % operators) {  // every type has an operator, if not with a narrower operand
        if (is_offered(number, type)) others = operands_for(way, updates[number], type);
        if (!others.empty()) break;
        if (way == Way::widened && type == DType::boolean) way = Way::cast_operand;
    }
    const DType other = others[static_cast<std::size_t>(plan.below(static_cast<int>(others.size())))];
    const Update& chosen = updates[number];
    const Operation& row = row_of(chosen.symbol);

    const gpu::Shape shape = draw_shape(plan.below(10) == 0 ? 0 : 1 + plan.below(3), draw, size);
    gpu::Shape smaller;
    for (int axis = plan.below(shape.rank() + 1); axis < shape.rank(); ++axis) {
        smaller.append(plan.chance(30) ? 1 : shape[axis]);
    }
    const bool narrows = !is_integral(other) && is_integral(type);  // infinities and NaN saturate
    const Values values{false, draw.chance(15), false, draw.chance(25)};
    Values right{false, draw.chance(narrows ? 60 : 15), chosen.divides, draw.chance(15)};
    const Input x = draw_input("x", type, shape, values, plan, draw);
    const Input y = draw_input("y", other, smaller, right, plan, draw);
    const bool as_array = x.spelling == "x" && plan.chance(50);

    const Value operands[] = {{static_cast<int>(type), nullptr, 0}, {static_cast<int>(other), nullptr, 0}};
    const DType working = way == Way::cast_result ? row.working_type(operands) : type;
    const DType result = way == Way::cast_result ? row.result_type(operands) : type;
    const DType types[] = {type, other};
    const std::string name = cpp_name(type);
    trial.program = "  " + x.definition + "\n  " + y.definition + "\n  " + x.spelling + " ";
    if (way == Way::cast_result)
        trial.program += "= (" + x.spelling + " " + chosen.symbol + " " + y.spelling + ").astype<" + name + ">();";
    else if (way == Way::cast_operand)
        trial.program += std::string(chosen.symbol) + "= gpu::Array<" + cpp_name(other) + ">(" + y.spelling +
                         ").astype<" + name + ">();";
    else
        trial.program += std::string(chosen.symbol) + "= " + y.spelling + ";";

    const Elements by = broadcasted(y.elements, x.elements.shape);
    trial.want = x.base;
    for (std::size_t k = 0; k < x.place.size(); ++k) {
        const Element pair[] = {x.elements.values[k], by.values[k]};
        trial.want.values[x.place[k]] = converted(result, type, row.evaluate(working, types, pair));
    }
    if (way == Way::cast_result)
        run_cast(row, x, y);
    else
        run(way, number, x, y, as_array);
    trial.got = to_elements(x.array);
}

}  // namespace property
