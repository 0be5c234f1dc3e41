// Features of hypotheses: read from n-best lists, and kept as a sparse matrix, a row a hypothesis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tricolore::tuning {

// Rows of a sparse matrix one after another: those of row i are from begins[i] to begins[i + 1], columns ascending.
struct SparseRows {
  const std::int64_t* begins;
  const std::int32_t* columns;
  const double* values;
  std::size_t size;

  double dot(std::size_t row, const double* weights) const {
    double sum = 0;
    for (std::int64_t k = begins[row]; k < begins[row + 1]; ++k) sum += values[k] * weights[columns[k]];
    return sum;
  }

  // Add a row, times a factor, to a vector.
  void add(std::size_t row, double factor, double* to) const {
    for (std::int64_t k = begins[row]; k < begins[row + 1]; ++k) to[columns[k]] += factor * values[k];
  }
};

// A sparse matrix that grows.
struct SparseTable {
  std::vector<std::int64_t> begins{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;

  std::size_t size() const { return begins.size() - 1; }
};

// Reads what stands behind the text of a hypothesis: `lm= -9.1 tm= -2.5 -1.7 ||| -4.2`. Names are given columns as they
// come; a name has as many values on every line as on the first that has it.
class FeatureReader {
 public:
  struct Group {
    std::string name;
    std::int32_t first, width;
  };

  // Read one hypothesis and append its row and its total (nan without one). Returns what is wrong, or nothing.
  std::string read(std::string_view text, SparseTable& table, std::vector<double>& totals);

  const std::vector<Group>& groups() const { return groups_; }
  // Know a name before it is read; false if it is known already.
  bool add(std::string_view name, std::int32_t width);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::string take(std::string_view name, std::span<const double> values);
  std::string read_features(std::string_view text);
  Group* find(std::string_view name);

  std::vector<Group> groups_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;
  std::size_t next_ = 0;  // the group that is probably next: lines are mostly alike
  std::int32_t width_ = 0;
  std::vector<double> values_;
  std::vector<std::pair<std::int32_t, double>> entries_;  // of the line
  std::vector<std::uint32_t> last_read_;                  // the number of the line that had a group last
  std::uint32_t line_ = 0;
};

// Which rows differ from all rows before them in the same list: `starts` says where lists begin, and `of` is something
// else that must be the same for rows to be the same.
void mark_distinct(SparseRows rows, std::span<const std::int64_t> starts, const std::int32_t* of, std::uint8_t* out);

// The variance of every feature within a list, times the factor of the list, summed over lists. What a row does not
// have is 0.
void add_variances(SparseRows rows, std::span<const std::int64_t> starts, const double* factors, std::span<double> out);

// The best of each list, the first of equals; what is not a number is worse than all that is.
void find_best(const double* scores, std::span<const std::int64_t> starts, std::int64_t* out);

}  // namespace tricolore::tuning
