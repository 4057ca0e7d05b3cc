// SPDX-License-Identifier: MIT
// Where the elements of a matrix lie: strides on the device, and the order of what comes back to Eigen.
#include <cstdio>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

namespace {

template <class A>
void show(const char* name, const A& array) {
    std::printf("%-28s shape (%d,%d)  strides (%d,%d)\n", name, int(array.shape()[0]), int(array.shape()[1]),
                int(array.strides()[0]), int(array.strides()[1]));
}

}  // namespace

int main() {
    // [arrays]
    Eigen::MatrixXf m{{1, 2, 3}, {4, 5, 6}};
    gpu::Array<float> a = gpu::to_device(m);
    gpu::Array<float> b = gpu::to_device({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
    gpu::Array<float> c = a + 1;
    gpu::Array<float> d = a;
    gpu::Array<float> t = b.transpose();
    // [/arrays]
    show("a, from an Eigen matrix", a);
    show("b, from a list", b);
    show("c = a + 1", c);
    show("d = a", d);
    show("b.transpose(), a view", b.transpose());
    show("t = b.transpose()", t);
    // [back]
    Eigen::MatrixXf back = gpu::to_eigen(a.transpose());
    // [/back]
    std::printf("back: %d x %d, back(2,0) = %g, elements in memory:", int(back.rows()), int(back.cols()), back(2, 0));
    for (int k = 0; k < back.size(); ++k) std::printf(" %g", back.data()[k]);
    std::printf("\nAnswer: %s\n", back == m.transpose() ? "m.transpose()" : "something else");
    const bool by_row = c.strides()[1] == 1, by_column = d.strides()[0] == 1;
    std::printf("Answer: c %s, d %s\n", by_row ? "row by row" : "column by column",
                by_column ? "column by column" : "row by row");
}
