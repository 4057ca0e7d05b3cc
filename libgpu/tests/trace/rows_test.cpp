// SPDX-License-Identifier: MIT
// Maps of tables: rows are drawn as rows, and what isn't drawn by a colour has a legend.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

#include "trace/pictures.hpp"

namespace {

std::vector<std::string> lines_of_map(const gpu::Trace& trace) {
    std::vector<std::string> lines;
    std::istringstream text(trace.to_text(gpu::Picture::map));
    for (std::string line; std::getline(text, line);)
        lines.push_back(line.substr(std::min<std::size_t>(line.size(), 2)));
    return lines;
}

/// The row below the line that begins so.
std::string below(const std::vector<std::string>& lines, const std::string& head, std::size_t by = 1) {
    for (std::size_t k = 0; k + by < lines.size(); ++k)
        if (lines[k].find(head) != std::string::npos) return lines[k + by];
    return "no line " + head;
}

bool has(const std::vector<std::string>& lines, const std::string& text) {
    return below(lines, text, 0).find("no line ") != 0;
}

gpu::Trace transposed(int rows, int columns) {
    static const gpu::RawKernel<void(const float*, float*, int, int)> kernel(R"(
template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[8][width];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    if (row < rows && column < columns) tile[y][x] = a[row * columns + column];
    __syncthreads();
    const int b_row = blockIdx.x * 8 + y, b_column = blockIdx.y * 8 + x;
    if (b_row < columns && b_column < rows) b[b_row * rows + b_column] = tile[x][y];
}
)",
                                                                             "tiled<9>");
    const auto a = gpu::ones<float>({rows, columns});
    auto b = gpu::empty<float>({columns, rows});
    const gpu::Dim3 grid((columns + 7) / 8, (rows + 7) / 8), block(8, 8);
    return gpu::trace([&] { kernel({.grid = grid, .block = block}, a, b, rows, columns); });
}

}  // namespace

TEST_CASE("a table's rows are drawn as rows, a tile's too, whatever its width is called") {
    const gpu::Trace trace = transposed(5, 7);
    const auto lines = lines_of_map(trace);
    CHECK(below(lines, "a read") == "  0   1   2   3   4   5   6 ");
    CHECK(below(lines, "a read", 2) == "  8   9  10  11  12  13  14 ");
    CHECK(below(lines, "b written", 7) == " 48  49  50  51  52 ");
    CHECK(below(lines, "tile (shared) written") == "  0   1   2   3   4   5   6  ..  .. ");
    CHECK(trace.launches.at(0).arrays.back().lengths == std::vector<std::int64_t>{8, 9});
}

TEST_CASE("of a wide table the window's own columns are drawn, and the head says which") {
    const auto lines = lines_of_map(transposed(9, 100));
    CHECK(has(lines, "a read: element → thread; rows 0 to 7 of 9, columns 0 to 7 of 100"));
    CHECK(below(lines, "a read", 3) == " 16  17  18  19  20  21  22  23 ");
    CHECK(has(lines, "b written: element → thread; rows 0 to 7 of 100"));   // its rows are short
    CHECK(below(lines, "b written") == "  0   1   2   3   4   5   6   7  .. ");
    CHECK(has(lines_of_map(transposed(1, 100)), "a read: element → thread; columns 0 to 7 of 100"));
    CHECK(has(lines, " .. accessed by no thread that was recorded"));   // of 26 blocks the first four are
}

TEST_CASE("a map explains the cells without a thread, those that it has") {
    const gpu::Trace some = transposed(9, 16), all = transposed(8, 8);
    const std::string others = "accessed by threads that aren't drawn here", nobody = "accessed by no thread";
    CHECK(has(lines_of_map(some), " -- " + others));
    CHECK(below(lines_of_map(some), "b written") == "  0   1   2   3   4   5   6   7  -- ");
    CHECK(some.svg(gpu::Picture::map).find(others) != std::string::npos);
    CHECK_FALSE(has(lines_of_map(all), others));
    CHECK(has(lines_of_map(all), " .. " + nobody));   // the ninth column of the tile
    CHECK(all.svg(gpu::Picture::map).find(nobody) != std::string::npos);
}

TEST_CASE("numbers of three digits stay within their cells") {
    const gpu::RawKernel<void(float*)> fill(R"(
__global__ void fill(float* y) {
    y[threadIdx.x] = threadIdx.x;
}
)",
                                            "fill");
    auto y = gpu::zeros<float>({256});
    const gpu::Trace trace = gpu::trace([&] { fill({.grid = 1, .block = 256}, y); });
    const std::string svg = trace.svg(gpu::Picture::map, {.first_thread = 96});
    CHECK(svg.find("class=\"c\">99</text>") != std::string::npos);
    CHECK(svg.find("class=\"c\" font-size=\"9\">100</text>") != std::string::npos);
}

TEST_CASE("barriers are counted for the block, and for the threads drawn where these leave early") {
    const gpu::RawKernel<void(float*)> leave(R"(
__global__ void leave(float* y) {
    __syncthreads();
    for (int half = blockDim.x / 2; half > 31; half /= 2) {
        if (threadIdx.x >= half) return;
        __syncthreads();
        y[threadIdx.x] = half;
    }
}
)",
                                             "leave");
    auto y = gpu::zeros<float>({128});
    const gpu::Trace trace = gpu::trace([&] { leave({.grid = 1, .block = 128}, y); });
    const auto title = [&](int first) { return trace.to_text(gpu::Picture::lanes, {.first_thread = first}); };
    CHECK(title(0).find("3 barriers in block (0,0,0)\n") != std::string::npos);
    CHECK(title(64).find("3 barriers in block (0,0,0), 1 of them for the threads drawn here") != std::string::npos);
}
