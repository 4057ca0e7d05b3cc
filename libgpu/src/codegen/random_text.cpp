// SPDX-License-Identifier: MIT
#include "codegen/random_text.hpp"

#include <embedded/codegen.hpp>

namespace gpu::detail {

namespace {

bool is_wide(DType dtype) { return size_of(real_dtype(dtype)) == 8; }

std::string bits_text(DType dtype) {
    if (dtype == DType::uint64) return "for (int k = 0; k < 2; ++k) at[k] = gpu_64(w, k);";
    return "for (int k = 0; k < 4; ++k) at[k] = (gpu_element)(w[k] >> (32 - 8 * sizeof(gpu_element)));";
}

std::string uniform_text(DType dtype) {
    // As many random bits as the type's significand holds, so that u is exact and below 1.
    std::string u = "(float)(w[k] >> 8) * 0x1p-24f";
    if (dtype == DType::float16) u = "(float)(w[k] >> 21) * 0x1p-11f";
    if (dtype == DType::bfloat16) u = "(float)(w[k] >> 24) * 0x1p-8f";
    if (dtype == DType::float64) u = "(double)(long long)(gpu_64(w, k) >> 11) * 0x1p-53";
    const std::string type = dtype == DType::float64 ? "double" : "float";
    return "for (int k = 0; k < " + std::to_string(elements_per_block(Draw::uniform, dtype)) +
           "; ++k) {\n        const " + type + " u = " + u + ", v = fma" + (type == "float" ? "f" : "") +
           "(u, width, low);\n        at[k] = (gpu_element)fmin" + (type == "float" ? "f" : "") +
           "(v, last);\n    }";
}

std::string normal_text(DType dtype) {
    if (dtype == DType::float64) return "gpu_pair(w, mean, stddev, mean, at[0], at[1]);";
    if (dtype == DType::float32)
        return "gpu_pair(w, mean, stddev, mean, at[0], at[1]);\n    gpu_pair(w + 2, mean, stddev, mean, at[2], at[3]);";
    const std::string type(is_wide(dtype) ? "double" : "float");
    std::string text = type + " a, b;";
    for (int k = 0; k < (is_wide(dtype) ? 1 : 2); ++k) {
        const std::string n = std::to_string(k), first = std::to_string(2 * k), second = std::to_string(2 * k + 1);
        text +=
            "\n    gpu_pair(w + " + first + ", mean, stddev, " + (is_complex(dtype) ? "0" : "mean") + ", a, b);\n    ";
        if (is_complex(dtype))
            text += "at[" + n + "] = gpu_element(a, b);";
        else
            text += "at[" + first + "] = (gpu_element)a; at[" + second + "] = (gpu_element)b;";
    }
    return text;
}

std::string exponential_text(DType dtype) {
    std::string text;  // not a loop: the host's compiler then vectorises over groups
    for (int k = 0; k < elements_per_block(Draw::exponential, dtype); ++k) {
        const std::string n = std::to_string(k);
        const std::string word = dtype == DType::float64 ? "gpu_64(w, " + n + ")" : "w[" + n + "]";
        text += "at[" + n + "] = (gpu_element)((0 - gpu_log(gpu_fraction(" + word + "))) * scale);\n    ";
    }
    return text;
}

std::string draw_text(Draw draw, DType dtype) {
    switch (draw) {
        case Draw::bits:
        case Draw::poisson: return bits_text(dtype);
        case Draw::uniform: return uniform_text(dtype);
        case Draw::normal: return normal_text(dtype);
        case Draw::exponential: return exponential_text(dtype);
        case Draw::bernoulli:
            return "for (int k = 0; k < 2; ++k)\n"
                   "        at[k] = (double)(long long)(gpu_64(w, k) >> 11) * 0x1p-53 < probability;";
        case Draw::integers:  // Lemire's multiply-shift: the high half of 64 random bits times the range
            return "for (int k = 0; k < 2; ++k)\n        at[k] = (gpu_element)(low + ((w[2 * k + 1] * range + "
                   "(w[2 * k] * range >> 32)) >> 32));";
        case Draw::wide_integers:  // the same with 128 random bits
            return "const unsigned long long carried = gpu_high(gpu_64(w, 0), range);\n"
                   "    const unsigned long long product = gpu_64(w, 1) * range, sum = product + carried;\n"
                   "    at[0] = (gpu_element)(low + gpu_high(gpu_64(w, 1), range) + (sum < product));";
    }
    return {};
}

std::string functions_text(Draw draw, DType dtype) {
    if (draw == Draw::normal || draw == Draw::exponential)
        return is_wide(dtype) ? text::random_double : text::random_float;
    return draw == Draw::wide_integers ? text::wide_product : "";
}

std::string block_text(const std::string& block, std::uint32_t stream, const std::string& to,
                       const std::string& numbers) {
    return "gpu_philox(seed, " + block + ", " + std::to_string(stream) + ", w);\n    gpu_draw(w, " + to + numbers +
           ");\n";
}

// Moves the elements from `first` on to the front, where it is inside a block: all indices are constants after
// unrolling.
std::string shift_text(int count) {
    std::string text;
    for (int step = count / 2; step >= 1; step /= 2) {
        const std::string by = std::to_string(step);
        text += "    if (first & " + by + ") {\n#pragma unroll\n        for (int k = 0; k < " +
                std::to_string(2 * count - step) + "; ++k) at[k] = at[k + " + by + "];\n    }\n";
    }
    return text;
}

std::string kept_text(const std::string& n) {
    return "const long long left = count - i * " + n + ";\nif (left >= " + n +
           ") {\n    gpu_store(out, at);\n} else {\n#pragma unroll\n    for (int k = 0; k < " + n +
           "; ++k) if (k < left) out.at[k] = at[k];\n}";
}

// Elements from offset on, where the offset may be inside a block.
std::string body_text(int count, std::uint32_t stream, const std::string& numbers) {
    const std::string n = std::to_string(count);
    std::string text = "const unsigned long long first = offset + (unsigned long long)i * " + n +
                       ";\nunsigned w[4];\n" + "gpu_element at[" + std::to_string(count == 1 ? 1 : 2 * count) + "];\n" +
                       block_text("first / " + n, stream, "at", numbers);
    if (count > 1) {
        text += "if (first % " + n + " != 0) {\n    " +
                block_text("(first + " + n + ") / " + n, stream, "at + " + n, numbers) + shift_text(count) + "}\n";
    }
    return text + kept_text(n);
}

// The same where the offset is inside a block: a thread gets the second of its two blocks from the next thread of its
// warp, so that only 31 of 32 have a group to write.
std::string shifted_body_text(int count, std::uint32_t stream, const std::string& numbers) {
    const std::string n = std::to_string(count);
    return "const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
           "const long long i = thread / 32 * 31 + thread % 32;\n"
           "const unsigned long long first = offset;\nunsigned w[4], words[(sizeof(gpu_group) + 3) / 4];\n"
           "gpu_element at[2 * " +
           n + "];\n" + block_text("(first + (unsigned long long)i * " + n + ") / " + n, stream, "at", numbers) +
           "memcpy(words, (const void*)at, sizeof(gpu_group));\n"
           "#pragma unroll\nfor (int k = 0; k < (int)((sizeof(gpu_group) + 3) / 4); ++k)\n"
           "    words[k] = __shfl_down_sync(0xffffffffu, words[k], 1);\n"
           "memcpy((void*)(at + " +
           n + "), words, sizeof(gpu_group));\n" + shift_text(count) +
           "if (thread % 32 == 31) return;\ngpu_group& out = groups[i];\n" + kept_text(n);
}

// A whole group: one access on a GPU. The host's compiler vectorises over groups only if it sees their elements.
std::string store_text(const std::string& count) {
    return "static __device__ __forceinline__ void gpu_store(gpu_group& out, const gpu_element* at) {\n"
           "#ifdef __GNUC__  // the host's compiler\n    for (int k = 0; k < " +
           count +
           "; ++k) out.at[k] = at[k];\n#else\n    gpu_group made;\n#pragma unroll\n    for (int k = 0; k < " + count +
           "; ++k) made.at[k] = at[k];\n    out = made;\n#endif\n}\n";
}

std::vector<Parameter> parameters_of(const std::vector<RandomNumber>& numbers, const char* type) {
    std::vector<Parameter> parameters{{Parameter::Role::output, type, "out", false}};
    for (const RandomNumber& number : numbers) {
        parameters.push_back({Parameter::Role::scalar, std::string(kernel_name(number.dtype)), number.name, false});
    }
    return parameters;
}

const char* name_of(Draw draw) {
    switch (draw) {
        case Draw::bits: return "random_bits";
        case Draw::uniform: return "random_uniform";
        case Draw::normal: return "random_normal";
        case Draw::exponential: return "random_exponential";
        case Draw::bernoulli: return "random_bernoulli";
        case Draw::integers:
        case Draw::wide_integers: return "random_integers";
        case Draw::poisson: return "random_poisson";
    }
    return "";
}

}  // namespace

int elements_per_block(Draw draw, DType dtype) {
    switch (draw) {
        case Draw::bernoulli:
        case Draw::integers: return 2;
        case Draw::wide_integers: return 1;
        default: return (is_wide(dtype) ? 2 : 4) / (is_complex(dtype) ? 2 : 1);
    }
}

std::uint32_t random_stream(Draw draw, DType dtype) {
    return static_cast<std::uint32_t>(draw) * 4 + (is_wide(dtype) ? 1 : 0) + (is_complex(dtype) ? 2 : 0);
}

std::vector<RandomNumber> random_numbers(Draw draw, DType dtype) {
    const DType real = is_wide(dtype) ? DType::float64 : DType::float32;
    std::vector<RandomNumber> numbers{{DType::uint64, "seed"}, {DType::uint64, "offset"}, {DType::int64, "count"}};
    const auto add = [&](DType type, auto... names) { (numbers.push_back({type, names}), ...); };
    switch (draw) {
        case Draw::bits:
        case Draw::poisson: break;
        case Draw::uniform: add(real, "low", "width", "last"); break;
        case Draw::normal: add(real, "mean", "stddev"); break;
        case Draw::exponential: add(real, "scale"); break;
        case Draw::bernoulli: add(DType::float64, "probability"); break;
        case Draw::integers:
        case Draw::wide_integers: add(DType::uint64, "low", "range"); break;
    }
    return numbers;
}

namespace {

// What a kernel's text begins with; and the draw's own numbers, as they are declared and passed on.
struct DrawTexts {
    std::string preamble, declared, passed;
};

DrawTexts draw_texts(Draw draw, DType dtype) {
    const std::vector<RandomNumber> numbers = random_numbers(draw, dtype);
    const std::string count = std::to_string(elements_per_block(draw, dtype)), type(kernel_name(dtype));
    DrawTexts texts;
    for (std::size_t k = 3; k < numbers.size(); ++k) {
        texts.declared += ", const " + std::string(kernel_name(numbers[k].dtype)) + " " + numbers[k].name;
        texts.passed += std::string(", ") + numbers[k].name;
    }
    const std::string group = "typedef " + type + " gpu_element;\nstruct alignas(sizeof(gpu_element) * " + count +
                              ") " + random_group + " { gpu_element at[" + count + "]; };\n";
    const std::string function = "static __device__ __forceinline__ void gpu_draw(const unsigned* w, gpu_element* at" +
                                 texts.declared + ") {\n    " + draw_text(draw, dtype) + "\n}\n";
    texts.preamble = group + store_text(count) + text::philox + functions_text(draw, dtype) + function;
    return texts;
}

}  // namespace

ElementwiseText random_text(Draw draw, DType dtype) {
    const DrawTexts texts = draw_texts(draw, dtype);
    return {.name = name_of(draw),
            .parameters = parameters_of(random_numbers(draw, dtype), random_group),
            .rank = 1,
            .typedefs = {},
            .preamble = {texts.preamble, "libgpu", 1},
            .body = {body_text(elements_per_block(draw, dtype), random_stream(draw, dtype), texts.passed), "random",
                     1}};
}

RawText shifted_random_text(Draw draw, DType dtype) {
    const DrawTexts texts = draw_texts(draw, dtype);
    const std::string header = dtype == DType::float16    ? "#include <cuda_fp16.h>\n"
                               : dtype == DType::bfloat16 ? "#include <cuda_bf16.h>\n"
                                                          : "";
    return own_text(name_of(draw),
                    header + texts.preamble + "__global__ void " + name_of(draw) +
                        "(gpu_group* groups, unsigned long long seed, unsigned long long offset, long long count" +
                        texts.declared + ") {\n" +
                        shifted_body_text(elements_per_block(draw, dtype), random_stream(draw, dtype), texts.passed) +
                        "\n}\n");
}

RawText permutation_text() { return own_text("random_permutation", text::permutation); }

PhiloxBlock philox(std::uint64_t seed, std::uint64_t block, std::uint32_t stream) noexcept {
    std::uint32_t w[4] = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), stream, 0};
    auto a = static_cast<std::uint32_t>(seed), b = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t x = w[0] * 0xD2511F53ull, y = w[2] * 0xCD9E8D57ull;
        w[0] = static_cast<std::uint32_t>(y >> 32) ^ w[1] ^ a;
        w[1] = static_cast<std::uint32_t>(y);
        w[2] = static_cast<std::uint32_t>(x >> 32) ^ w[3] ^ b;
        w[3] = static_cast<std::uint32_t>(x);
        a += 0x9E3779B9u;
        b += 0xBB67AE85u;
    }
    return {{w[0], w[1], w[2], w[3]}};
}

}  // namespace gpu::detail
