// SPDX-License-Identifier: MIT
#include "recorder/kernel_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "jit/file_cache.hpp"

namespace recorded {

namespace {

namespace fs = std::filesystem;
using gpu::detail::KernelSource;

constexpr const char* ending = ".kernel";
constexpr const char* refused_ending = ".refused";
constexpr const char* last_line = "// end of kernel\n";

std::string without_line_numbers(const std::string& text) {
    std::istringstream lines(text);
    std::string rest;
    for (std::string line; std::getline(lines, line);) rest += line.rfind("#line ", 0) == 0 ? "\n" : line + '\n';
    return rest;
}

std::string file_name(const KernelSource& source) {
    std::vector<std::string> parts{without_line_numbers(source.text)};
    parts.insert(parts.end(), source.entries.begin(), source.entries.end());
    parts.insert(parts.end(), source.options.begin(), source.options.end());
    const gpu::detail::CacheKey key = gpu::detail::make_cache_key(source.name, parts);
    return key.name + '-' + key.digest.substr(0, 16) + ending;
}

// A file appears by its rename, so that who reads it sees all of it.
void write_file(const fs::path& file, const std::string& text) {
    const fs::path draft = file.string() + '.' + std::to_string(::getpid()) + '.' + std::to_string(::gettid());
    std::ofstream out(draft, std::ios::binary);
    out << text;
    out.close();
    std::error_code problem;
    if (out) fs::rename(draft, file, problem);
    if (!out || problem) throw std::runtime_error("can't write " + file.string());
}

// A line for each field, "entry add"; an empty line; the text.
std::string to_text(const Kernel& kernel) {
    std::string text = "program " + kernel.program + "\nname " + kernel.source.name + '\n';
    for (const std::string& option : kernel.source.options) text += "option " + option + '\n';
    for (const std::string& entry : kernel.source.entries) text += "entry " + entry + '\n';
    return text + '\n' + kernel.source.text + last_line;
}

Kernel from_text(const std::string& text) {
    Kernel kernel;
    KernelSource& source = kernel.source;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && !line.empty();) {
        const std::size_t space = line.find(' ');
        const std::string field = line.substr(0, space), value = line.substr(space + 1);
        if (field == "program") kernel.program = value;
        if (field == "name") source.name = value;
        if (field == "option") source.options.push_back(value);
        if (field == "entry") source.entries.push_back(value);
    }
    source.text.assign(std::istreambuf_iterator<char>(lines), {});
    if (source.text.ends_with(last_line))
        source.text.resize(source.text.size() - std::char_traits<char>::length(last_line));
    else
        source.entries.clear();
    return kernel;
}

}  // namespace

std::string write(const fs::path& folder, const Kernel& kernel) {
    const std::string name = file_name(kernel.source);
    std::error_code ignored;
    if (!fs::exists(folder / name, ignored)) {
        fs::create_directories(folder, ignored);
        write_file(folder / name, to_text(kernel));
    }
    return name;
}

void mark_refused(const fs::path& folder, const std::string& name) { write_file(folder / (name + refused_ending), ""); }

std::vector<Kernel> read_all(const fs::path& folder) {
    std::vector<Kernel> kernels;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ending) continue;
        std::ifstream in(entry.path(), std::ios::binary);
        Kernel kernel = from_text({std::istreambuf_iterator<char>(in), {}});
        if (kernel.source.entries.empty()) throw std::runtime_error(entry.path().string() + " is no whole kernel");
        kernel.refused = fs::exists(entry.path().string() + refused_ending);
        kernel.file = entry.path();
        kernels.push_back(std::move(kernel));
    }
    std::sort(kernels.begin(), kernels.end(), [](const Kernel& a, const Kernel& b) { return a.file < b.file; });
    return kernels;
}

}  // namespace recorded
