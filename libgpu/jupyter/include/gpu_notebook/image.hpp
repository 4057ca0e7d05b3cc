// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include <gpu/image.hpp>

#include <gpu_notebook/notebook.hpp>

namespace gpu::notebook {

/// Shows an array below the cell as a picture: (rows, columns, 3) in colours; (rows, columns) in grey if its elements
/// are bytes, else by a colour map.
template <class A>
void show_image(const A& array) {
    char name[] = "/tmp/gpu-notebook-XXXXXX.png";
    const int file = ::mkstemps(name, 4);
    if (file == -1) throw ::gpu::Error("show_image: no file could be made in /tmp");
    ::close(file);
    const auto values = array.eval();
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(::gpu::to_host(values)[0])>, std::uint8_t>)
        ::gpu::image::save(name, values);
    else if (values.shape().rank() == 2)
        ::gpu::image::save(name, ::gpu::image::heatmap(values));
    else
        ::gpu::image::save(name, values);
    std::ifstream stream(name, std::ios::binary);
    const std::string png{std::istreambuf_iterator<char>(stream), {}};
    std::remove(name);
    display("image/png", png);
}

}  // namespace gpu::notebook
