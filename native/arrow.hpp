// Columns of other libraries by the Arrow C data interface (arrow.apache.org/docs/format/CDataInterface.html): text and
// lists of text or token ids, read where they lie, without making Python objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tricolore::arrow {

// The three structures as the interface lays them out.
struct Schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  Schema** children;
  Schema* dictionary;
  void (*release)(Schema*);
  void* private_data;
};

struct Array {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  Array** children;
  Array* dictionary;
  void (*release)(Array*);
  void* private_data;
};

struct Stream {
  int (*get_schema)(Stream*, Schema* out);
  int (*get_next)(Stream*, Array* out);
  const char* (*get_last_error)(Stream*);
  void (*release)(Stream*);
  void* private_data;
};

// What the cells of a column are.
enum class Cells { texts, lists_of_texts, ids };

// How the values of an array lie in memory; nothing else is read.
enum class Layout { text, large_text, text_view, list, large_list, fixed_list, whole, dictionary };

struct Type {
  Layout layout;
  int bytes = 0;             // of a whole number
  bool is_signed = false;    // of a whole number
  std::size_t fixed = 0;     // size of lists of a fixed size
  std::unique_ptr<Type> of;  // of what lists hold; of the entries of a dictionary, whose keys are whole numbers
};

// The type that a schema describes, or nothing if it is of another kind.
std::unique_ptr<Type> type_of(const Schema& schema);

// An array together with its type; `at` is a place in it, from 0, without the array's own offset.
class Values {
 public:
  Values(const Type& type, const Array& array) : type_(&type), array_(&array) {}

  const Type& type() const { return *type_; }
  bool is_null(std::size_t at) const;
  std::string_view text(std::size_t at) const;
  std::int64_t whole(std::size_t at) const;  // -1 if it is too large
  std::pair<std::size_t, std::size_t> list(std::size_t at) const;
  Values items() const { return {*type_->of, *array_->children[0]}; }

 private:
  std::size_t place(std::size_t at) const { return at + static_cast<std::size_t>(array_->offset); }
  template <class T>
  const T* buffer(std::size_t number) const {
    return static_cast<const T*>(array_->buffers[number]);
  }

  const Type* type_;
  const Array* array_;
};

// A column: chunks that were taken over from another library and are given back with the last copy. A slice shares
// them.
class Column {
 public:
  struct Chunk {
    std::shared_ptr<const Array> array;
    std::size_t first, size;  // the part that belongs to the column
  };

  // Take over what a stream has, or one array. Throws std::invalid_argument if cells are neither texts nor lists of
  // texts or of token ids, and std::runtime_error with the stream's own words if it fails.
  explicit Column(Stream* stream);
  Column(Schema* schema, Array* array);

  // One column after the other, all of one kind and at least one.
  explicit Column(const std::vector<Column>& parts);

  std::size_t size() const { return size_; }
  Cells cells() const { return cells_; }
  Column slice(std::size_t begin, std::size_t end) const;

  // Call take(values, at) for every cell.
  template <class Take>
  void for_each(Take&& take) const {
    for (const Chunk& chunk : chunks_) {
      const Values values(*type_, *chunk.array);
      for (std::size_t i = 0; i < chunk.size; ++i) take(values, chunk.first + i);
    }
  }

 private:
  Column() = default;
  void set_type(const Schema& schema);
  void add(Array& array);

  std::shared_ptr<const Type> type_;
  Cells cells_ = Cells::texts;
  std::vector<Chunk> chunks_;
  std::size_t size_ = 0;
};

// Columns side by side, a text each: together the references of each segment, where null means missing.
class Columns {
 public:
  // Throws std::invalid_argument unless all are columns of texts, of one length.
  explicit Columns(std::vector<Column> columns);

  std::size_t size() const { return columns_.front().size(); }
  const std::vector<Column>& columns() const { return columns_; }
  Columns slice(std::size_t begin, std::size_t end) const;

 private:
  std::vector<Column> columns_;
};

// The fewest and the most texts of a cell; of no cells, 0.
std::pair<std::size_t, std::size_t> text_counts(const Column& column);
std::pair<std::size_t, std::size_t> text_counts(const Columns& columns);

}  // namespace tricolore::arrow
