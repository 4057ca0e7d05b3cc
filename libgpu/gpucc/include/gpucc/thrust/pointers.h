// SPDX-License-Identifier: MIT
#pragma once

#include <gpucc/thrust/base.h>

// Elements of device memory, one by one.
namespace thrust {

template <class T>
class device_ptr;

/// An element in device memory: reading and writing it copies.
template <class T>
class device_reference {
public:
    using value_type = std::remove_const_t<T>;

    explicit device_reference(T* at) : at_(at) {}
    device_reference(const device_reference&) = default;
    operator value_type() const {
        value_type value;
        if (cudaMemcpy((void*)&value, (const void*)at_, sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
            throw system_error("thrust: the element can't be read");
        return value;
    }
    device_reference& operator=(const value_type& value) {
        if (cudaMemcpy((void*)at_, (const void*)&value, sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
            throw system_error("thrust: the element can't be written");
        return *this;
    }
    device_reference& operator=(const device_reference& other) { return *this = static_cast<value_type>(other); }
    template <class U>
    device_reference& operator=(const device_reference<U>& other) {
        return *this = static_cast<value_type>(static_cast<U>(other));
    }
    device_ptr<T> operator&() const;
#define GPUCC_REFERENCE_OPERATOR(op)                                                  \
    device_reference& operator op##=(const value_type& by) {                          \
        return *this = static_cast<value_type>(static_cast<value_type>(*this) op by); \
    }
    GPUCC_REFERENCE_OPERATOR(+)
    GPUCC_REFERENCE_OPERATOR(-)
    GPUCC_REFERENCE_OPERATOR(*)
    GPUCC_REFERENCE_OPERATOR(/)
#undef GPUCC_REFERENCE_OPERATOR
    device_reference& operator++() { return *this += value_type(1); }
    device_reference& operator--() { return *this -= value_type(1); }
    friend void swap(device_reference a, device_reference b) {
        const value_type old = a;
        a = b;
        b = old;
    }

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
    device_ptr(std::nullptr_t) {}
    explicit device_ptr(T* at) : at_(at) {}
    template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
    device_ptr(device_ptr<U> other) : at_(other.get()) {}
    T* get() const { return at_; }
    explicit operator bool() const { return at_ != nullptr; }
    reference operator*() const { return reference(at_); }
    reference operator[](difference_type n) const { return reference(at_ + n); }
    device_ptr& operator++() { return *this += 1; }
    device_ptr& operator--() { return *this += -1; }
    device_ptr operator++(int) { return device_ptr(at_++); }
    device_ptr operator--(int) { return device_ptr(at_--); }
    device_ptr& operator+=(difference_type n) {
        at_ += n;
        return *this;
    }
    device_ptr& operator-=(difference_type n) { return *this += -n; }
    friend device_ptr operator+(device_ptr p, difference_type n) { return device_ptr(p.at_ + n); }
    friend device_ptr operator+(difference_type n, device_ptr p) { return p + n; }
    friend device_ptr operator-(device_ptr p, difference_type n) { return device_ptr(p.at_ - n); }
    friend difference_type operator-(device_ptr a, device_ptr b) { return a.at_ - b.at_; }
    friend bool operator==(device_ptr a, device_ptr b) { return a.at_ == b.at_; }
    friend bool operator!=(device_ptr a, device_ptr b) { return a.at_ != b.at_; }
    friend bool operator<(device_ptr a, device_ptr b) { return a.at_ < b.at_; }
    friend bool operator>(device_ptr a, device_ptr b) { return a.at_ > b.at_; }
    friend bool operator<=(device_ptr a, device_ptr b) { return a.at_ <= b.at_; }
    friend bool operator>=(device_ptr a, device_ptr b) { return a.at_ >= b.at_; }

private:
    T* at_ = nullptr;
};
template <class T>
device_ptr<T> device_reference<T>::operator&() const {
    return device_ptr<T>(at_);
}
template <class T>
device_ptr<T> device_pointer_cast(T* p) {
    return device_ptr<T>(p);
}
template <class T>
device_ptr<T> device_pointer_cast(device_ptr<T> p) {
    return p;
}
template <class T>
T* raw_pointer_cast(device_ptr<T> p) {
    return p.get();
}
template <class T>
T* raw_pointer_cast(T* p) {
    return p;
}
template <class T>
std::remove_const_t<T> raw_reference_cast(device_reference<T> reference) {
    return reference;
}
template <class T>
device_ptr<T> device_malloc(std::size_t count) {
    T* memory = nullptr;
    if (cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return device_ptr<T>(memory);
}
template <class T>
void device_free(device_ptr<T> p) {
    cudaFree((void*)p.get());
}

}  // namespace thrust
