// SPDX-License-Identifier: MIT
// A dump is text: a line of options, then one line a case: its number, dtype, shape, and each element with its bound.
// Real parts are written in hexadecimal, so nothing is lost; `?` stands for a bound that is infinite.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#include "property/trial.hpp"

namespace property {

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
