// SPDX-License-Identifier: MIT
#include "host/compile/native_words.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <embedded/prelude.hpp>

#include "host/compile/refusals.hpp"
#include "host/compile/text_writer.hpp"
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::string_view compilers_name =
    "names that begin with two underscores are CUDA's, and it has none of that name; choose another";
constexpr std::string_view compilers_word = "this word is the host compiler's, not CUDA's";
constexpr std::string_view unknown_attribute =
    "of attributes a kernel may have those of CUDA (__launch_bounds__, __align__, __noinline__ and the like) and "
    "[[nodiscard]], [[maybe_unused]], [[fallthrough]], [[likely]], [[unlikely]], [[deprecated]]";
constexpr std::string_view unknown_pragma = "of pragmas a kernel may have unroll, nounroll, pack and nv_diag_...";
constexpr std::string_view unknown_include = "a header is named between quotes or brackets";
constexpr std::string_view not_to_be_defined =
    "a macro can't have the name of an attribute, of libgpu's or the compiler's";
constexpr std::string_view unseen_character = "compilers don't agree whether it is a blank";
constexpr std::string_view const_volatile =
    "of a variable that is const and volatile g++ doesn't tell check mode; leave one of the words out";
constexpr std::string_view skeletons_name = "this name is libgpu's own; choose another";

using Names = std::set<std::string, std::less<>>;

bool is_of_compiler(std::string_view name) {
    for (const std::string_view beginning :
         {"__builtin", "__attribute", "__asm", "__typeof", "__atomic_", "__sync_", "__tsan", "__c11", "__is_", "__has_",
          "__cxa_", "__extension__", "__null", "__sanitize", "__SANITIZE", "__no_", "__visibility"})
        if (name.starts_with(beginning)) return true;
    return is_one_of(name, {"__thread", "__used__", "__clang__", "__type_pack_element"});
}

bool is_of_libgpu(const Token& token) {
    return token.is_name() && (token.text.starts_with("gpu_") || token.text.starts_with("GPU_"));
}

// The CUDA names that the prelude has; separately, all that its macros may bring into a text, and the prelude's own
// internals: a raw kernel's text may have other names that begin like these.
struct PreludeNames {
    Names of_cuda, in_macros, of_libgpu;
};

const PreludeNames& prelude_names() {
    static const auto* const names = [] {
        auto* const all = new PreludeNames;
        for (const PreludeFile& file : prelude_files())
            for (const Token& token : tokens_of(file.text)) {
                if (!token.is_name()) continue;
                if (token.text.starts_with("__") && !is_of_compiler(token.text)) all->of_cuda.emplace(token.text);
                if (token.in_directive) all->in_macros.emplace(token.text);
                if (is_of_libgpu(token)) all->of_libgpu.emplace(token.text);
            }
        return all;
    }();
    return *names;
}

// True for names that C++, CUDA's compiler and every C++ compiler have besides.
bool is_known(std::string_view name) {
    static const auto* const others = new Names{"__LINE__",
                                                "__FILE__",
                                                "__DATE__",
                                                "__TIME__",
                                                "__func__",
                                                "__FUNCTION__",
                                                "__PRETTY_FUNCTION__",
                                                "__cplusplus",
                                                "__COUNTER__",
                                                "__VA_ARGS__",
                                                "__VA_OPT__",
                                                "__NVCC__",
                                                "__CUDA_ARCH_LIST__",
                                                "__CUDA_ARCH_FEAT_SM90_ALL",
                                                "__restrict",
                                                "__restrict__",
                                                "__inline",
                                                "__inline__",
                                                "__const__",
                                                "__volatile__",
                                                "__signed__",
                                                "__builtin_expect",
                                                "__builtin_assume",
                                                "__builtin_assume_aligned",
                                                "__builtin_unreachable",
                                                "__builtin_constant_p",
                                                "__builtin_offsetof",
                                                "__builtin_bit_cast",
                                                "__builtin_huge_val",
                                                "__builtin_inf",
                                                "__builtin_inff",
                                                "__builtin_nan",
                                                "__builtin_nanf",
                                                "__builtin_popcount",
                                                "__builtin_popcountll",
                                                "__builtin_clz",
                                                "__builtin_clzll",
                                                "__builtin_ctz",
                                                "__builtin_ctzll",
                                                "__builtin_ffs",
                                                "__builtin_abs",
                                                "__builtin_fabs",
                                                "__builtin_fabsf",
                                                "__builtin_isnan",
                                                "__builtin_isinf",
                                                "__builtin_memcpy",
                                                "__builtin_memset",
                                                "__builtin_memmove",
                                                "__is_same",
                                                "__is_trivially_copyable",
                                                "__is_class",
                                                "__is_enum",
                                                "__is_union",
                                                "__is_base_of",
                                                "__is_trivially_constructible",
                                                "__is_pod",
                                                "__is_empty",
                                                "__is_final",
                                                "__attribute__",
                                                "__attribute"};  // attributes are checked separately
    return others->count(name) > 0 || prelude_names().of_cuda.count(name) > 0;
}

// Names of an underscore and a capital letter that a learner can't choose.
bool is_keyword_of_c(std::string_view name) {
    for (const std::string_view beginning : {"_Float", "_Decimal"})
        if (name.starts_with(beginning) && name.size() > beginning.size() && is_digit(name[beginning.size()]))
            return true;
    return is_one_of(name, {"_Atomic", "_Thread_local", "_Complex", "_Imaginary", "_BitInt", "_ExtInt", "_Accum",
                            "_Fract", "_Sat", "_Generic", "_Noreturn", "_Alignas", "_Static_assert"});
}

bool is_attribute_of_kernels(std::string_view name) {
    while (name.starts_with("__") && name.ends_with("__") && name.size() > 4) name = name.substr(2, name.size() - 4);
    return is_one_of(name, {"aligned",      "packed",    "always_inline",
                            "noinline",     "unused",    "used",
                            "maybe_unused", "nodiscard", "warn_unused_result",
                            "fallthrough",  "likely",    "unlikely",
                            "deprecated",   "noreturn",  "no_unique_address",
                            "convergent",   "device",    "host",
                            "global",       "shared",    "constant",
                            "nv",           "cold",      "hot",
                            "may_alias",    "nothrow",   "pure"});
}

bool is_pragma_of_kernels(std::string_view words) {
    const std::string text(words.substr(0, 64));
    const std::vector<Token> tokens = tokens_of(text);
    if (tokens.empty()) return true;
    const std::string_view first = tokens[0].text, second = tokens.size() > 1 ? tokens[1].text : std::string_view();
    if (first == "GCC")
        return is_one_of(second, {"unroll", "ivdep", "diagnostic", "warning", "error", "system_header"});
    if (first == "clang") return is_one_of(second, {"loop", "diagnostic"});
    return is_one_of(first, {"unroll", "nounroll", "once", "pack", "region", "endregion", "message", "warning",
                             "hd_warning_disable", "ivdep", "vector", "acc", "omp"}) ||
           first.starts_with("nv_") || first.starts_with("diag_");
}

std::string shown_word(const Token& token) {
    return token.text == "#" ? "this #pragma" : '`' + std::string(token.text) + '`';
}

// Called with each refused word and the reason.
using Refuse = std::function<void(const Token&, std::string_view why)>;

class WordsOfKernel {
public:
    WordsOfKernel(const std::vector<Token>& tokens, const Names* more, const Names* forbidden, const Refuse& refuse)
        : tokens_(tokens), more_(more), forbidden_(forbidden), refuse_(refuse) {}
    WordsOfKernel& with_attributes_of_libgpu() {
        has_attributes_of_libgpu_ = true;
        return *this;
    }

    void look() {
        for (std::size_t k = 0; k < tokens_.size(); ++k) {
            const Token& token = tokens_[k];
            if (token.starts_line && token.text == "#") look_at_directive(k);
            if (is_condition(k)) {  // names there are 0 or 1, not code
                while (k + 1 < tokens_.size() && tokens_[k + 1].in_directive && !tokens_[k + 1].starts_line) ++k;
                continue;
            }
            if (token.starts_line && token.text == "#" && at(k + 1) == "pragma") look_at_pragma(k);
            if (token.text == "_Pragma") look_at_operator(k);
            const bool is_attribute = token.text == "__attribute__" || token.text == "__attribute";
            if (is_attribute && !has_attributes_of_libgpu_) look_at_attribute(k);
            if (is_bracket(k) && is_bracket(k + width_of_bracket(k))) look_at_brackets(k);
            if (token.text == "volatile" && is_const_volatile_variable(k)) refuse_(token, const_volatile);
            if (token.is_name()) look_at_name(token);
        }
    }

private:
    [[nodiscard]] std::string_view at(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].text : std::string_view();
    }
    [[nodiscard]] bool is_condition(std::size_t k) const {
        return tokens_[k].starts_line && tokens_[k].text == "#" &&
               is_one_of(at(k + 1), {"if", "ifdef", "ifndef", "elif", "undef", "error", "warning", "include", "line"});
    }
    // "[", or "<:", which means the same.
    [[nodiscard]] bool is_bracket(std::size_t k) const {
        return at(k) == "[" || (at(k) == "<" && at(k + 1) == ":" && tokens_[k + 1].offset == tokens_[k].offset + 1);
    }
    [[nodiscard]] std::size_t width_of_bracket(std::size_t k) const { return at(k) == "[" ? 1 : 2; }

    // "const volatile float t[8]", but not "const volatile float* p", whose pointer itself isn't.
    [[nodiscard]] bool is_const_volatile_variable(std::size_t k) const {
        bool is_const = false;
        for (std::size_t b = k; b-- > 0 && !is_one_of(at(b), {";", "{", "}", "(", ",", ")", "*", "&"});)
            is_const = is_const || at(b) == "const" || at(b) == "constexpr";
        std::size_t e = k + 1;
        for (; e < tokens_.size() && !is_one_of(at(e), {";", "{", "}", "(", ",", ")", "*", "&", "=", "["}); ++e)
            is_const = is_const || at(e) == "const";
        return is_const && is_one_of(at(e), {";", "{", "=", "["});
    }
    // A macro that it defines is one of the text's own names from here on.
    void look_at_directive(std::size_t k) {
        const std::string_view word = at(k + 1), next = at(k + 2);
        const bool is_include = word == "include" || word == "include_next" || word == "import";
        if (is_include && (word != "include" || !(next.starts_with('"') || next.starts_with('<'))))
            refuse_(tokens_[k + 1], unknown_include);
        if ((word != "define" && word != "undef") || k + 2 >= tokens_.size()) return;
        if (next.starts_with("gpu_") || next.starts_with("GPU_") || next == "cleanup" || is_of_compiler(next) ||
            (word == "define" && is_attribute_of_kernels(next) &&
             !is_one_of(next, {"device", "host", "global", "shared", "constant"})))
            return refuse_(tokens_[k + 2], not_to_be_defined);
        defined_.emplace(next);
    }

    void look_at_name(const Token& token) const {
        const std::string_view name = token.text;
        if (forbidden_ != nullptr && forbidden_->count(name) > 0) return refuse_(token, skeletons_name);
        if (more_ != nullptr && more_->count(name) > 0) return;
        if (is_keyword_of_c(name) || name == "asm") return refuse_(token, compilers_word);
        if (name.starts_with("__") && !is_known(name) && (is_of_compiler(name) || defined_.count(name) == 0))
            refuse_(token, compilers_name);
    }
    void look_at_pragma(std::size_t k) const {
        std::string words;
        for (std::size_t w = k + 2; w < tokens_.size() && tokens_[w].in_directive && !tokens_[w].starts_line; ++w)
            (words += tokens_[w].text) += ' ';
        if (!is_pragma_of_kernels(words)) refuse_(tokens_[k], unknown_pragma);
    }
    // _Pragma("unroll 4"). One that a macro makes is examined after expansion.
    void look_at_operator(std::size_t k) const {
        const std::string_view literal = at(k + 2);
        if (at(k + 1) != "(" || !literal.starts_with('"') || literal.size() < 2) return;
        if (!is_pragma_of_kernels(literal.substr(1, literal.size() - 2))) refuse_(tokens_[k], unknown_pragma);
    }
    void look_at_attribute(std::size_t k) const {
        if (at(k + 1) != "(" || at(k + 2) != "(") return refuse_(tokens_[k], unknown_attribute);
        look_at_list(k + 3, ")");
    }
    void look_at_brackets(std::size_t k) const {
        const std::size_t first = k + width_of_bracket(k);
        look_at_list(first + width_of_bracket(first), "]");
    }
    void look_at_list(std::size_t k, std::string_view end) const {
        for (int depth = 0; k < tokens_.size(); ++k) {
            const std::string_view text = at(k);
            if (depth == 0 && (text == end || (end == "]" && text == ":" && at(k + 1) == ">"))) return;
            depth += text == "(" ? 1 : text == ")" ? -1 : 0;
            const bool is_libgpus = more_ != nullptr && text == "cleanup" && at(k + 2) == "gpu_local_ends";
            if (depth == 0 && tokens_[k].is_name() && !is_one_of(text, {"using", "gnu", "clang", "const"}) &&
                !is_libgpus && (!is_attribute_of_kernels(text) || defined_.count(text) > 0))
                refuse_(tokens_[k], unknown_attribute);
        }
    }

    const std::vector<Token>& tokens_;
    const Names* more_;
    const Names* forbidden_;
    const Refuse& refuse_;
    Names defined_;  ///< macros of the text so far
    bool has_attributes_of_libgpu_ = false;
};

// Names around the pieces of a generated kernel that may read memory which nobody watches.
const Names& skeleton_names() {
    static const auto* const names = [] {
        auto* const all = new Names;
        for (const Token& token : tokens_of(text::generated_check))
            if (is_of_libgpu(token)) all->emplace(token.text);
        for (const std::string shared : {"gpu_value", "gpu_indexer", "gpu_placed_indexer"}) all->erase(shared);
        return all;
    }();
    return *names;
}

std::string unseen_characters(const SourceText& snippet) {
    int line = snippet.line;
    for (const char c : snippet.text) {
        line += c == '\n' ? 1 : 0;
        if (c == '\0' || c == '\v' || c == '\f')
            return snippet.file + ':' + std::to_string(line) + ":1: error: the character " + std::to_string(int{c}) +
                   " can't be used in a kernel: " + std::string(unseen_character) + '\n';
    }
    return {};
}

std::string words_of_snippet(const SourceText& snippet, const Names* forbidden) {
    if (std::string unseen = unseen_characters(snippet); !unseen.empty()) return unseen;
    const std::vector<Token> tokens = tokens_of(snippet.text);
    Refusals refusals(tokens, snippet.file, snippet.line);
    const Refuse refuse = [&](const Token& token, std::string_view why) {
        refusals.add(token, shown_word(token) + " can't be used in a kernel", why);
    };
    WordsOfKernel(tokens, nullptr, forbidden, refuse).look();
    return refusals.log();
}

// Checks a type, a name or an expression inside a line of libgpu's own, which it can't end.
std::string words_of_field(const std::string& field, const std::string& kernel, bool may_have_lines = false) {
    const bool leaves = field.find_first_of(may_have_lines ? "#\\" : "#\\\n") != std::string::npos;
    if (leaves) return kernel + ":1:1: error: " + field.substr(0, 40) + ": this isn't a type or a name\n";
    return words_of_snippet({field, kernel, 1}, &skeleton_names());
}

// -DNAME=value is a line of the text, too.
std::string words_of_definitions(const std::vector<std::string>& options, const std::string& kernel) {
    std::string log;
    for (const std::string& option : options) {
        if (!is_definition(option)) continue;
        if (option.find('\n') != std::string::npos)
            log += kernel + ":1:1: error: " + option.substr(0, option.find('\n')) + ": a definition is one line\n";
        log += words_of_snippet({"#define " + option.substr(2), kernel, 1}, nullptr);
    }
    return log;
}

template <class Text>
std::string words_of_generated(const Text& text, std::initializer_list<const SourceText*> snippets,
                               std::initializer_list<const std::string*> fields) {
    std::string log;
    for (const SourceText* const snippet : snippets) log += words_of_snippet(*snippet, &skeleton_names());
    for (const Parameter& parameter : text.parameters)
        log += words_of_field(parameter.type, text.name) + words_of_field(parameter.name, text.name);
    for (const std::string* const field : fields) log += words_of_field(*field, text.name);
    return log + words_of_field(text.typedefs, text.name, true) + words_of_definitions(text.options, text.name);
}

}  // namespace

std::string native_words(const RawText& text) {
    std::string log = words_of_snippet(text.source, &prelude_names().of_libgpu) + words_of_field(text.name, text.name) +
                      words_of_field(text.signature, text.name) + words_of_definitions(text.options, text.name);
    for (const RawEntry& entry : text.more)
        log += words_of_field(entry.name, text.name) + words_of_field(entry.signature, text.name);
    for (const StructLayout& layout : text.structs) log += words_of_field(layout.name, text.name);
    return log;
}

std::string native_words(const ElementwiseText& text) {
    return words_of_generated(text, {&text.preamble, &text.body}, {});
}

std::string native_words(const ReductionText& text) {
    return words_of_generated(text, {&text.preamble, &text.map, &text.reduce, &text.post},
                              {&text.accumulator, &text.identity});
}

bool hides_words(std::string_view text) {
    for (const std::string_view mark : {"##", "%:", "\?\?", "R\""})
        if (text.find(mark) != std::string_view::npos) return true;
    // _Pragma of something other than a literal.
    for (std::size_t at = text.find("_Pragma"); at != std::string_view::npos; at = text.find("_Pragma", at + 1))
        if (const std::size_t next = text.find_first_not_of(" (\t", at + 7);
            next != std::string_view::npos && text[next] != '"')
            return true;
    // A continued line is harmless if neither line has a literal or a comment and no word spans both.
    const auto has_more_than_words = [](std::string_view line) {
        return line.find_first_of("\"'") != std::string_view::npos || line.find("/*") != std::string_view::npos ||
               line.find("*/") != std::string_view::npos || line.find("//") != std::string_view::npos;
    };
    bool goes_on = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
            line.remove_suffix(1);
        const bool came = goes_on;
        goes_on = !line.empty() && line.back() == '\\';
        if ((came || goes_on) && has_more_than_words(line)) return true;
        if (came && !line.empty() && line.front() != ' ' && line.front() != '\t' && line != "\\") return true;
    }
    return false;
}

std::string with_piece_marks(const KernelSource& source, std::string_view mark) {
    std::string text;
    std::size_t from = 0;
    for (const std::size_t at : source.marks) {
        text.append(source.text, from, at - from);
        (text += mark) += '\n';
        from = at;
    }
    return text.append(source.text, from, std::string::npos);
}

std::string native_word_of_pieces(std::string_view expanded, std::string_view mark, const KernelSource& source) {
    std::string found;
    std::size_t marks = 0;
    const bool is_generated = source.text.starts_with("#include \"libgpu/generated");
    const Refuse refuse = [&](const Token& token, std::string_view) {
        if (found.empty()) found = token.text == "#" ? "#pragma" : token.text;
    };
    for (std::size_t at = expanded.find(mark); at != std::string_view::npos; ++marks) {
        const std::size_t begin = at + mark.size();
        at = expanded.find(mark, begin);
        if (marks % 2 == 1) continue;  // libgpu's own
        const std::vector<Token> tokens =
            tokens_of(expanded.substr(begin, at == std::string_view::npos ? std::string_view::npos : at - begin));
        WordsOfKernel words(tokens, &prelude_names().in_macros, is_generated ? &skeleton_names() : nullptr, refuse);
        if (!is_generated && marks > 0) words.with_attributes_of_libgpu();  // a raw kernel's entries
        words.look();
    }
    if (marks != source.marks.size()) return "#";  // a directive that doesn't end with its piece
    return found;
}

}  // namespace gpu::detail::host
