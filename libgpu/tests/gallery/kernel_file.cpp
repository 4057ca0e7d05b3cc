// SPDX-License-Identifier: MIT
#include "kernel_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "header_text.hpp"

namespace gallery {

namespace {

constexpr std::array<const char*, 9> types{"float", "double", "int",       "unsigned",          "short",
                                           "bool",  "char",   "long long", "unsigned long long"};

// Reads one header line's value; every mistake names it.
class HeaderReader {
public:
    HeaderReader(KernelFile& file, std::string where) : file_(file), where_(std::move(where)) {}

    void read(const std::string& key, const std::string& value) {
        if (key == "array")
            array(value);
        else if (key == "launch")
            launch(value);
        else if (key == "finding")
            finding(value);
        else if (key == "check")
            check(value);
        else if (key == "counts")
            counts(value);
        else if (key == "not on a gpu")
            file_.not_on_gpu = value;
        else if (key == "strict barriers" && value == "yes")
            file_.strict_barriers = true;
        else if (key == "compiler" && value == "g++")
            file_.is_for_gcc = true;
        else
            fail("unknown key `" + key + "'");
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw FormatError(where_ + what); }

    std::int64_t integer(const std::string& text) const {
        std::size_t used = 0;
        std::int64_t value = 0;
        try {
            value = std::stoll(text, &used);
        } catch (const std::exception&) {
            used = 0;
        }
        if (used == 0 || used != text.size()) fail("`" + text + "' is no whole number");
        return value;
    }

    // float x[1000] = random 7 below 16, scratch
    void array(const std::string& value) {
        ArraySpec spec;
        const std::vector<std::string> sides = split(value, '=');
        if (sides.size() != 2) fail("an array is written `float x[1000] = ramp`");
        const std::size_t open = sides[0].find('['), close = sides[0].find(']');
        const std::size_t blank = sides[0].rfind(' ', open);
        if (open == std::string::npos || close != sides[0].size() - 1 || blank == std::string::npos)
            fail("`" + sides[0] + "': an array is written `float x[1000] = ramp`");
        spec.type = trimmed(sides[0].substr(0, blank));
        spec.name = sides[0].substr(blank + 1, open - blank - 1);
        spec.length = integer(sides[0].substr(open + 1, close - open - 1));
        if (spec.length < 1) fail("an array has at least one element");
        if (const char last = spec.type.back(); last >= '2' && last <= '4') {
            spec.components = last - '0';
            spec.type.pop_back();
            if (spec.type == "uint") spec.type = "unsigned";
            spec.length *= spec.components;
        }
        if (std::find(types.begin(), types.end(), spec.type) == types.end()) fail("unknown type `" + spec.type + "'");
        std::vector<std::string> parts = split(sides[1], ',');
        if (parts.size() == 2 && parts[1] == "scratch") {
            spec.scratch = true;
            parts.pop_back();
        }
        if (parts.size() != 1) fail("after the filling only `, scratch' can follow");
        filling(spec, words(parts[0]));
        if (has_array(spec.name)) fail("there are two arrays `" + spec.name + "'");
        file_.arrays.push_back(std::move(spec));
    }

    void filling(ArraySpec& spec, const std::vector<std::string>& parts) const {
        using Filling = ArraySpec::Filling;
        const std::string kind = parts.empty() ? "" : parts[0];
        const bool integers = spec.type != "float" && spec.type != "double";
        if (kind == "modulo" && parts.size() == 2) {
            spec.filling = Filling::modulo;
            spec.number = integer(parts[1]);
            if (spec.number < 1) fail("modulo takes a number from 1");
        } else if (kind == "random" && (parts.size() == 2 || (parts.size() == 4 && parts[2] == "below"))) {
            spec.filling = Filling::random;
            spec.number = integer(parts[1]);
            spec.below = parts.size() == 4 ? integer(parts[3]) : 0;
            if (integers != (spec.below > 0)) fail("random integers are `random SEED below N`, floats `random SEED`");
        } else if (parts.size() == 1 && kind == "zeros") {
            spec.filling = Filling::zeros;
        } else if (parts.size() == 1 && kind == "ones") {
            spec.filling = Filling::ones;
        } else if (parts.size() == 1 && kind == "ramp") {
            spec.filling = Filling::ramp;
        } else if (parts.size() == 1 && kind == "uninitialized") {
            spec.filling = Filling::uninitialized;
        } else {
            fail("a filling is zeros, ones, ramp, modulo N, random SEED [below N] or uninitialized");
        }
    }

    [[nodiscard]] bool has_array(const std::string& name) const {
        return std::any_of(file_.arrays.begin(), file_.arrays.end(),
                           [&name](const ArraySpec& array) { return array.name == name; });
    }

    // scale<float><<<dim3(4, 2), 256, 1024>>>(x, y, 1000, 2.5f)
    void launch(const std::string& value) {
        const std::size_t open = value.find("<<<"), close = value.find(">>>", open);
        if (open == std::string::npos || close == std::string::npos || value.size() < close + 5 ||
            value[close + 3] != '(' || value.back() != ')')
            fail("a launch is written `kernel<<<grid, block>>>(arguments)`");
        LaunchSpec spec;
        spec.kernel = trimmed(value.substr(0, open));
        const std::vector<std::string> shape = split(value.substr(open + 3, close - open - 3), ',');
        if (shape.size() != 2 && shape.size() != 3) fail("between <<< and >>> stand grid, block[, shared bytes]");
        spec.grid = dim(shape[0]);
        spec.block = dim(shape[1]);
        if (shape.size() == 3) spec.shared = static_cast<std::size_t>(integer(shape[2]));
        for (const std::string& argument : split(value.substr(close + 4, value.size() - close - 5), ',')) {
            if (has_array(argument)) {
                spec.arguments.push_back({argument, {}});
                continue;
            }
            std::vector<std::byte> bytes;
            if (!append_literal(bytes, argument))
                fail("`" + argument +
                     "' is no array of this file and no number such as 7, 7u, 7ll, 2.5f, 2.5, {1, 2.5f}");
            spec.arguments.push_back({"", std::move(bytes)});
        }
        file_.launches.push_back(std::move(spec));
    }

    [[nodiscard]] gpu::Dim3 dim(const std::string& text) const {
        if (text.substr(0, 5) != "dim3(") return {integer(text)};
        const std::vector<std::string> parts = split(text.substr(5, text.size() - 6), ',');
        if (text.back() != ')' || parts.empty() || parts.size() > 3) fail("`" + text + "' is no dim3(x, y, z)");
        return {integer(parts[0]), parts.size() > 1 ? integer(parts[1]) : 1, parts.size() > 2 ? integer(parts[2]) : 1};
    }

    // missing barrier, lines 14 17, variable tile   (or: line one of 14 17)
    void finding(const std::string& value) {
        const std::vector<std::string> parts = split(value, ',');
        if (parts.size() != 3) fail("a finding is written `kind, line 14, variable x`");
        FindingSpec spec;
        const std::optional<gpu::FindingKind> kind = finding_kind(parts[0]);
        if (!kind) fail("`" + parts[0] + "' is no kind of finding");
        spec.kind = *kind;
        const std::vector<std::string> lines = words(parts[1]), variable = words(parts[2]);
        if (lines.size() < 2 || (lines[0] != "line" && lines[0] != "lines")) fail("the second part is `line 14`");
        spec.any_line = lines.size() > 3 && lines[1] == "one" && lines[2] == "of";
        for (std::size_t k = spec.any_line ? 3 : 1; k < lines.size(); ++k)
            spec.lines.push_back(static_cast<int>(integer(lines[k])));
        if (variable.size() != 2 || variable[0] != "variable") fail("the third part is `variable x', or `variable -'");
        if (variable[1] != "-") spec.variable = variable[1];
        if (file_.finding) fail("a kernel has one finding");
        file_.finding = std::move(spec);
    }

    // y = scale(x, 2.5) within 2 eps
    void check(const std::string& value) {
        CheckSpec spec;
        const std::size_t equals = value.find(" = "), open = value.find('(', equals), close = value.rfind(')');
        if (equals == std::string::npos || open == std::string::npos || close == std::string::npos)
            fail("a check is written `y = reference(x, 2.5) within 2 eps`");
        spec.array = trimmed(value.substr(0, equals));
        spec.reference = trimmed(value.substr(equals + 3, open - equals - 3));
        spec.arguments = split(value.substr(open + 1, close - open - 1), ',');
        if (!has_array(spec.array)) fail("there is no array `" + spec.array + "'");
        const std::vector<std::string> rest = words(value.substr(close + 1));
        if (!rest.empty()) {
            if (rest.size() != 3 || rest[0] != "within" || rest[2] != "eps")
                fail("after the reference: `within 2 eps`");
            spec.within = static_cast<double>(integer(rest[1]));
        }
        file_.checks.push_back(std::move(spec));
    }

    // global_sectors / global_requests = 32
    void counts(const std::string& value) {
        CountSpec spec;
        const std::vector<std::string> sides = split(value, '=');
        if (sides.size() != 2) fail("counts are written `global_sectors / global_requests = 32`");
        const std::vector<std::string> names = split(sides[0], '/');
        spec.count = names[0];
        if (names.size() > 1) spec.per = names[1];
        for (const std::string& name : names)
            if (!count_named({}, name)) fail("gpu::WorkCounts has no `" + name + "'");
        spec.value = static_cast<double>(integer(sides[1]));
        file_.counts.push_back(std::move(spec));
    }

    KernelFile& file_;
    std::string where_;
};

void check_complete(const KernelFile& file) {
    const auto fail = [&file](const std::string& what) { throw FormatError(file.name + ": " + what); };
    if (file.sentence.empty()) fail("the first lines have no sentence that says what it is");
    if (file.launches.empty()) fail("no `launch:`");
    if (file.finding.has_value() == !file.checks.empty()) fail("either a `finding:` or some `check:`");
    const bool buggy = file.name.substr(0, 6) == "buggy/";
    if (buggy != file.finding.has_value()) fail("files with a `finding:` stand in buggy/, others in correct/");
}

}  // namespace

const ArraySpec& KernelFile::array(const std::string& wanted) const {
    for (const ArraySpec& spec : arrays)
        if (spec.name == wanted) return spec;
    throw FormatError(name + ": there is no array `" + wanted + "'");
}

KernelFile parse_kernel_file(const std::string& path, const std::string& text) {
    KernelFile file;
    const std::filesystem::path place(path);
    file.path = path;
    file.name = (place.parent_path().filename() / place.filename()).string();
    file.text = text;
    std::istringstream lines(text);
    std::string line;
    int number = 0;
    bool in_keys = false;
    while (std::getline(lines, line) && line.substr(0, 2) == "//") {
        const std::string where = file.name + ":" + std::to_string(++number) + ": ";
        const std::string content = trimmed(line.substr(2));
        if (number == 1) {
            if (content != "SPDX-License-Identifier: MIT") throw FormatError(where + "the licence comes first");
            continue;
        }
        if (content.empty()) {
            in_keys = true;
            continue;
        }
        if (!in_keys) {
            file.sentence += (file.sentence.empty() ? "" : " ") + content;
            continue;
        }
        const std::size_t colon = content.find(':');
        if (colon == std::string::npos) throw FormatError(where + "expected `key: value`");
        HeaderReader(file, where).read(content.substr(0, colon), trimmed(content.substr(colon + 1)));
    }
    check_complete(file);
    return file;
}

KernelFile read_kernel_file(const std::filesystem::path& path) {
    std::ifstream stream(path);
    if (!stream) throw FormatError(path.string() + ": can't be read");
    std::ostringstream text;
    text << stream.rdbuf();
    return parse_kernel_file(path.string(), text.str());
}

std::optional<gpu::FindingKind> finding_kind(const std::string& spelling) {
    for (const gpu::FindingFacts& facts : gpu::finding_facts)
        if (facts.name == spelling) return facts.kind;
    return std::nullopt;
}

std::optional<std::uint64_t> count_named(const gpu::WorkCounts& work, const std::string& name) {
    for (const auto& [known, value] : gpu::work_facts)
        if (name == known) return work.*value;
    return std::nullopt;
}

}  // namespace gallery
