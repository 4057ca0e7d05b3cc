// SPDX-License-Identifier: MIT
//// constructor and member functions
class Box { public: __device__ Box(int a) : a_(a) {} __device__ int get() const { return a_; } private: int a_; };
__global__ void k(int* x) { Box b(3); x[0] = b.get(); }
//// explicit, default and delete
struct A { A() = default; explicit __device__ A(int b) : a(b) {} A(const A&) = default; A& operator=(const A&) = delete; int a; };
__global__ void k(int* x) { A a(3); x[0] = a.a; }
//// operators
struct V { float x, y; };
__device__ V operator+(V a, V b) { return {a.x + b.x, a.y + b.y}; }
__device__ V& operator+=(V& a, V b) { a.x += b.x; a.y += b.y; return a; }
__device__ bool operator<(V a, V b) { return a.x < b.x; }
__global__ void k(V* x) { x[0] += x[1] + x[2]; if (x[0] < x[1]) x[2] = x[0]; }
//// member operators
struct V { float v[3]; __device__ float& operator[](int i) { return v[i]; } __device__ float operator()(int i) const { return v[i]; } };
__global__ void k(V* x) { x[0][1] = x[1](2); }
//// a conversion
struct A { int a; __device__ operator int() const { return a; } };
__global__ void k(A* x, int* y) { y[0] = x[0]; }
//// inheritance
struct A { int a; __device__ int f() const { return a; } };
struct B : A { int b; __device__ int g() const { return f() + b; } };
__global__ void k(B* x) { x[0].a = x[1].g(); }
//// virtual functions
struct A { virtual __device__ int f() { return 1; } };
struct B : A { __device__ int f() override { return 2; } };
__global__ void k(int* x) { B b; A* a = &b; x[0] = a->f(); }
//// an abstract class
struct A { virtual __device__ int f() = 0; };
struct B final : A { __device__ int f() override { return 2; } };
__global__ void k(int* x) { B b; A& a = b; x[0] = a.f(); }
//// a virtual destructor
struct A { virtual __device__ int f() { return 1; } virtual __device__ ~A() {} };
struct B : A { __device__ int f() override { return 2; } __device__ ~B() override {} };
__global__ void k(int* x) { B b; A* a = &b; x[0] = a->f(); }
//// a destructor
struct A { int* p; __device__ ~A() { p[0] = 1; } };
__global__ void k(int* x) { A a{x}; a.p[1] = 2; }
//// static members
struct A { static const int n = 4; static constexpr float f = 2.5f; static __device__ int g() { return n; } };
__global__ void k(float* x) { x[0] = A::n * A::f + A::g(); }
//// nested types
struct A { struct B { int b; }; enum Kind { one, two }; typedef float real; };
__global__ void k(A::real* x) { A::B b{A::two}; x[0] = b.b; }
//// bit fields
struct A { unsigned a : 3, b : 5; };
__global__ void k(unsigned* x) { A a{1, 2}; a.b += 3; x[0] = a.b; }
//// alignment
struct __align__(16) A { float a[4]; };
struct alignas(8) B { int a, b; };
__global__ void k(A* x, B* y) { x[0] = x[1]; y[0] = y[1]; }
//// alignment to what is computed
template <class T> struct alignas(sizeof(T) * 2) Pair { T at[2]; };
struct alignas(sizeof(float) * (1 + 1)) Two { float at[2]; };
__global__ void k(Pair<float>* x, Two* y) { x[0] = x[1]; y[0] = y[1]; }
//// a union with a structure
union U { struct { float a, b; }; float2 v; };
__global__ void k(float* x) { U u; u.v = make_float2(1, 2); x[0] = u.a + u.b; }
//// a class template
template <class T, int N> struct Array { T v[N]; __device__ T& operator[](int i) { return v[i]; } __device__ constexpr int size() const { return N; } };
__global__ void k(Array<float, 3> a, float* x) { x[0] = a[1] + a.size(); }
//// specialisation
template <class T> struct Zero { static __device__ T value() { return T(0); } };
template <> struct Zero<float> { static __device__ float value() { return 0.0f; } };
template <class T> struct Zero<T*> { static __device__ T* value() { return nullptr; } };
__global__ void k(float* x) { x[0] = Zero<float>::value() + Zero<int>::value() + (Zero<int*>::value() == nullptr); }
//// CRTP
template <class D> struct Base { __device__ int twice() { return 2 * static_cast<D*>(this)->get(); } };
struct D : Base<D> { __device__ int get() { return 3; } };
__global__ void k(int* x) { D d; x[0] = d.twice(); }
//// a function object as a template's argument
struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
template <class F> __device__ float apply(F f, float a, float b) { return f(a, b); }
__global__ void k(float* x) { x[0] = apply(Add(), 1, 2); }
//// a member pointer
struct A { int a, b; };
__global__ void k(A* x) { int A::*p = &A::b; x[0].*p = 3; }
//// friend
class A { int a; friend __device__ int get(const A& x) { return x.a; } public: __device__ A(int b) : a(b) {} };
__global__ void k(int* x) { A a(3); x[0] = get(a); }
//// aggregate with default members
struct A { int a = 1, b = 2; };
__global__ void k(int* x) { A a; A c{5}; x[0] = a.b + c.a; }
//// structured bindings
struct A { int a, b; };
__global__ void k(int* x) { auto [a, b] = A{1, 2}; x[0] = a + b; }
//// placement new
struct A { int a; __device__ A(int b) : a(b) {} };
__global__ void k(A* x) { new (x) A(3); }
//// new and delete
__global__ void k(int* x) { int* p = new int[4]; p[0] = 1; x[0] = p[0]; delete[] p; }
//// a private member used
class A { int a; };
__global__ void k(A* x) { x[0].a = 1; }
//// malloc and free
__global__ void k(int* x) { int* p = (int*)malloc(16); p[0] = 1; x[0] = p[0]; free(p); }
