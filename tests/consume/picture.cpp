// SPDX-License-Identifier: MIT
// A picture out and in, with the component gpu::image.
#include <cstdio>

#include <gpu/gpu.hpp>
#include <gpu/image.hpp>

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const gpu::Array<float> numbers = gpu::arange<float>(6).reshape({2, 3});
    gpu::image::save(argv[1], gpu::image::heatmap(numbers));
    const gpu::Array<std::uint8_t> picture = gpu::image::load<std::uint8_t>(argv[1]);
    std::printf("a picture of shape %s\n", gpu::to_string(picture.shape()).c_str());
    if (picture.shape() != gpu::Shape{2, 3, 3}) return 1;
    try {
        (void)gpu::image::load<float>("/no/such/picture.png");
    } catch (const gpu::FileError&) {  // thrown in libgpu_image, caught here
        return 0;
    }
    return 1;
}
