// Counts of a hypothesis against each of its references: one row a pair, whatever is counted.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "fuzzy.hpp"
#include "reader.hpp"
#include "rows.hpp"
#include "stem_numbers.hpp"
#include "text.hpp"

namespace tricolore::counting {

nb::list list_of(std::span<const double> numbers);

// What is counted. Behind this interface, what is done around it is compiled once, not once for each.
class PairCounting {
 public:
  // Counts for one thread.
  class Worker {
   public:
    virtual ~Worker() = default;
    virtual void count(const SegmentView& segment, double* rows) = 0;
    // A hypothesis with all references, in a list of hypotheses of which each is counted with all.
    virtual void count_each(std::span<const TextView> hypotheses, std::size_t hypothesis,
                            std::span<const TextView> references, double* rows) = 0;
  };

  virtual ~PairCounting() = default;
  virtual std::size_t columns() const = 0;
  virtual std::size_t block_size() const = 0;
  virtual const Reading* reading_of_words() const = 0;               // if words are all that is compared
  virtual const FuzzyCounting* as_fuzzy() const { return nullptr; }  // which has a way of its own for many texts
  virtual std::unique_ptr<Worker> worker() const = 0;
  virtual void count_alone(const SegmentView& segment, double* rows) const = 0;
};

// `What` says what to count and how many columns that makes; `Workspace` counts a segment into as many rows as it has
// references.
template <class What, class Workspace>
class PairCountingOf final : public PairCounting {
 public:
  explicit PairCountingOf(What what) : what_(std::move(what)) {}

  std::size_t columns() const override { return what_.columns(); }
  std::size_t block_size() const override { return What::block_size; }
  const Reading* reading_of_words() const override {
    if constexpr (What::compares_words_only) return &what_.reading;
    return nullptr;
  }
  const FuzzyCounting* as_fuzzy() const override {
    if constexpr (std::is_same_v<What, FuzzyCounting>) return &what_;
    return nullptr;
  }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<WorkerOf>(what_); }
  void count_alone(const SegmentView& segment, double* rows) const override {
    tricolore::count_alone<Workspace>(segment, [&](Workspace& workspace) { workspace.count(what_, segment, rows); });
  }

 private:
  class WorkerOf final : public Worker {
   public:
    explicit WorkerOf(const What& what) : what_(what) {}

    void count(const SegmentView& segment, double* rows) override { workspace_.count(what_, segment, rows); }
    void count_each(std::span<const TextView> hypotheses, std::size_t hypothesis, std::span<const TextView> references,
                    double* rows) override {
      if constexpr (requires { workspace_.read(what_, hypotheses, references); }) {
        if (!std::exchange(has_read_, true)) workspace_.read(what_, hypotheses, references);
        for (std::size_t k = 0; k < references.size(); ++k)
          workspace_.compare(what_, hypothesis, k, rows + k * what_.columns());
      } else {
        workspace_.count(what_, {hypotheses[hypothesis], references}, rows);
      }
    }

   private:
    const What& what_;
    Workspace workspace_;
    bool has_read_ = false;
  };

  What what_;
};

// What Python sees of it.
class PairCounter {
 public:
  explicit PairCounter(std::unique_ptr<const PairCounting> what) : what_(std::move(what)) {}

  // Count a batch in which every segment has one reference: as NgramCounter. If one has several, nothing is counted
  // and the sums are None: `pairs` is the way then.
  nb::tuple batch(nb::handle hypotheses, nb::handle references, std::optional<Rows> rows, unsigned threads) const;
  // Count a batch; returns (an array of a row a pair, an array of where each segment's pairs end).
  nb::tuple pairs(nb::handle hypotheses, nb::handle references, unsigned threads) const;
  // The same for segments that have been numbered.
  nb::tuple numbered_pairs(const NumberedSegments& segments, unsigned threads) const;
  // Count every hypothesis with every reference, in that order; returns a row a pair.
  nb::object each(const nb::list& hypotheses, const nb::list& references, unsigned threads) const;
  // Count one segment; returns its rows.
  nb::list segment(nb::handle hypothesis, nb::handle references) const;
  // The same for lists of tokens; None if the arguments are not lists of str.
  nb::object tokens(nb::handle hypothesis, nb::handle references) const;
  // The same for a batch: a list of rows a segment.
  nb::object batch_tokens(nb::handle hypotheses, nb::handle references, unsigned threads) const;

 private:
  template <class SegmentsOf>
  std::vector<double> count_pairs(const SegmentsOf& segments, std::span<const std::size_t> ends,
                                  unsigned threads) const;
  // Texts: hypotheses, then references.
  void count_each(std::vector<TextView> texts, std::size_t hypotheses, double* rows, unsigned threads) const;

  std::unique_ptr<const PairCounting> what_;
};

}  // namespace tricolore::counting
