// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <array>
#include <cstddef>

#include "cuda/memory/device_memory.hpp"

using gpu::detail::cuda::SmallBlocks;

TEST_CASE("a block serves what is as long as it, and no longer") {
    CHECK(SmallBlocks::length_for(0) == 256);
    CHECK(SmallBlocks::length_for(256) == 256);
    CHECK(SmallBlocks::length_for(257) == 512);
    CHECK(SmallBlocks::length_for(SmallBlocks::max_bytes) == SmallBlocks::max_bytes);

    SmallBlocks blocks;
    std::array<char, 2> memory{};
    CHECK(blocks.take(0).data == nullptr);
    CHECK(blocks.keep(memory.data(), 300));
    CHECK(blocks.take(256).data == nullptr);
    CHECK(blocks.take(513).data == nullptr);
    const SmallBlocks::Block block = blocks.take(512);
    CHECK(block.data == memory.data());
    CHECK(block.bytes == 300);
    CHECK(blocks.take(300).data == nullptr);
}

TEST_CASE("all lengths are kept, up to a limit, until it is closed") {
    SmallBlocks blocks;
    char memory = 0;
    for (std::size_t bytes = 1; bytes <= SmallBlocks::max_bytes; bytes *= 2) CHECK(blocks.keep(&memory, bytes));
    std::size_t kept = 0;
    while (kept < 1000 && blocks.keep(&memory, SmallBlocks::max_bytes)) ++kept;
    CHECK(kept <= SmallBlocks::max_kept / SmallBlocks::max_bytes);
    CHECK(kept > SmallBlocks::max_kept / SmallBlocks::max_bytes / 2);
    CHECK(blocks.drained().size() == kept + 19);
    CHECK(blocks.drained().empty());

    CHECK(blocks.is_open());
    CHECK(blocks.close());
    CHECK_FALSE(blocks.close());
    CHECK_FALSE(blocks.keep(&memory, 1));
}
#endif
