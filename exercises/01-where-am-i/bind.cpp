// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>

#include "exercise.hpp"

COURSE_BIND(who_am_i)

// Predictions go to the grader as numbers; one that isn't made is no number.
namespace predictions {

double number(int value, int none) { return value == none ? std::numeric_limits<double>::quiet_NaN() : value; }

std::vector<double> predict_numbers(int n, int block, int i) {
    const Numbers made = ::predict_numbers(n, block, i);
    std::vector<double> numbers;
    for (int value : {made.blocks, made.threads, made.idle_threads, made.block_of_i, made.thread_of_i, made.lane_of_i})
        numbers.push_back(number(value, Numbers::none));
    return numbers;
}

double predict_place(int thing) {
    return number(static_cast<int>(::predict_place(static_cast<Thing>(thing))), static_cast<int>(Place::none));
}

}  // namespace predictions

COURSE_BIND(predictions::predict_numbers)
COURSE_BIND(predictions::predict_place)

// What a run shows: the grader compares the predictions with it.
namespace shown {

/// What all threads of such a launch say of themselves: block, number, lane, and whether there is an element for them.
std::tuple<std::vector<int>, std::vector<int>, std::vector<int>, std::vector<int>> launch(int n, int block) {
    static const gpu::RawKernel<void(int*, int*, int*, int*, int)> kernel(R"(
        __global__ void say(int* block, int* thread, int* lane, int* has_element, int n) {
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            block[i] = blockIdx.x;
            thread[i] = threadIdx.x;
            has_element[i] = i < n;
            const int in_warp = blockDim.x - threadIdx.x / warpSize * warpSize;   // fewer than 32 in a block's last
            const unsigned members = in_warp < warpSize ? (1u << in_warp) - 1 : 0xffffffff;
            lane[i] = 0;   // of so many neighbours below it a thread of a warp can get a value
            for (int below = 1; below < warpSize; ++below) {
                const int number = threadIdx.x;
                lane[i] += __shfl_up_sync(members, number, below) != number;
            }
        })", "say");
    int grid = 1;
    while (grid * block < n) ++grid;
    const gpu::Shape threads{grid * block};
    auto blocks = gpu::empty<int>(threads), numbers = gpu::empty<int>(threads), lanes = gpu::empty<int>(threads),
         elements = gpu::empty<int>(threads);
    kernel({.grid = grid, .block = block}, blocks, numbers, lanes, elements, n);
    return {gpu::to_host(blocks), gpu::to_host(numbers), gpu::to_host(lanes), gpu::to_host(elements)};
}

/// By its type: what goes to a student's function as an array on the device lives there.
template <class T>
Place lives(const T&) {
    const bool on_device = course::binding::Value<T>::type.place == course::binding::Place::device_array;
    return on_device ? Place::device : Place::host;
}

/// Where each Thing is. A kernel's compiler defines __CUDA_ARCH__, the host's doesn't.
std::vector<int> places() {
    static const gpu::RawKernel<void(float*, int*)> add_one(R"(
        __global__ void add_one(float* d, int* compiled_for_device) {
            d[threadIdx.x] += 1;
        #ifdef __CUDA_ARCH__
            *compiled_for_device = 1;
        #endif
        })", "add_one");
    std::vector<float> x(1);
    auto d = gpu::to_device(x);
    auto total = gpu::sum(d);
    float number = total.item();
    auto compiled_for_device = gpu::zeros<int>({});
    add_one({.grid = 1, .block = 1}, d, compiled_for_device);
    const Place body = compiled_for_device.item() == 1 ? Place::device : Place::host;
    Place lambda = Place::none;
    std::for_each(x.begin(), x.end(), [&](float& v) {
        v += 1;
#ifdef __CUDA_ARCH__
        lambda = Place::device;
#else
        lambda = Place::host;
#endif
    });
    std::vector<int> places;
    for (const Place place : {lives(x), lives(d), lives(total), lives(number), body, lambda})
        places.push_back(static_cast<int>(place));
    return places;
}

}  // namespace shown

COURSE_BIND(shown::launch)
COURSE_BIND(shown::places)
