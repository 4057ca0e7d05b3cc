// SPDX-License-Identifier: MIT
// Grids whose cells depend on their neighbours, and dynamic programming.
#include <algorithm>
#include <array>
#include <cmath>

#include "program.hpp"

namespace programs {

namespace {

using Grid = std::vector<double>;
using Pair = std::pair<int, int>;

Grid as_doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }
int clamped(int k, int n) { return std::clamp(k, 0, n - 1); }

void jacobi(Run& run) {
    const auto step = run.kernel<void(const float*, float*, int, int)>("step");
    for (const auto& [width, height] : {Pair{3, 3}, {17, 15}, {37, 21}}) {
        const std::vector<float> first = random_floats(at(height, width, 0), 1);
        Grid want = as_doubles(first);
        auto now = gpu::to_device(first), next = gpu::empty<float>({width * height});
        for (int round = 0; round < 4; ++round) {
            step({.grid = {blocks(width, 16), blocks(height, 16)}, .block = {16, 16}}, now, next, width, height);
            std::swap(now, next);
            const Grid old = want;
            for (int y = 1; y < height - 1; ++y)
                for (int x = 1; x < width - 1; ++x)
                    want[at(y, width, x)] = 0.25 * (old[at(y - 1, width, x)] + old[at(y + 1, width, x)] +
                                                    old[at(y, width, x - 1)] + old[at(y, width, x + 1)]);
        }
        run.close("t", now, want, 16);
    }
}

void hotspot(Run& run) {
    const auto two_steps = run.kernel<void(const float*, const float*, float*, int, int)>("two_steps");
    for (const auto& [width, height] : {Pair{1, 1}, {12, 13}, {31, 25}}) {
        const std::vector<float> first = random_floats(at(height, width, 0), 2), power = random_floats(first.size(), 3);
        Grid want = as_doubles(first);
        auto now = gpu::to_device(first), next = gpu::empty<float>({width * height});
        for (int round = 0; round < 2; ++round) {
            two_steps({.grid = {blocks(width, 12), blocks(height, 12)}, .block = {16, 16}}, now, gpu::to_device(power),
                      next, width, height);
            std::swap(now, next);
        }
        for (int round = 0; round < 4; ++round) {
            const Grid old = want;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const double around =
                        old[at(clamped(y - 1, height), width, x)] + old[at(clamped(y + 1, height), width, x)] +
                        old[at(y, width, clamped(x - 1, width))] + old[at(y, width, clamped(x + 1, width))];
                    const std::size_t k = at(y, width, x);
                    want[k] = old[k] + 0.125 * (around - 4 * old[k]) + power[k];
                }
            }
        }
        run.close("t", now, want, 32);
    }
}

void diffusion(Run& run) {
    const auto conductivities = run.kernel<void(const float*, float*, int, int, float)>("conductivities");
    const auto diffuse = run.kernel<void(const float*, const float*, float*, int, int, float)>("diffuse");
    for (const auto& [width, height] : {Pair{1, 5}, {33, 9}, {20, 31}}) {
        const std::vector<float> first = random_floats(at(height, width, 0), 4);
        Grid want = as_doubles(first), c(first.size());
        const auto look = [w = width, h = height](const Grid& grid, int x, int y) {
            return grid[at(clamped(y, h), w, clamped(x, w))];
        };
        const gpu::LaunchConfig config{.grid = {blocks(width, 16), blocks(height, 8)}, .block = {16, 8}};
        auto image = gpu::to_device(first), next = gpu::empty<float>({width * height});
        auto device_c = gpu::empty<float>({width * height});
        for (int round = 0; round < 3; ++round) {
            conductivities(config, image, device_c, width, height, 2.0F);
            diffuse(config, image, device_c, next, width, height, 0.125F);
            std::swap(image, next);
            const Grid old = want;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    double gradient = 0;
                    for (const auto& [u, v] : {Pair{x, y - 1}, {x, y + 1}, {x - 1, y}, {x + 1, y}})
                        gradient += std::pow(look(old, u, v) - look(old, x, y), 2);
                    c[at(y, width, x)] = 1 / (1 + 2 * gradient);
                }
            }
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    for (const auto& [u, v, s, t] :
                         {std::array{x, y - 1, x, y}, {x - 1, y, x, y}, {x, y + 1, x, y + 1}, {x + 1, y, x + 1, y}})
                        want[at(y, width, x)] += 0.125 * look(c, s, t) * (look(old, u, v) - look(old, x, y));
        }
        run.close("image", image, want, 64);
    }
}

void game_of_life(Run& run) {
    const auto step = run.kernel<void(const std::uint8_t*, std::uint8_t*, int, int)>("step");
    for (const auto& [width, height] : {Pair{3, 4}, {9, 17}, {31, 23}}) {
        const std::vector<int> first = random_ints(at(height, width, 0), 5, 2);
        std::vector<std::uint8_t> want(first.begin(), first.end());
        auto now = gpu::to_device(want), next = gpu::empty<std::uint8_t>({width * height});
        for (int round = 0; round < 5; ++round) {
            step({.grid = {blocks(width, 8), blocks(height, 8)}, .block = {8, 8}}, now, next, width, height);
            std::swap(now, next);
            const std::vector<std::uint8_t> old = want;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    int around = 0;
                    for (int k = 0; k < 9; ++k)
                        around +=
                            k == 4 ? 0
                                   : old[at((y + k / 3 - 1 + height) % height, width, (x + k % 3 - 1 + width) % width)];
                    want[at(y, width, x)] = around == 3 || (around == 2 && old[at(y, width, x)] != 0) ? 1 : 0;
                }
            }
        }
        run.equal("cells", now, want);
    }
}

void fdtd(Run& run) {
    const auto magnetic_step = run.kernel<void(const float*, float*, float*, int, int)>("magnetic_step");
    const auto electric_step = run.kernel<void(float*, const float*, const float*, int, int)>("electric_step");
    for (const auto& [width, height] : {Pair{5, 3}, {33, 18}}) {
        const std::vector<float> first = random_floats(at(height, width, 0), 6);
        Grid e = as_doubles(first), hx(e.size()), hy(e.size());
        auto ez = gpu::to_device(first), device_hx = gpu::zeros<float>({width * height});
        auto device_hy = gpu::zeros<float>({width * height});
        const gpu::LaunchConfig config{.grid = {blocks(width, 16), blocks(height, 8)}, .block = {16, 8}};
        for (int round = 0; round < 4; ++round) {
            magnetic_step(config, ez, device_hx, device_hy, width, height);
            electric_step(config, ez, device_hx, device_hy, width, height);
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const std::size_t k = at(y, width, x);
                    if (y + 1 < height) hx[k] -= 0.5 * (e[k + length(width)] - e[k]);
                    if (x + 1 < width) hy[k] += 0.5 * (e[k + 1] - e[k]);
                }
            }
            for (int y = 1; y < height - 1; ++y) {
                for (int x = 1; x < width - 1; ++x) {
                    const std::size_t k = at(y, width, x);
                    e[k] += 0.5 * (hy[k] - hy[k - 1] - hx[k] + hx[k - length(width)]);
                }
            }
        }
        run.close("ez", ez, e, 64);
        run.close("hx", device_hx, hx, 64);
        run.close("hy", device_hy, hy, 64);
    }
}

void pathfinder(Run& run) {
    const auto advance = run.kernel<void(const int*, const int*, int*, int, int, int)>("advance");
    for (const auto& [columns, rows] : {Pair{1, 4}, {54, 6}, {201, 13}}) {
        const std::vector<int> host_costs = random_ints(at(rows, columns, 0), 7, 100);
        const auto costs = gpu::to_device(host_costs);
        std::vector<int> want(host_costs.begin(), host_costs.begin() + columns);
        auto now = gpu::to_device(want), next = gpu::empty<int>({columns});
        for (int row = 1; row < rows; row += 5) {
            advance({.grid = blocks(columns, 54), .block = 64}, costs, now, next, columns, row,
                    std::min(5, rows - row));
            std::swap(now, next);
        }
        for (int row = 1; row < rows; ++row) {
            const std::vector<int> old = want;
            for (int x = 0; x < columns; ++x)
                want[length(x)] =
                    host_costs[at(row, columns, x)] + std::min({old[length(x)], old[length(clamped(x - 1, columns))],
                                                                old[length(clamped(x + 1, columns))]});
        }
        run.equal("best", now, want);
    }
}

void needleman_wunsch(Run& run) {
    const auto align = run.kernel<void(const int*, const int*, int*, int, int, int, int)>("align");
    for (const auto& [rows, columns] : {Pair{1, 1}, {8, 9}, {29, 43}}) {
        const std::vector<int> a = random_ints(length(rows), 8, 4), b = random_ints(length(columns), 9, 4);
        const int width = columns + 1;
        std::vector<int> want(at(rows + 1, width, 0));
        for (int r = 0; r <= rows; ++r) want[at(r, width, 0)] = -r;
        for (int c = 0; c <= columns; ++c) want[length(c)] = -c;
        auto scores = gpu::to_device(want);
        const auto device_a = gpu::to_device(a), device_b = gpu::to_device(b);
        const int tile_rows = blocks(rows, 8), tile_columns = blocks(columns, 8);
        for (int diagonal = 0; diagonal < tile_rows + tile_columns - 1; ++diagonal) {
            const int first = std::max(0, diagonal - tile_columns + 1), last = std::min(diagonal, tile_rows - 1);
            align({.grid = last - first + 1, .block = 8}, device_a, device_b, scores, rows, columns, diagonal, first);
        }
        for (int r = 1; r <= rows; ++r)
            for (int c = 1; c <= columns; ++c)
                want[at(r, width, c)] =
                    std::max({want[at(r - 1, width, c - 1)] + (a[length(r - 1)] == b[length(c - 1)] ? 3 : -2),
                              want[at(r - 1, width, c)] - 1, want[at(r, width, c - 1)] - 1});
        run.equal("scores", scores, want);
    }
}

}  // namespace

std::vector<Program> stencil_programs() {
    return {{"stencil/jacobi.cu", jacobi},
            {"stencil/hotspot.cu", hotspot},
            {"stencil/diffusion.cu", diffusion},
            {"stencil/game_of_life.cu", game_of_life},
            {"stencil/fdtd.cu", fdtd},
            {"stencil/pathfinder.cu", pathfinder},
            {"stencil/needleman_wunsch.cu", needleman_wunsch}};
}

}  // namespace programs
