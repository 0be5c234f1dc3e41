#include "ngrams.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace tricolore {

void NgramWorkspace::count(const NgramCounting& what, const SegmentView& segment, double* row) {
  if (what.information) {
    begin_words(what);
    for (const auto& text : segment.references) {
      word_reader_.find(what.information->words(), text, what.tokenizer, what.strip_punctuation,
                        [&](std::uint32_t word) { add_reference_word(word); });
      reference_ends_.push_back(references_.size());
    }
    end_words(what, segment.hypothesis);
  } else {
    switch (segment.width()) {
      case 1:
        read(what, segment, narrow_);
        break;
      case 2:
        read(what, segment, wide_);
        break;
      default:
        read(what, segment, widest_);
        break;
    }
  }
  write_row(what, row);
}

void NgramWorkspace::count_learnt(const NgramCounting& what, const TextView& hypothesis, std::size_t segment,
                                  double* row) {
  begin_words(what);
  what.information->for_references(segment, [&](std::span<const std::uint32_t> words) {
    for (std::uint32_t word : words) add_reference_word(word);
    reference_ends_.push_back(references_.size());
  });
  end_words(what, hypothesis);
  write_row(what, row);
}

void NgramWorkspace::write_row(const NgramCounting& what, double* row) {
  std::fill(row, row + what.match_orders, 0.0);
  if (what.information) {
    match(what.match_orders, [&](std::size_t i, int n) { row[n] += weight(*what.information, i, n); });
  } else {
    match(what.match_orders, [&](std::size_t, int n) { row[n] += 1.0; });
  }
  const auto length = static_cast<long long>(hypothesis_.size());
  double* cell = row + what.match_orders;
  for (long long n = 1; n <= what.total_orders; ++n) *cell++ = static_cast<double>(std::max(0LL, length - n + 1));
  const double reference = reference_length(what.reference_length);
  *cell++ = static_cast<double>(length);
  *cell++ = reference;
  if (what.clipped_length) *cell++ = std::min(static_cast<double>(length), reference);
}

template <class Unit>
void NgramWorkspace::read(const NgramCounting& what, const SegmentView& segment, Reading<Unit>& reading) {
  std::size_t room = segment.hypothesis.size + Arena<Unit>::padding, characters = 0;
  for (const auto& text : segment.references) {
    room += text.size + Arena<Unit>::padding;
    characters += text.size;
  }
  if (room > absent)
    throw std::length_error("a segment of more than four thousand million characters cannot be counted");
  Arena<Unit>& arena = reading.arena;
  Vocabulary<Unit>& vocabulary = reading.vocabulary;
  arena.reset(room);
  vocabulary.reset(characters / 8);  // about one type for eight characters of reference; it grows if there are more
  Unit* units = arena.data();

  references_.clear();
  reference_ends_.clear();
  for (const auto& text : segment.references) {
    const std::size_t start = arena.append(text);
    const std::size_t size = clean(what.tokenizer, what.strip_punctuation, units + start, text.size);
    split(what.tokenizer, units + start, size, [&](std::size_t begin, std::size_t end) {
      references_.push_back(
          vocabulary.intern(units, static_cast<std::uint32_t>(start + begin), static_cast<std::uint32_t>(end - begin)));
    });
    reference_ends_.push_back(references_.size());
  }
  types_ = static_cast<std::uint32_t>(vocabulary.size());

  hypothesis_.clear();
  const std::size_t start = arena.append(segment.hypothesis);
  const std::size_t size = clean(what.tokenizer, what.strip_punctuation, units + start, segment.hypothesis.size);
  split(what.tokenizer, units + start, size, [&](std::size_t begin, std::size_t end) {
    hypothesis_.push_back(
        vocabulary.find(units, static_cast<std::uint32_t>(start + begin), static_cast<std::uint32_t>(end - begin)));
  });
}

void NgramWorkspace::begin_words(const NgramCounting& what) {
  const std::size_t words = what.information->words().size();
  if (locals_.size() < words || ++stamp_ == 0) {
    locals_.assign(words, Local{});
    stamp_ = 1;
  }
  corpus_words_.clear();
  references_.clear();
  reference_ends_.clear();
}

void NgramWorkspace::add_reference_word(std::uint32_t word) {
  if (word == absent) return references_.push_back(absent);
  Local& local = locals_[word];
  if (local.stamp != stamp_) {
    local = {stamp_, static_cast<std::uint32_t>(corpus_words_.size())};
    corpus_words_.push_back(word);
  }
  references_.push_back(local.type);
}

void NgramWorkspace::end_words(const NgramCounting& what, const TextView& hypothesis) {
  types_ = static_cast<std::uint32_t>(corpus_words_.size());
  hypothesis_.clear();
  word_reader_.find(what.information->words(), hypothesis, what.tokenizer, what.strip_punctuation,
                    [&](std::uint32_t word) {
                      const bool shared = word != absent && locals_[word].stamp == stamp_;
                      hypothesis_.push_back(shared ? locals_[word].type : absent);
                    });
  places_.assign(hypothesis_.size(), Place{});
  for (std::size_t i = 0; i + 1 < hypothesis_.size(); ++i)
    if (hypothesis_[i] != absent && hypothesis_[i + 1] != absent)
      what.information->expect(corpus_words_[hypothesis_[i]], corpus_words_[hypothesis_[i + 1]]);
}

double NgramWorkspace::reference_length(ReferenceLength mode) const {
  const auto hypothesis = static_cast<long long>(hypothesis_.size());
  long long best = -1, sum = 0;
  std::size_t begin = 0;
  for (std::size_t end : reference_ends_) {
    const auto length = static_cast<long long>(end - begin);
    begin = end;
    sum += length;
    const long long gap = std::abs(length - hypothesis), best_gap = std::abs(best - hypothesis);
    const bool better = mode == ReferenceLength::shortest
                            ? length < best
                            : gap < best_gap || (gap == best_gap && length < best);  // closest; tie: shorter
    if (best < 0 || better) best = length;
  }
  if (mode == ReferenceLength::average) return static_cast<double>(sum) / static_cast<double>(reference_ends_.size());
  return static_cast<double>(best);
}

// The weight of the n-gram of order n + 1 at i of the hypothesis; 0 where the corpus counts do not know it. Only asked
// for matches, in increasing n for each i, so a place in the counts is kept for each i and moved along.
double NgramWorkspace::weight(const NgramCounts& corpus, std::size_t i, int n) {
  Place& place = places_[i];
  while (place.order <= n && (place.order == 0 || place.node != absent)) {
    const std::uint32_t type = hypothesis_[i + static_cast<std::size_t>(place.order)];
    const std::uint32_t word = corpus_words_[type];
    place.node = place.order == 0 ? word : corpus.child(place.node, word);
    ++place.order;
  }
  return place.order == n + 1 && place.node != absent ? corpus.weight(place.node) : 0.0;
}

template <class OnMatch>
void NgramWorkspace::match(int orders, OnMatch&& on_match) {
  std::size_t begin = 0, longest = 0;
  for (std::size_t end : reference_ends_) {
    longest = std::max(longest, end - begin);
    begin = end;
  }
  // Eight bytes per type and reference are a bargain until references are many.
  if (longest <= 64 && reference_ends_.size() <= 64) {
    match_short(orders, on_match);
  } else {
    match_long(orders, on_match);
  }
}

// References of up to 64 words: for each type a word of bits, bit p set where it stands at p. The n-gram that begins
// at i occurs at the bits left after and-ing the shifted words of its types. Its first occurrence in the first
// reference that has it names the n-gram, so no n-gram is ever hashed.
template <class OnMatch>
void NgramWorkspace::match_short(int orders, OnMatch&& on_match) {
  const std::size_t references = reference_ends_.size();
  positions_.assign(types_ * references, 0);
  std::size_t begin = 0;
  for (std::size_t r = 0; r < references; ++r) {
    for (std::size_t i = begin; i < reference_ends_[r]; ++i)
      if (references_[i] != absent) positions_[references_[i] * references + r] |= std::uint64_t{1} << (i - begin);
    begin = reference_ends_[r];
  }
  const auto highest = static_cast<std::size_t>(std::min(orders, 64));  // no longer n-gram fits
  taken_.assign(highest * references * 64, 0);
  if (references == 1) return match_short_single(highest, on_match);
  masks_.resize(references);

  const std::size_t length = hypothesis_.size();
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t n = 0; n < highest && i + n < length; ++n) {
      const std::uint32_t type = hypothesis_[i + n];
      if (type == absent) break;
      const std::uint64_t* positions = &positions_[type * references];
      std::size_t first = references;
      for (std::size_t r = references; r-- > 0;) {
        const std::uint64_t mask = n == 0 ? positions[r] : masks_[r] & (positions[r] >> n);
        masks_[r] = mask;
        if (mask != 0) first = r;
      }
      if (first == references) break;
      std::uint8_t& taken = taken_[(n * references + first) * 64 + std::countr_zero(masks_[first])];
      bool free = taken == 0;
      for (std::size_t r = first; !free && r < references; ++r) free = taken < std::popcount(masks_[r]);
      if (free) {
        ++taken;
        on_match(i, static_cast<int>(n));
      }
    }
  }
}

// The same for one reference, whose mask fits a register: the case that matters most.
template <class OnMatch>
void NgramWorkspace::match_short_single(std::size_t highest, OnMatch&& on_match) {
  const std::size_t length = hypothesis_.size();
  for (std::size_t i = 0; i < length; ++i) {
    std::uint64_t mask = ~std::uint64_t{0};
    for (std::size_t n = 0; n < highest && i + n < length; ++n) {
      const std::uint32_t type = hypothesis_[i + n];
      if (type == absent) break;
      mask &= positions_[type] >> n;
      if (mask == 0) break;
      std::uint8_t& taken = taken_[n * 64 + std::countr_zero(mask)];
      if (taken == 0 || taken < std::popcount(mask)) {
        ++taken;
        on_match(i, static_cast<int>(n));
      }
    }
  }
}

// References of any length, order by order: an n-gram is the number of its first n-1 words paired with its last
// word. Only n-grams whose prefix the other side has are carried on, and memory stays linear in the text.
template <class OnMatch>
void NgramWorkspace::match_long(int orders, OnMatch&& on_match) {
  const std::size_t length = hypothesis_.size();
  hypothesis_grams_ = hypothesis_;
  reference_grams_ = references_;
  std::uint32_t kinds = types_;
  for (int n = 0; n < orders; ++n) {
    const auto tail = static_cast<std::size_t>(n);
    if (n > 0) {
      pairs_.reset(references_.size());
      std::size_t begin = 0;
      for (std::size_t end : reference_ends_) {
        for (std::size_t i = begin; i < end; ++i) {
          std::uint32_t& gram = reference_grams_[i];
          if (gram == absent) continue;
          gram = i + tail < end && references_[i + tail] != absent && wanted_[gram]
                     ? pairs_.intern(gram, references_[i + tail])
                     : absent;
        }
        begin = end;
      }
      kinds = pairs_.size();
      for (std::size_t i = 0; i < length; ++i) {
        std::uint32_t& gram = hypothesis_grams_[i];
        if (gram == absent) continue;
        gram = i + tail < length && hypothesis_[i + tail] != absent ? pairs_.find(gram, hypothesis_[i + tail]) : absent;
      }
    }
    // The most often each n-gram stands in one reference.
    most_.assign(kinds, 0);
    here_.assign(kinds, 0);
    last_seen_in_.assign(kinds, absent);
    std::size_t begin = 0;
    for (std::uint32_t r = 0; r < reference_ends_.size(); ++r) {
      for (std::size_t i = begin; i < reference_ends_[r]; ++i) {
        const std::uint32_t gram = reference_grams_[i];
        if (gram == absent) continue;
        if (last_seen_in_[gram] != r) here_[gram] = 0;
        last_seen_in_[gram] = r;
        most_[gram] = std::max(most_[gram], ++here_[gram]);
      }
      begin = reference_ends_[r];
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
        on_match(i, n);
      }
    }
    if (!any) return;
  }
}

}  // namespace tricolore
