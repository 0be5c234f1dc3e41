#include "features.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <version>

#include "interruption.hpp"

namespace tricolore::tuning {

namespace {

constexpr std::string_view separator = "|||";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Cut the next word off the front of a text; empty at its end.
std::string_view next_word(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_space(text[end])) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// Read a whole word as a number. "inf" and "nan" are numbers here; what to do with them is another matter.
bool read_number(std::string_view word, double& out) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  if (word.empty() || word.front() == '+') return false;
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error == std::errc::result_out_of_range && end == word.data() + word.size()) {
    out = std::strtod(std::string(word).c_str(), nullptr);  // 0 or infinite, as everywhere
    return true;
  }
  return error == std::errc() && end == word.data() + word.size();
#else
  const std::string copy(word);
  if (copy.find_first_of("xXpP") != std::string::npos) return false;
  char* end = nullptr;
  out = std::strtod(copy.c_str(), &end);
  return end == copy.c_str() + copy.size();
#endif
}

std::string quoted(std::string_view word) {
  constexpr std::size_t most = 40;
  std::size_t end = std::min(word.size(), most);
  while (end > 0 && end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80)
    --end;  // not within a character
  std::string text(1, '\'');
  return text.append(word.substr(0, end)).append(end < word.size() ? "…'" : "'");
}

}  // namespace

bool FeatureReader::add(std::string_view name, std::int32_t width) {
  if (!places_.emplace(std::string(name), groups_.size()).second) return false;
  groups_.push_back({std::string(name), width_, width});
  last_read_.push_back(0);
  width_ += width;
  return true;
}

FeatureReader::Group* FeatureReader::find(std::string_view name) {
  if (next_ < groups_.size() && groups_[next_].name == name) return &groups_[next_++];
  const auto found = places_.find(name);
  if (found == places_.end()) return nullptr;
  next_ = found->second + 1;
  return &groups_[found->second];
}

std::string FeatureReader::take(std::string_view name, std::span<const double> values) {
  Group* group = find(name);
  if (group == nullptr) {
    if (width_ > std::numeric_limits<std::int32_t>::max() - static_cast<std::int32_t>(values.size()))
      return "there are too many features";
    add(name, static_cast<std::int32_t>(values.size()));
    next_ = groups_.size();
    group = &groups_.back();
  }
  if (values.size() != static_cast<std::size_t>(group->width))
    return "feature " + quoted(name) + " has " + std::to_string(values.size()) + " values; expected " +
           std::to_string(group->width) + ", as before";
  std::uint32_t& last = last_read_[static_cast<std::size_t>(group - groups_.data())];
  if (last == line_) return "feature " + quoted(name) + " stands there twice";
  last = line_;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      return "feature " + quoted(name) + " is " + (std::isnan(values[i]) ? "nan" : "infinite") +
             "; expected a finite number";
    if (values[i] != 0) entries_.emplace_back(group->first + static_cast<std::int32_t>(i), values[i]);
  }
  return {};
}

std::string FeatureReader::read_features(std::string_view text) {
  std::string_view name;
  bool named = false;
  values_.clear();
  auto close = [&]() -> std::string {
    if (!named) return {};
    if (values_.empty()) return "feature " + quoted(name) + " has no value";
    return take(name, values_);
  };
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    double value;
    if (named && read_number(word, value)) {
      values_.push_back(value);
      continue;
    }
    const std::size_t equals = word.rfind('=');
    const bool opens = word.size() > 1 && (word.back() == '=' || word.back() == ':');
    const bool whole = !opens && equals != std::string_view::npos && equals > 0;
    if (!opens && !whole) return "expected features such as 'lm= -9.1' or 'lm=-9.1', found " + quoted(word);
    if (std::string wrong = close(); !wrong.empty()) return wrong;
    values_.clear();
    named = opens;
    if (opens) {
      name = word.substr(0, word.size() - 1);
      continue;
    }
    if (!read_number(word.substr(equals + 1), value))
      return "feature " + quoted(word.substr(0, equals)) + ": expected a number, found " +
             quoted(word.substr(equals + 1));
    if (std::string wrong = take(word.substr(0, equals), std::span(&value, 1)); !wrong.empty()) return wrong;
  }
  return close();
}

std::string FeatureReader::read(std::string_view text, SparseTable& table, std::vector<double>& totals) {
  ++line_;
  next_ = 0;
  entries_.clear();
  const std::size_t end = std::min(text.find(separator), text.size());
  if (std::string wrong = read_features(text.substr(0, end)); !wrong.empty()) return wrong;
  if (!std::is_sorted(entries_.begin(), entries_.end())) std::sort(entries_.begin(), entries_.end());
  for (const auto& [column, value] : entries_) {
    table.columns.push_back(column);
    table.values.push_back(value);
  }
  table.begins.push_back(static_cast<std::int64_t>(table.columns.size()));
  double total = std::numeric_limits<double>::quiet_NaN();
  if (end < text.size()) {
    text.remove_prefix(end + separator.size());
    text = text.substr(0, text.find(separator));
    const std::string_view word = next_word(text);
    if (!word.empty() && (!read_number(word, total) || !next_word(text).empty()))
      return "expected the total score, a number, found " + quoted(word);
  }
  totals.push_back(total);
  return {};
}

void mark_distinct(SparseRows rows, std::span<const std::int64_t> starts, const std::int32_t* of, std::uint8_t* out) {
  auto same = [&](std::int64_t a, std::int64_t b) {
    const std::int64_t size = rows.begins[a + 1] - rows.begins[a];
    if (of[a] != of[b] || size != rows.begins[b + 1] - rows.begins[b]) return false;
    return std::equal(rows.columns + rows.begins[a], rows.columns + rows.begins[a + 1],
                      rows.columns + rows.begins[b]) &&
           std::equal(rows.values + rows.begins[a], rows.values + rows.begins[a + 1], rows.values + rows.begins[b]);
  };
  auto hash = [&](std::int64_t row) {
    std::uint64_t h = static_cast<std::uint64_t>(of[row]) + 0x9E3779B97F4A7C15u;
    for (std::int64_t k = rows.begins[row]; k < rows.begins[row + 1]; ++k) {
      std::uint64_t bits;
      std::memcpy(&bits, rows.values + k, sizeof bits);
      h = (h ^ bits ^ (static_cast<std::uint64_t>(rows.columns[k]) << 32)) * 0xBF58476D1CE4E5B9u;
      h ^= h >> 29;
    }
    return h;
  };
  std::vector<std::int64_t> slots;
  for (std::size_t list = 0; list + 1 < starts.size(); ++list) {
    if (list % 256 == 0) check_interrupt();
    std::size_t room = 16;
    while (room < 2 * static_cast<std::size_t>(starts[list + 1] - starts[list])) room *= 2;
    slots.assign(room, -1);
    for (std::int64_t row = starts[list]; row < starts[list + 1]; ++row) {
      std::size_t slot = hash(row) & (room - 1);
      while (slots[slot] >= 0 && !same(slots[slot], row)) slot = (slot + 1) & (room - 1);
      out[row] = slots[slot] < 0;
      if (slots[slot] < 0) slots[slot] = row;
    }
  }
}

void add_variances(SparseRows rows, std::span<const std::int64_t> starts, const double* factors,
                   std::span<double> out) {
  // Values are taken from the first of their feature in a list, so that equal ones have a variance of exactly 0.
  std::vector<double> origins(out.size()), means(out.size()), deviations(out.size());
  std::vector<std::int64_t> present(out.size());
  std::vector<std::int32_t> touched;
  for (std::size_t list = 0; list + 1 < starts.size(); ++list) {
    if (list % 256 == 0) check_interrupt();
    const std::int64_t first = rows.begins[starts[list]], last = rows.begins[starts[list + 1]];
    const auto number = static_cast<double>(starts[list + 1] - starts[list]);
    touched.clear();
    for (std::int64_t k = first; k < last; ++k) {
      const std::int32_t column = rows.columns[k];
      if (present[column]++ == 0) {
        touched.push_back(column);
        origins[column] = rows.values[k];
      }
      means[column] += rows.values[k] - origins[column];
    }
    for (const std::int32_t column : touched) {
      const double absent = number - static_cast<double>(present[column]);
      means[column] = (means[column] - absent * origins[column]) / number;
    }
    for (std::int64_t k = first; k < last; ++k) {
      const std::int32_t column = rows.columns[k];
      const double off = rows.values[k] - origins[column] - means[column];
      deviations[column] += off * off;
    }
    for (const std::int32_t column : touched) {
      const double absent = number - static_cast<double>(present[column]), mean = origins[column] + means[column];
      out[column] += factors[list] * (deviations[column] + absent * mean * mean) / number;
      means[column] = deviations[column] = 0;
      present[column] = 0;
    }
  }
}

void find_best(const double* scores, std::span<const std::int64_t> starts, std::int64_t* out) {
  auto less = [](double a, double b) { return a < b || (std::isnan(a) && !std::isnan(b)); };
  for (std::size_t list = 0; list + 1 < starts.size(); ++list)
    out[list] = std::max_element(scores + starts[list], scores + starts[list + 1], less) - scores;
}

}  // namespace tricolore::tuning
