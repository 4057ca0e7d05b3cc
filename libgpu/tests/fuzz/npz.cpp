// SPDX-License-Identifier: MIT
#include <cstring>

#include <gpu/error.hpp>

#include "array/npy_header.hpp"
#include "array/zip_archive.hpp"
#include "fuzz/fuzz_target.hpp"

namespace fuzz {

FUZZ_TARGET(npz, std::size_t{1} << 16) {
    using namespace gpu::detail;
    const std::string where = "load_npz(x.npz)";
    const ZipSource source{.size = input.size(), .read = [&](std::uint64_t at, void* to, std::size_t bytes) {
                               require(at <= input.size() && bytes <= input.size() - at, "a read beyond the end");
                               if (bytes > 0) std::memcpy(to, input.data() + at, bytes);
                           }};
    try {
        for (const ZipMember& member : zip_members(source, where)) {
            const ZipContent content = zip_content(source, member, where);
            require(content.size == member.size, "a member of another size");
            const std::string_view bytes(reinterpret_cast<const char*>(content.bytes.get()), content.size);
            if (bytes.starts_with(npy_magic) && bytes.size() > 10) (void)parse_npy_header(bytes.substr(10), where);
        }
    } catch (const gpu::Error& error) {
        require(std::string_view(error.what()).find(where) != std::string_view::npos,
                "an error that doesn't name the file");
    }
}

}  // namespace fuzz
