// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <vector>

#include <gpucc/thrust/algorithms.h>

namespace thrust {

template <class T>
class device_vector;

/// A vector in host memory, which device_vector converts to.
template <class T>
class host_vector : public std::vector<T> {
public:
    using std::vector<T>::vector;
    host_vector(const std::vector<T>& other) : std::vector<T>(other) {}
    template <class U>
    host_vector(const device_vector<U>& other) {
        *this = other;
    }
    template <class U>
    host_vector& operator=(const device_vector<U>& other) {
        this->resize(other.size());
        thrust::copy(other.begin(), other.end(), this->begin());
        return *this;
    }
};

/// A vector in device memory.
template <class T>
class device_vector {
public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<const T>;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using pointer = device_ptr<T>;
    using const_pointer = device_ptr<const T>;
    using reference = device_reference<T>;
    using const_reference = device_reference<const T>;

    device_vector() = default;
    explicit device_vector(std::size_t size, const T& value = T()) { resize(size, value); }
    device_vector(std::initializer_list<T> values) : device_vector(values.begin(), values.end()) {}
    device_vector(const device_vector& other) : device_vector(other.begin(), other.end()) {}
    device_vector(device_vector&& other) noexcept { swap(other); }
    template <class U>
    device_vector(const std::vector<U>& other) : device_vector(other.begin(), other.end()) {}
    template <class U>
    explicit device_vector(const device_vector<U>& other) : device_vector(other.begin(), other.end()) {}
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    device_vector(I first, I last) {
        assign(first, last);
    }
    ~device_vector() {
        if (memory_ != nullptr) cudaFree((void*)memory_);
    }
    device_vector& operator=(const device_vector& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    device_vector& operator=(device_vector&& other) noexcept {
        swap(other);
        return *this;
    }
    template <class U>
    device_vector& operator=(const std::vector<U>& other) {
        assign(other.begin(), other.end());
        return *this;
    }
    template <class U>
    device_vector& operator=(const device_vector<U>& other) {
        assign(other.begin(), other.end());
        return *this;
    }
    void swap(device_vector& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    void assign(I first, I last) {
        device_vector made;
        made.reserve(static_cast<std::size_t>(std::distance(first, last)));
        made.size_ = made.capacity_;
        thrust::copy(first, last, made.begin());
        swap(made);
    }
    void assign(std::size_t size, const T& value) {
        clear();
        resize(size, value);
    }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    iterator begin() { return iterator(memory_); }
    iterator end() { return iterator(memory_ + size_); }
    const_iterator begin() const { return const_iterator(memory_); }
    const_iterator end() const { return const_iterator(memory_ + size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    pointer data() { return begin(); }
    const_pointer data() const { return begin(); }
    reference operator[](std::size_t k) { return reference(memory_ + k); }
    const_reference operator[](std::size_t k) const { return const_reference(memory_ + k); }
    reference front() { return (*this)[0]; }
    reference back() { return (*this)[size_ - 1]; }
    const_reference front() const { return (*this)[0]; }
    const_reference back() const { return (*this)[size_ - 1]; }
    void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        T* memory = nullptr;
        if (cudaMalloc(&memory, capacity * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        if (size_ > 0) thrust::copy(begin(), end(), iterator(memory));
        if (memory_ != nullptr) cudaFree((void*)memory_);
        memory_ = memory;
        capacity_ = capacity;
    }
    void shrink_to_fit() {
        if (size_ < capacity_) device_vector(begin(), end()).swap(*this);
    }
    void resize(std::size_t size, const T& value = T()) {
        reserve(size);
        const std::size_t kept = size_;
        size_ = size;
        if (size > kept) thrust::fill(begin() + std::ptrdiff_t(kept), end(), value);
    }
    void push_back(const T& value) {
        if (size_ == capacity_) reserve(size_ * 2 + 1);
        resize(size_ + 1, value);
    }
    void pop_back() { --size_; }
    void clear() { size_ = 0; }
    iterator erase(iterator first, iterator last) {
        const std::ptrdiff_t at = first - begin();
        thrust::copy(last, end(), first);
        size_ -= static_cast<std::size_t>(last - first);
        return begin() + at;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    void insert(iterator at, I first, I last) {
        std::vector<T> all(size_);
        const std::ptrdiff_t place = at - begin();
        thrust::copy(begin(), end(), all.begin());
        std::vector<T> more(static_cast<std::size_t>(std::distance(first, last)));
        thrust::copy(first, last, more.begin());
        all.insert(all.begin() + place, more.begin(), more.end());
        *this = all;
    }
    iterator insert(iterator at, const T& value) {
        const std::ptrdiff_t place = at - begin();
        insert(at, &value, &value + 1);
        return begin() + place;
    }
    friend bool operator==(const device_vector& a, const device_vector& b) {
        return a.size_ == b.size_ && thrust::equal(a.begin(), a.end(), b.begin());
    }
    friend bool operator!=(const device_vector& a, const device_vector& b) { return !(a == b); }
    friend void swap(device_vector& a, device_vector& b) noexcept { a.swap(b); }

private:
    T* memory_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};
template <class T>
bool operator==(const device_vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
}
template <class T>
bool operator==(const std::vector<T>& a, const device_vector<T>& b) {
    return b == a;
}

}  // namespace thrust
