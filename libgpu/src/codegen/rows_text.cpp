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
        if (program.has_element_output) count_uses(*program.output);
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
        if (program_.has_element_output)
            write_elements();
        else
            text_ += "    if (lane == 0 && wanted < rows) out[row] = (" + type_of(program_.output->dtype) + ')' +
                     row_expression_text(*program_.output, parts_) + ";\n";
        return text_ + "}\n";
    }

private:
    void count_uses(const Node& root) {
        const std::vector<bool> used = arrays_used(root, parts_);
        for (std::size_t k = 0; k < used.size(); ++k) uses_[k] += used[k] ? 1 : 0;
    }
    [[nodiscard]] bool has(std::size_t k, RowInput::Kind kind) const { return program_.inputs[k].kind == kind; }
    // Read once, before the steps that use it.
    [[nodiscard]] bool is_kept(std::size_t k) const {
        return (layout_.packs > 0 || layout_.in_shared) && uses_[k] > 1 && has(k, RowInput::Kind::elements);
    }

    [[nodiscard]] bool is_in_registers(std::size_t k) const { return layout_.packs > 0 && is_kept(k); }

    // Where a compiler would spend many registers on a thread, 64 registers each let 1024 threads of a multiprocessor run
    // at once; elsewhere its own choice lets more run.
    [[nodiscard]] std::string bounds() const {
        std::size_t kept = 0, widest = 0;
        for (std::size_t k = 0; k < program_.inputs.size(); ++k)
            if (is_in_registers(k)) kept += size_of(program_.inputs[k].dtype);
        for (const RowStep& step : program_.steps) widest = std::max(widest, size_of(step.elements->dtype));
        const bool is_large = kept * static_cast<std::size_t>(layout_.packs * layout_.pack) > 64 || widest > 4;
        const std::string threads = std::to_string(layout_.threads);
        return is_large ? threads + ", " + std::to_string(std::max(1, 1024 / layout_.threads)) : threads;
    }

    void write_head() {
        text_ += "extern \"C\" __global__ void __launch_bounds__(" + bounds() + ") " + program_.name + '(' +
                 type_of(program_.output->dtype) + "* out";
        for (std::size_t k = 0; k < program_.inputs.size(); ++k) {
            if (has(k, RowInput::Kind::result)) continue;
            const std::string x = numbered("x", k);
            text_ += ", const " + type_of(program_.inputs[k].dtype) + "* " + x + ", long long " + x + "_step";
        }
        for (std::size_t k = 0; k < parts_.numbers.size(); ++k)
            text_ += ", " + type_of(parts_.numbers[k]->dtype) + numbered(" s", k);
        for (std::size_t k = 0; k < program_.steps.size(); ++k)
            if (program_.steps[k].takes_p) text_ += numbered(", double p", k);
        text_ += ", long long rows, long long n) {\n";
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
        if (program_.has_element_output) text_ += "    out += row * n;\n";
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
            if (used[program_.steps[before].result]) return true;
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
            text_ += "            " +
                     (program_.steps[k].takes_p ? "{ const double p = " + p_of(k) + "; " + joined + " }" : joined) +
                     '\n';
        }
        text_ += "        }\n    }\n";
        for (std::size_t k = first; k < end; ++k) write_end(k);
        return end;
    }

    void write_beginning(std::size_t k) {
        const RowStep& step = program_.steps[k];
        const std::string r = numbered("r", k);
        text_ += "    // " + step.text.name + "\n    " + room_of(k) + "A " + r;
        if (!step.text.identity.empty()) {
            text_ += " = " + room_of(k) + "nothing();\n";
            return;
        }
        text_ += ";\n    {  // any element may be counted twice\n        const long long _J = 0;\n";
        const std::vector<bool> used = arrays_used(*step.elements, parts_);
        for (std::size_t a = 0; a < used.size(); ++a) {
            if (!used[a] || !has(a, RowInput::Kind::elements)) continue;
            text_ += "        const " + type_of(program_.inputs[a].dtype) + numbered(" a", a) + " = *" +
                     numbered("x", a) + ";\n";
        }
        if (step.takes_p) text_ += "        const double p = " + p_of(k) + ";\n";
        text_ += "        " + r + " = " + element_of(k) + ";\n    }\n";
    }

    void write_end(std::size_t k) {
        const std::string r = numbered("r", k), result = numbered("a", program_.steps[k].result);
        text_ += "    " + r + " = joined<" + room_of(k) + "Join>(" + r + ", " +
                 (layout_.lanes > 32 ? numbered("slots", k) : "nullptr") + ");\n";
        text_ += "    const " + type_of(program_.inputs[program_.steps[k].result].dtype) + ' ' + result + " = " +
                 room_of(k) + "finished(" + r + ", (double)n, " + p_of(k) + ");\n";
    }

    void write_elements() {
        const std::string type = type_of(program_.output->dtype);
        begin_packs();
        text_ += "        Pack<" + type + "> made;\n";
        begin_elements(arrays_used(*program_.output, parts_));
        text_ += "            made.at[u] = (" + type + ')' + row_expression_text(*program_.output, parts_) +
                 ";\n        }\n        if (wanted < rows) *(Pack<" + type + ">*)(out + at) = made;\n    }\n";
    }

    const RowProgram& program_;
    const Flattened& parts_;
    const RowLayout& layout_;
    std::vector<int> uses_;
    std::string text_;
};

}  // namespace

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
    if (names_half(named)) own.insert(0, "#include <cuda_fp16.h>\n");
    if (names_bfloat16(named)) own.insert(0, "#include <cuda_bf16.h>\n");
    RawText made = own_text(program.name.c_str(), kernel_support(tokens_of(own)) + head + own);
    made.options = rounds_each_operation();
    return made;
}

}  // namespace gpu::detail
