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

// Elements from offset on, where the offset may be inside a block. All indices are constants after unrolling.
std::string body_text(int count, std::uint32_t stream, const std::string& numbers) {
    const std::string n = std::to_string(count);
    const auto draw = [&](const std::string& position, const std::string& to) {
        return "gpu_philox(seed, (" + position + ") / " + n + ", " + std::to_string(stream) +
               ", w);\n    gpu_draw(w, " + to + numbers + ");\n";
    };
    std::string text = "const unsigned long long first = offset + (unsigned long long)i * " + n +
                       ";\nunsigned w[4];\n" + "gpu_element at[" + std::to_string(count == 1 ? 1 : 2 * count) + "];\n" +
                       draw("first", "at");
    if (count > 1) {
        text += "if (first % " + n + " != 0) {\n    " + draw("first + " + n, "at + " + n);
        for (int step = count / 2; step >= 1; step /= 2) {
            const std::string by = std::to_string(step);
            text += "    if (first & " + by + ") {\n#pragma unroll\n        for (int k = 0; k < " +
                    std::to_string(2 * count - step) + "; ++k) at[k] = at[k + " + by + "];\n    }\n";
        }
        text += "}\n";
    }
    return text + "const long long left = count - i * " + n + ";\nif (left >= " + n +
           ") {\n    gpu_store(out, at);\n} else {\n#pragma unroll\n    for (int k = 0; k < " + n +
           "; ++k) if (k < left) out.at[k] = at[k];\n}";
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

ElementwiseText random_text(Draw draw, DType dtype) {
    const std::vector<RandomNumber> numbers = random_numbers(draw, dtype);
    const std::string count = std::to_string(elements_per_block(draw, dtype)), type(kernel_name(dtype));
    std::string declared, passed;
    for (std::size_t k = 3; k < numbers.size(); ++k) {
        declared += ", const " + std::string(kernel_name(numbers[k].dtype)) + " " + numbers[k].name;
        passed += std::string(", ") + numbers[k].name;
    }
    const std::string group = "typedef " + type + " gpu_element;\nstruct alignas(sizeof(gpu_element) * " + count +
                              ") " + random_group + " { gpu_element at[" + count + "]; };\n";
    const std::string function = "static __device__ __forceinline__ void gpu_draw(const unsigned* w, gpu_element* at" +
                                 declared + ") {\n    " + draw_text(draw, dtype) + "\n}\n";
    return {.name = name_of(draw),
            .parameters = parameters_of(numbers, random_group),
            .rank = 1,
            .typedefs = {},
            .preamble = {group + store_text(count) + text::philox + functions_text(draw, dtype) + function, "libgpu",
                         1},
            .body = {body_text(elements_per_block(draw, dtype), random_stream(draw, dtype), passed), "random", 1}};
}

std::vector<RandomNumber> permutation_numbers() {
    return {{DType::int64, "count"}, {DType::int32, "left_bits"}, {DType::int32, "right_bits"}, {DType::uint32, "key0"},
            {DType::uint32, "key1"}, {DType::uint32, "key2"},     {DType::uint32, "key3"}};
}

// A Feistel network over a power of two above `count`; a value outside continues along its cycle until it is inside,
// which makes it a bijection on [0, count): Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002;
// for shuffles on GPUs: Mitchell, Stokes, Frank, Holmes, "Bandwidth-optimal random shuffling for GPUs", TOPC 2022.
ElementwiseText permutation_text() {
    const char* const body = R"(const unsigned left_mask = (unsigned)((1ull << left_bits) - 1);
const unsigned right_mask = (unsigned)((1ull << right_bits) - 1);
unsigned long long x = i;
do {
    unsigned left = (unsigned)(x >> right_bits), right = (unsigned)x & right_mask, a = key0, b = key1;
    for (int round = 0; round < 12; ++round) {
        right ^= gpu_mix(left, a) & right_mask;
        left ^= gpu_mix(right, b) & left_mask;
        a += key2;
        b += key3;
    }
    x = (unsigned long long)left << right_bits | right;
} while (x >= (unsigned long long)count);
out = (long long)x)";
    return {.name = "random_permutation",
            .parameters = parameters_of(permutation_numbers(), "long long"),
            .rank = 1,
            .typedefs = {},
            .preamble = {text::permutation_mix, "libgpu", 1},
            .body = {body, "random", 1}};
}

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
