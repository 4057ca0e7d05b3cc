// SPDX-License-Identifier: MIT
//// a function by its address, given by another kernel
typedef int (*function)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int of(function f, int x) { return f(x); }
__global__ void k(int* x, function given) { x[0] = of(given != nullptr ? given : twice, x[0]); }
//// a lambda with captures
__global__ void k(int* x) { int a = 2; auto f = [=](int b) { return a + b; }; x[0] = f(1); }
//// a lambda by reference
__global__ void k(int* x) { int a = 2; auto f = [&](int b) { a += b; }; f(1); x[0] = a; }
//// a generic lambda
__global__ void k(float* x) { auto f = [](auto a, auto b) { return a + b; }; x[0] = f(1, 2.5f); }
//// a constexpr lambda
__global__ void k(int* x) { constexpr auto f = [](int a) { return 2 * a; }; int s[f(4)]; s[0] = 1; x[0] = s[0]; }
//// a mutable lambda with an init capture
__global__ void k(int* x) { auto f = [n = 1]() mutable { return ++n; }; f(); x[0] = f(); }
//// a lambda given to a template
template <class F> __device__ void repeat(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
__global__ void k(int* x) { repeat(4, [&](int i) { x[i] = i; }); }
//// a lambda called at once
__global__ void k(int* x) { const int a = [&] { return x[0] > 0 ? 1 : 2; }(); x[1] = a; }
//// a lambda as a function pointer
__global__ void k(int* x) { int (*f)(int) = [](int a) { return a; }; x[0] = f(3); }
//// __device__ lambda
__global__ void k(int* x) { auto f = [] __device__(int a) { return a; }; x[0] = f(3); }
//// constexpr __device__
constexpr __device__ int square(int n) { return n * n; }
__global__ void k(int* x) { int s[square(3)]; s[0] = 1; x[0] = s[0]; }
//// constexpr with a loop
__device__ constexpr int factorial(int n) { int r = 1; for (int i = 2; i <= n; ++i) r *= i; return r; }
__global__ void k(int* x) { constexpr int f = factorial(5); x[0] = f; }
//// constexpr in a static_assert
__device__ constexpr int twice(int n) { return 2 * n; }
static_assert(twice(2) == 4, "");
__global__ void k(int* x) { x[0] = twice(3); }
//// a constexpr class
struct P { int a; __device__ constexpr P(int b) : a(b) {} __device__ constexpr int get() const { return a; } };
__global__ void k(int* x) { constexpr P p(3); x[p.get()] = 1; }
//// auto and decltype
__device__ auto f(float x) { return x * 2; }
__global__ void k(float* x) { decltype(f(1)) y = f(1); decltype(auto) z = (x[0]); z = y; }
//// range for
__global__ void k(int* x) { int v[] = {1, 2, 3}; int s = 0; for (int a : v) s += a; for (int& a : v) a = s; x[0] = v[1]; }
//// init statement of if and switch
__global__ void k(int* x) { if (int a = x[0]; a > 1) x[1] = a; switch (int b = x[2]; b) { case 1: x[3] = 1; break; default: x[3] = 2; } }
//// nullptr
__global__ void k(int* x) { int* p = nullptr; if (p == nullptr && x != NULL) x[0] = 1; }
//// casts
__global__ void k(float* x) { int i = static_cast<int>(x[0]); x[1] = *reinterpret_cast<float*>(&i); const float* p = x; *const_cast<float*>(p) = float(i); }
//// literals
__global__ void k(unsigned long long* x) { x[0] = 0b1010 + 0x1F + 1'000'000ull + 'a' + 017 + u'b'; }
//// float literals
__global__ void k(double* x) { x[0] = 1e-3 + .5f + 0x1p-2 + 1.0L; }
//// strings
__global__ void k(char* x) { const char* s = "text" " and more"; x[0] = s[1]; }
//// a raw string
__global__ void k(char* x) { const char* s = R"(a "quoted" one)"; x[0] = s[2]; }
//// goto
__global__ void k(int* x) { int i = 0; again: x[i] = 1; if (++i < 4) goto again; }
//// goto over an initialisation
__global__ void k(int* x) { if (x[0]) goto end; int a = 3; x[0] = a; end: return; }
//// switch over an initialisation
__global__ void k(int* x) { switch (x[0]) { case 0: int a = 3; x[0] = a; default: x[1] = 1; } }
//// do and while, comma, conditional
__global__ void k(int* x) { int i = 0, j = 9; do { x[i] = i < j ? i : j; } while (++i, --j, i < j); while (i-- > 0) if (x[i]) continue; else break; }
//// enum class
enum class Mode : unsigned char { one = 1, two };
__global__ void k(Mode* x) { x[0] = x[1] == Mode::one ? Mode::two : Mode::one; }
//// attributes
[[nodiscard]] __device__ int f() { return 1; }
__global__ void k([[maybe_unused]] int n, int* x) { switch (x[0]) { case 1: x[1] = 1; [[fallthrough]]; default: x[0] = f(); } }
//// noexcept
__device__ int f() noexcept { return 1; }
__global__ void k(int* x) { x[0] = f(); static_assert(noexcept(f()), ""); }
//// inline variable
inline constexpr int n = 4;
__global__ void k(int* x) { x[0] = n; }
//// inline __device__ variable
inline __device__ int n = 4;
__global__ void k(int* x) { x[0] = n; }
//// narrowing in braces
__global__ void k(int* x, float f) { int a{f}; int b[2] = {f, 1.5}; x[0] = a + b[0]; }
//// unsigned char narrowing
__global__ void k(unsigned char* x, int n) { unsigned char a[2] = {n, 300}; x[0] = a[0]; }
//// designated initialisers
struct A { int a, b; };
__global__ void k(int* x) { A a{.a = 1, .b = 2}; x[0] = a.b; }
//// a compound literal's kin
struct A { int a, b; };
__global__ void k(A* x) { x[0] = {1, 2}; x[1] = A{3, 4}; x[2] = A(); }
//// alternative operators
__global__ void k(bool* x) { x[0] = not x[1] and (x[2] or x[3]); }
//// sizeof and alignof
__global__ void k(int* x) { x[0] = sizeof(float4) + alignof(double2) + sizeof x; }
//// int128
__global__ void k(unsigned long long* x) { __int128 a = (__int128)x[0] * x[1]; x[2] = (unsigned long long)(a >> 64); }
//// a local class
__global__ void k(int* x) { struct P { int a, b; }; P p{1, 2}; x[0] = p.a + p.b; }
//// __func__ and __LINE__
__global__ void k(int* x) { x[0] = __LINE__ + sizeof(__func__) + sizeof(__FILE__); }
//// a pointer to a pointer
__global__ void k(float** x, int n) { for (int i = 0; i < n; ++i) x[i][0] = 1; }
//// volatile
__global__ void k(volatile int* x) { x[0] = x[1]; volatile int i = 3; x[2] = i; }
//// a function try block
__global__ void k(int* x) { try { x[0] = 1; } catch (...) {} }
//// throw
__global__ void k(int* x) { if (x[0]) throw 1; }
//// a pointer for an int
__global__ void k(int* x) { int i = x; x[0] = i; }
//// an int for a pointer
__device__ void f(int* p) { p[0] = 1; }
__global__ void k(int* x) { f(x[0]); }
//// two declarations of one name
__global__ void k(int* x) { int a = 1; float a = 2; x[0] = a; }
//// no return value
__device__ int f() {}
__global__ void k(int* x) { x[0] = f(); }
//// return with a value in void
__global__ void k(int* x) { return 1; }
//// a const member written
struct A { const int a; };
__global__ void k(A* x) { x[0].a = 1; }
//// concept of C++20
template <class T> concept Small = sizeof(T) < 8;
__global__ void k(int* x) { x[0] = Small<int>; }
//// three-way comparison
__global__ void k(int* x) { x[0] = (x[1] <=> x[2]) < 0; }
