// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

#include "property/term.hpp"
#include "property/trial.hpp"

namespace property {

namespace {

// Cases that share a plan share their kernels, so most of them compile nothing.
constexpr std::int64_t cases_of_a_plan = 10;
// Beyond these, one more says nothing new.
constexpr std::size_t max_failures = 20;

const Family& family_of(Random& plan) {
    int total = 0;
    for (const Family& family : families()) total += family.weight;
    int at = plan.below(total);
    for (const Family& family : families()) {
        if (at < family.weight) return family;
        at -= family.weight;
    }
    return families().back();
}

std::string told(const Options& options, std::int64_t number, int size, const Trial& trial, const Verdict& verdict) {
    return "case " + std::to_string(number) + " of seed " + std::to_string(options.seed) + ": " + verdict.problem +
           "\n" + trial.program + "\n  repeat: gpu_property_test " + (options.kernels ? "--kernels " : "") + "--seed " +
           std::to_string(options.seed) + " --case " + std::to_string(number) +
           (size < 3 ? " --size " + std::to_string(size) : "");
}

}  // namespace

const std::vector<Family>& families() {
    static const std::vector<Family> list{
        {"expression", 35, elementwise_case},
        {"assignment", 20, assignment_case},
        {"reduction", 20, reduction_case},
        {"window", 10, window_case},
        {"indexing", 10, indexing_case},
        {"take and put", 12, take_put_case},
        {"round trip", 3, round_trip_case},
        {"creation", 5, creation_case},
        {"in place", 12, in_place_case},
        {"in place, types", 10, in_place_types_case},
        {"out", 10, output_case},
        {"join", 6, join_case},
        {"file", 3, file_case},
        {"sorting", 8, sorting_case},
    };
    return list;
}

Options& options() {
    static Options instance;
    return instance;
}

Verdict run_case(const Options& options, std::int64_t number, int size, Trial& trial) {
    Random plan(options.seed, static_cast<std::uint64_t>(number / cases_of_a_plan) * 2 + 1);
    Random draw(options.seed ^ 0x5DEECE66Du, static_cast<std::uint64_t>(number) * 8 + static_cast<std::uint64_t>(size));
    try {
        if (options.kernels)  // each body in turn
            kernel_case(trial, static_cast<int>(number / cases_of_a_plan % kernel_body_count()), plan, draw, size);
        else
            family_of(plan).run(trial, plan, draw, size);
        return judge(trial);
    } catch (const RightlyRefused&) {
        trial.want = trial.got = {};
        return {"", 1, 0, 0};
    } catch (const std::exception& error) {
        return {std::string("threw: ") + error.what(), 1, 0, 0};
    }
}

Summary run_cases(const Options& options) {
    Summary summary;
    std::mutex mutex;
    std::atomic<std::int64_t> next{0};
    std::vector<std::string> lines(options.dump.empty() ? 0 : static_cast<std::size_t>(options.cases));
    std::int64_t last_failed = -1;  // the plan: one of its cases is enough to look at
    const auto one = [&](std::int64_t number) {
        Trial trial;
        Verdict verdict = run_case(options, number, options.size, trial);
        if (!options.dump.empty()) lines[static_cast<std::size_t>(number)] = dump_line(number, trial);
        int size = options.size;
        for (int smaller = 1; smaller < options.size && !verdict.problem.empty(); ++smaller) {
            Trial small;
            const Verdict again = run_case(options, number, smaller, small);
            if (again.problem.empty()) continue;
            trial = small, verdict = again, size = smaller;
            break;
        }
        const std::lock_guard lock(mutex);
        if (number % cases_of_a_plan == 0 && number / cases_of_a_plan < options.print)
            std::printf("case %lld:\n%s\n", static_cast<long long>(number), trial.program.c_str());
        summary.cases += 1;
        summary.judged += verdict.judged;
        summary.open += verdict.open;
        summary.not_numbers += verdict.not_numbers;
        if (verdict.problem.empty()) return;
        summary.wrong += 1;
        if (std::exchange(last_failed, number / cases_of_a_plan) == number / cases_of_a_plan) return;
        summary.failures.push_back(told(options, number, size, trial, verdict));
    };
    const auto work = [&] {
        for (;;) {
            const std::int64_t first = next.fetch_add(cases_of_a_plan);
            for (std::int64_t k = first; k < first + cases_of_a_plan; ++k) {
                if (k >= options.cases) return;
                one(k);
            }
            const std::lock_guard lock(mutex);
            if (summary.failures.size() >= max_failures) return;
        }
    };
    if (options.only >= 0) {
        one(options.only);
    } else {
        std::vector<std::thread> threads;
        for (int k = 0; k < options.threads; ++k) threads.emplace_back(work);
        for (std::thread& thread : threads) thread.join();
    }
    if (!options.dump.empty()) write_dump(options.dump, options, lines);
    return summary;
}

namespace {

std::string position_text(const gpu::Shape& shape, std::size_t number) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(shape.rank()));
    std::int64_t rest = static_cast<std::int64_t>(number);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        at[static_cast<std::size_t>(axis)] = rest % shape[axis];
        rest /= shape[axis];
    }
    std::string text;
    for (std::int64_t position : at) text += (text.empty() ? "" : ", ") + std::to_string(position);
    return "(" + text + ")";
}

std::string bound_text(Real error) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2Lg", error);
    return text;
}

}  // namespace

bool agrees(gpu::DType type, const Element& got, const Element& want) {
    if (!is_known(want)) return true;
    const bool is_nan = std::isnan(want.re) || std::isnan(want.im);
    if (is_nan || std::isnan(got.re) || std::isnan(got.im)) return is_nan && (std::isnan(got.re) || std::isnan(got.im));
    if (format_of(type).kind < Format::Kind::real) return got.re == want.re;
    if (std::isinf(want.re) || std::isinf(want.im)) return got.re == want.re && got.im == want.im;
    return !(!(std::hypot(got.re - want.re, got.im - want.im) <= want.error));
}

Verdict judge(const Trial& trial) {
    const Elements &got = trial.got, &want = trial.want;
    if (got.dtype != want.dtype) {
        return {"the result is " + cpp_name(got.dtype) + ", not " + cpp_name(want.dtype), 1, 0, 0};
    }
    if (!(got.shape == want.shape) || got.values.size() != want.values.size()) {
        return {"the result's shape is " + gpu::to_string(got.shape) + ", not " + gpu::to_string(want.shape), 1, 0, 0};
    }
    Verdict verdict;
    std::int64_t wrong = 0;
    for (std::size_t k = 0; k < want.values.size(); ++k) {
        const Element& expected = want.values[k];
        ++(is_known(expected) ? verdict.judged : verdict.open);
        if (std::isnan(expected.re)) ++verdict.not_numbers;
        if (agrees(want.dtype, got.values[k], expected) || ++wrong > 1) continue;
        verdict.problem = "element " + position_text(want.shape, k) + " is " + literal(want.dtype, got.values[k]) +
                          ", not " + literal(want.dtype, expected) + " within " + bound_text(expected.error);
    }
    if (wrong > 0) {
        verdict.problem += "; " + std::to_string(wrong) + " of " + std::to_string(want.values.size()) + " are wrong";
    }
    return verdict;
}

// A dump is text: a line of options, then one line a case: its number, dtype, shape, and each element with its bound.
// Real parts are written in hexadecimal, so nothing is lost; `?` stands for a bound that is infinite.

namespace {

constexpr const char* title = "libgpu property results 1";

std::string number_text(Real value) {
    char text[64];
    if (value == std::trunc(value) && std::fabs(value) < 1e6L)
        std::snprintf(text, sizeof text, "%.0Lf", value);
    else
        std::snprintf(text, sizeof text, "%La", value);
    return text;
}

struct Line {
    std::string number, dtype, shape;
    std::vector<std::string> elements;
};

Line parsed(const std::string& text) {
    std::istringstream stream(text);
    Line line;
    stream >> line.number >> line.dtype >> line.shape;
    line.elements.assign(std::istream_iterator<std::string>(stream), {});
    return line;
}

// "re[,im][~bound]"
Element element_of(const std::string& text) {
    Element element;
    const std::size_t comma = text.find(','), tilde = text.find('~');
    element.re = std::strtold(text.c_str(), nullptr);
    if (comma != std::string::npos) element.im = std::strtold(text.c_str() + comma + 1, nullptr);
    if (tilde != std::string::npos) {
        element.error = text[tilde + 1] == '?' ? infinity : std::strtold(text.c_str() + tilde + 1, nullptr);
    }
    return element;
}

bool same(Real a, Real b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

std::string dump_line(std::int64_t number, const Trial& trial) {
    std::string line =
        std::to_string(number) + " " + std::string(gpu::name(trial.got.dtype)) + " " + gpu::to_string(trial.got.shape);
    if (trial.got.values.size() != trial.want.values.size()) return line + " failed";
    const bool has_parts = format_of(trial.got.dtype).kind == Format::Kind::complex;
    for (std::size_t k = 0; k < trial.got.values.size(); ++k) {
        const Element &got = trial.got.values[k], &want = trial.want.values[k];
        line += " " + number_text(got.re) + (has_parts ? "," + number_text(got.im) : "");
        if (!is_known(want)) {
            line += "~?";
        } else if (want.error > 0) {
            char bound[32];
            std::snprintf(bound, sizeof bound, "~%.2Le", want.error * 1.005L);
            line += bound;
        }
    }
    return line;
}

void write_dump(const std::string& path, const Options& options, const std::vector<std::string>& lines) {
    std::ofstream file(path);
    file << title << ", seed " << options.seed << ", cases " << options.cases << ", device "
         << gpu::Device::current().properties().name << '\n';
    for (const std::string& line : lines) file << line << '\n';
    if (!file.flush()) throw std::runtime_error("can't write " + path);
}

bool compare_dumps(const std::string& first, const std::string& second) {
    std::ifstream a(first), b(second);
    std::string line_a, line_b;
    if (!std::getline(a, line_a) || !std::getline(b, line_b)) {
        std::printf("can't read %s and %s\n", first.c_str(), second.c_str());
        return false;
    }
    std::printf("%s: %s\n%s: %s\n", first.c_str(), line_a.c_str(), second.c_str(), line_b.c_str());
    if (line_a.substr(0, line_a.find(", device")) != line_b.substr(0, line_b.find(", device"))) {
        std::printf("these are not results of the same cases\n");
        return false;
    }
    std::int64_t cases = 0, elements = 0, equal = 0, open = 0, wrong = 0, exact = 0;
    Real worst = 0;
    while (std::getline(a, line_a)) {
        if (!std::getline(b, line_b)) {
            std::printf("%s ends early\n", second.c_str());
            return false;
        }
        const Line x = parsed(line_a), y = parsed(line_b);
        ++cases;
        bool bad =
            x.number != y.number || x.dtype != y.dtype || x.shape != y.shape || x.elements.size() != y.elements.size();
        for (std::size_t k = 0; k < x.elements.size() && !bad; ++k) {
            if (x.elements[k] == "failed" || y.elements[k] == "failed") {
                bad = true;
                break;
            }
            const Element u = element_of(x.elements[k]), v = element_of(y.elements[k]);
            ++elements;
            if (same(u.re, v.re) && same(u.im, v.im)) {
                ++equal;
                exact += u.error == 0;
            } else if (!is_known(u) || !is_known(v)) {
                ++open;
            } else {
                const Real distance = std::hypot(u.re - v.re, u.im - v.im);
                bad = !(distance <= u.error + v.error);
                if (u.error > 0) worst = std::fmax(worst, distance / (u.error + v.error));
            }
        }
        if (bad && ++wrong <= 10)
            std::printf("case %s differs:\n  %.300s\n  %.300s\n", x.number.c_str(), line_a.c_str(), line_b.c_str());
    }
    if (std::getline(b, line_b)) {
        std::printf("%s ends early\n", first.c_str());
        return false;
    }
    std::printf(
        "%lld cases, %lld elements: %lld have the same bits (%lld of them must), %lld differ within the bound (worst "
        "%.3Lf of "
        "it), %lld differ where nothing can be said, %lld cases are wrong\n",
        static_cast<long long>(cases), static_cast<long long>(elements), static_cast<long long>(equal),
        static_cast<long long>(exact), static_cast<long long>(elements - equal - open), worst,
        static_cast<long long>(open), static_cast<long long>(wrong));
    return wrong == 0 && cases > 0;
}

}  // namespace property
