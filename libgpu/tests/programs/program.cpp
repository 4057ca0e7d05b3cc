// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace programs {

namespace {

std::string file_text(const std::filesystem::path& path) {
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error(path.string() + " can't be read");
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

void Run::compare(const std::string& name, const std::vector<double>& got, const std::vector<double>& want,
                  double tolerance) {
    std::ostringstream text;
    text.precision(10);
    if (got.size() != want.size()) text << name << " has " << got.size() << " elements, not " << want.size() << "\n";
    int wrong = 0;
    for (std::size_t k = 0; k < got.size() && k < want.size(); ++k) {
        const bool right = got[k] == want[k] || std::fabs(got[k] - want[k]) <= tolerance;
        if (!right && ++wrong <= 3) text << name << "[" << k << "] is " << got[k] << ", should be " << want[k] << "\n";
    }
    if (wrong > 3) text << "... and " << wrong - 3 << " more of " << want.size() << "\n";
    wrong_ += text.str();
}

std::vector<Program> all_programs() {
    std::vector<Program> all;
    for (const auto topic : {reduce_programs, scan_programs, sort_programs, graph_programs, stencil_programs,
                             linear_programs, image_programs, misc_programs})
        for (const Program& program : topic()) all.push_back(program);
    return all;
}

std::string kernel_text(const std::string& file) {
    return file_text(std::filesystem::path(PROGRAMS_DIR) / "kernels" / file);
}

std::vector<Row> table(const std::string& file) {
    std::vector<Row> rows;
    std::istringstream lines(file_text(std::filesystem::path(PROGRAMS_DIR) / file));
    for (std::string line; std::getline(lines, line);) {
        if (trimmed(line).empty() || line[0] == '#') continue;
        Row row;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
        rows.push_back(row);
    }
    return rows;
}

std::vector<float> random_floats(std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(engine() >> 9) * 0x1p-22F - 1.0F;
    return values;
}

std::vector<int> random_ints(std::size_t count, unsigned seed, int below) {
    std::mt19937 engine(seed);
    std::vector<int> values(count);
    for (int& value : values) value = static_cast<int>(engine() % static_cast<unsigned>(below));
    return values;
}

}  // namespace programs
