// SPDX-License-Identifier: MIT
#pragma once

#include <string>

// Kernels that compile on every backend, whose comments and literals hold all that libgpu or one of its rooms could
// take for a mark of its own, or for code: what libgpu's skeletons are made of, directives, other kernels, types,
// quotes.
namespace support {

/// A line each.
inline const std::string& marks() {
    static const std::string text =
        "my_check.hpp\n"
        "#include \"libgpu/raw_check.hpp\"\n"
        "#include \"libgpu/raw_loop.hpp\"\n"
        "#include \"my_check.hpp\"\n"
        "#include <cmath>\n"
        "#include <cuda_fp16.h>\n"
        "#define __global__\n"
        "#pragma once\n"
        "#line 1 \"libgpu\"\n"
        "#line 1 \"libgpu generated\"\n"
        "#line 70 \"other.cu\"\n"
        "//libgpu:refused k.cu:1:1: error: refused\n"
        "libgpu:no-kernel: it has add, mul\n"
        "libgpu:signature: expected (int)\n"
        "libgpu:entry libgpu:struct libgpu generated\n"
        "GPU_ELEMENTWISE_MODULE GPU_RAW_MODULE GPU_CHECKED_MODULE libgpu_module\n"
        "GPU_INLINE void gpu_body(float marks)\n"
        "static __device__ __forceinline__ void _element(float marks)\n"
        "__global__ void k(int marks) { __syncthreads(); }\n"
        "__global__ void marks(int) {}\n"
        "extern __shared__ float marks[];\n"
        "template __global__ void k<float>(float*);\n"
        "struct half {}; using half = float; struct complex {}; using complex numbers\n"
        "struct StridedView {}; float sqrt (int)\n"
        "asm(\"mov\"); new float[3]; __shfl(1, 2); tex2D(t, 0, 0); k<<<1, 2>>>()\n"
        "' \" don't ( [ {\n";
    return text;
}

/// The marks as a string literal of one line.
inline std::string quoted_marks() {
    std::string literal = "\"";
    for (const char c : marks()) {
        if (c == '"' || c == '\\') literal += '\\';
        if (c == '\n')
            literal += "\\n";
        else
            literal += c;
    }
    return literal + '"';
}

inline std::string marks_as_comments() {
    std::string lines = "/*\n" + marks() + "*/\n";
    for (std::size_t begin = 0; begin < marks().size();) {
        const std::size_t end = marks().find('\n', begin);
        lines += "// " + marks().substr(begin, end - begin) + '\n';
        begin = end + 1;
    }
    return lines;
}

/// Statements with literals that hold the marks; s and t are then the same text but for a newline before and behind it.
inline std::string marks_as_literals() {
    return "const char quote = '\"', apostrophe = '\\'', backslash = '\\\\';\nconst int thousand = 1'000;\n"
           "const char* const s = R\"m(\n" +
           marks() + ")m\";\nconst char* const t = " + quoted_marks() +
           ";\nint same = quote != apostrophe && backslash != quote;\nfor (int m = 0; t[m] != 0; ++m) same = same && "
           "s[m + 1] == t[m];\n";
}

/// x[i] = i * 1000 + 2 for each thread i below n: with whole numbers' sqrt, a complex number and INFINITY in it.
inline std::string kernel_with_marks() {
    return marks_as_comments() + "__global__ void k(float* x, int n) { // __syncthreads()\n" + marks_as_literals() +
           "const int i = blockIdx.x * blockDim.x + threadIdx.x;\ncomplex<float> c = 1.0f;\n"
           "if (i < n && same) x[i] = i * thousand + sqrt(4) * c.real() + (1 > INFINITY);\n}\n" +
           marks_as_comments();
}

/// The same for an elementwise kernel: z = x * 1000 + 2, by way of a half.
inline std::string body_with_marks() {
    return marks_as_comments() + marks_as_literals() + "half h = sqrt(4);\nz = same ? x * thousand + h : 0;\n" +
           marks_as_comments();
}

}  // namespace support
