// SPDX-License-Identifier: MIT
#include <gpu/error.hpp>

#include "array/npy_header.hpp"
#include "fuzz/fuzz_target.hpp"

namespace fuzz {

FUZZ_TARGET(npy_header, std::size_t{1} << 16) {
    using namespace gpu::detail;
    NpyHeader header;
    try {
        header = parse_npy_header(input, "load_npy(x.npy)");
    } catch (const gpu::Error& error) {
        require(std::string_view(error.what()).find("load_npy(x.npy)") != std::string_view::npos,
                "an error that doesn't name the file");
        return;
    }
    require(header.shape.size() >= 0, "a shape without a size");
    const std::string start = npy_start(header);
    require(start.starts_with(npy_magic) && start.size() % 64 == 0, "a start that isn't one");
    const NpyHeader again = parse_npy_header(std::string_view(start).substr(10), "load_npy(x.npy)");
    require(again.dtype == header.dtype && again.shape == header.shape && again.layout == header.layout,
            "what is written isn't what was read");
}

}  // namespace fuzz
