// One pair of texts or lists of tokens in, the few counts out that a drop-in needs: nothing made on the way.

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alignment.hpp"
#include "batch.hpp"
#include "bind.hpp"
#include "character_numbers.hpp"
#include "characters.hpp"
#include "edits.hpp"
#include "python.hpp"
#include "reader.hpp"
#include "rows.hpp"
#include "sentence_information.hpp"
#include "text.hpp"
#include "token_lists.hpp"
#include "tokenize.hpp"

namespace tricolore::counting {

namespace {

// Call act(units) with the code points of a text, in the width they have.
template <class Act>
auto with_units(const TextView& text, Act&& act) {
  switch (text.width) {
    case 1:
      return act(std::span(static_cast<const std::uint8_t*>(text.data), text.size));
    case 2:
      return act(std::span(static_cast<const std::uint16_t*>(text.data), text.size));
    default:
      return act(std::span(static_cast<const std::uint32_t*>(text.data), text.size));
  }
}

// Whether a text has no white space but the space.
bool has_spaces_only(const TextView& text) {
  return with_units(text, [](auto units) {
    bool other = false;
    for (const auto unit : units) other |= is_space(unit) && unit != ' ';
    return !other;
  });
}

// Whether these are str without white space but the space.
bool spaces_only(const nb::list& texts) {
  for (std::size_t i = 0; i < nb::len(texts); ++i) {
    const TextView text = view_of(PyList_GET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i)));
    if (text.width == 0 || !has_spaces_only(text)) return false;
  }
  return true;
}

// Number all characters between the white space at both ends.
template <class Number>
void number_characters(const TextView& text, std::vector<std::uint32_t>& numbers, Number&& number) {
  with_units(text, [&](auto units) {
    while (!units.empty() && is_space(units.front())) units = units.subspan(1);
    while (!units.empty() && is_space(units.back())) units = units.first(units.size() - 1);
    numbers.resize(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) numbers[i] = number(units[i]);
  });
}

struct EditCountsWorkspace {
  SegmentReader reader;
  CharacterNumbers characters;
  Words words;
  EditScript script;

  std::string align(const SegmentView& segment, bool by_character) {
    if (by_character) {
      words.clear();
      characters.reset();
      number_characters(segment.references[0], words.references, [&](auto unit) { return characters.intern(unit); });
      words.types = characters.size();
      number_characters(segment.hypothesis, words.hypothesis, [&](auto unit) { return characters.find(unit); });
    } else {
      reader.read({}, segment, words);
    }
    return script.steps(words.hypothesis, words.references, words.types);
  }
};

// Whether the core cuts two texts into words as jiwer does.
bool have_spaces_only(const TextView& one, const TextView& other) {
  return has_spaces_only(one) && has_spaces_only(other);
}

// Hits, substitutions, insertions and deletions between the words of two texts, or between all their characters; of
// several shortest scripts, those of EditScript's. None if words are asked for and there is white space other than the
// space.
nb::object edit_counts(const nb::str& hypothesis, const nb::str& reference, bool characters) {
  const TextView hyp = view_of(hypothesis.ptr()), ref = view_of(reference.ptr());
  if (!characters && !have_spaces_only(hyp, ref)) return nb::none();
  const SegmentView segment{hyp, {&ref, 1}};
  std::string steps;
  count_alone<EditCountsWorkspace>(segment, [&](EditCountsWorkspace& at) { steps = at.align(segment, characters); });
  long counts[4] = {0, 0, 0, 0};
  for (const char step : steps) ++counts[step == '=' ? 0 : step == 'S' ? 1 : step == 'I' ? 2 : 3];
  return nb::make_tuple(counts[0], counts[1], counts[2], counts[3]);
}

// Edits between the words of two texts, and the words of both. None if there is white space other than the space.
nb::object word_edits(const nb::str& hypothesis, const nb::str& reference) {
  const TextView hyp = view_of(hypothesis.ptr()), ref = view_of(reference.ptr());
  if (!have_spaces_only(hyp, ref)) return nb::none();
  const SegmentView segment{hyp, {&ref, 1}};
  double row[3];
  count_alone<EditWorkspace>(segment, [&](EditWorkspace& workspace) { workspace.count(EditCounting{}, segment, row); });
  return nb::make_tuple(row[0], row[1], row[2]);
}

// What each token contributes to NIST, see SentenceInformation: by order, then by reference. None if the arguments are
// not lists of str.
nb::object information_gains(nb::handle hypothesis, nb::handle references, int order, double log_of_two) {
  const auto items = items_of(references.ptr());
  const TokenLists* lists = read_tokens(hypothesis.ptr(), items);
  if (lists == nullptr) return nb::none();
  std::vector<SentenceInformation::Tokens> refs;
  for (std::size_t k = 1; k <= items.size(); ++k) refs.push_back((*lists)[k]);
  std::vector<std::vector<double>> found;
  count_alone<SentenceInformation>(lists->segment(), [&](SentenceInformation& information) {
    found = information.gains((*lists)[0], refs, order, log_of_two);
  });
  nb::list orders;
  for (std::size_t at = 0; at < found.size(); at += refs.size()) {
    nb::list of_order;
    for (std::size_t k = 0; k < refs.size(); ++k) {
      nb::list gains;
      for (const double gain : found[at + k]) gains.append(gain);
      of_order.append(gains);
    }
    orders.append(of_order);
  }
  return orders;
}

// Match each token, from the last, with the last free one of the reference that is equal; returns where that is, or -1.
std::vector<std::int64_t> match_from_the_end(const TokenLists& lists) {
  const auto hypothesis = lists[0], reference = lists[1];
  std::vector<std::int64_t> last(hypothesis.size() + reference.size(), -1);  // as many types at most
  std::vector<std::int64_t> before(reference.size()), places(hypothesis.size(), -1);
  for (std::size_t j = 0; j < reference.size(); ++j) {
    std::int64_t& place = last[reference[j] - TokenLists::first];
    before[j] = place;
    place = static_cast<std::int64_t>(j);
  }
  for (std::size_t i = hypothesis.size(); i-- > 0;) {
    std::int64_t& place = last[hypothesis[i] - TokenLists::first];
    if (place < 0) continue;
    places[i] = place;
    place = before[static_cast<std::size_t>(place)];
  }
  return places;
}

// The numbers of the tokens that are not matched.
struct Unmatched {
  std::vector<std::size_t> hypothesis, reference;

  Unmatched(const std::vector<std::int64_t>& places, std::size_t reference_size) {
    std::vector<bool> taken(reference_size);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] < 0) {
        hypothesis.push_back(i);
      } else {
        taken[static_cast<std::size_t>(places[i])] = true;
      }
    }
    for (std::size_t j = 0; j < reference_size; ++j)
      if (!taken[j]) reference.push_back(j);
  }
};

nb::list stems_of(const nb::list& words, const std::vector<std::size_t>& which, const nb::callable& stem) {
  nb::list stems;
  for (const std::size_t i : which) stems.append(stem(nb::object(words[i])));
  return stems;
}

nb::list numbered(const std::vector<std::size_t>& numbers, const std::vector<std::size_t>& which,
                  const nb::list& stems) {
  nb::list pairs;
  for (const std::size_t i : which) pairs.append(nb::make_tuple(numbers[i], nb::object(stems[i])));
  return pairs;
}

// Matches, and runs of them that are adjacent in both texts.
nb::tuple matches_and_chunks(const std::vector<std::int64_t>& places) {
  std::size_t matches = 0, chunks = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    ++matches;
    if (i == 0 || places[i - 1] < 0 || places[i - 1] + 1 != places[i]) ++chunks;
  }
  return nb::make_tuple(matches, chunks);
}

// Match equal words, then equal stems, as NLTK's METEOR does. Returns where in the reference each word of the
// hypothesis is matched, or -1; what is left of both, pairs of a position and a stem; and the numbers of matches and
// chunks so far. None if a word or stem is no str.
nb::object match_words(const nb::list& hypothesis, const nb::list& reference, const nb::callable& stem) {
  PyObject* ref = reference.ptr();
  const TokenLists* lists = read_tokens(hypothesis.ptr(), {&ref, 1});
  if (lists == nullptr) return nb::none();
  std::vector<std::int64_t> places = match_from_the_end(*lists);
  const Unmatched left(places, (*lists)[1].size());
  const nb::list hyp_stems = stems_of(hypothesis, left.hypothesis, stem);
  const nb::list ref_stems = stems_of(reference, left.reference, stem);
  PyObject* ref_list = ref_stems.ptr();
  lists = read_tokens(hyp_stems.ptr(), {&ref_list, 1});
  if (lists == nullptr) return nb::none();
  const std::vector<std::int64_t> by_stem = match_from_the_end(*lists);
  for (std::size_t i = 0; i < by_stem.size(); ++i)
    if (by_stem[i] >= 0)
      places[left.hypothesis[i]] = static_cast<std::int64_t>(left.reference[static_cast<std::size_t>(by_stem[i])]);
  const Unmatched still(by_stem, left.reference.size());
  nb::list found;
  for (const std::int64_t place : places) found.append(place);
  return nb::make_tuple(found, numbered(left.hypothesis, still.hypothesis, hyp_stems),
                        numbered(left.reference, still.reference, ref_stems), matches_and_chunks(places));
}

}  // namespace

void bind_pairs(nb::module_& m) {
  m.def("spaces_only", &spaces_only, nb::arg("texts"));
  m.def("edit_counts", &edit_counts, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("characters"));
  m.def("word_edits", &word_edits, nb::arg("hypothesis"), nb::arg("reference"));
  m.def("information_gains", &information_gains, nb::arg("hypothesis"), nb::arg("references"), nb::arg("order"),
        nb::arg("log_of_two"));
  m.def("match_words", &match_words, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("stem"));
}

}  // namespace tricolore::counting
