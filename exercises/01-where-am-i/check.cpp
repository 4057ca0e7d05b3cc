// SPDX-License-Identifier: MIT

// What exercise 1 is checked for. What the predictions are compared with stands in no file: each time the grader draws
// other launches, runs them (shown::launch in bind.cpp), and looks at what their threads have written.

#include <course/check.hpp>

GRADER_TASK(where_am_i, "run") {
    for (int round = 0; round < 6; ++round) {
        // Small ones first: their pictures show every thread.
        const int grid = draw.between(2, round < 3 ? 4 : 40);
        const int block = round < 3 ? draw.between(5, 16) : 32 * draw.between(1, 8) + round;
        Vector<int> blocks(grid * block), threads(grid * block);
        for (int i = 0; i < grid * block; ++i) {
            blocks[i] = i / block;
            threads[i] = i % block;
        }
        const std::string shape = std::to_string(grid) + " blocks of " + std::to_string(block) + " threads";
        next_case(shape);
        call("who_am_i", grid, block)
            .returns(blocks, threads)
            .satisfies("the kernel ran in " + shape, [&](const Vector<int>& block_of, const Vector<int>& thread_of) {
                return block_of.maxCoeff() + 1 == grid && thread_of.maxCoeff() + 1 == block;
            });
    }
}

GRADER_TASK(where_am_i, "predict") {
    predictions(10);
    for (int round = 0; round < 4; ++round) {
        // Odd but for one: then blocks 1 to 31 don't start at a multiple of 32 of the grid's threads, and i % 32 isn't
        // the lane.
        const int block = 32 * draw.between(2, 8) + (round == 3 ? 0 : 2 * draw.between(0, 15) + 1);
        // Once the last block is full, and once it has a single element.
        const int rest = round == 1 ? 0 : round == 2 ? 1 : draw.between(1, block - 1);
        const int n = block * draw.between(3, 20) + rest;
        const int i = draw.between(block, n - 1);
        const auto [block_of, thread_of, lane_of, has_element] =
            given<Vector<int>, Vector<int>, Vector<int>, Vector<int>>("launch", n, block);
        next_case("n = " + std::to_string(n) + ", block = " + std::to_string(block) + ", i = " + std::to_string(i));
        call("predict_numbers", n, block, i)
            .predicts({{"blocks in the grid", block_of.maxCoeff() + 1.0},
                       {"threads that start", static_cast<double>(block_of.size())},
                       {"idle threads", static_cast<double>((has_element == 0).count())},
                       {"block of element i", static_cast<double>(block_of[i])},
                       {"thread of element i", static_cast<double>(thread_of[i])},
                       {"lane of element i", static_cast<double>(lane_of[i])}});
    }
    const auto [places] = given<Vector<int>>("places");
    const char* const things[] = {"elements of x", "elements of d",   "value of total",
                                  "value of number", "body of add_one", "body of the lambda"};
    for (int thing = 0; thing < places.size(); ++thing) {
        next_case(things[thing]);
        call("predict_place", thing)
            .predicts({{things[thing], static_cast<double>(places[thing]), {"none", "the host", "the device"}}});
    }
}
