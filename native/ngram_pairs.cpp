#include "ngram_pairs.hpp"

#include <algorithm>

namespace tricolore::counting {

void NgramPairWorkspace::count(const NgramPairCounting& what, const SegmentView& segment, double* rows) {
  if (what.characters) reader_.read({Tokenizer::characters, what.reading.strip_punctuation}, segment, characters_);
  reader_.read(what.reading, segment, words_);
  const auto length = static_cast<double>(words_.hypothesis.size());
  for (std::size_t k = 0; k < segment.references.size(); ++k) {
    const auto reference = words_.reference(k);
    matcher_.count(words_.hypothesis, reference, words_.types, what.order, rows);
    rows += what.order;
    for (int n = 0; n < what.order; ++n) *rows++ = std::max(0.0, length - n);
    *rows++ = length;
    *rows++ = static_cast<double>(reference.size());
    if (what.characters) {
      *rows++ = static_cast<double>(characters_.hypothesis.size());
      *rows++ = static_cast<double>(characters_.reference(k).size());
    }
  }
}

}  // namespace tricolore::counting
