// SPDX-License-Identifier: MIT
#include "codegen/rows_text.hpp"

#include <algorithm>

#include <embedded/codegen.hpp>

#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

std::string numbered(const char* name, std::size_t k) { return name + std::to_string(k); }
std::string type_of(DType dtype) { return std::string(kernel_name(dtype)); }

// A step's types and functions, in a namespace of its own: recipes have the same names.
std::string functions_of(const RowStep& step, std::size_t k) {
    return "// " + step.text.name + "\nnamespace step" + std::to_string(k) + " {\n" + step.text.typedefs +
           step.text.preamble.text + "typedef " + step.text.accumulator +
           " A;\nstruct Join {\n    static __device__ inline A of(A a, A b) { return " + step.text.reduce.text +
           "; }\n};\n" +
           (step.text.identity.empty() ? ""
                                       : "__device__ inline A nothing() { return " + step.text.identity + "; }\n") +
           "__device__ inline R finished(A a, double n, double p) {\n    R out;\n    " + step.text.post.text +
           ";\n    return out;\n}\n}  // namespace step" + std::to_string(k) + "\n\n";
}

class Writer {
public:
    Writer(const RowProgram& program, const Flattened& parts, const RowLayout& layout)
        : program_(program), parts_(parts), layout_(layout), uses_(program.inputs.size(), 0) {
        for (const RowStep& step : program.steps) count_uses(*step.elements);
        for (const RowOutput& output : program.outputs)
            if (output.has_elements) count_uses(*output.value);
    }

    [[nodiscard]] std::int64_t shared_bytes(std::int64_t n) const {
        std::int64_t bytes = 0;
        for (std::size_t k = 0; k < program_.inputs.size(); ++k)
            if (is_kept(k)) bytes += (n * static_cast<std::int64_t>(size_of(program_.inputs[k].dtype)) + 15) / 16 * 16;
        return bytes;
    }

    std::string write() {
        write_head();
        write_numbers();
        if (layout_.packs > 0) write_loads();
        if (layout_.in_shared) write_shared_loads();
        for (std::size_t k = 0; k < program_.steps.size(); k = write_steps(k)) {}
        write_row_outputs();
        if (has_element_outputs()) write_elements();
        return text_ + "}\n";
    }

private:
    void count_uses(const Node& root) {
        const std::vector<bool> used = arrays_used(root, parts_);
        for (std::size_t k = 0; k < used.size(); ++k) uses_[k] += used[k] ? 1 : 0;
    }
    [[nodiscard]] bool has(std::size_t k, RowInput::Kind kind) const { return program_.inputs[k].kind == kind; }
    [[nodiscard]] bool has_moments(std::size_t step) const {
        return program_.steps[step].pair == RowPair::moments;
    }
    [[nodiscard]] bool has_element_outputs() const {
        return std::any_of(program_.outputs.begin(), program_.outputs.end(),
                           [](const RowOutput& output) { return output.has_elements; });
    }
    [[nodiscard]] std::string out_name(std::size_t k) const {
        return program_.outputs.size() == 1 ? "out" : numbered("out", k);
    }
    // Read once, before the steps that use it.
    [[nodiscard]] bool is_kept(std::size_t k) const {
        return (layout_.packs > 0 || layout_.in_shared) && uses_[k] > 1 && has(k, RowInput::Kind::elements);
    }

    [[nodiscard]] bool is_in_registers(std::size_t k) const { return layout_.packs > 0 && is_kept(k); }

    // Where a compiler would spend many registers on a thread, 64 registers each let 1024 threads of a multiprocessor
    // run at once; elsewhere its own choice lets more run.
    [[nodiscard]] std::string bounds() const {
        std::size_t kept = 0, max_item = 0;
        for (std::size_t k = 0; k < program_.inputs.size(); ++k)
            if (is_in_registers(k)) kept += size_of(program_.inputs[k].dtype);
        for (const RowStep& step : program_.steps)
            if (step.pair != RowPair::moments) max_item = std::max(max_item, size_of(step.elements->dtype));
        const bool is_large = kept * static_cast<std::size_t>(layout_.packs * layout_.pack) > 64 || max_item > 4;
        const std::string threads = std::to_string(layout_.threads);
        return is_large ? threads + ", " + std::to_string(std::max(1, 1024 / layout_.threads)) : threads;
    }

    void write_head() {
        text_ += "extern \"C\" __global__ void __launch_bounds__(" + bounds() + ") " + program_.name + '(';
        for (std::size_t k = 0; k < program_.outputs.size(); ++k)
            text_ += (k == 0 ? "" : ", ") + type_of(program_.outputs[k].value->dtype) + "* " + out_name(k);
        for (std::size_t k = 0; k < program_.inputs.size(); ++k) {
            if (has(k, RowInput::Kind::result)) continue;
            const std::string x = numbered("x", k);
            text_ += ", const " + type_of(program_.inputs[k].dtype) + "* " + x + ", long long " + x + "_step";
        }
        for (std::size_t k = 0; k < parts_.numbers.size(); ++k)
            text_ += ", " + type_of(parts_.numbers[k]->dtype) + numbered(" s", k);
        for (std::size_t k = 0; k < program_.steps.size(); ++k)
            if (program_.steps[k].takes_p) text_ += numbered(", double p", k);
        text_ += ", long long rows, long long n";
        text_ += program_.has_moments() ? ", double share) {\n" : ") {\n";
        if (layout_.lanes > 32) {
            for (std::size_t k = 0; k < program_.steps.size(); ++k) {
                const std::string step = std::to_string(k);
                text_ += "    alignas(step" + step + "::A) __shared__ unsigned char slots" + step +
                         "[lanes / 32 * sizeof(step" + step + "::A)];\n";
            }
        }
        text_ +=
            "    const int lane = threadIdx.x % lanes;\n"
            "    const long long wanted = (long long)blockIdx.x * (threads / lanes) + threadIdx.x / lanes;\n"
            "    const long long row = wanted < rows ? wanted : rows - 1;  // the last one again, and not written\n";
        for (std::size_t k = 0; k < program_.outputs.size(); ++k)
            if (program_.outputs[k].has_elements) text_ += "    " + out_name(k) + " += row * n;\n";
    }

    void write_numbers() {
        for (std::size_t k = 0; k < program_.inputs.size(); ++k) {
            if (has(k, RowInput::Kind::result)) continue;
            const std::string x = numbered("x", k);
            text_ += "    " + x + " += row * " + x + "_step;\n";
            if (has(k, RowInput::Kind::number))
                text_ += "    const " + type_of(program_.inputs[k].dtype) + numbered(" a", k) + " = *" + x + ";\n";
        }
    }

    // Opens a loop over this thread's packs; `at` is the place of a pack.
    void begin_packs() {
        if (layout_.packs > 0) {
            text_ +=
                "#pragma unroll\n"
                "    for (int k = 0; k < packs; ++k) {\n"
                "        const int at = (k * lanes + lane) * pack;\n"
                "        if (k + 1 == packs && at >= n) continue;\n";
        } else {
            text_ +=
                "#pragma unroll 4\n"
                "    for (long long at = lane * pack; at < n; at += lanes * pack) {\n";
        }
    }
    // Opens a loop over a pack's elements, with the names of these arrays in it.
    void begin_elements(const std::vector<bool>& used) {
        for (std::size_t k = 0; k < used.size(); ++k) {
            if (!used[k] || is_in_registers(k) || !has(k, RowInput::Kind::elements)) continue;
            text_ += "        const auto " + numbered("v", k) + " = loaded(" + numbered(is_kept(k) ? "kept" : "x", k) +
                     " + at);\n";
        }
        text_ +=
            "#pragma unroll\n"
            "        for (int u = 0; u < pack; ++u) {\n";
        for (std::size_t k = 0; k < used.size(); ++k) {
            if (!used[k] || !has(k, RowInput::Kind::elements)) continue;
            text_ += "            const " + type_of(program_.inputs[k].dtype) + numbered(" a", k) + " = " +
                     (is_in_registers(k) ? numbered("kept", k) + "[k]" : numbered("v", k)) + ".at[u];\n";
        }
    }

    // A thread reads what it has written itself: no barrier is needed.
    void write_shared_loads() {
        text_ += "    extern __shared__ __align__(16) unsigned char shared[];\n";
        std::string offset = "0";
        for (std::size_t k = 0; k < program_.inputs.size(); ++k) {
            if (!is_kept(k)) continue;
            const std::string type = type_of(program_.inputs[k].dtype);
            text_ +=
                "    " + type + "* const " + numbered("kept", k) + " = (" + type + "*)(shared + " + offset + ");\n";
            offset += " + (n * sizeof(" + type + ") + 15) / 16 * 16";
        }
        begin_packs();
        for (std::size_t k = 0; k < program_.inputs.size(); ++k) {
            if (!is_kept(k)) continue;
            text_ += "        *(Pack<" + type_of(program_.inputs[k].dtype) + ">*)(" + numbered("kept", k) +
                     " + at) = loaded(" + numbered("x", k) + " + at);\n";
        }
        text_ += "    }\n";
    }

    void write_loads() {
        bool has_loads = false;
        for (std::size_t k = 0; k < program_.inputs.size(); ++k) {
            if (!is_kept(k)) continue;
            has_loads = true;
            text_ += "    Pack<" + type_of(program_.inputs[k].dtype) + "> " + numbered("kept", k) + "[packs];\n";
        }
        if (!has_loads) return;
        begin_packs();
        for (std::size_t k = 0; k < program_.inputs.size(); ++k)
            if (is_kept(k))
                text_ += "        " + numbered("kept", k) + "[k] = loaded(" + numbered("x", k) + " + at);\n";
        text_ += "    }\n";
    }

    static std::string room_of(std::size_t k) { return "step" + std::to_string(k) + "::"; }
    [[nodiscard]] std::string p_of(std::size_t k) const { return program_.steps[k].takes_p ? numbered("p", k) : "0"; }
    // The step's value of an element.
    [[nodiscard]] std::string element_of(std::size_t k) const { return room_of(k) + program_.steps[k].text.map.text; }

    // True if this step needs what one of [first, k) leaves.
    [[nodiscard]] bool needs_any(std::size_t k, std::size_t first) const {
        const std::vector<bool> used = arrays_used(*program_.steps[k].elements, parts_);
        for (std::size_t before = first; before < k; ++before)
            for (const std::optional<std::size_t>& made : {program_.steps[before].result, program_.steps[before].other})
                if (made && used[*made]) return true;
        return false;
    }

    // Writes steps in one loop as long as none needs another's result; returns the next one.
    std::size_t write_steps(std::size_t first) {
        std::size_t end = first + 1;
        while (end < program_.steps.size() && !needs_any(end, first)) ++end;
        std::vector<bool> used(parts_.arrays.size(), false);
        for (std::size_t k = first; k < end; ++k) {
            write_beginning(k);
            const std::vector<bool> own = arrays_used(*program_.steps[k].elements, parts_);
            for (std::size_t a = 0; a < used.size(); ++a) used[a] = used[a] || own[a];
        }
        begin_packs();
        begin_elements(used);
        text_ += "            const long long _J = at + u;\n";
        for (std::size_t k = first; k < end; ++k) {
            const std::string r = numbered("r", k);
            const std::string joined = r + " = " + room_of(k) + "Join::of(" + r + ", " + element_of(k) + ");";
            const std::string number = has_moments(k) ? "shift = " + numbered("shift", k)
                                       : program_.steps[k].takes_p   ? "p = " + p_of(k)
                                                                     : "";
            text_ += "            ";
            text_ += (number.empty() ? joined : "{ const double " + number + "; " + joined + " }") + '\n';
        }
        text_ += "        }\n    }\n";
        write_joins(first, end);
        for (std::size_t k = first; k < end; ++k) write_results(k);
        return end;
    }

    void write_beginning(std::size_t k) {
        const RowStep& step = program_.steps[k];
        const std::string r = numbered("r", k), shift = numbered("shift", k);
        text_ += "    // " + step.text.name + "\n    " + room_of(k) + "A " + r;
        text_ += step.text.identity.empty() ? ";\n" : " = " + room_of(k) + "nothing();\n";
        if (!step.text.identity.empty() && !has_moments(k)) return;
        text_ += has_moments(k) ? "    double " + shift + ";\n    {\n" : "    {  // any element may be counted twice\n";
        text_ += "        const long long _J = 0;\n";
        const std::vector<bool> used = arrays_used(*step.elements, parts_);
        for (std::size_t a = 0; a < used.size(); ++a) {
            if (!used[a] || !has(a, RowInput::Kind::elements)) continue;
            text_ += "        const " + type_of(program_.inputs[a].dtype) + numbered(" a", a) + " = *" +
                     numbered("x", a) + ";\n";
        }
        if (has_moments(k)) {
            text_ += "        const double first = " + row_expression_text(*step.elements, parts_) + ";\n";
            text_ += "        " + shift + " = first - first == 0 ? first : 0;  // infinities stay so\n    }\n";
            return;
        }
        if (step.takes_p) text_ += "        const double p = " + p_of(k) + ";\n";
        text_ += "        " + r + " = " + element_of(k) + ";\n    }\n";
    }

    // What the lanes have found becomes one value each, in all of them. Steps of one loop share the barrier.
    void write_joins(std::size_t first, std::size_t end) {
        const auto each = [&](const auto& line) {
            for (std::size_t k = first; k < end; ++k) text_ += line(numbered("r", k), room_of(k), numbered("slots", k));
        };
        each([](const std::string& r, const std::string& room, const std::string&) {
            return "    " + r + " = joined_in_warp<" + room + "Join>(" + r + ");\n";
        });
        if (layout_.lanes <= 32) return;
        text_ += "    if (threadIdx.x % 32 == 0) {\n";
        each([](const std::string& r, const std::string& room, const std::string& slots) {
            return "        ((" + room + "A*)" + slots + ")[threadIdx.x / 32] = " + r + ";\n";
        });
        text_ += "    }\n    __syncthreads();\n";
        each([](const std::string& r, const std::string& room, const std::string& slots) {
            return "    " + r + " = joined_of_warps<" + room + "Join>((const " + room + "A*)" + slots + ");\n";
        });
    }

    void write_results(std::size_t k) {
        const RowStep& step = program_.steps[k];
        const std::string r = numbered("r", k);
        const auto begin = [&](std::size_t result) {
            return "    const " + type_of(program_.inputs[result].dtype) + numbered(" a", result) + " = ";
        };
        if (step.other) {
            const std::string value = has_moments(k) ? numbered("shift", k) + " + " + r + ".sum * share" : r + ".max_x";
            text_ += begin(*step.other) + '(' + type_of(program_.inputs[*step.other].dtype) + ")(" + value + ");\n";
        }
        if (step.result) {
            text_ += begin(*step.result) + room_of(k) + "finished(" + r + ", " +
                     (has_moments(k) ? "share" : "(double)n") + ", " + p_of(k) + ");\n";
        }
    }

    void write_row_outputs() {
        std::string lines;
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
            const RowOutput& output = program_.outputs[k];
            if (output.has_elements) continue;
            lines += "        " + out_name(k) + "[row] = (" + type_of(output.value->dtype) + ')' +
                     row_expression_text(*output.value, parts_) + ";\n";
        }
        if (!lines.empty()) text_ += "    if (lane == 0 && wanted < rows) {\n" + lines + "    }\n";
    }

    void write_elements() {
        std::vector<bool> used(parts_.arrays.size(), false);
        std::string packs, values, stores;
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
            const RowOutput& output = program_.outputs[k];
            if (!output.has_elements) continue;
            const std::vector<bool> own = arrays_used(*output.value, parts_);
            for (std::size_t a = 0; a < used.size(); ++a) used[a] = used[a] || own[a];
            const std::string type = type_of(output.value->dtype), made = numbered("made", k);
            packs += "        Pack<" + type + "> " + made + ";\n";
            values += "            " + made + ".at[u] = (" + type + ')' + row_expression_text(*output.value, parts_);
            values += ";\n";
            stores += "        if (wanted < rows) *(Pack<" + type + ">*)(" + out_name(k) + " + at) = " + made + ";\n";
        }
        begin_packs();
        text_ += packs;
        begin_elements(used);
        text_ += values + "        }\n" + stores + "    }\n";
    }

    const RowProgram& program_;
    const Flattened& parts_;
    const RowLayout& layout_;
    std::vector<int> uses_;
    std::string text_;
};

}  // namespace

bool RowProgram::has_moments() const {
    return std::any_of(steps.begin(), steps.end(), [](const RowStep& step) { return step.pair == RowPair::moments; });
}

std::string exponentials_text(DType element) {
    return "struct alignas(" + std::to_string(2 * size_of(element)) + ") gpu_exponentials { T max_x, sum; };\n" +
           std::string(text::row_exponentials);
}

ReductionText row_pair_text(RowPair pair, DType element, DType result, bool is_stddev, const std::string& text) {
    const bool has_moments = pair == RowPair::moments;
    const std::string variance = "(gpu_variance(a, n) * p)";
    const char* const name = !has_moments ? "max and sum" : is_stddev ? "stddev" : "var";
    return {.name = name,
            .parameters = {},
            .kept_rank = 0,
            .reduced_rank = 1,
            .accumulator = has_moments ? "gpu_moments" : "gpu_exponentials",
            .typedefs = "typedef " + type_of(element) + " T;\ntypedef " + type_of(result) + " R;\n",
            .preamble = {has_moments ? std::string(text::row_moments) : exponentials_text(element), "libgpu", 1},
            .map = {has_moments ? "gpu_moment(" + text + " - shift)" : "gpu_exponentials{" + text + ", 1}", name, 1},
            .reduce = {"gpu_joined(a, b)", name, 1},
            .post = {"out = (R)" + (!has_moments ? "gpu_sum(a)" : is_stddev ? "sqrt" + variance : variance), name,
                     1},
            .identity = has_moments ? "gpu_moments{0, 0}" : "gpu_exponentials{(T)(-1. / 0.), 0}",
            .options = rounds_each_operation()};
}

std::string row_expression_text(const Node& root, const Flattened& parts) {
    Flattened own = parts;
    own.shared = flatten(root).shared;
    return rhs_text(root, own);
}

std::int64_t shared_row_bytes(const RowProgram& program, const Flattened& parts, std::int64_t n) {
    const RowLayout layout{.packs = 0, .in_shared = true};
    return Writer(program, parts, layout).shared_bytes(n);
}

RawText rows_text(const RowProgram& program, const Flattened& parts, const RowLayout& layout) {
    std::string steps;
    for (std::size_t k = 0; k < program.steps.size(); ++k) steps += functions_of(program.steps[k], k);
    const std::string kernel = Writer(program, parts, layout).write();
    std::string head;
    for (const auto& [name, value] : {std::pair{"lanes", layout.lanes}, std::pair{"threads", layout.threads},
                                      std::pair{"packs", layout.packs}, std::pair{"pack", layout.pack}})
        head += std::string(head.empty() ? "enum { " : ", ") + name + " = " + std::to_string(value);
    head += " };\n";
    std::string own = std::string(text::rows) + steps + kernel;
    const std::vector<Token> named = tokens_of(own);
    if (needs_half(named)) own.insert(0, "#include <cuda_fp16.h>\n");
    if (needs_bfloat16(named)) own.insert(0, "#include <cuda_bf16.h>\n");
    RawText made = own_text(program.name.c_str(), kernel_support(tokens_of(own)) + head + own);
    made.options = rounds_each_operation();
    return made;
}

}  // namespace gpu::detail
