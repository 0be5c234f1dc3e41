// One pair of texts or lists of tokens in, the few counts out that a drop-in needs: nothing made on the way.

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
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

// Whether a text has no white space but the space. Most have no code point that could be any, which is seen for many at
// once.
bool has_spaces_only(const TextView& text) {
  return with_units(text, [](auto units) {
    using Unit = typename decltype(units)::value_type;
    Unit suspect = 0;
    for (const Unit c : units) {
      suspect |= static_cast<Unit>(c < ' ') | static_cast<Unit>(c == 0x85) | static_cast<Unit>(c == 0xA0);
      if constexpr (sizeof(Unit) > 1)
        suspect |=
            static_cast<Unit>(c == 0x1680) | static_cast<Unit>((c & 0xFF80) == 0x2000) | static_cast<Unit>(c == 0x3000);
    }
    if (suspect == 0) return true;
    bool other = false;
    for (const auto c : units) other |= is_space(c) && c != ' ';
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

  EditScript::Counts count(const SegmentView& segment, bool by_character) {
    if (by_character) {
      words.clear();
      characters.reset();
      number_characters(segment.references[0], words.references, [&](auto unit) { return characters.intern(unit); });
      words.types = characters.size();
      number_characters(segment.hypothesis, words.hypothesis, [&](auto unit) { return characters.find(unit); });
    } else {
      reader.read({}, segment, words);
    }
    return script.counts(words.hypothesis, words.references, words.types);
  }
};

// Whether the core cuts two texts into words as jiwer does.
bool have_spaces_only(const TextView& one, const TextView& other) {
  return has_spaces_only(one) && has_spaces_only(other);
}

// Steps between the words of two texts, or between all their characters; of several shortest scripts, those of
// EditScript's. Nothing if there is a text that is no str, or if words are asked for and there is white space other
// than the space.
std::optional<EditScript::Counts> counted_edits(nb::handle hypothesis, nb::handle reference, bool characters) {
  const TextView hyp = view_of(hypothesis.ptr()), ref = view_of(reference.ptr());
  if (hyp.width == 0 || ref.width == 0 || !(characters || have_spaces_only(hyp, ref))) return std::nullopt;
  const SegmentView segment{hyp, {&ref, 1}};
  EditScript::Counts counts;
  count_alone<EditCountsWorkspace>(segment, [&](EditCountsWorkspace& at) { counts = at.count(segment, characters); });
  return counts;
}

// Hits, substitutions, insertions and deletions; None where they are not counted.
nb::object edit_counts(nb::handle hypothesis, nb::handle reference, bool characters) {
  const auto counts = counted_edits(hypothesis, reference, characters);
  if (!counts) return nb::none();
  return nb::make_tuple(counts->equal, counts->substituted, counts->inserted, counts->deleted);
}

// The same as an object of a class, made without its constructor, with six attributes: the counts; the edits per token
// of the reference, or the number of edits if that has none; and the pair of reference and hypothesis.
nb::object edit_output(const nb::type_object& kind, const nb::tuple& names, nb::handle hypothesis, nb::handle reference,
                       bool characters) {
  const auto counts = counted_edits(hypothesis, reference, characters);
  if (!counts) return nb::none();
  const long edits = counts->substituted + counts->deleted + counts->inserted;
  const long length = counts->equal + counts->substituted + counts->deleted;
  const nb::object values[] = {
      nb::int_(counts->equal),
      nb::int_(counts->substituted),
      nb::int_(counts->inserted),
      nb::int_(counts->deleted),
      length == 0 ? nb::object(nb::int_(edits))
                  : nb::object(nb::float_(static_cast<double>(edits) / static_cast<double>(length))),
      nb::make_tuple(reference, hypothesis),
  };
  if (nb::len(names) != std::size(values)) throw nb::value_error("names: six are needed");
  const nb::dict attributes;
  for (std::size_t i = 0; i < std::size(values); ++i)
    if (PyDict_SetItem(attributes.ptr(), nb::handle(names[i]).ptr(), values[i].ptr()) != 0) nb::raise_python_error();
  nb::object made =
      nb::steal(PyBaseObject_Type.tp_new(reinterpret_cast<PyTypeObject*>(kind.ptr()), nb::tuple().ptr(), nullptr));
  if (!made.is_valid() || PyObject_GenericSetDict(made.ptr(), attributes.ptr(), nullptr) != 0) nb::raise_python_error();
  return made;
}

// Edits between the words of two texts, and the words of both. None if there is a text that is no str, or white space
// other than the space.
nb::object word_edits(nb::handle hypothesis, nb::handle reference) {
  const TextView hyp = view_of(hypothesis.ptr()), ref = view_of(reference.ptr());
  if (hyp.width == 0 || ref.width == 0 || !have_spaces_only(hyp, ref)) return nb::none();
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

}  // namespace

void bind_pairs(nb::module_& m) {
  m.def("spaces_only", &spaces_only, nb::arg("texts"));
  m.def("edit_counts", &edit_counts, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("characters"));
  m.def("edit_output", &edit_output, nb::arg("kind"), nb::arg("names"), nb::arg("hypothesis"), nb::arg("reference"),
        nb::arg("characters"));
  m.def("word_edits", &word_edits, nb::arg("hypothesis"), nb::arg("reference"));
  m.def("information_gains", &information_gains, nb::arg("hypothesis"), nb::arg("references"), nb::arg("order"),
        nb::arg("log_of_two"));
}

}  // namespace tricolore::counting
