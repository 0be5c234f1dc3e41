#include "arrow.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tricolore::arrow {

namespace {

struct WholeNumber {
  char format;
  int bytes;
  bool is_signed;
};
constexpr WholeNumber whole_numbers[] = {{'c', 1, true}, {'C', 1, false}, {'s', 2, true}, {'S', 2, false},
                                         {'i', 4, true}, {'I', 4, false}, {'l', 8, true}, {'L', 8, false}};

std::unique_ptr<Type> simple(Layout layout) {
  auto type = std::make_unique<Type>();
  type->layout = layout;
  return type;
}

template <class T>
std::int64_t number_at(const void* data, std::size_t at) {
  const T number = static_cast<const T*>(data)[at];
  if constexpr (sizeof(T) == 8 && !std::is_signed_v<T>)
    if (number > static_cast<T>(std::numeric_limits<std::int64_t>::max())) return -1;
  return static_cast<std::int64_t>(number);
}

std::int64_t number_at(const Type& type, const void* data, std::size_t at) {
  switch (type.bytes) {
    case 1:
      return type.is_signed ? number_at<std::int8_t>(data, at) : number_at<std::uint8_t>(data, at);
    case 2:
      return type.is_signed ? number_at<std::int16_t>(data, at) : number_at<std::uint16_t>(data, at);
    case 4:
      return type.is_signed ? number_at<std::int32_t>(data, at) : number_at<std::uint32_t>(data, at);
    default:
      return type.is_signed ? number_at<std::int64_t>(data, at) : number_at<std::uint64_t>(data, at);
  }
}

template <class Structure>
void release(Structure* structure) {
  if (structure->release != nullptr) structure->release(structure);
}

}  // namespace

std::unique_ptr<Type> type_of(const Schema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    auto type = simple(Layout::dictionary);
    type->of = type_of(*schema.dictionary);
    for (const auto& [letter, bytes, is_signed] : whole_numbers)
      if (format == std::string_view(&letter, 1)) type->bytes = bytes, type->is_signed = is_signed;
    return type->bytes != 0 && type->of && type->of->layout < Layout::list ? std::move(type) : nullptr;
  }
  if (format == "u") return simple(Layout::text);
  if (format == "U") return simple(Layout::large_text);
  if (format == "vu") return simple(Layout::text_view);
  for (const auto& [letter, bytes, is_signed] : whole_numbers) {
    if (format != std::string_view(&letter, 1)) continue;
    auto type = simple(Layout::whole);
    type->bytes = bytes;
    type->is_signed = is_signed;
    return type;
  }
  const bool fixed = format.starts_with("+w:");
  if (!fixed && format != "+l" && format != "+L") return nullptr;
  auto type = simple(fixed ? Layout::fixed_list : format == "+l" ? Layout::list : Layout::large_list);
  if (fixed) type->fixed = static_cast<std::size_t>(std::atoll(schema.format + 3));
  type->of = type_of(*schema.children[0]);
  return type->of ? std::move(type) : nullptr;
}

bool Values::is_null(std::size_t at) const {
  const auto* valid = array_->n_buffers > 0 ? buffer<std::uint8_t>(0) : nullptr;
  const std::size_t i = place(at);
  if (valid != nullptr && (valid[i / 8] >> (i % 8) & 1) == 0) return true;
  if (type_->layout != Layout::dictionary) return false;
  const std::int64_t key = number_at(*type_, buffer<void>(1), i);
  return Values(*type_->of, *array_->dictionary).is_null(static_cast<std::size_t>(key));
}

std::string_view Values::text(std::size_t at) const {
  const std::size_t i = place(at);
  switch (type_->layout) {
    case Layout::text: {
      const auto* ends = buffer<std::int32_t>(1);
      return {buffer<char>(2) + ends[i], static_cast<std::size_t>(ends[i + 1] - ends[i])};
    }
    case Layout::large_text: {
      const auto* ends = buffer<std::int64_t>(1);
      return {buffer<char>(2) + ends[i], static_cast<std::size_t>(ends[i + 1] - ends[i])};
    }
    case Layout::text_view: {
      // 16 bytes a cell: the size, then up to 12 bytes of text; or 4 of them, the number of a buffer, and a place in
      // it.
      const char* cell = buffer<char>(1) + 16 * i;
      std::int32_t size, number, begin;
      std::memcpy(&size, cell, 4);
      if (size <= 12) return {cell + 4, static_cast<std::size_t>(size)};
      std::memcpy(&number, cell + 8, 4);
      std::memcpy(&begin, cell + 12, 4);
      return {buffer<char>(2 + static_cast<std::size_t>(number)) + begin, static_cast<std::size_t>(size)};
    }
    default: {
      const std::int64_t key = number_at(*type_, buffer<void>(1), i);
      return Values(*type_->of, *array_->dictionary).text(static_cast<std::size_t>(key));
    }
  }
}

std::int64_t Values::whole(std::size_t at) const { return number_at(*type_, buffer<void>(1), place(at)); }

std::pair<std::size_t, std::size_t> Values::list(std::size_t at) const {
  const std::size_t i = place(at);
  if (type_->layout == Layout::fixed_list) return {i * type_->fixed, (i + 1) * type_->fixed};
  if (type_->layout == Layout::list)
    return {static_cast<std::size_t>(buffer<std::int32_t>(1)[i]),
            static_cast<std::size_t>(buffer<std::int32_t>(1)[i + 1])};
  return {static_cast<std::size_t>(buffer<std::int64_t>(1)[i]),
          static_cast<std::size_t>(buffer<std::int64_t>(1)[i + 1])};
}

void Column::set_type(const Schema& schema) {
  std::unique_ptr<Type> type = type_of(schema);
  const Type* items = type && type->of && type->layout != Layout::dictionary ? type->of.get() : nullptr;
  const bool is_text = type && (type->layout < Layout::list || type->layout == Layout::dictionary);
  const bool of_text = items != nullptr && (items->layout < Layout::list || items->layout == Layout::dictionary);
  const bool of_ids = items != nullptr && items->layout == Layout::whole;
  if (!is_text && !of_text && !of_ids) throw std::invalid_argument("neither text nor lists of text or token ids");
  cells_ = is_text ? Cells::texts : of_text ? Cells::lists_of_texts : Cells::ids;
  type_ = std::move(type);
}

void Column::add(Array& array) {
  auto* taken = new Array(array);
  array.release = nullptr;  // it is ours now
  const std::shared_ptr<const Array> owner(taken, [](Array* one) {
    release(one);
    delete one;
  });
  const auto size = static_cast<std::size_t>(taken->length);
  if (size == 0) return;
  chunks_.push_back({owner, 0, size});
  size_ += size;
}

Column::Column(Stream* stream) {
  const auto check = [&](int failed) {
    if (failed == 0) return;
    const char* told = stream->get_last_error(stream);
    throw std::runtime_error(told == nullptr ? std::strerror(failed) : told);
  };
  Schema schema{};
  check(stream->get_schema(stream, &schema));
  try {
    set_type(schema);
  } catch (...) {
    release(&schema);
    throw;
  }
  release(&schema);
  while (true) {
    Array array{};
    check(stream->get_next(stream, &array));
    if (array.release == nullptr) break;
    add(array);
  }
}

Column::Column(Schema* schema, Array* array) {
  set_type(*schema);
  add(*array);
}

Column::Column(const std::vector<Column>& parts) {
  if (parts.empty()) throw std::invalid_argument("no columns");
  type_ = parts.front().type_;
  cells_ = parts.front().cells_;
  for (const Column& part : parts) {
    if (part.cells_ != cells_ || part.type_->layout != type_->layout) throw std::invalid_argument("not of one kind");
    chunks_.insert(chunks_.end(), part.chunks_.begin(), part.chunks_.end());
    size_ += part.size_;
  }
}

Column Column::slice(std::size_t begin, std::size_t end) const {
  Column part;
  part.type_ = type_;
  part.cells_ = cells_;
  std::size_t first = 0;
  for (const Chunk& chunk : chunks_) {
    const std::size_t from = std::max(begin, first), to = std::min(end, first + chunk.size);
    if (from < to) {
      part.chunks_.push_back({chunk.array, chunk.first + from - first, to - from});
      part.size_ += to - from;
    }
    first += chunk.size;
  }
  return part;
}

Columns::Columns(std::vector<Column> columns) : columns_(std::move(columns)) {
  if (columns_.empty()) throw std::invalid_argument("no columns");
  for (const Column& column : columns_)
    if (column.cells() != Cells::texts || column.size() != size()) throw std::invalid_argument("not columns of texts");
}

Columns Columns::slice(std::size_t begin, std::size_t end) const {
  std::vector<Column> parts;
  for (const Column& column : columns_) parts.push_back(column.slice(begin, end));
  return Columns(std::move(parts));
}

namespace {

std::pair<std::size_t, std::size_t> least_and_most(const std::vector<std::uint32_t>& counts) {
  if (counts.empty()) return {0, 0};
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return {*least, *most};
}

}  // namespace

std::pair<std::size_t, std::size_t> text_counts(const Column& column) {
  std::vector<std::uint32_t> counts;
  const bool listed = column.cells() == Cells::lists_of_texts;
  column.for_each([&](const Values& values, std::size_t at) {
    std::uint32_t count = values.is_null(at) ? 0 : 1;
    if (listed && count > 0) {
      const auto [begin, end] = values.list(at);
      const Values items = values.items();
      count = 0;
      for (std::size_t k = begin; k < end; ++k) count += !items.is_null(k);
    }
    counts.push_back(count);
  });
  return least_and_most(counts);
}

std::pair<std::size_t, std::size_t> text_counts(const Columns& columns) {
  std::vector<std::uint32_t> counts(columns.size(), 0);
  for (const Column& column : columns.columns()) {
    std::size_t i = 0;
    column.for_each([&](const Values& values, std::size_t at) { counts[i++] += !values.is_null(at); });
  }
  return least_and_most(counts);
}

}  // namespace tricolore::arrow
