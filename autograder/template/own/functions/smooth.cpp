// SPDX-License-Identifier: MIT
// Each pixel becomes the mean of itself and its four neighbours, so many times; the edge stays. Neighbours, and two
// images in turn.
// own: image(m, n) from 0 to 1
// own: steps from 1 to 4

#include <Eigen/Dense>

Eigen::ArrayXXf smooth(const Eigen::ArrayXXf& image, int steps) {
    Eigen::ArrayXXf now = image;
    for (int step = 0; step < steps; ++step) {
        const Eigen::ArrayXXf before = now;
        for (Eigen::Index column = 1; column + 1 < now.cols(); ++column)
            for (Eigen::Index row = 1; row + 1 < now.rows(); ++row)
                now(row, column) = (before(row, column) + before(row - 1, column) + before(row + 1, column) +
                                    before(row, column - 1) + before(row, column + 1)) / 5;
    }
    return now;
}
