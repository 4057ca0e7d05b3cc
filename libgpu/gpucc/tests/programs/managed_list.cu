// SPDX-License-Identifier: MIT
// Managed memory: a list that the host builds and a kernel walks along; classes that allocate themselves there.
#include <cstdio>
#include <new>
#include <string>

struct Managed {
    void* operator new(size_t bytes) {
        void* memory = nullptr;
        cudaMallocManaged(&memory, bytes);
        cudaDeviceSynchronize();
        return memory;
    }
    void operator delete(void* memory) {
        cudaDeviceSynchronize();
        cudaFree(memory);
    }
};

class Node : public Managed {
public:
    Node(int value, Node* next) : value_(value), next_(next) {}
    __host__ __device__ int value() const { return value_; }
    __host__ __device__ Node* next() const { return next_; }
    __device__ void grow(int by) { value_ += by; }
    std::string name() const { return "node " + std::to_string(value_); }

private:
    int value_;
    Node* next_;
};

__managed__ int visits = 5;
__managed__ float table[4] = {1.5f, 2.5f};

__global__ void walk(Node* first, int* sum) {
    for (Node* node = first; node != nullptr; node = node->next()) {
        *sum += node->value();
        node->grow(100);
        ++visits;
    }
    table[2] = table[0] + table[1];
}

int main() {
    Node* first = nullptr;
    for (int i = 1; i <= 5; ++i) first = new Node(i * i, first);
    int* sum = nullptr;
    cudaMallocManaged(&sum, sizeof(int));
    *sum = 1000;
    visits += 10;
    walk<<<1, 1>>>(first, sum);
    cudaDeviceSynchronize();
    printf("sum %d, %d visits, table %.1f\n", *sum, visits, table[2]);
    for (const Node* node = first; node != nullptr; node = node->next()) printf("%s\n", node->name().c_str());
    while (first != nullptr) {
        Node* next = first->next();
        delete first;
        first = next;
    }
    cudaFree(sum);
    return 0;
}
