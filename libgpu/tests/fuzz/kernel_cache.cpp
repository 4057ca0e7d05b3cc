// SPDX-License-Identifier: MIT
// A file of the kernel cache: the reader takes it whole or not at all.
#include "fuzz/fuzz_target.hpp"
#include "jit/file_cache.hpp"

namespace fuzz {

using namespace gpu::detail;

FUZZ_TARGET(kernel_cache, std::size_t{1} << 16) {
    static const FileCache cache(scratch_folder() / "cache");
    const CacheKey key = make_cache_key("add", {"text"});
    std::filesystem::create_directories(cache.file_of(key).parent_path());
    write(cache.file_of(key), input);
    if (const auto image = cache.find(key)) {
        // Only what store() writes has the right checksum.
        cache.store(key, *image);
        const auto again = cache.find(key);
        require(again && again->bytes == image->bytes && again->entries == image->entries, "what is kept isn't found");
    }
    Image image;
    image.entries = {"add"};
    const auto* const bytes = reinterpret_cast<const std::byte*>(input.data());
    image.bytes.assign(bytes, bytes + input.size());
    cache.store(key, image);
    const auto found = cache.find(key);
    require(found && found->bytes == image.bytes && found->entries == image.entries, "what is stored isn't found");
}

}  // namespace fuzz
