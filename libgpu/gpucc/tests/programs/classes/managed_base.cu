// SPDX-License-Identifier: MIT
// Classes in managed memory by a base class's operator new: a string, an array of them, one linked to the next.
#include <cstdio>
#include <cstring>
#include <new>

class Managed {
public:
    void* operator new(size_t size) {
        void* p;
        if (cudaMallocManaged(&p, size) != cudaSuccess) throw std::bad_alloc();
        cudaDeviceSynchronize();
        return p;
    }
    void operator delete(void* p) {
        cudaDeviceSynchronize();
        cudaFree(p);
    }
};

class String : public Managed {
    int length_ = 0;
    char* data_ = nullptr;

    void assign(const char* text) {
        length_ = int(strlen(text));
        cudaFree(data_);
        cudaMallocManaged(&data_, length_ + 1);
        memcpy(data_, text, length_ + 1);
    }

public:
    String() {}
    String(const char* text) { assign(text); }
    String(const String& other) : Managed() { assign(other.data_); }
    ~String() { cudaFree(data_); }
    String& operator=(const char* text) {
        assign(text);
        return *this;
    }
    __host__ __device__ int size() const { return length_; }
    __host__ __device__ char& operator[](int i) { return data_[i]; }
    const char* c_str() const { return data_; }
};

struct Element : public Managed {
    String name;
    int value = 0;
    Element* next = nullptr;
};

__global__ void change(Element* e) {
    e->name[0] = char(e->name[0] - 'a' + 'A');
    e->value = e->value * 2 + 1;
}
__global__ void total(const Element* first, int* result) {
    int sum = 0;
    for (const Element* e = first; e != nullptr; e = e->next) sum += e->value * e->name.size();
    *result = sum;
}
__managed__ int answer = -1;
__device__ __managed__ int table[4] = {1, 2, 3, 4};
__global__ void from_table(int by) { table[threadIdx.x] *= by; }

int main() {
    Element* first = nullptr;
    const char* const names[] = {"one", "second", "the third"};
    for (int k = 0; k < 3; ++k) {
        Element* e = new Element;
        e->name = names[k];
        e->value = 10 * (k + 1);
        e->next = first;
        first = e;
    }
    for (Element* e = first; e; e = e->next) change<<<1, 1>>>(e);
    total<<<1, 1>>>(first, &answer);
    cudaDeviceSynchronize();
    from_table<<<1, 4>>>(answer % 10);
    cudaDeviceSynchronize();
    for (Element* e = first; e; e = e->next) printf("%s %d\n", e->name.c_str(), e->value);
    printf("total %d, table %d %d %d %d\n", answer, table[0], table[1], table[2], table[3]);
    while (first != nullptr) {
        Element* const next = first->next;
        delete first;
        first = next;
    }
    return 0;
}
