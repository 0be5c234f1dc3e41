// Texts or lists of tokens in, the few counts out that a drop-in needs: nothing made on the way.

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
#include "corpus_information.hpp"
#include "edits.hpp"
#include "python.hpp"
#include "rows.hpp"
#include "steps.hpp"
#include "text.hpp"
#include "token_lists.hpp"
#include "white_space.hpp"

namespace tricolore::counting {

namespace {

// Whether these are str without white space but the space.
bool spaces_only(const nb::list& texts) {
  for (std::size_t i = 0; i < nb::len(texts); ++i) {
    const TextView text = view_of(PyList_GET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i)));
    if (text.width == 0 || !has_spaces_only(text)) return false;
  }
  return true;
}

// Whether these are lists or tuples of str without any white space.
bool hold_no_spaces(const nb::list& lists) {
  for (std::size_t i = 0; i < nb::len(lists); ++i) {
    PyObject* const list = PyList_GET_ITEM(lists.ptr(), static_cast<Py_ssize_t>(i));
    if (!PyList_Check(list) && !PyTuple_Check(list)) return false;
    for (PyObject* item : items_of(list)) {
      const TextView token = view_of(item);
      if (token.width == 0 || has_space(token)) return false;
    }
  }
  return true;
}

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
  count_alone<StepsWorkspace>(segment, [&](StepsWorkspace& at) { counts = at.count(segment, characters); });
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
  const nb::object made =
      nb::steal(PyBaseObject_Type.tp_new(reinterpret_cast<PyTypeObject*>(kind.ptr()), nb::tuple().ptr(), nullptr));
  if (!made.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < std::size(values); ++i)
    if (PyObject_GenericSetAttr(made.ptr(), nb::handle(names[i]).ptr(), values[i].ptr()) != 0) nb::raise_python_error();
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

// What every order contributes to NIST, see CorpusInformation: (information gained, n-grams, words of references). None
// if the arguments are not lists of str, with a reference for each hypothesis or more.
nb::object information_gains(nb::handle hypotheses, nb::handle references, int order, double log_of_two,
                             bool compensated) {
  TokenCorpus tokens;
  if (!tokens.read(hypotheses.ptr(), references.ptr(), TokenCorpus::Numbered::as_a_whole)) return nb::none();
  const NumberedCorpus corpus{tokens.ids(), first_id, tokens.text_ends(), tokens.segment_ends(), tokens.types()};
  std::vector<CorpusInformation::Order> found;
  constexpr std::size_t small_enough_to_keep = 4000;  // words
  if (tokens.ids().size() < small_enough_to_keep) {
    thread_local CorpusInformation information;  // so that one pair at a time does not allocate
    found = information.gains(corpus, order, log_of_two, {compensated});
  } else {
    found = unlocked([&] { return CorpusInformation().gains(corpus, order, log_of_two, {compensated}); });
  }
  nb::list orders;
  for (const auto& one : found) orders.append(nb::make_tuple(one.gained, one.ngrams, one.reference_words));
  return orders;
}

}  // namespace

void bind_pairs(nb::module_& m) {
  m.def("spaces_only", &spaces_only, nb::arg("texts"));
  m.def("hold_no_spaces", &hold_no_spaces, nb::arg("lists"));
  m.def("edit_counts", &edit_counts, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("characters"));
  m.def("edit_output", &edit_output, nb::arg("kind"), nb::arg("names"), nb::arg("hypothesis"), nb::arg("reference"),
        nb::arg("characters"));
  m.def("word_edits", &word_edits, nb::arg("hypothesis"), nb::arg("reference"));
  m.def("information_gains", &information_gains, nb::arg("hypotheses"), nb::arg("references"), nb::arg("order"),
        nb::arg("log_of_two"), nb::arg("compensated"));
}

}  // namespace tricolore::counting
