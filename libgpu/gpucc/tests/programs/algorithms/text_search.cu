// SPDX-License-Identifier: MIT
// Characters on the device: a text is searched, its letters counted and shifted; strings of the host go in and out.
#include <cctype>
#include <cstring>
#include <iostream>
#include <string>

__device__ __host__ inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

__device__ bool begins_with(const char* text, const char* word) {
    for (; *word != '\0'; ++text, ++word)
        if (*text != *word) return false;
    return true;
}

__global__ void find(const char* text, int length, const char* word, int* first, int* times) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length || !begins_with(text + i, word)) return;
    atomicMin(first, i);
    atomicAdd(times, 1);
}

__global__ void shift_letters(char* text, int length, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length || !is_letter(text[i])) return;
    const char base = text[i] >= 'a' ? 'a' : 'A';
    text[i] = char(base + (text[i] - base + by + 26) % 26);
}

int main() {
    const std::string text =
        "Peter Piper picked a peck of pickled peppers; a peck of pickled peppers Peter Piper picked.";
    const char word[] = "pick";
    char *device_text, *device_word;
    int* numbers;
    cudaMalloc(&device_text, text.size() + 1);
    cudaMalloc(&device_word, sizeof(word));
    cudaMalloc(&numbers, 2 * sizeof(int));
    cudaMemcpy(device_text, text.c_str(), text.length() + 1, cudaMemcpyHostToDevice);
    cudaMemcpy(device_word, word, strlen(word) + 1, cudaMemcpyHostToDevice);
    int found[2] = {int(text.size()), 0};
    cudaMemcpy(numbers, found, sizeof found, cudaMemcpyHostToDevice);
    const int blocks = int(text.size() + 31) / 32;
    find<<<blocks, 32>>>(device_text, int(text.size()), device_word, numbers, numbers + 1);
    cudaMemcpy(found, numbers, sizeof found, cudaMemcpyDeviceToHost);
    std::cout << '"' << word << "\" first at " << found[0] << " (" << text.find(word) << "), " << found[1]
              << " times\n";
    std::string coded(text.size(), '?');
    shift_letters<<<blocks, 32>>>(device_text, int(text.size()), 13);
    cudaMemcpy(&coded[0], device_text, coded.size(), cudaMemcpyDeviceToHost);
    std::cout << coded << "\n";
    shift_letters<<<blocks, 32>>>(device_text, int(text.size()), -13);
    cudaMemcpy(&coded[0], device_text, coded.size(), cudaMemcpyDeviceToHost);
    std::cout << (coded == text ? "and back" : "LOST") << std::endl;
    cudaFree(device_text);
    cudaFree(device_word);
    cudaFree(numbers);
}
