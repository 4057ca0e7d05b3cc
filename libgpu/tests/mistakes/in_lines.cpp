// SPDX-License-Identifier: MIT
// Mistakes of one line, in short: what counts is the sentence.
#include "mistakes.hpp"

namespace mistakes {

std::vector<LineMistake> in_lines() {
    const std::string members_of_thread = "threadIdx has three members: write threadIdx.x";
    const std::string hat = "^ is exclusive or in C++: write x * x, or pow(x, y)";
    const std::string modulo = "% is for integers: write fmod(x, y)";
    const std::string parameter = " isn't among the parameters: add it to their string, as in \"T x, T ";
    const std::string one_index = "a pointer has one index: write x[row * columns + column], not x[row][column]";
    const std::string no_members = "a pointer has no members";
    const std::string program =
        "a whole program was pasted: keep the kernels here; what main() does goes into the .cpp file";
    const std::string power = "C++ has no operator **: write x * x, or pow(x, y)";
    const std::string infinity = " is not declared: infinity is INFINITY here";
    const std::string limits = "std::numeric_limits" + infinity + ", and the largest float FLT_MAX";
    const std::string textures =
        "of textures the host backend has tex1Dfetch, tex1D and tex2D; use one of these, or read the array itself";
    return {
        {Kind::raw, "int t = threadIdx; y[t] = 1;", members_of_thread},
        {Kind::raw, "int t = threadIdx + 1; y[t] = 1;", members_of_thread},
        {Kind::raw, "y[blockIdx.x * blockDim.x + threadIdx] = 1;", members_of_thread},
        {Kind::raw, "int t = blockIdx * blockDim.x; y[t] = 1;", "blockIdx has three members: write blockIdx.x"},
        {Kind::raw, "int t = blockDim; y[t] = 1;", "blockDim has three members: write blockDim.x"},
        {Kind::raw, "y[i] = x[i] ^ 2;", hat},
        {Kind::raw, "y[i] = 2.0f ^ x[i];", hat},
        {Kind::raw, "y[i] = x[i] % 2;", modulo},
        {Kind::elementwise, "z = x % y", modulo},
        {Kind::raw, "y[i] = x[i][0];", one_index},
        {Kind::raw, "y[i][0] = x[i];", one_index},
        {Kind::raw, "if (i < x.size()) y[i] = x[i];", no_members},
        {Kind::raw, "y[i] = x.length;", no_members},
        {Kind::raw, "cudaMemcpy(y, x, 4 * n, 3);", "cudaMemcpy is for the C++ program, not for kernels"},
        {Kind::raw, "cudaDeviceReset();", "cudaDeviceReset is for the C++ program, not for kernels"},
        {Kind::raw, "} int main() { return 0;", program},
        {Kind::raw, "} int main(int argc, char** argv) { float* d = 0; add<<<1, 256>>>(d, d, 1); return 0;", program},
        {Kind::raw, "y[i] = x[i] ** 2;", power},
        {Kind::raw, "float m = -inf; y[i] = m;", "inf" + infinity},
        {Kind::raw, "float m = -INF; y[i] = m;", "INF" + infinity},
        {Kind::raw, "float m = -Infinity; y[i] = m;", "Infinity" + infinity},
        {Kind::raw, "float m = -np.inf; y[i] = m;",
         "np is not declared: this is C++: functions have no prefix, as in sqrt(x), and infinity is INFINITY"},
        {Kind::raw, "float m = std::numeric_limits<float>::lowest(); y[i] = m;", limits},
        {Kind::raw, "y[i] = tex3D<float>(0, 1, 2, 3);", "tex3D: " + textures},
        {Kind::raw, "y[i] = tex2DLod<float>(0, 1, 2, 3);", "tex2DLod: " + textures},
        {Kind::raw, "y[i] = tex2D<float3>(0, 1, 2).x;",
         "texels are float, int, unsigned, short, unsigned short, signed or unsigned char, or vectors of 2 or 4 of "
         "these"},
        {Kind::raw, "y[i] = tex2D(0, 1, 2);", "tex2D takes the type of a texel, a texture and a place in it"},
        {Kind::raw, "y[i] = tex1Dfetch<float>(x, i);",
         "tex1Dfetch takes the type of a texel, a texture and a place in it"},
        {Kind::raw, "texture<float> t;",
         "texture: CUDA has no texture references any more; take a parameter of type cudaTextureObject_t"},
        {Kind::raw, "y[i] = NaN;", "NaN is not declared: not a number is NAN here"},
        {Kind::raw, "y[i] = pi * x[i];", "pi is not declared: pi is M_PI here, a double; (float)M_PI is a float"},
        {Kind::elementwise, "z = x ** 2", power},
        {Kind::elementwise, "z = x > 0 ? x : -inf", "inf" + infinity},
        {Kind::elementwise, "z = x ^ 2", hat},
        {Kind::elementwise, "z = x ^ y", hat},
        {Kind::elementwise, "z = alpha * x + y", "alpha" + parameter + "alpha\""},
        {Kind::elementwise, "z = scale * x", "scale" + parameter + "scale\""},
        {Kind::reduction, "a ^ b", hat},
        {Kind::reduction, "a > b ? a : -std::numeric_limits<float>::infinity()", limits},
    };
}

}  // namespace mistakes
