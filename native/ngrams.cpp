#include "ngrams.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "matches.hpp"

namespace tricolore::counting {

void NgramWorkspace::count(const NgramCounting& what, const SegmentView& segment, double* row) {
  if (what.information) {
    begin_words(what);
    for (const auto& text : segment.references) {
      word_reader_.find(what.information->words(), text, what.reading,
                        [&](std::uint32_t word) { add_reference_word(word); });
      words_.reference_ends.push_back(words_.references.size());
    }
    end_words(what, segment.hypothesis);
    expect_bigrams(*what.information);
  } else {
    reader_.read(what.reading, segment, words_);
  }
  first_token_ = absent;
  write_row(what, row);
}

void NgramWorkspace::count_learnt(const NgramCounting& what, const TextView& hypothesis, std::size_t segment,
                                  double* row) {
  begin_words(what);
  what.information->for_references(segment, [&](std::span<const std::uint32_t> words) {
    for (std::uint32_t word : words) add_reference_word(word);
    words_.reference_ends.push_back(words_.references.size());
  });
  end_words(what, hypothesis);
  first_token_ = what.information->keeps_nodes() ? what.information->first_token(segment) : absent;
  write_row(what, row);
}

void NgramWorkspace::write_row(const NgramCounting& what, double* row) {
  std::fill(row, row + what.match_orders, 0.0);
  if (what.information) {
    match(what.match_orders, [&](std::size_t i, int n, std::size_t place) {
      row[n] += first_token_ == absent || place == absent ? weight(*what.information, i, n)
                                                          : weight_at(*what.information, first_token_ + place, n);
    });
  } else if (words_.reference_ends.size() == 1) {
    pair_.count(words_.hypothesis, words_.references, words_.types, what.match_orders, row);
  } else {
    match(what.match_orders, [&](std::size_t, int n, std::size_t) { row[n] += 1.0; });
  }
  const auto length = static_cast<long long>(words_.hypothesis.size());
  double* cell = row + what.match_orders;
  for (long long n = 1; n <= what.total_orders; ++n) *cell++ = static_cast<double>(std::max(0LL, length - n + 1));
  const double reference = reference_length(what.reference_length);
  *cell++ = static_cast<double>(length);
  *cell++ = reference;
  if (what.clipped_length) *cell++ = std::min(static_cast<double>(length), reference);
}

void NgramWorkspace::begin_words(const NgramCounting& what) {
  const std::size_t words = what.information->words().size();
  if (locals_.size() < words || ++stamp_ == 0) {
    locals_.assign(words, Local{});
    stamp_ = 1;
  }
  corpus_words_.clear();
  words_.references.clear();
  words_.reference_ends.clear();
}

void NgramWorkspace::add_reference_word(std::uint32_t word) {
  if (word == absent) return words_.references.push_back(absent);
  Local& local = locals_[word];
  if (local.stamp != stamp_) {
    local = {stamp_, static_cast<std::uint32_t>(corpus_words_.size())};
    corpus_words_.push_back(word);
  }
  words_.references.push_back(local.type);
}

void NgramWorkspace::end_words(const NgramCounting& what, const TextView& hypothesis) {
  words_.types = static_cast<std::uint32_t>(corpus_words_.size());
  words_.hypothesis.clear();
  word_reader_.find(what.information->words(), hypothesis, what.reading, [&](std::uint32_t word) {
    const bool shared = word != absent && locals_[word].stamp == stamp_;
    words_.hypothesis.push_back(shared ? locals_[word].type : absent);
  });
  places_.assign(words_.hypothesis.size(), Place{});
}

void NgramWorkspace::expect_bigrams(const NgramCounts& corpus) const {
  for (std::size_t i = 0; i + 1 < words_.hypothesis.size(); ++i)
    if (words_.hypothesis[i] != absent && words_.hypothesis[i + 1] != absent)
      corpus.expect(corpus_words_[words_.hypothesis[i]], corpus_words_[words_.hypothesis[i + 1]]);
}

double NgramWorkspace::reference_length(ReferenceLength mode) const {
  const auto hypothesis = static_cast<long long>(words_.hypothesis.size());
  long long best = -1, sum = 0;
  std::size_t begin = 0;
  for (std::size_t end : words_.reference_ends) {
    const auto length = static_cast<long long>(end - begin);
    begin = end;
    sum += length;
    const long long gap = std::abs(length - hypothesis), best_gap = std::abs(best - hypothesis);
    const bool better = mode == ReferenceLength::shortest
                            ? length < best
                            : gap < best_gap || (gap == best_gap && length < best);  // closest; tie: shorter
    if (best < 0 || better) best = length;
  }
  if (mode == ReferenceLength::average)
    return static_cast<double>(sum) / static_cast<double>(words_.reference_ends.size());
  return static_cast<double>(best);
}

// The weight of the n-gram of order n + 1 at i of the hypothesis; 0 where the corpus counts do not know it. Only asked
// for matches, in increasing n for each i, so a place in the counts is kept for each i and moved along.
double NgramWorkspace::weight(const NgramCounts& corpus, std::size_t i, int n) {
  Place& place = places_[i];
  while (place.order <= n && (place.order == 0 || place.node != absent)) {
    const std::uint32_t type = words_.hypothesis[i + static_cast<std::size_t>(place.order)];
    const std::uint32_t word = corpus_words_[type];
    place.node = place.order == 0 ? word : corpus.child(place.node, word);
    ++place.order;
  }
  return place.order == n + 1 && place.node != absent ? corpus.weight(place.node) : 0.0;
}

// The same where the n-gram is known to stand at a token of the references that were counted: nothing is looked up.
double NgramWorkspace::weight_at(const NgramCounts& corpus, std::size_t token, int n) {
  const std::uint32_t node = corpus.node_at(token, n + 1);
  return node == absent ? 0.0 : corpus.weight(node);
}

template <class OnMatch>
void NgramWorkspace::match(int orders, OnMatch&& on_match) {
  std::size_t begin = 0, longest = 0;
  for (std::size_t end : words_.reference_ends) {
    longest = std::max(longest, end - begin);
    begin = end;
  }
  // Eight bytes per type and reference are a bargain until references are many.
  const bool single = words_.reference_ends.size() == 1 && orders <= 64;  // of which bits need not go farther
  if (single && longest <= 64) {
    match_single<1>(orders, on_match);
  } else if (single && longest <= 128) {
    match_single<2>(orders, on_match);
  } else if (single && longest <= 256) {
    match_single<4>(orders, on_match);
  } else if (longest <= 64 && words_.reference_ends.size() <= 64) {
    match_short(orders, on_match);
  } else {
    match_long(orders, on_match);
  }
}

// References of up to 64 words: for each type a word of bits, bit p set where it stands at p. The n-gram that begins
// at i occurs at the bits left after and-ing the shifted words of its types. A match uses up one occurrence in every
// reference that has one left, so no n-gram is ever hashed or counted.
template <class OnMatch>
void NgramWorkspace::match_short(int orders, OnMatch&& on_match) {
  const std::size_t references = words_.reference_ends.size();
  positions_.assign(words_.types * references, 0);
  std::size_t begin = 0;
  for (std::size_t r = 0; r < references; ++r) {
    for (std::size_t i = begin; i < words_.reference_ends[r]; ++i)
      if (words_.references[i] != absent)
        positions_[words_.references[i] * references + r] |= std::uint64_t{1} << (i - begin);
    begin = words_.reference_ends[r];
  }
  const auto highest = static_cast<std::size_t>(std::min(orders, 64));  // no longer n-gram fits
  taken_.assign(highest * references, 0);
  masks_.resize(references);

  const std::size_t length = words_.hypothesis.size();
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t n = 0; n < highest && i + n < length; ++n) {
      const std::uint32_t type = words_.hypothesis[i + n];
      if (type == absent) break;
      const std::uint64_t* positions = positions_.data() + type * references;
      std::size_t first = references;
      for (std::size_t r = references; r-- > 0;) {
        const std::uint64_t mask = n == 0 ? positions[r] : masks_[r] & (positions[r] >> n);
        masks_[r] = mask;
        if (mask != 0) first = r;
      }
      if (first == references) break;
      bool found = false;
      for (std::size_t r = first; r < references; ++r)
        if (take_one<1>(&masks_[r], &taken_[n * references + r])) found = true;
      if (found) {
        const std::size_t start = first == 0 ? 0 : words_.reference_ends[first - 1];
        on_match(i, static_cast<int>(n), start + static_cast<std::size_t>(std::countr_zero(masks_[first])));
      }
    }
  }
}

// The same for one reference, whose mask fits a few registers: the case that matters most.
template <std::size_t W, class OnMatch>
void NgramWorkspace::match_single(int orders, OnMatch&& on_match) {
  positions_.assign(words_.types * W, 0);
  for (std::size_t i = 0; i < words_.references.size(); ++i)
    if (words_.references[i] != absent) positions_[words_.references[i] * W + i / 64] |= std::uint64_t{1} << (i % 64);
  const auto highest = static_cast<std::size_t>(orders);
  taken_.assign(highest * W, 0);
  const std::size_t length = words_.hypothesis.size();
  for (std::size_t i = 0; i < length; ++i) {
    std::uint64_t mask[W];
    std::fill_n(mask, W, ~std::uint64_t{0});
    for (std::size_t n = 0; n < highest && i + n < length; ++n) {
      const std::uint32_t type = words_.hypothesis[i + n];
      if (type == absent) break;
      const std::uint64_t* positions = positions_.data() + type * W;
      std::size_t first = W;
      for (std::size_t w = W; w-- > 0;) {
        mask[w] &= positions[w] >> n | (w + 1 < W && n > 0 ? positions[w + 1] << (64 - n) : 0);
        if (mask[w] != 0) first = w;
      }
      if (first == W) break;
      if (take_one<W>(mask, taken_.data() + n * W))
        on_match(i, static_cast<int>(n), first * 64 + static_cast<std::size_t>(std::countr_zero(mask[first])));
    }
  }
}

// References of any length, order by order: an n-gram is the number of its first n-1 words paired with its last
// word. Only n-grams whose prefix the other side has are carried on, and memory stays linear in the text.
template <class OnMatch>
void NgramWorkspace::match_long(int orders, OnMatch&& on_match) {
  const std::size_t length = words_.hypothesis.size();
  hypothesis_grams_ = words_.hypothesis;
  reference_grams_ = words_.references;
  std::uint32_t kinds = words_.types;
  for (int n = 0; n < orders; ++n) {
    const auto tail = static_cast<std::size_t>(n);
    if (n > 0) {
      pairs_.reset(words_.references.size());
      std::size_t begin = 0;
      for (std::size_t end : words_.reference_ends) {
        for (std::size_t i = begin; i < end; ++i) {
          std::uint32_t& gram = reference_grams_[i];
          if (gram == absent) continue;
          gram = i + tail < end && words_.references[i + tail] != absent && wanted_[gram]
                     ? pairs_.intern(gram, words_.references[i + tail])
                     : absent;
        }
        begin = end;
      }
      kinds = pairs_.size();
      for (std::size_t i = 0; i < length; ++i) {
        std::uint32_t& gram = hypothesis_grams_[i];
        if (gram == absent) continue;
        gram = i + tail < length && words_.hypothesis[i + tail] != absent
                   ? pairs_.find(gram, words_.hypothesis[i + tail])
                   : absent;
      }
    }
    // The most often each n-gram stands in one reference.
    most_.assign(kinds, 0);
    here_.assign(kinds, 0);
    last_seen_in_.assign(kinds, absent);
    std::size_t begin = 0;
    for (std::uint32_t r = 0; r < words_.reference_ends.size(); ++r) {
      for (std::size_t i = begin; i < words_.reference_ends[r]; ++i) {
        const std::uint32_t gram = reference_grams_[i];
        if (gram == absent) continue;
        if (last_seen_in_[gram] != r) here_[gram] = 0;
        last_seen_in_[gram] = r;
        most_[gram] = std::max(most_[gram], ++here_[gram]);
      }
      begin = words_.reference_ends[r];
    }
    used_.assign(kinds, 0);
    wanted_.assign(kinds, false);
    bool any = false;
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint32_t gram = hypothesis_grams_[i];
      if (gram == absent) continue;
      any = wanted_[gram] = true;
      if (used_[gram] < most_[gram]) {
        ++used_[gram];
        on_match(i, n, std::size_t{absent});
      }
    }
    if (!any) return;
  }
}

}  // namespace tricolore::counting
