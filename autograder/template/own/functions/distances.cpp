// SPDX-License-Identifier: MIT
// The squared distance of each point from each other one, a row of `points` being a point: a matrix product, or pairs
// of rows.
// own: points(m, n)

#include <Eigen/Dense>

Eigen::MatrixXf distances(const Eigen::MatrixXf& points) {
    Eigen::MatrixXf result(points.rows(), points.rows());
    for (Eigen::Index one = 0; one < points.rows(); ++one)
        for (Eigen::Index other = 0; other < points.rows(); ++other)
            result(one, other) = (points.row(one) - points.row(other)).squaredNorm();
    return result;
}
