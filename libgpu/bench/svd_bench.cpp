// SPDX-License-Identifier: MIT
// usage: gpu_svd_bench [FILE.json] [SECONDS]
//
// How long each driver of gpu::linalg::svd takes, thin and for the values alone, and how right the thin one is:
// residual |A - U S Vh| / |A| and orthogonality |U^H U - 1| / sqrt(n), the worse of U and V. Matrices are normally
// distributed. It ends within about so many seconds (90): what would take too long, judged by smaller matrices, is left
// out and said so. libgpu/src/cuda/linear_algebra/cuda_linear_algebra.cpp is filled from its last lines.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using gpu::linalg::SvdDriver;

struct Size {
    std::int64_t batch, m, n;
    [[nodiscard]] std::string text() const {
        const std::string matrix = std::to_string(m) + "x" + std::to_string(n);
        return batch == 1 ? matrix : std::to_string(batch) + " of " + matrix;
    }
    [[nodiscard]] gpu::Shape shape() const { return batch == 1 ? gpu::Shape{m, n} : gpu::Shape{batch, m, n}; }
    [[nodiscard]] double work() const { return static_cast<double>(batch * m * n) * static_cast<double>(n); }
};

struct Driver {
    const char* name;
    SvdDriver driver;
};
constexpr Driver drivers[] = {
    {"QR", SvdDriver::QR}, {"Jacobi", SvdDriver::Jacobi}, {"Polar", SvdDriver::Polar}, {"TallQR", SvdDriver::TallQR}};

struct Row {
    std::string type, size, driver;
    double ms = 0, values_ms = 0, residual = 0, orthogonality = 0;
    std::string error;
};

std::string digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
}

double seconds_of(const std::chrono::steady_clock::time_point& start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The first call's time if it's long, else the median of some more.
template <class F>
double median_ms(const F& f) {
    std::vector<double> times;
    for (double total = 0; times.size() < 8 && (times.size() < 3 || total < 0.2);) {
        const auto start = std::chrono::steady_clock::now();
        f();
        gpu::synchronize();
        times.push_back(seconds_of(start) * 1e3);
        total += times.back() / 1e3;
        if (times.back() > 700) return times.back();
    }
    std::sort(times.begin() + 1, times.end());  // not the first: it makes handles and compiles kernels
    return times[(times.size() + 1) / 2];
}

template <class T>
double frobenius(const gpu::Array<T>& x) {
    return static_cast<double>(gpu::linalg::norm(x).item());
}

/// How far the columns are from orthonormal.
template <class T>
double from_orthonormal(const gpu::Array<T>& columns, std::int64_t batch, std::int64_t n) {
    const gpu::Array<T> adjoint = gpu::conj(columns.swapaxes(-1, -2));
    const gpu::Array<T> product = gpu::matmul(adjoint, columns);
    const gpu::Array<T> difference = product - gpu::eye<T>(n);
    return frobenius(difference) / std::sqrt(static_cast<double>(n * batch));
}

template <class T>
Row measure(const char* type, const Size& size, const Driver& driver) {
    Row row{.type = type, .size = size.text(), .driver = driver.name, .error = {}};
    try {
        gpu::random::Generator generator(7);
        const gpu::Array<T> a = generator.normal<T>(size.shape());
        const gpu::linalg::SvdOptions options{.driver = driver.driver};
        gpu::linalg::Svd<T> result;
        row.ms = median_ms([&] { result = gpu::linalg::svd(a, options); });
        decltype(result.S) values;
        const gpu::linalg::SvdOptions only_values{.compute_uv = false, .driver = driver.driver};
        row.values_ms = median_ms([&] { values = gpu::linalg::svd(a, only_values).S; });
        const gpu::Shape across = size.batch == 1 ? gpu::Shape{size.n} : gpu::Shape{size.batch, 1, size.n};
        const gpu::Array<T> scaled = result.U * result.S.reshape(across);
        const gpu::Array<T> difference = gpu::matmul(scaled, result.Vt) - a;
        row.residual = frobenius(difference) / frobenius(a);
        row.orthogonality =
            std::max(from_orthonormal<T>(result.U, size.batch, size.n),
                     from_orthonormal<T>(gpu::Array<T>(result.Vt.swapaxes(-1, -2)), size.batch, size.n));
    } catch (const gpu::LibraryNotFound&) {
        throw;
    } catch (const gpu::Error& error) {
        row.error = error.what();
    }
    return row;
}

void print(const Row& row) {
    if (!row.error.empty()) {
        std::printf("| %-7s | %-15s | %-6s | %s |\n", row.type.c_str(), row.size.c_str(), row.driver.c_str(),
                    row.error.c_str());
    } else {
        std::printf("| %-7s | %-15s | %-6s | %10.3f | %11.3f | %9.1e | %9.1e |\n", row.type.c_str(), row.size.c_str(),
                    row.driver.c_str(), row.ms, row.values_ms, row.residual, row.orthogonality);
    }
    std::fflush(stdout);
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + "\"";
}

void write(const std::string& path, const std::vector<Row>& rows) {
    std::ofstream file(path);
    file << "{\"device\": " << quoted(gpu::Device::current().properties().name) << ",\n \"rows\": [";
    const char* between = "\n";
    for (const Row& row : rows) {
        file << between << "  {\"dtype\": " << quoted(row.type) << ", \"size\": " << quoted(row.size)
             << ", \"driver\": " << quoted(row.driver) << ", \"ms\": " << row.ms << ", \"values_ms\": " << row.values_ms
             << ", \"residual\": " << row.residual << ", \"orthogonality\": " << row.orthogonality
             << ", \"error\": " << quoted(row.error) << "}";
        between = ",\n";
    }
    file << "\n ]}\n";
    if (!file) std::fprintf(stderr, "can't write %s\n", path.c_str());
}

// The first call of all loads libraries, makes handles and compiles kernels: seconds that aren't a driver's.
template <class T>
void warm_up() {
    for (const Driver& driver : drivers) (void)gpu::linalg::svd(gpu::eye<T>(2), {.driver = driver.driver});
    gpu::synchronize();
}

/// Measures one size after the other until the time is over.
class Session {
public:
    explicit Session(double seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}

    void restart() { start_ = std::chrono::steady_clock::now(); }

    template <class T>
    void measure_drivers(const char* type, const Size& size) {
        for (const Driver& driver : drivers) {
            if (driver.driver == SvdDriver::TallQR && size.m <= size.n) continue;
            const std::string key = std::string(type) + driver.name;
            const double expected = expected_seconds(key, size), left = seconds_ - seconds_of(start_);
            if (expected > std::min(left, seconds_ / 5)) {
                const std::string why = left <= 0 ? "the time is over" : "it would take " + digits(expected) + " s";
                std::printf("| %-7s | %-15s | %-6s | left out: %s |\n", type, size.text().c_str(), driver.name,
                            why.c_str());
                continue;
            }
            rows_.push_back(measure<T>(type, size, driver));
            print(rows_.back());
            if (rows_.back().error.empty() && size.batch == 1) known_[key] = {size, rows_.back().ms / 1e3};
        }
    }
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

private:
    struct Known {
        Size size;
        double seconds;
    };
    // From the last matrix that the driver did: as the arithmetic grows, which for large matrices is right.
    [[nodiscard]] double expected_seconds(const std::string& key, const Size& size) const {
        const auto found = known_.find(key);
        if (found == known_.end()) return 0;
        const Known& known = found->second;
        const double one = static_cast<double>(size.m * size.n) * static_cast<double>(size.n);
        return known.seconds * std::max(1., one / known.size.work()) * (size.batch > 1 ? 0. : 1.);
    }

    double seconds_;
    std::chrono::steady_clock::time_point start_;
    std::map<std::string, Known> known_;
    std::vector<Row> rows_;
};

void print_fastest(const std::vector<Row>& rows, const char* what, double Row::*time) {
    std::map<std::string, const Row*> best;
    for (const Row& row : rows) {
        if (!row.error.empty()) continue;
        const Row*& known = best[row.type + ", " + row.size];
        if (!known || row.*time < known->*time) known = &row;
    }
    std::printf("\nfastest, %s:\n", what);
    for (const auto& [name, row] : best) std::printf("  %-28s %s\n", name.c_str(), row->driver.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : "";
    const double seconds = argc > 2 ? std::atof(argv[2]) : 90;
    if (argc > 3 || !(seconds > 0)) {
        std::fprintf(stderr, "usage: gpu_svd_bench [FILE.json] [SECONDS]\n");
        return 2;
    }
    const std::string device = gpu::Device::current().properties().name;
    std::printf("%s\n\n| dtype   | size            | driver |    thin ms | values   ms | residual  | orthogon. |\n",
                device.c_str());
    std::printf("|---|---|---|---|---|---|---|\n");
    Session session(seconds);
    try {
        warm_up<float>();
        warm_up<double>();
        warm_up<gpu::complex<float>>();
        warm_up<gpu::complex<double>>();
        session.restart();
        for (const Size& size :
             {Size{1, 8, 8}, Size{1, 32, 32}, Size{1, 64, 64}, Size{1, 128, 128}, Size{1, 256, 256}, Size{1000, 32, 32},
              Size{1, 512, 512}, Size{1, 100000, 100}, Size{1, 4096, 256}, Size{1, 400, 200}, Size{1, 800, 200},
              Size{1, 1024, 512}, Size{1, 2048, 512}, Size{1, 1024, 1024}, Size{1, 2048, 2048}, Size{1, 4096, 4096}}) {
            session.measure_drivers<float>("float32", size);
            session.measure_drivers<double>("float64", size);
            if (size.n > 1024) continue;
            session.measure_drivers<gpu::complex<float>>("complex64", size);
            session.measure_drivers<gpu::complex<double>>("complex128", size);
        }
    } catch (const gpu::LibraryNotFound& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    print_fastest(session.rows(), "thin", &Row::ms);
    print_fastest(session.rows(), "values alone", &Row::values_ms);
    if (!path.empty()) write(path, session.rows());
    return 0;
}
