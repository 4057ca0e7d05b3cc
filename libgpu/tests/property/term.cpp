// SPDX-License-Identifier: MIT
#include "property/term.hpp"

#include <cmath>
#include <string_view>

#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;

DType draw_dtype(Random& plan) {
    if (plan.chance(35)) return plan.chance(50) ? DType::float32 : DType::float64;
    return static_cast<DType>(plan.below(dtype_count));
}

// Numbers stand in parentheses where they are negative; operands are in them already.
std::string with_operands(const std::string& spelling, const std::vector<std::string>& operands) {
    std::string text;
    for (std::size_t k = 0; k < spelling.size(); ++k) {
        const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        const bool alone =
            (k == 0 || !is_word(spelling[k - 1])) && (k + 1 == spelling.size() || !is_word(spelling[k + 1]));
        if (alone && spelling[k] >= 'a' && spelling[k] < 'a' + static_cast<char>(operands.size()))
            text += operands[static_cast<std::size_t>(spelling[k] - 'a')];
        else
            text += spelling[k];
    }
    return spelling.find("gpu::") == 0 ? text : "(" + text + ")";
}

DType dtype_of_number(int kind) {
    return kind == dtype_count ? DType::int32 : kind == dtype_count + 1 ? DType::float32 : DType::float64;
}

std::size_t draw_row(Random& plan) {
    int total = 0;
    for (const Operation& row : operations()) total += row.weight;
    int at = plan.below(total);
    std::size_t row = 0;
    while (at >= operations()[row].weight) at -= operations()[row++].weight;
    return row;
}

}  // namespace

Expression::Expression(Random& plan, Random& draw, int size, int max_operations) {
    const int rank = plan.below(10) == 0 ? 0 : 1 + plan.below(plan.chance(20) ? 5 : 3);
    full_shape_ = draw_shape(rank, draw, size);
    const int count = 1 + plan.below(3);
    const DType favourite = draw_dtype(plan);
    Values values{draw.chance(40), draw.chance(15), false, draw.chance(25)};
    for (int k = 0; k < count; ++k) {
        const DType type = plan.chance(50) ? favourite : draw_dtype(plan);
        gpu::Shape shape;
        const bool smaller = k > 0 && plan.chance(40);
        const int missing = smaller ? plan.below(rank + 1) : 0;
        for (int axis = missing; axis < rank; ++axis) {
            shape.append(smaller && plan.chance(40) ? 1 : full_shape_[axis]);
        }
        Values own = values;
        own.divisor = k > 0 && plan.chance(30);
        inputs_.push_back(draw_input("x" + std::to_string(k), type, shape, own, plan, draw));
        terms_.emplace_back(Term::Kind::input, static_cast<std::size_t>(k), std::vector<std::size_t>{}, type,
                            inputs_.back().spelling);
    }
    const int operations = max_operations == 0 ? 0 : plan.below(max_operations + 1);
    if (operations == 0) terms_.resize(1, terms_.front());
    for (int k = 0; k < operations; ++k) {
        if (plan.chance(8))
            add_cast(plan);
        else
            for (int attempt = 0; attempt < 20 && !add_operation(plan, draw); ++attempt) {}
    }
}

void Expression::add_cast(Random& plan) {
    const std::size_t operand = terms_.size() - 1;
    if (terms_[operand].kind == Term::Kind::number) return;
    const DType to = draw_dtype(plan);
    if (format_of(terms_[operand].dtype).kind == Format::Kind::complex && format_of(to).kind < Format::Kind::complex)
        return;
    const std::string of = terms_[operand].spelling;
    const bool is_input = terms_[operand].kind == Term::Kind::input;  // a view has no astype of its own
    const std::string whole = is_input ? "gpu::Array<" + cpp_name(terms_[operand].dtype) + ">(" + of + ")" : of;
    terms_.emplace_back(Term::Kind::cast, 0, std::vector<std::size_t>{operand}, to,
                        whole + ".astype<" + cpp_name(to) + ">()");
}

std::size_t Expression::add_number(DType beside, bool divisor, Random& plan, Random& draw) {
    const Format& f = format_of(beside);
    const int kind = dtype_count + (f.kind <= Format::Kind::integer && plan.chance(70) ? 0 : plan.below(number_kinds));
    const bool is_unsigned = f.kind == Format::Kind::integer && !f.is_signed;
    const bool positive = divisor || (is_unsigned ? !draw.chance(2) : draw.chance(50));  // rarely one to be refused
    double value = static_cast<double>(draw.between(positive ? 1 : -5, 7));
    if (kind != dtype_count) value *= draw.chance(50) ? 0.25 : 1;
    if (kind == dtype_count + 2 && draw.chance(30)) value = value + draw.unit();
    const DType type = dtype_of_number(kind);
    std::string text = literal(type, {static_cast<Real>(value), 0, 0});
    if (value < 0) text = "(" + text + ")";
    terms_.emplace_back(Term::Kind::number, 0, std::vector<std::size_t>{}, type, text);
    terms_.back().number.kind = kind;
    terms_.back().number.number = value;
    return terms_.size() - 1;
}

bool Expression::add_operation(Random& plan, Random& draw) {
    const std::size_t row = draw_row(plan);
    const Operation& operation = operations()[row];
    const std::size_t before = terms_.size();
    Term made(Term::Kind::operation, row, {}, DType::float32, "");
    // Mostly the newest term with an input, on either side; sometimes any two.
    const auto any_term = [&] { return static_cast<std::size_t>(plan.below(static_cast<int>(before))); };
    const auto any_input = [&] { return static_cast<std::size_t>(plan.below(static_cast<int>(inputs_.size()))); };
    for (int k = 0; k < operation.arity; ++k) made.operands.push_back(plan.chance(60) ? any_input() : any_term());
    if (operation.arity < 3) {
        const bool on_the_right = operation.arity == 2 && !operation.positive_right && plan.chance(40);
        made.operands[on_the_right ? 1 : 0] = before - 1;
    } else {
        std::vector<std::size_t> conditions;
        for (std::size_t k = 0; k < before; ++k) {
            if (terms_[k].dtype == DType::boolean && terms_[k].kind != Term::Kind::number) conditions.push_back(k);
        }
        if (conditions.empty()) return false;
        made.operands[0] = conditions[static_cast<std::size_t>(plan.below(static_cast<int>(conditions.size())))];
    }
    if (operation.arity > 1 && plan.chance(40)) {
        const std::size_t place = operation.positive_right ? 1
                                  : operation.arity == 3   ? 1U + (plan.next() & 1U)
                                                           : plan.next() & 1U;
        const std::size_t other = operation.arity == 3 ? 3 - place : 1 - place;
        made.operands[place] = add_number(terms_[made.operands[other]].dtype, operation.positive_right, plan, draw);
    }
    const auto undo = [&] {
        terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(before), terms_.end());
        return false;
    };
    std::vector<Value> values;
    std::vector<std::string> texts;
    for (std::size_t operand : made.operands) {
        const Term& term = terms_[operand];
        values.push_back(term.kind == Term::Kind::number ? term.number
                                                         : Value{static_cast<int>(term.dtype), nullptr, 0});
        texts.push_back(term.spelling);
    }
    const Operation::Make make = operation.find(values.data());
    if (make == nullptr) return undo();
    made.dtype = operation.result_type(values.data());
    const DType working = operation.working_type(values.data());
    if (operation.positive_right && is_integral(working)) {  // by what isn't 0
        if (format_of(working).kind == Format::Kind::boolean) return undo();
        const Term& right = terms_[made.operands[1]];
        const bool safe = right.kind == Term::Kind::number ||
                          (right.kind == Term::Kind::input && is_integral(right.dtype) && inputs_[right.index].divisor);
        if (!safe) return undo();
    }
    made.spelling = with_operands(operation.spelling, texts);
    terms_.push_back(std::move(made));
    return true;
}

// An integer next to an array whose integers don't hold it.
bool Expression::has_unfit_number(const Term& term) const {
    if (term.kind != Term::Kind::operation || operations()[term.index].arity == 1) return false;
    std::vector<Value> kinds;
    for (std::size_t operand : term.operands) {
        const Term& of = terms_[operand];
        kinds.push_back(of.kind == Term::Kind::number ? of.number : Value{static_cast<int>(of.dtype), nullptr, 0});
    }
    const DType working = operations()[term.index].working_type(kinds.data());
    const Format& f = format_of(working);
    if (f.kind != Format::Kind::integer) return false;
    for (const Value& value : kinds) {
        const double lowest = f.is_signed ? -static_cast<double>(f.largest) - 1 : 0;
        if (value.kind == dtype_count && !(value.number >= lowest && value.number <= static_cast<double>(f.largest)))
            return true;
    }
    return false;
}

bool Expression::is_refused(const Term& term) const {
    for (std::size_t operand : term.operands) {
        if (is_refused(terms_[operand])) return true;
    }
    return has_unfit_number(term) && !operations()[term.index].gives_boolean;  // a comparison is exact
}

gpu::detail::NodePointer Expression::node() const {
    if (!is_refused(terms_.back())) return value_of(terms_.back()).node;
    try {
        (void)value_of(terms_.back());
    } catch (const gpu::DTypeError& error) {
        if (std::string_view(error.what()).find("doesn't fit") != std::string_view::npos) throw RightlyRefused{};
        throw;
    }
    throw std::logic_error("a number that doesn't fit its array's integers was not refused: " + spelling());
}

Value Expression::value_of(const Term& term) const {
    if (term.kind == Term::Kind::number) return term.number;
    if (term.kind == Term::Kind::input)
        return {static_cast<int>(term.dtype), gpu::detail::leaf(inputs_[term.index].window), 0};
    std::vector<Value> operands;
    for (std::size_t operand : term.operands) operands.push_back(value_of(terms_[operand]));
    if (term.kind == Term::Kind::cast) {
        return with_type(terms_[term.operands[0]].dtype, [&]<class From>(Type<From>) {
            const gpu::Expr<From> from(operands[0].node);
            return with_type(term.dtype, [&]<class To>(Type<To>) {
                if constexpr (!gpu::is_complex(gpu::dtype_of<From>) || gpu::is_complex(gpu::dtype_of<To>))
                    return Value{static_cast<int>(term.dtype), from.template astype<To>().node(), 0};
                else
                    return Value{};
            });
        });
    }
    const Value made = operations()[term.index].find(operands.data())(operands.data());
    if (made.kind != static_cast<int>(term.dtype)) {
        throw std::logic_error(term.spelling + " has type " + cpp_name(static_cast<DType>(made.kind)) +
                               ", the reference says " + cpp_name(term.dtype));
    }
    return made;
}

Elements Expression::reference_of(const Term& term) const {
    if (term.kind == Term::Kind::input) return inputs_[term.index].elements;
    if (term.kind == Term::Kind::number) {
        const Real value = term.dtype == DType::float32 ? static_cast<Real>(static_cast<float>(term.number.number))
                                                        : static_cast<Real>(term.number.number);
        return {term.dtype, {}, {{value, 0, 0}}};
    }
    std::vector<Elements> operands;
    std::vector<DType> types;
    std::vector<Value> kinds;
    gpu::Shape shape;
    for (std::size_t operand : term.operands) {
        const Term& of = terms_[operand];
        operands.push_back(reference_of(of));
        types.push_back(of.dtype);
        kinds.push_back(of.kind == Term::Kind::number ? of.number : Value{static_cast<int>(of.dtype), nullptr, 0});
        shape = gpu::broadcast(shape, operands.back().shape);
    }
    if (has_unfit_number(term)) {  // compared as it is
        for (std::size_t k = 0; k < types.size(); ++k) {
            if (kinds[k].kind >= dtype_count) types[k] = operations()[term.index].working_type(kinds.data());
        }
    }
    for (Elements& operand : operands) operand = broadcasted(operand, shape);
    Elements result{term.dtype, shape, {}};
    for (std::size_t k = 0; k < operands[0].values.size(); ++k) {
        if (term.kind == Term::Kind::cast) {
            result.values.push_back(converted(types[0], term.dtype, operands[0].values[k]));
            continue;
        }
        std::vector<Element> values;
        for (const Elements& operand : operands) values.push_back(operand.values[k]);
        const Operation& operation = operations()[term.index];
        result.values.push_back(operation.evaluate(operation.working_type(kinds.data()), types.data(), values.data()));
    }
    return result;
}

std::string Expression::definitions() const {
    std::string text;
    for (const Input& input : inputs_) text += "  " + input.definition + "\n";
    return text;
}

}  // namespace property
