// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>
#include <gpucc/device_words.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// The part of Thrust that learners meet first. Algorithms run in the calling thread, over the device's memory where it
// lies, after all work that was queued before: functors are called by host code, also those marked __device__ alone.

namespace gpucc {

/// While it lives, host code may use device memory in place. Waits for the device first. @throws std::runtime_error
class GPUCC_API DeviceAccess {
public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;

private:
    void* scope_;
};
/// An algorithm has written to the allocation around this address.
GPUCC_API void written_in_place(const void* address);

}  // namespace gpucc

namespace thrust {

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tuple;

template <class T>
class device_ptr;

/// An element in device memory: reading and writing it copies.
template <class T>
class device_reference {
public:
    explicit device_reference(T* at) : at_(at) {}
    operator T() const {
        std::remove_const_t<T> value;
        if (cudaMemcpy(&value, at_, sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
            throw std::runtime_error("thrust: the element can't be read");
        return value;
    }
    device_reference& operator=(const T& value) {
        if (cudaMemcpy(at_, &value, sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
            throw std::runtime_error("thrust: the element can't be written");
        return *this;
    }
    device_ptr<T> operator&() const { return device_ptr<T>(at_); }
    device_reference& operator=(const device_reference& other) { return *this = static_cast<T>(other); }
    device_reference(const device_reference&) = default;
    device_reference& operator+=(const T& by) { return *this = static_cast<T>(*this) + by; }

private:
    T* at_;
};

/// A pointer into device memory, and the iterator of device_vector.
template <class T>
class device_ptr {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = device_ptr;
    using reference = device_reference<T>;

    device_ptr() = default;
    explicit device_ptr(T* at) : at_(at) {}
    operator device_ptr<const T>() const { return device_ptr<const T>(at_); }
    T* get() const { return at_; }
    reference operator*() const { return reference(at_); }
    reference operator[](difference_type n) const { return reference(at_ + n); }
    device_ptr& operator++() { return *this += 1; }
    device_ptr& operator--() { return *this += -1; }
    device_ptr operator++(int) { return device_ptr(at_++); }
    device_ptr& operator+=(difference_type n) {
        at_ += n;
        return *this;
    }
    friend device_ptr operator+(device_ptr p, difference_type n) { return device_ptr(p.at_ + n); }
    friend device_ptr operator-(device_ptr p, difference_type n) { return device_ptr(p.at_ - n); }
    friend difference_type operator-(device_ptr a, device_ptr b) { return a.at_ - b.at_; }
    friend bool operator==(device_ptr a, device_ptr b) { return a.at_ == b.at_; }
    friend bool operator!=(device_ptr a, device_ptr b) { return a.at_ != b.at_; }
    friend bool operator<(device_ptr a, device_ptr b) { return a.at_ < b.at_; }

private:
    T* at_ = nullptr;
};
template <class T>
device_ptr<T> device_pointer_cast(T* p) {
    return device_ptr<T>(p);
}
template <class T>
T* raw_pointer_cast(device_ptr<T> p) {
    return p.get();
}
template <class T>
T* raw_pointer_cast(T* p) {
    return p;
}

/// Counts up without memory.
template <class T>
class counting_iterator {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = T;

    explicit counting_iterator(T value = T()) : value_(value) {}
    T operator*() const { return value_; }
    T operator[](difference_type n) const { return value_ + T(n); }
    counting_iterator& operator++() {
        ++value_;
        return *this;
    }
    counting_iterator& operator+=(difference_type n) {
        value_ += T(n);
        return *this;
    }
    friend counting_iterator operator+(counting_iterator c, difference_type n) { return c += n; }
    friend difference_type operator-(counting_iterator a, counting_iterator b) {
        return difference_type(a.value_) - difference_type(b.value_);
    }
    friend bool operator==(counting_iterator a, counting_iterator b) { return a.value_ == b.value_; }
    friend bool operator!=(counting_iterator a, counting_iterator b) { return a.value_ != b.value_; }

private:
    T value_;
};
template <class T>
counting_iterator<T> make_counting_iterator(T value) {
    return counting_iterator<T>(value);
}

/// Where an algorithm runs: device and host are the same here.
struct execution_policy {
    execution_policy on(cudaStream_t) const { return {}; }
};
inline constexpr execution_policy device{}, host{}, seq{};
namespace cuda {
inline constexpr execution_policy par{}, par_nosync{};
}

template <class T = void>
using plus = std::plus<T>;
template <class T = void>
using minus = std::minus<T>;
template <class T = void>
using multiplies = std::multiplies<T>;
template <class T = void>
using divides = std::divides<T>;
template <class T = void>
using modulus = std::modulus<T>;
template <class T = void>
using negate = std::negate<T>;
template <class T = void>
using less = std::less<T>;
template <class T = void>
using greater = std::greater<T>;
template <class T = void>
using equal_to = std::equal_to<T>;
template <class T>
struct maximum {
    T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T>
struct minimum {
    T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T>
struct square {
    T operator()(const T& x) const { return x * x; }
};
template <class T>
struct identity {
    const T& operator()(const T& x) const { return x; }
};

/// Iterators as algorithms of the host use them: the device's are plain pointers.
template <class I>
I plain(I at) {
    return at;
}
template <class T>
T* plain(device_ptr<T> at) {
    return at.get();
}
template <class T>
void note_written(T* at) {
    gpucc::written_in_place(at);
}
template <class I>
void note_written(I) {}

#define GPUCC_THRUST_POLICY(name)                           \
    template <class... A>                                   \
    auto name(const execution_policy&, A&&... arguments) {  \
        return thrust::name(std::forward<A>(arguments)...); \
    }

// `result` is an iterator of the host's algorithm; the caller's has gone as far.
template <class I, class P>
I advanced(I first, P from, P to) {
    return first + (to - from);
}

template <class I, class O>
O copy(I first, I last, O out) {
    const gpucc::DeviceAccess access;
    const auto to = std::copy(plain(first), plain(last), plain(out));
    note_written(plain(out));
    return advanced(out, plain(out), to);
}
GPUCC_THRUST_POLICY(copy)
template <class I, class O, class F>
O copy_if(I first, I last, O out, F f) {
    const gpucc::DeviceAccess access;
    const auto to = std::copy_if(plain(first), plain(last), plain(out), f);
    note_written(plain(out));
    return advanced(out, plain(out), to);
}
GPUCC_THRUST_POLICY(copy_if)
template <class I, class T>
void fill(I first, I last, const T& value) {
    const gpucc::DeviceAccess access;
    std::fill(plain(first), plain(last), value);
    note_written(plain(first));
}
GPUCC_THRUST_POLICY(fill)
template <class I>
void sequence(I first, I last, typename std::iterator_traits<I>::value_type start = 0,
              typename std::iterator_traits<I>::value_type step = 1) {
    const gpucc::DeviceAccess access;
    note_written(plain(first));
    for (auto at = plain(first); at != plain(last); ++at, start += step) *at = start;
}
GPUCC_THRUST_POLICY(sequence)
template <class I, class F>
void generate(I first, I last, F f) {
    const gpucc::DeviceAccess access;
    std::generate(plain(first), plain(last), f);
    note_written(plain(first));
}
GPUCC_THRUST_POLICY(generate)
template <class I, class F>
I for_each(I first, I last, F f) {
    const gpucc::DeviceAccess access;
    std::for_each(plain(first), plain(last), f);
    note_written(plain(first));
    return last;
}
GPUCC_THRUST_POLICY(for_each)
template <class I, class O, class F>
O transform(I first, I last, O out, F f) {
    const gpucc::DeviceAccess access;
    const auto to = std::transform(plain(first), plain(last), plain(out), f);
    note_written(plain(out));
    return advanced(out, plain(out), to);
}
template <class I, class J, class O, class F>
std::enable_if_t<!std::is_base_of_v<execution_policy, I>, O> transform(I first, I last, J second, O out, F f) {
    const gpucc::DeviceAccess access;
    const auto to = std::transform(plain(first), plain(last), plain(second), plain(out), f);
    note_written(plain(out));
    return advanced(out, plain(out), to);
}
template <class... A>
auto transform(const execution_policy&, A&&... arguments) {
    return thrust::transform(std::forward<A>(arguments)...);
}
template <class I, class T, class F>
T reduce(I first, I last, T start, F f) {
    const gpucc::DeviceAccess access;
    return std::accumulate(plain(first), plain(last), start, f);
}
template <class I, class T>
std::enable_if_t<!std::is_base_of_v<execution_policy, I>, T> reduce(I first, I last, T start) {
    return thrust::reduce(first, last, start, std::plus<>());
}
template <class I>
auto reduce(I first, I last) {
    return thrust::reduce(first, last, typename std::iterator_traits<I>::value_type(0));
}
template <class... A>
auto reduce(const execution_policy&, A&&... arguments) {
    return thrust::reduce(std::forward<A>(arguments)...);
}
template <class I, class U, class T, class F>
std::enable_if_t<!std::is_base_of_v<execution_policy, I>, T> transform_reduce(I first, I last, U unary, T start, F f) {
    const gpucc::DeviceAccess access;
    for (auto at = plain(first); at != plain(last); ++at) start = f(start, unary(*at));
    return start;
}
GPUCC_THRUST_POLICY(transform_reduce)
template <class I, class J, class T>
T inner_product(I first, I last, J second, T start) {
    const gpucc::DeviceAccess access;
    return std::inner_product(plain(first), plain(last), plain(second), start);
}
GPUCC_THRUST_POLICY(inner_product)
template <class I, class T>
auto count(I first, I last, const T& value) {
    const gpucc::DeviceAccess access;
    return std::count(plain(first), plain(last), value);
}
GPUCC_THRUST_POLICY(count)
template <class I, class F>
auto count_if(I first, I last, F f) {
    const gpucc::DeviceAccess access;
    return std::count_if(plain(first), plain(last), f);
}
GPUCC_THRUST_POLICY(count_if)
template <class I>
I max_element(I first, I last) {
    const gpucc::DeviceAccess access;
    return advanced(first, plain(first), std::max_element(plain(first), plain(last)));
}
GPUCC_THRUST_POLICY(max_element)
template <class I>
I min_element(I first, I last) {
    const gpucc::DeviceAccess access;
    return advanced(first, plain(first), std::min_element(plain(first), plain(last)));
}
GPUCC_THRUST_POLICY(min_element)
template <class I, class F = std::less<>>
std::enable_if_t<!std::is_base_of_v<execution_policy, I>> sort(I first, I last, F before = {}) {
    const gpucc::DeviceAccess access;
    std::sort(plain(first), plain(last), before);
    note_written(plain(first));
}
GPUCC_THRUST_POLICY(sort)
template <class I, class F = std::less<>>
std::enable_if_t<!std::is_base_of_v<execution_policy, I>> stable_sort(I first, I last, F before = {}) {
    const gpucc::DeviceAccess access;
    std::stable_sort(plain(first), plain(last), before);
    note_written(plain(first));
}
GPUCC_THRUST_POLICY(stable_sort)
template <class I, class J, class F = std::less<>>
std::enable_if_t<!std::is_base_of_v<execution_policy, I>> sort_by_key(I first, I last, J values, F before = {}) {
    const gpucc::DeviceAccess access;
    const auto keys = plain(first);
    const auto items = plain(values);
    using Key = typename std::iterator_traits<I>::value_type;
    using Value = typename std::iterator_traits<J>::value_type;
    std::vector<std::pair<Key, Value>> pairs;
    for (auto k = last - first; k > 0; --k) pairs.emplace_back(keys[pairs.size()], items[pairs.size()]);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& a, const auto& b) { return before(a.first, b.first); });
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        keys[k] = pairs[k].first;
        items[k] = pairs[k].second;
    }
    note_written(keys);
    note_written(items);
}
GPUCC_THRUST_POLICY(sort_by_key)
template <class I, class O, class F = std::plus<>>
std::enable_if_t<!std::is_base_of_v<execution_policy, I>, O> inclusive_scan(I first, I last, O out, F f = {}) {
    const gpucc::DeviceAccess access;
    const auto to = std::partial_sum(plain(first), plain(last), plain(out), f);
    note_written(plain(out));
    return advanced(out, plain(out), to);
}
GPUCC_THRUST_POLICY(inclusive_scan)
template <class I, class O, class T = typename std::iterator_traits<I>::value_type, class F = std::plus<>>
O exclusive_scan(I first, I last, O out, T start = T(0), F f = {}) {
    const gpucc::DeviceAccess access;
    auto to = plain(out);
    for (auto at = plain(first); at != plain(last); ++at, ++to) {
        const auto value = *at;  // in and out may be the same
        *to = start;
        start = f(start, value);
    }
    note_written(plain(out));
    return advanced(out, plain(out), to);
}
template <class... A>
auto exclusive_scan(const execution_policy&, A&&... arguments) {
    return thrust::exclusive_scan(std::forward<A>(arguments)...);
}
#undef GPUCC_THRUST_POLICY

template <class T>
class device_vector;

/// A vector in host memory, which device_vector converts to.
template <class T>
class host_vector : public std::vector<T> {
public:
    using std::vector<T>::vector;
    host_vector(const device_vector<T>& other) { *this = other; }  // NOLINT(google-explicit-constructor)
    host_vector& operator=(const device_vector<T>& other) {
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
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<const T>;
    using reference = device_reference<T>;

    device_vector() = default;
    explicit device_vector(std::size_t size, const T& value = T()) : device_vector() { resize(size, value); }
    device_vector(const device_vector& other) : device_vector(other.begin(), other.end()) {}
    device_vector(device_vector&& other) noexcept { swap(other); }
    device_vector(const std::vector<T>& other)  // NOLINT(google-explicit-constructor)
        : device_vector(other.begin(), other.end()) {}
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    device_vector(I first, I last) {
        allocate(static_cast<std::size_t>(std::distance(plain(first), plain(last))));
        thrust::copy(first, last, begin());
    }
    ~device_vector() {
        if (memory_ != nullptr) cudaFree(memory_);
    }
    device_vector& operator=(device_vector other) noexcept {
        swap(other);
        return *this;
    }
    void swap(device_vector& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    iterator begin() { return iterator(memory_); }
    iterator end() { return iterator(memory_ + size_); }
    const_iterator begin() const { return const_iterator(memory_); }
    const_iterator end() const { return const_iterator(memory_ + size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    device_ptr<T> data() { return begin(); }
    device_ptr<const T> data() const { return begin(); }
    reference operator[](std::size_t k) { return reference(memory_ + k); }
    T operator[](std::size_t k) const { return device_reference<const T>(memory_ + k); }
    reference front() { return (*this)[0]; }
    reference back() { return (*this)[size_ - 1]; }
    void resize(std::size_t size, const T& value = T()) {
        device_vector other;
        other.allocate(size);
        const std::size_t kept = size < size_ ? size : size_;
        thrust::copy(begin(), begin() + std::ptrdiff_t(kept), other.begin());
        thrust::fill(other.begin() + std::ptrdiff_t(kept), other.end(), value);
        swap(other);
    }
    void push_back(const T& value) { resize(size_ + 1, value); }
    void clear() { *this = device_vector(); }

private:
    void allocate(std::size_t size) {
        if (size > 0 && cudaMalloc(&memory_, size * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        size_ = size;
    }
    T* memory_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace thrust
