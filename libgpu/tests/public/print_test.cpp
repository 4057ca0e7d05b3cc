// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "counts.hpp"
#include "support/temporary_folder.hpp"

// Arrays as text. What these tests expect is what NumPy 2.4 prints for the same elements.
TEST_CASE("arrays, views and expressions are printed") {
    //! [print]
    auto x = gpu::arange<float>(6).reshape({2, 3});
    std::ostringstream stream;
    stream << x << "\n"
           << x.transpose()(0) / 4.f;                                 // [[0. 1. 2.]
                                                                      //  [3. 4. 5.]]
                                                                      // [0.   0.75]
    std::string text = gpu::to_string(x(1) / 7.f, {.precision = 3});  // "[0.429 0.571 0.714]"
    //! [print]
    CHECK(stream.str() == "[[0. 1. 2.]\n [3. 4. 5.]]\n[0.   0.75]");
    CHECK(text == "[0.429 0.571 0.714]");
    CHECK(gpu::to_string(gpu::AnyArray(x(1).copy())) == "[3. 4. 5.]");

    //! [facts]
    std::ostringstream facts;
    facts << x.shape() << ' ' << x.strides() << ' ' << gpu::DType::float32;  // (2,3) (3,1) float32
    facts << ' ' << x.device();                                              // host:0, or cuda:0
    //! [facts]
    CHECK(facts.str() == "(2,3) (3,1) float32 " + x.device().to_string());
    stream << gpu::AnyArray(x(0).copy());
    CHECK(stream.str().ends_with("[0. 1. 2.]"));
}

TEST_CASE("options: threshold, edge items, line width, suppressed exponents") {
    CHECK(gpu::to_string(gpu::arange<int>(10), {.threshold = 5, .edge_items = 2}) == "[0 1 ... 8 9]");
    CHECK(gpu::to_string(gpu::arange<int>(10), {.line_width = 8}) == "[0 1 2\n 3 4 5\n 6 7 8\n 9]");
    CHECK(gpu::to_string(gpu::to_device({1e-5, 1.}), {.suppress_small = true}) == "[0.00001 1.     ]");
    CHECK(gpu::to_string(gpu::arange<int>(8), {.threshold = 7, .edge_items = 4}) == "[0 1 2 3 4 5 6 7]");
}

TEST_CASE("of a large array only what is shown is copied to the host, and not counted") {
    const auto x = gpu::zeros<float>({300, 200});
    const auto copied_to_print = [] {
        const gpu::detail::Printing printing;
        return gpu::detail::counters().read().bytes_to_host;
    };
    const std::uint64_t copied_before = copied_to_print();
    const gpu::Counts before = gpu::counts();
    (void)gpu::to_string(x);
    const gpu::Counts of_printing = gpu::counts() - before;
    CHECK(of_printing.prints == 1);
    CHECK(of_printing.bytes_to_host == 0);
    CHECK(copied_to_print() - copied_before == 36 * sizeof(float));
}

TEST_CASE("a summary of eight axes") {
    const auto x = gpu::arange<int>(6561).reshape({3, 3, 3, 3, 3, 3, 3, 3});
    const std::string text = gpu::to_string(x, {.threshold = 10, .edge_items = 1});
    CHECK(text.starts_with("[[[[[[[[   0 ...    2]\n"));
    CHECK(text.ends_with("[6558 ... 6560]]]]]]]]"));
    const auto brief =
        gpu::to_string(x(gpu::all, gpu::all, gpu::all, 0, 0, 0, 0, 0), {.threshold = 10, .edge_items = 1});
    CHECK(brief ==
          "[[[   0 ...  486]\n  ...\n  [1458 ... 1944]]\n\n ...\n\n [[4374 ... 4860]\n  ...\n  [5832 ... 6318]]]");
}

TEST_CASE("NumPy: integers are aligned at the right") {
    CHECK(gpu::to_string(gpu::arange<int>(6).reshape({2, 3})) ==
          "[[0 1 2]\n"
          " [3 4 5]]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<std::int64_t>{-1, 10, -100})) == "[  -1   10 -100]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<std::int8_t>{127, -128})) == "[ 127 -128]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<std::uint64_t>{~std::uint64_t{0}, 0})) ==
          "[18446744073709551615                    0]");
    CHECK(gpu::to_string(gpu::arange<int>(24).reshape({2, 3, 4})) ==
          "[[[ 0  1  2  3]\n"
          "  [ 4  5  6  7]\n"
          "  [ 8  9 10 11]]\n"
          "\n"
          " [[12 13 14 15]\n"
          "  [16 17 18 19]\n"
          "  [20 21 22 23]]]");
    CHECK(gpu::to_string(gpu::arange<int>(2).reshape({1, 1, 1, 1, 1, 1, 1, 2})) == "[[[[[[[[0 1]]]]]]]]");
}

TEST_CASE("NumPy: numbers are aligned at the point, with as few digits as tell them apart") {
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1, 2.5, -3.25})) == "[ 1.    2.5  -3.25]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{0, -0.0})) == "[ 0. -0.]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{0.1, 0.25, 0.125})) == "[0.1   0.25  0.125]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1. / 3, 2. / 3, 1})) ==
          "[0.33333333 0.66666667 1.        ]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{0.123456789, 0.5})) == "[0.12345679 0.5       ]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{9.999999999, 1})) == "[10.  1.]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{100, 0.5})) == "[100.    0.5]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{99999999, 99999998.5})) == "[99999999.  99999998.5]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{0.1f, 0.2f, 0.7f})) == "[0.1 0.2 0.7]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{3.14159265f})) == "[3.1415927]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{0.33333333f, 0.66666667f, 1.f})) ==
          "[0.33333334 0.6666667  1.        ]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{999999.f, 999999.5f})) == "[999999.  999999.5]");
}

TEST_CASE("NumPy: exponents where numbers are very large, very small or far apart") {
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1e10, 1, 0.5})) == "[1.e+10 1.e+00 5.e-01]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1e-5, 1})) == "[1.e-05 1.e+00]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1e-3, 10})) == "[1.e-03 1.e+01]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1e100, 1e-100, 1})) == "[1.e+100 1.e-100 1.e+000]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{-1.5e-7, 2e-7})) == "[-1.5e-07  2.0e-07]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1.23456789012e10, 1})) ==
          "[1.23456789e+10 1.00000000e+00]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{5e-324, 1e-310})) == "[5.e-324 1.e-310]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1.7976931348623157e308})) == "[1.79769313e+308]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{12345678.9, 1e-3})) == "[1.23456789e+07 1.00000000e-03]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1e8})) == "[1.e+08]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{99999999, 1.5})) == "[9.9999999e+07 1.5000000e+00]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{67108864.f, 1.f})) == "[6.7108864e+07 1.0000000e+00]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{67108864.f, 67108860.f})) ==
          "[6.7108864e+07 6.7108860e+07]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{1e8f, 2e8f})) == "[1.e+08 2.e+08]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{1e6f})) == "[1.e+06]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<float>{16777216.f, 16777215.f})) ==
          "[1.6777216e+07 1.6777215e+07]");
}

TEST_CASE("NumPy: nan and inf take the width of the others") {
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{NAN, 1.5, -INFINITY, INFINITY})) ==
          "[ nan  1.5 -inf  inf]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{NAN, INFINITY})) == "[nan inf]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{NAN})) == "[nan]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{NAN, 1e10, -INFINITY})) == "[   nan 1.e+10   -inf]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{INFINITY, 1e-5})) == "[   inf 1.e-05]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{-INFINITY, NAN})) == "[-inf  nan]");
}

TEST_CASE("NumPy: bools") {
    CHECK(gpu::to_string(gpu::arange<int>(4).reshape({2, 2}).astype<bool>()) ==
          "[[False  True]\n"
          " [ True  True]]");
}

TEST_CASE("NumPy: a single element without axes has all its digits") {
    CHECK(gpu::to_string(gpu::full<double>({}, 2.5)) == "2.5");
    CHECK(gpu::to_string(gpu::full<double>({}, 0.1)) == "0.1");
    CHECK(gpu::to_string(gpu::full<double>({}, 1. / 3)) == "0.3333333333333333");
    CHECK(gpu::to_string(gpu::full<double>({}, -0.0)) == "-0.0");
    CHECK(gpu::to_string(gpu::full<double>({}, 1e15)) == "1000000000000000.0");
    CHECK(gpu::to_string(gpu::full<double>({}, 1e16)) == "1e+16");
    CHECK(gpu::to_string(gpu::full<double>({}, 1.5e300)) == "1.5e+300");
    CHECK(gpu::to_string(gpu::full<double>({}, 0.0001)) == "0.0001");
    CHECK(gpu::to_string(gpu::full<double>({}, 0.00001)) == "1e-05");
    CHECK(gpu::to_string(gpu::full<double>({}, NAN)) == "nan");
    CHECK(gpu::to_string(gpu::full<double>({}, -INFINITY)) == "-inf");
    CHECK(gpu::to_string(gpu::full<int>({}, 7)) == "7");
    CHECK(gpu::to_string(gpu::full<float>({}, 0.1f)) == "0.1");
    CHECK(gpu::to_string(gpu::full<float>({}, 1e16f)) == "1e+16");
    CHECK(gpu::to_string(gpu::full<float>({}, 12345678.f)) == "1.2345678e+07");
    CHECK(gpu::to_string(gpu::full<float>({}, 999999.f)) == "999999.0");
    CHECK(gpu::to_string(gpu::full<bool>({}, true)) == "True");
}

TEST_CASE("NumPy: nothing") {
    CHECK(gpu::to_string(gpu::zeros<double>({0})) == "[]");
    CHECK(gpu::to_string(gpu::zeros<double>({2, 0, 3})) == "[]");
    CHECK(gpu::to_string(gpu::zeros<double>({2000, 0})) == "[]");
}

TEST_CASE("NumPy: long rows are wrapped") {
    CHECK(gpu::to_string(gpu::arange<int>(100000, 120000, 1000)) ==
          "[100000 101000 102000 103000 104000 105000 106000 107000 108000 109000\n"
          " 110000 111000 112000 113000 114000 115000 116000 117000 118000 119000]");
    CHECK(gpu::to_string(gpu::linspace<double>(0, 1, 15)) ==
          "[0.         0.07142857 0.14285714 0.21428571 0.28571429 0.35714286\n"
          " 0.42857143 0.5        0.57142857 0.64285714 0.71428571 0.78571429\n"
          " 0.85714286 0.92857143 1.        ]");
    CHECK(gpu::to_string(gpu::linspace<double>(0, 1, 24).reshape({2, 12})) ==
          "[[0.         0.04347826 0.08695652 0.13043478 0.17391304 0.2173913\n"
          "  0.26086957 0.30434783 0.34782609 0.39130435 0.43478261 0.47826087]\n"
          " [0.52173913 0.56521739 0.60869565 0.65217391 0.69565217 0.73913043\n"
          "  0.7826087  0.82608696 0.86956522 0.91304348 0.95652174 1.        ]]");
    CHECK(gpu::to_string(gpu::arange<int>(30)) ==
          "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
          " 24 25 26 27 28 29]");
}

TEST_CASE("NumPy: large arrays are summarised") {
    CHECK(gpu::to_string(gpu::arange<int>(1001)) == "[   0    1    2 ...  998  999 1000]");
    CHECK(gpu::to_string(gpu::arange<double>(2000).reshape({40, 50})) ==
          "[[0.000e+00 1.000e+00 2.000e+00 ... 4.700e+01 4.800e+01 4.900e+01]\n"
          " [5.000e+01 5.100e+01 5.200e+01 ... 9.700e+01 9.800e+01 9.900e+01]\n"
          " [1.000e+02 1.010e+02 1.020e+02 ... 1.470e+02 1.480e+02 1.490e+02]\n"
          " ...\n"
          " [1.850e+03 1.851e+03 1.852e+03 ... 1.897e+03 1.898e+03 1.899e+03]\n"
          " [1.900e+03 1.901e+03 1.902e+03 ... 1.947e+03 1.948e+03 1.949e+03]\n"
          " [1.950e+03 1.951e+03 1.952e+03 ... 1.997e+03 1.998e+03 1.999e+03]]");
    CHECK(gpu::to_string(gpu::arange<int>(2000).reshape({1000, 2})) ==
          "[[   0    1]\n"
          " [   2    3]\n"
          " [   4    5]\n"
          " ...\n"
          " [1994 1995]\n"
          " [1996 1997]\n"
          " [1998 1999]]");
    CHECK(gpu::to_string(gpu::arange<int>(2400).reshape({2, 1200})) ==
          "[[   0    1    2 ... 1197 1198 1199]\n"
          " [1200 1201 1202 ... 2397 2398 2399]]");
    CHECK(gpu::to_string(gpu::arange<int>(1200).reshape({2, 3, 200})) ==
          "[[[   0    1    2 ...  197  198  199]\n"
          "  [ 200  201  202 ...  397  398  399]\n"
          "  [ 400  401  402 ...  597  598  599]]\n"
          "\n"
          " [[ 600  601  602 ...  797  798  799]\n"
          "  [ 800  801  802 ...  997  998  999]\n"
          "  [1000 1001 1002 ... 1197 1198 1199]]]");
    CHECK(gpu::to_string(gpu::arange<int>(2000).reshape({40, 50}).transpose()) ==
          "[[   0   50  100 ... 1850 1900 1950]\n"
          " [   1   51  101 ... 1851 1901 1951]\n"
          " [   2   52  102 ... 1852 1902 1952]\n"
          " ...\n"
          " [  47   97  147 ... 1897 1947 1997]\n"
          " [  48   98  148 ... 1898 1948 1998]\n"
          " [  49   99  149 ... 1899 1949 1999]]");
    CHECK(gpu::to_string(gpu::arange<int>(2401).reshape({7, 1, 7, 1, 7, 7, 1, 1})(
              gpu::all, 0, gpu::all, 0, gpu::slice(0, 7), gpu::slice(6, gpu::none, -1), 0, 0)(gpu::slice(0, 7, 6),
                                                                                              gpu::slice(0, 7, 6))) ==
          "[[[[   6    5    4    3    2    1    0]\n"
          "   [  13   12   11   10    9    8    7]\n"
          "   [  20   19   18   17   16   15   14]\n"
          "   [  27   26   25   24   23   22   21]\n"
          "   [  34   33   32   31   30   29   28]\n"
          "   [  41   40   39   38   37   36   35]\n"
          "   [  48   47   46   45   44   43   42]]\n"
          "\n"
          "  [[ 300  299  298  297  296  295  294]\n"
          "   [ 307  306  305  304  303  302  301]\n"
          "   [ 314  313  312  311  310  309  308]\n"
          "   [ 321  320  319  318  317  316  315]\n"
          "   [ 328  327  326  325  324  323  322]\n"
          "   [ 335  334  333  332  331  330  329]\n"
          "   [ 342  341  340  339  338  337  336]]]\n"
          "\n"
          "\n"
          " [[[2064 2063 2062 2061 2060 2059 2058]\n"
          "   [2071 2070 2069 2068 2067 2066 2065]\n"
          "   [2078 2077 2076 2075 2074 2073 2072]\n"
          "   [2085 2084 2083 2082 2081 2080 2079]\n"
          "   [2092 2091 2090 2089 2088 2087 2086]\n"
          "   [2099 2098 2097 2096 2095 2094 2093]\n"
          "   [2106 2105 2104 2103 2102 2101 2100]]\n"
          "\n"
          "  [[2358 2357 2356 2355 2354 2353 2352]\n"
          "   [2365 2364 2363 2362 2361 2360 2359]\n"
          "   [2372 2371 2370 2369 2368 2367 2366]\n"
          "   [2379 2378 2377 2376 2375 2374 2373]\n"
          "   [2386 2385 2384 2383 2382 2381 2380]\n"
          "   [2393 2392 2391 2390 2389 2388 2387]\n"
          "   [2400 2399 2398 2397 2396 2395 2394]]]]");
}

TEST_CASE("NumPy: halves") {
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{0.1, 1.5, 65504, -2}).astype<gpu::half>()) ==
          "[ 1.00e-01  1.50e+00  6.55e+04 -2.00e+00]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1. / 3, 999}).astype<gpu::half>()) ==
          "[3.333e-01 9.990e+02]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{1000.5, 1}).astype<gpu::half>()) ==
          "[1.0005e+03 1.0000e+00]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{6e-8, 1}).astype<gpu::half>()) == "[6.e-08 1.e+00]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{INFINITY, 1, NAN}).astype<gpu::half>()) == "[inf  1. nan]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<double>{0.1, 0.2, 0.3}).astype<gpu::half>()) == "[0.1 0.2 0.3]");
    const auto halves = gpu::to_device(std::vector<double>{1. / 3, 2. / 3}).astype<gpu::half>();
    CHECK(gpu::to_string(halves) == "[0.3333 0.6665]");
    CHECK(gpu::to_string(halves, {.precision = 3}) == "[0.333 0.667]");  // 0.6665 stands for 0.66650390625
    CHECK(gpu::to_string(gpu::full<gpu::half>({}, gpu::half(0.1))) == "0.1");
    CHECK(gpu::to_string(gpu::full<gpu::half>({}, gpu::half(2048))) == "2.048e+03");
    CHECK(gpu::to_string(gpu::full<gpu::half>({}, gpu::half(-1))) == "-1.0");
}

TEST_CASE("NumPy: complex numbers") {
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<double>>{{1, 2}, {-0.5, -0.001}, {NAN, 0}})) ==
          "[ 1. +2.e+00j -0.5-1.e-03j  nan+0.e+00j]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<double>>{{-1, -1}, {2, 3}})) == "[-1.-1.j  2.+3.j]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<double>>{{1e10, 1}, {0, 1}})) ==
          "[1.e+10+1.j 0.e+00+1.j]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<double>>{{1, NAN}, {2, INFINITY}, {-INFINITY, 0}})) ==
          "[  1.+nanj   2.+infj -inf +0.j]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<double>>{{0, -0.0}, {-0.0, 0}})) ==
          "[ 0.-0.j -0.+0.j]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<double>>{{0.1, 0.25}, {10, 2.5}})) ==
          "[ 0.1+0.25j 10. +2.5j ]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<float>>{{1, 2}, {3.25, -4}})) ==
          "[1.  +2.j 3.25-4.j]");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {1, 2})) == "(1+2j)");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {0, 2})) == "2j");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {-0.0, 2})) == "(-0+2j)");
    CHECK(gpu::to_string(gpu::full<gpu::complex<float>>({}, {1.5, -2.25})) == "(1.5-2.25j)");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {NAN, INFINITY})) == "(nan+infj)");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {0, 1e20})) == "1e+20j");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {1, -INFINITY})) == "(1-infj)");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {0, NAN})) == "nanj");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {12345678, 3e9})) == "(12345678+3000000000j)");
    CHECK(gpu::to_string(gpu::full<gpu::complex<double>>({}, {1, -0.0})) == "(1-0j)");
    CHECK(gpu::to_string(gpu::full<gpu::complex<float>>({}, {1e9, 2})) == "(1e+09+2j)");
}

TEST_CASE("NumPy: with exponents, missing places are filled with the digits that follow, not with zeros") {
    CHECK(gpu::to_string(gpu::to_device({4.7233502e-09f, -2.0478651e+08f, 0.1f})) ==
          "[ 4.7233502e-09 -2.0478651e+08  1.0000000e-01]");
    CHECK(gpu::to_string(gpu::to_device({0.027954, 60000., 1e-7}).astype<gpu::half>()) ==
          "[2.795e-02 6.000e+04 1.192e-07]");
    CHECK(gpu::to_string(gpu::to_device(std::vector<gpu::complex<float>>{{0.1f, 1e-9f}, {123456.78f, 2}})) ==
          "[1.0000000e-01+1.e-09j 1.2345678e+05+2.e+00j]");
}

// .npy files: the bytes that NumPy writes are read, what we write has the form that NumPy reads, and broken files are
// refused.
using namespace std::string_literals;

namespace {

// A file of this test's own, gone at its end.
class Scratch {
public:
    explicit Scratch(const std::string& bytes = {}) { folder_.write("array.npy", bytes); }

    [[nodiscard]] std::string bytes() const {
        std::ifstream file(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    [[nodiscard]] std::string path() const { return folder_ / "array.npy"; }

private:
    support::TemporaryFolder folder_;
};

// As numpy.save writes it: the header ends with a newline at a multiple of 64.
std::string npy(std::string dictionary, const std::string& data, int version = 1) {
    const std::size_t before = version == 1 ? 10 : 12;
    dictionary.append(63 - (before + dictionary.size()) % 64, ' ');
    dictionary += '\n';
    std::string file = "\x93NUMPY"s + static_cast<char>(version) + '\0';
    std::size_t length = dictionary.size();
    for (std::size_t k = 0; k < before - 8; ++k, length >>= 8) file += static_cast<char>(length & 0xff);
    return file + dictionary + data;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }";
}

template <class Error>
std::string refusal(const std::string& file) {
    const Scratch scratch(file);
    try {
        (void)gpu::load_npy<float>(scratch.path());
    } catch (const Error& error) {
        const std::string text = error.what();
        const std::string where = "load_npy(" + scratch.path() + "): ";
        CHECK(text.starts_with(where));
        return text.substr(std::min(where.size(), text.size()));
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("what is saved is loaded again") {
    const Scratch scratch;
    const std::string path = scratch.path();
    //! [npy]
    auto x = gpu::arange<float>(6).reshape({2, 3});
    gpu::save_npy(path, x);  // numpy.load(path) reads it
    gpu::Array<float> y = gpu::load_npy<float>(path);
    //! [npy]
    CHECK(y.shape() == gpu::Shape{2, 3});
    CHECK(gpu::to_host(y) == gpu::to_host(x));
    //! [any]
    gpu::AnyArray any = gpu::load_npy(path);  // with the elements that the file has
    bool is_float = any.dtype() == gpu::DType::float32;
    //! [any]
    CHECK(is_float);
    gpu::save_npy(path, x.transpose() * 2.f);  // an expression
    CHECK(gpu::to_host(gpu::load_npy<float>(path)) == std::vector<float>{0, 6, 2, 8, 4, 10});
    gpu::save_npy(path, x(gpu::all, gpu::slice(gpu::none, gpu::none, -2)));
    CHECK(gpu::to_host(gpu::load_npy<float>(path)) == std::vector<float>{2, 0, 5, 3});
    gpu::save_npy(path, any);
    CHECK(gpu::to_host(gpu::load_npy<float>(path)) == gpu::to_host(x));
}

TEST_CASE("the bytes of a file are NumPy's") {
    const Scratch scratch;
    gpu::save_npy(scratch.path(), gpu::to_device(std::vector<std::int16_t>{1, -2, 300}));
    CHECK(scratch.bytes() == npy(header("<i2", "(3,)"), "\x01\x00\xfe\xff\x2c\x01"s));
    gpu::save_npy(scratch.path(), gpu::arange<std::uint8_t>(6).reshape({2, 3}).copy(gpu::Layout::column_major));
    CHECK(scratch.bytes() == npy(header("|u1", "(2, 3)", true), "\x00\x03\x01\x04\x02\x05"s));
    gpu::save_npy(scratch.path(), gpu::full<bool>({}, true));
    CHECK(scratch.bytes() == npy(header("|b1", "()"), "\x01"));
    gpu::save_npy(scratch.path(), gpu::zeros<double>({0, 3}));
    CHECK(scratch.bytes() == npy(header("<f8", "(0, 3)"), ""));
}

TEST_CASE("files in NumPy's three formats, in both orders and of both byte orders are read") {
    const std::string three = "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40"s;  // 1, 2, 3
    for (const int version : {1, 2, 3}) {
        const Scratch scratch(npy(header("<f4", "(3,)"), three, version));
        CHECK(gpu::to_host(gpu::load_npy<float>(scratch.path())) == std::vector<float>{1, 2, 3});
    }
    const Scratch big(npy(header(">f4", "(2,)"), "\x3f\x80\x00\x00\x40\x00\x00\x00"s));
    CHECK(gpu::to_host(gpu::load_npy<float>(big.path())) == std::vector<float>{1, 2});
    const Scratch fortran(npy(header("<f4", "(1, 3)", true), three));
    CHECK(gpu::load_npy<float>(fortran.path()).shape() == gpu::Shape{1, 3});
    const Scratch columns(npy(header("|i1", "(2, 3)", true), "\x01\x04\x02\x05\x03\x06"));
    const auto read = gpu::load_npy<std::int8_t>(columns.path());
    CHECK(read.strides() == gpu::Strides{1, 2});
    CHECK(gpu::to_host(read) == std::vector<std::int8_t>{1, 2, 3, 4, 5, 6});
    const Scratch other_order(
        npy("{\"shape\":(1,),\"descr\":\"=f4\",\"fortran_order\":False}", three));  // more may follow
    CHECK(gpu::load_npy<float>(other_order.path()).shape() == gpu::Shape{1});
    const Scratch truth(npy(header("|b1", "(3,)"), "\x00\x01\x07"s));
    CHECK(gpu::to_host(gpu::load_npy<bool>(truth.path())) == std::vector<std::uint8_t>{0, 1, 1});
    const Scratch single(npy(header("<f4", "()"), three.substr(0, 4)));
    CHECK(gpu::load_npy<float>(single.path()).item() == 1);
}

TEST_CASE_TEMPLATE("every element type goes there and back", T, bool, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double) {
    const Scratch scratch;
    const gpu::Array<T> x = gpu::arange<int>(-2, 4).reshape({3, 2}).template astype<T>();
    gpu::save_npy(scratch.path(), x);
    const gpu::Array<T> y = gpu::load_npy<T>(scratch.path());
    CHECK(gpu::to_host(y) == gpu::to_host(x));
    CHECK(y.shape() == x.shape());
    CHECK(gpu::load_npy(scratch.path()).dtype() == gpu::dtype_of<T>);
}

TEST_CASE("halves and complex numbers in files") {
    const Scratch scratch;
    const auto z = gpu::to_device(std::vector<gpu::complex<float>>{{1, 2}, {3, -1}});
    gpu::save_npy(scratch.path(), z);
    CHECK(scratch.bytes() ==
          npy(header("<c8", "(2,)"), "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\xbf"s));
    CHECK(gpu::to_host(gpu::load_npy<gpu::complex<float>>(scratch.path())) == gpu::to_host(z));
    // Big-endian: each part is turned round by itself.
    const Scratch big(npy(header(">c8", "(1,)"), "\x3f\x80\x00\x00\x40\x00\x00\x00"s));
    CHECK(gpu::load_npy<gpu::complex<float>>(big.path()).item() == gpu::complex<float>(1, 2));
    const auto w = gpu::to_device(std::vector<gpu::complex<double>>{{0.5, -2}});
    gpu::save_npy(scratch.path(), w);
    CHECK(scratch.bytes().find("'<c16'") != std::string::npos);
    CHECK(gpu::load_npy<gpu::complex<double>>(scratch.path()).item() == gpu::complex<double>(0.5, -2));
    const Scratch halves(npy(header("<f2", "(2,)"), "\x00\x3c\x00\xc0"s));
    CHECK(gpu::to_host(gpu::load_npy<gpu::half>(halves.path()).astype<float>()) == std::vector<float>{1, -2});
    gpu::save_npy(scratch.path(), gpu::load_npy<gpu::half>(halves.path()));
    CHECK(scratch.bytes() == halves.bytes());
}

TEST_CASE("files that are none, or are broken, are refused") {
    const std::string two = "\x00\x00\x80\x3f\x00\x00\x00\x40"s;
    CHECK(refusal<gpu::FileError>("") == "not a .npy file: it doesn't begin with \\x93NUMPY");
    CHECK(refusal<gpu::FileError>("PK\x03\x04 an archive of several arrays") ==
          "an archive of arrays (.npz): use gpu::load_npz(path), or load_npz(path, name) for one of them");
    CHECK(refusal<gpu::FileError>("PNG is no array") == "not a .npy file: it doesn't begin with \\x93NUMPY");
    CHECK(refusal<gpu::FileError>("\x93NUMPY\x04\x00"s) ==
          "format 4.0 of .npy files isn't known; 1.0, 2.0 and 3.0 are");
    CHECK(refusal<gpu::FileError>("\x93NUMPY\x01\x00\x76"s) ==
          "the file is truncated: its header's bytes need 2 bytes, and 1 are left");
    CHECK(refusal<gpu::FileError>("\x93NUMPY\x01\x00\x76\x00{'descr'"s) ==
          "the file is truncated: its header's bytes need 118 bytes, and 8 are left");
    CHECK(refusal<gpu::FileError>(npy(header("<f4", "(3,)"), two)) ==
          "the file is truncated: its elements need 12 bytes, and 8 are left");
    CHECK(refusal<gpu::FileError>(npy(header("<f4", "(1000000, 1000000)"), two)) ==
          "the file is truncated: its elements need 4000000000000 bytes, and 8 are left");
    CHECK(refusal<gpu::FileError>(npy("{'descr': '<f4', 'shape': (2,)}   \n", two)) ==
          "the file's header is broken: one of descr, fortran_order and shape is missing in "
          "{'descr': '<f4', 'shape': (2,)}");
    for (const char* broken : {"", "[]", "{", "{'descr'}", "{'descr: 1}", "{'descr': 4}", "{'shape': (2}",
                               "{'shape': (-2,)}", "{'shape': 2}", "{'fortran_order': 1}", "{'other': True}",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + 1"}) {
        CAPTURE(broken);
        CHECK(refusal<gpu::FileError>(npy(broken, two)).starts_with("the file's header is broken: "));
    }
}

TEST_CASE("files of elements or shapes that an array can't have are refused") {
    const std::string eight(8, '\0');
    CHECK(refusal<gpu::DTypeError>(npy(header("<f8", "(1,)"), eight)) ==
          "the file has float64 elements, not float32: add {.convert = true} to convert them, or leave out the type to "
          "load them as they are");
    CHECK(refusal<gpu::DTypeError>(npy(header("|O", "(1,)"), eight)) ==
          "the file has elements of NumPy's type '|O', pickled Python objects; an array can't hold them");
    CHECK(refusal<gpu::DTypeError>(npy(header("<U3", "(1,)"), eight)) ==
          "the file has elements of NumPy's type '<U3'; an array can't hold them");
    CHECK(refusal<gpu::DTypeError>(npy(header("", "(1,)"), eight)) ==
          "the file has elements of NumPy's type ''; an array can't hold them");
    CHECK(refusal<gpu::DTypeError>(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", eight)) ==
          "the file has structured elements; an array can't hold them");
    CHECK(refusal<gpu::ShapeError>(npy(header("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), eight)) ==
          "an array has at most 8 axes");
    CHECK(refusal<gpu::ShapeError>(npy(header("<f4", "(4294967296, 4294967296)"), eight)) ==
          "shape (4294967296,4294967296) has more than 2^63 - 1 elements");
    CHECK(refusal<gpu::ShapeError>(npy(header("<f4", "(99999999999999999999,)"), eight))
              .starts_with("a length of the file's shape doesn't fit 63 bits: "));
}

TEST_CASE("files that aren't there or can't be written") {
    CHECK_THROWS_WITH_AS((void)gpu::load_npy<float>("/nowhere/x.npy"),
                         "load_npy(/nowhere/x.npy): No such file or directory", gpu::FileError);
    CHECK_THROWS_AS((void)gpu::load_npy<float>("/tmp"), gpu::FileError);
    CHECK_THROWS_WITH_AS(gpu::save_npy("/nowhere/x.npy", gpu::ones<float>({2})),
                         "save_npy(/nowhere/x.npy): No such file or directory", gpu::FileError);
    if (::access("/dev/full", W_OK) == 0) {
        CHECK_THROWS_AS(gpu::save_npy("/dev/full", gpu::ones<float>({2})), gpu::FileError);
    }
}
