// SPDX-License-Identifier: MIT
#pragma once

#include <gpucc/thrust/pointers.h>

// Iterators that compute what they give, and those that put several into one.
namespace thrust {

/// What all iterators here have in common. `Self` has `at(n)`, the n-th element from here on, `move(n)` and `distance`.
template <class Self, class Value, class Reference>
class iterator_base {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Reference;

    reference operator*() const { return self().at(0); }
    reference operator[](difference_type n) const { return self().at(n); }
    Self& operator++() { return *this += 1; }
    Self& operator--() { return *this += -1; }
    Self operator++(int) {
        const Self old = self();
        self().move(1);
        return old;
    }
    Self operator--(int) {
        const Self old = self();
        self().move(-1);
        return old;
    }
    Self& operator+=(difference_type n) {
        self().move(n);
        return self();
    }
    Self& operator-=(difference_type n) { return *this += -n; }
    friend Self operator+(Self p, difference_type n) { return p += n; }
    friend Self operator+(difference_type n, Self p) { return p += n; }
    friend Self operator-(Self p, difference_type n) { return p += -n; }
    friend difference_type operator-(const Self& a, const Self& b) { return b.distance(a); }
    friend bool operator==(const Self& a, const Self& b) { return a.distance(b) == 0; }
    friend bool operator!=(const Self& a, const Self& b) { return a.distance(b) != 0; }
    friend bool operator<(const Self& a, const Self& b) { return a.distance(b) > 0; }
    friend bool operator>(const Self& a, const Self& b) { return a.distance(b) < 0; }
    friend bool operator<=(const Self& a, const Self& b) { return a.distance(b) >= 0; }
    friend bool operator>=(const Self& a, const Self& b) { return a.distance(b) <= 0; }

private:
    Self& self() { return static_cast<Self&>(*this); }
    const Self& self() const { return static_cast<const Self&>(*this); }
};

template <class I>
using value_of = typename std::iterator_traits<I>::value_type;
template <class I>
using reference_of = typename std::iterator_traits<I>::reference;

/// Counts up without memory.
template <class T>
class counting_iterator : public iterator_base<counting_iterator<T>, T, T> {
public:
    explicit counting_iterator(T value = T()) : value_(value) {}
    T at(std::ptrdiff_t n) const { return static_cast<T>(value_ + static_cast<T>(n)); }
    void move(std::ptrdiff_t n) { value_ = at(n); }
    std::ptrdiff_t distance(const counting_iterator& to) const {
        return static_cast<std::ptrdiff_t>(to.value_) - static_cast<std::ptrdiff_t>(value_);
    }

private:
    T value_;
};
template <class T>
counting_iterator<T> make_counting_iterator(T value) {
    return counting_iterator<T>(value);
}

/// The same value everywhere.
template <class T>
class constant_iterator : public iterator_base<constant_iterator<T>, T, T> {
public:
    explicit constant_iterator(T value = T(), std::ptrdiff_t place = 0) : value_(value), place_(place) {}
    T at(std::ptrdiff_t) const { return value_; }
    void move(std::ptrdiff_t n) { place_ += n; }
    std::ptrdiff_t distance(const constant_iterator& to) const { return to.place_ - place_; }

private:
    T value_;
    std::ptrdiff_t place_;
};
template <class T>
constant_iterator<T> make_constant_iterator(T value, std::ptrdiff_t place = 0) {
    return constant_iterator<T>(value, place);
}

/// Forgets what is written.
class discard_iterator {
public:
    struct nowhere {
        template <class T>
        const nowhere& operator=(const T&) const {
            return *this;
        }
    };
    using iterator_category = std::random_access_iterator_tag;
    using value_type = nowhere;
    using difference_type = std::ptrdiff_t;
    using pointer = nowhere*;
    using reference = nowhere;

    explicit discard_iterator(difference_type place = 0) : place_(place) {}
    nowhere operator*() const { return {}; }
    nowhere operator[](difference_type) const { return {}; }
    discard_iterator& operator++() { return *this += 1; }
    discard_iterator operator++(int) { return discard_iterator(place_++); }
    discard_iterator& operator+=(difference_type n) {
        place_ += n;
        return *this;
    }
    friend discard_iterator operator+(discard_iterator p, difference_type n) { return p += n; }
    friend difference_type operator-(discard_iterator a, discard_iterator b) { return a.place_ - b.place_; }
    friend bool operator==(discard_iterator a, discard_iterator b) { return a.place_ == b.place_; }
    friend bool operator!=(discard_iterator a, discard_iterator b) { return a.place_ != b.place_; }

private:
    difference_type place_;
};
inline discard_iterator make_discard_iterator(std::ptrdiff_t place = 0) { return discard_iterator(place); }

/// f(x) in the place of each x.
template <class F, class I>
class transform_iterator
    : public iterator_base<transform_iterator<F, I>, std::decay_t<std::invoke_result_t<F, reference_of<I>>>,
                           std::invoke_result_t<F, reference_of<I>>> {
public:
    transform_iterator(I base, F f) : base_(base), f_(f) {}
    explicit transform_iterator(I base) : base_(base), f_() {}
    decltype(auto) at(std::ptrdiff_t n) const { return f_(base_[n]); }
    void move(std::ptrdiff_t n) { base_ += n; }
    std::ptrdiff_t distance(const transform_iterator& to) const { return to.base_ - base_; }
    transform_iterator& operator=(const transform_iterator& other) {  // lambdas aren't assigned
        base_ = other.base_;
        return *this;
    }
    transform_iterator(const transform_iterator&) = default;
    const I& base() const { return base_; }
    const F& functor() const { return f_; }

private:
    I base_;
    F f_;
};
template <class F, class I>
transform_iterator<F, I> make_transform_iterator(I base, F f) {
    return {base, f};
}

/// Passes what is written through f.
template <class F, class I>
class transform_output_iterator {
public:
    struct place {
        F f;
        I at;
        template <class T>
        const place& operator=(const T& value) const {
            *at = f(value);
            return *this;
        }
    };
    using iterator_category = std::random_access_iterator_tag;
    using value_type = value_of<I>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = place;

    transform_output_iterator(I base, F f) : base_(base), f_(f) {}
    place operator*() const { return {f_, base_}; }
    place operator[](difference_type n) const { return {f_, base_ + n}; }
    transform_output_iterator& operator++() { return *this += 1; }
    transform_output_iterator operator++(int) {
        const transform_output_iterator old = *this;
        base_ += 1;
        return old;
    }
    transform_output_iterator& operator+=(difference_type n) {
        base_ += n;
        return *this;
    }
    friend transform_output_iterator operator+(transform_output_iterator p, difference_type n) { return p += n; }
    friend difference_type operator-(const transform_output_iterator& a, const transform_output_iterator& b) {
        return a.base_ - b.base_;
    }
    const I& base() const { return base_; }
    const F& functor() const { return f_; }

private:
    I base_;
    F f_;
};
template <class F, class I>
transform_output_iterator<F, I> make_transform_output_iterator(I base, F f) {
    return {base, f};
}

/// The elements whose numbers another iterator gives.
template <class I, class N>
class permutation_iterator : public iterator_base<permutation_iterator<I, N>, value_of<I>, reference_of<I>> {
public:
    permutation_iterator(I base, N numbers) : base_(base), numbers_(numbers) {}
    reference_of<I> at(std::ptrdiff_t n) const { return base_[static_cast<std::ptrdiff_t>(numbers_[n])]; }
    void move(std::ptrdiff_t n) { numbers_ += n; }
    std::ptrdiff_t distance(const permutation_iterator& to) const { return to.numbers_ - numbers_; }
    const I& base() const { return base_; }
    const N& numbers() const { return numbers_; }

private:
    I base_;
    N numbers_;
};
template <class I, class N>
permutation_iterator<I, N> make_permutation_iterator(I base, N numbers) {
    return {base, numbers};
}

template <class I>
using reverse_iterator = std::reverse_iterator<I>;
template <class I>
std::reverse_iterator<I> make_reverse_iterator(I at) {
    return std::reverse_iterator<I>(at);
}

/// The elements of several iterators: written, it writes them.
template <class... R>
class zip_reference : public std::tuple<R...> {
public:
    using std::tuple<R...>::tuple;
    zip_reference(const zip_reference&) = default;
    zip_reference& operator=(const zip_reference& other) { return *this = std::tuple<std::decay_t<R>...>(other); }
    template <class Tuple>
    zip_reference& operator=(const Tuple& other) {
        assign(other, std::index_sequence_for<R...>());
        return *this;
    }
    friend void swap(zip_reference a, zip_reference b) {
        const std::tuple<std::decay_t<R>...> old(a);
        a = b;
        b = old;
    }

private:
    template <class Tuple, std::size_t... K>
    void assign(const Tuple& other, std::index_sequence<K...>) {
        ((std::get<K>(*this) = std::get<K>(other)), ...);
    }
};

template <class Iterators>
class zip_iterator;
template <class... I>
class zip_iterator<std::tuple<I...>> : public iterator_base<zip_iterator<std::tuple<I...>>, std::tuple<value_of<I>...>,
                                                            zip_reference<reference_of<I>...>> {
public:
    zip_iterator(std::tuple<I...> all) : all_(all) {}
    zip_reference<reference_of<I>...> at(std::ptrdiff_t n) const {
        return std::apply([n](const I&... one) { return zip_reference<reference_of<I>...>(one[n]...); }, all_);
    }
    void move(std::ptrdiff_t n) {
        std::apply([n](I&... one) { ((one += n), ...); }, all_);
    }
    std::ptrdiff_t distance(const zip_iterator& to) const { return std::get<0>(to.all_) - std::get<0>(all_); }
    const std::tuple<I...>& get_iterator_tuple() const { return all_; }

private:
    std::tuple<I...> all_;
};
template <class... I>
zip_iterator<std::tuple<I...>> make_zip_iterator(std::tuple<I...> all) {
    return {all};
}
template <class I, class J, class... More>
zip_iterator<std::tuple<I, J, More...>> make_zip_iterator(I first, J second, More... more) {
    return {std::tuple<I, J, More...>(first, second, more...)};
}

/// A functor of several arguments, for the elements of a zip iterator.
template <class F>
struct zip_function {
    F f;
    template <class Tuple>
    decltype(auto) operator()(Tuple&& all) const {
        return std::apply(f, all);
    }
};
template <class F>
zip_function<F> make_zip_function(F f) {
    return {f};
}

// Iterators as algorithms of the host use them: the device's are plain pointers.
template <class I>
I plain(I at) {
    return at;
}
template <class T>
T* plain(device_ptr<T> at) {
    return at.get();
}
template <class I>
auto plain(std::reverse_iterator<I> at) {
    return std::make_reverse_iterator(plain(at.base()));
}
template <class F, class I>
auto plain(transform_iterator<F, I> at);
template <class F, class I>
auto plain(transform_output_iterator<F, I> at);
template <class I, class N>
auto plain(permutation_iterator<I, N> at);
template <class... I>
auto plain(zip_iterator<std::tuple<I...>> at);
template <class F, class I>
auto plain(transform_iterator<F, I> at) {
    return transform_iterator<F, decltype(plain(at.base()))>(plain(at.base()), at.functor());
}
template <class F, class I>
auto plain(transform_output_iterator<F, I> at) {
    return transform_output_iterator<F, decltype(plain(at.base()))>(plain(at.base()), at.functor());
}
template <class I, class N>
auto plain(permutation_iterator<I, N> at) {
    return make_permutation_iterator(plain(at.base()), plain(at.numbers()));
}
template <class... I>
auto plain(zip_iterator<std::tuple<I...>> at) {
    return std::apply([](const I&... one) { return make_zip_iterator(std::make_tuple(plain(one)...)); },
                      at.get_iterator_tuple());
}

// An algorithm has written there.
template <class I>
void note_written(const I&) {}
template <class T>
void note_written(T* at) {
    if constexpr (!std::is_const_v<T>) gpucc::written_in_place(at);
}
template <class I>
void note_written(const std::reverse_iterator<I>& at) {
    note_written(at.base());
}
template <class F, class I>
void note_written(const transform_output_iterator<F, I>& at) {
    note_written(at.base());
}
template <class I, class N>
void note_written(const permutation_iterator<I, N>& at) {
    note_written(at.base());
}
template <class... I>
void note_written(const zip_iterator<std::tuple<I...>>& at) {
    std::apply([](const I&... one) { (note_written(one), ...); }, at.get_iterator_tuple());
}

}  // namespace thrust
