// SPDX-License-Identifier: MIT
// Base classes on the device: static polymorphism, virtual functions of objects that the kernel makes, mix-ins.
#include <cstdio>

template <class Derived>
struct ShapeBase {
    __host__ __device__ int twice_area() const { return 2 * static_cast<const Derived*>(this)->area(); }
};
struct Square : public ShapeBase<Square> {
    int side;
    __host__ __device__ explicit Square(int s) : side(s) {}
    __host__ __device__ int area() const { return side * side; }
};
struct Rectangle : ShapeBase<Rectangle> {
    int width = 1, height = 1;
    __host__ __device__ Rectangle(int w, int h) : width(w), height(h) {}
    __host__ __device__ int area() const { return width * height; }
};

class Animal {
public:
    __device__ virtual int legs() const { return 4; }
    __device__ virtual int noise(int times) const = 0;
    __device__ int total(int n) const { return legs() * n + noise(n); }
};
class Bird : public Animal {
public:
    __device__ int legs() const override { return 2; }
    __device__ int noise(int times) const override { return 1000 * times; }
};
class Dog final : public Animal {
    int loudness_;

public:
    __device__ explicit Dog(int loudness) : Animal(), loudness_(loudness) {}
    __device__ int noise(int times) const override { return loudness_ * times; }
};

struct Counter {
    int count = 0;
    __host__ __device__ void tick() { ++count; }
};
struct Limited : private Counter {
    using Counter::tick;
    int limit = 3;
    __host__ __device__ bool is_full() const { return count >= limit; }
};

template <class Shape>
__global__ void areas(Shape shape, int* out) {
    *out = shape.twice_area();
}
__global__ void animals(int* out) {
    const Bird bird;
    const Dog dog(threadIdx.x == 0 ? 7 : 9);
    const Animal* const all[2] = {&bird, &dog};
    out[threadIdx.x] = all[0]->total(3) + all[1]->total(2);
    Limited limited;
    while (!limited.is_full()) limited.tick();
    out[threadIdx.x] += 100000 * limited.limit;
}

int main() {
    int *device, host[2];
    cudaMalloc(&device, sizeof host);
    areas<<<1, 1>>>(Square(5), device);
    areas<Rectangle><<<1, 1>>>({3, 4}, device + 1);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d (%d)\n", host[0], host[1], Square(5).twice_area());
    animals<<<1, 2>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);
    cudaFree(device);
    return 0;
}
