// Words of two lists matched as NLTK's METEOR does: equal words, then equal stems, each from the end of the text.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batch.hpp"
#include "bind.hpp"
#include "token_lists.hpp"

namespace tricolore::counting {

namespace {

using Places = std::vector<std::int64_t>;  // in the reference, of each word of the hypothesis; -1 if it has none

// A list of `size` objects, which make(i) returns as new references.
template <class Make>
nb::list list_of_new(std::size_t size, Make&& make) {
  nb::list list = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(size)));
  if (!list.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < size; ++i) {
    PyObject* item = make(i);
    if (item == nullptr) nb::raise_python_error();
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return list;
}

template <class Number>
nb::list list_of_numbers(const std::vector<Number>& numbers) {
  return list_of_new(numbers.size(),
                     [&](std::size_t i) { return PyLong_FromLongLong(static_cast<long long>(numbers[i])); });
}

// A word in lower case: itself where that is all it has. `lower` is str.lower, for letters beyond ASCII.
PyObject* lowered(PyObject* word, const nb::callable& lower) {
  const TextView text = view_of(word);
  if (!PyUnicode_IS_ASCII(word)) return PyObject_CallOneArg(lower.ptr(), word);
  const auto* letters = static_cast<const char*>(text.data);
  const auto is_upper = [](char letter) { return static_cast<unsigned char>(letter - 'A') < 26; };
  bool any = false;
  for (std::size_t i = 0; i < text.size; ++i) any |= is_upper(letters[i]);
  if (!any) return Py_NewRef(word);
  std::string made(letters, text.size);
  for (char& letter : made)
    if (is_upper(letter)) letter = static_cast<char>(letter + ('a' - 'A'));
  return PyUnicode_FromStringAndSize(made.data(), static_cast<Py_ssize_t>(made.size()));
}

// The words of a list or tuple of str, of no subclass of it, as a list of our own; nothing if it is no such list.
std::optional<nb::list> words_of(PyObject* given, const std::optional<nb::callable>& lower) {
  const auto words = items_of(given);
  if (words.empty() && !PyList_Check(given) && !PyTuple_Check(given)) return std::nullopt;
  for (PyObject* word : words)
    if (!PyUnicode_CheckExact(word)) return std::nullopt;
  return list_of_new(words.size(),
                     [&](std::size_t i) { return lower ? lowered(words[i], *lower) : Py_NewRef(words[i]); });
}

// Match each token, from the last, with the last free one of the reference that is equal.
Places match_from_the_end(const TokenLists& lists) {
  const auto hypothesis = lists[0], reference = lists[1];
  Places last(hypothesis.size() + reference.size(), -1);  // as many types at most
  Places before(reference.size()), places(hypothesis.size(), -1);
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

// The numbers of the words that are not matched.
struct Unmatched {
  std::vector<std::size_t> hypothesis, reference;

  Unmatched(const Places& places, std::size_t reference_size) {
    std::vector<char> taken(reference_size, 0);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] < 0) {
        hypothesis.push_back(i);
      } else {
        taken[static_cast<std::size_t>(places[i])] = 1;
      }
    }
    for (std::size_t j = 0; j < reference_size; ++j)
      if (!taken[j]) reference.push_back(j);
  }
};

// Stems of words by a function of Python's, which are remembered in a dict if there is one.
class Stems {
 public:
  Stems(const nb::callable& stem, const std::optional<nb::dict>& memo) : stem_(stem), memo_(memo) {}

  nb::list of(const nb::list& words, const std::vector<std::size_t>& which) const {
    return list_of_new(which.size(), [&](std::size_t i) {
      return of(PyList_GET_ITEM(words.ptr(), static_cast<Py_ssize_t>(which[i])));
    });
  }

 private:
  static constexpr Py_ssize_t most_remembered = 100000;

  PyObject* of(PyObject* word) const {
    if (!memo_) return PyObject_CallOneArg(stem_.ptr(), word);
    if (PyObject* known = PyDict_GetItemWithError(memo_->ptr(), word)) return Py_NewRef(known);
    nb::object stem = nb::steal(PyObject_CallOneArg(stem_.ptr(), word));
    if (!stem.is_valid()) return nullptr;
    if (PyDict_Size(memo_->ptr()) >= most_remembered) PyDict_Clear(memo_->ptr());
    return PyDict_SetItem(memo_->ptr(), word, stem.ptr()) == 0 ? stem.release().ptr() : nullptr;
  }

  const nb::callable& stem_;
  const std::optional<nb::dict>& memo_;
};

struct MatchesAndChunks {
  std::size_t matches = 0, chunks = 0;  // chunks: runs of matches that are adjacent in both texts

  explicit MatchesAndChunks(const Places& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] < 0) continue;
      ++matches;
      if (i == 0 || places[i - 1] < 0 || places[i - 1] + 1 != places[i]) ++chunks;
    }
  }
};

std::vector<std::size_t> chosen(const std::vector<std::size_t>& numbers, const std::vector<std::size_t>& which) {
  std::vector<std::size_t> found;
  found.reserve(which.size());
  for (const std::size_t i : which) found.push_back(numbers[i]);
  return found;
}

nb::list chosen(const nb::list& items, const std::vector<std::size_t>& which) {
  return list_of_new(which.size(), [&](std::size_t i) {
    return Py_NewRef(PyList_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(which[i])));
  });
}

// `lower` is str.lower if words are to be compared in lower case, and `memo` remembers what `stem` returned.
// Returns the numbers of matches and chunks; the stems of the words that are left of hypothesis and reference; where
// in the reference each word of the hypothesis is matched, or -1; and the positions of what is left. None if the
// arguments are not lists of str, or a stem is no str.
nb::object match_words(nb::handle hypothesis, nb::handle reference, const std::optional<nb::callable>& lower,
                       const nb::callable& stem, const std::optional<nb::dict>& memo) {
  const auto hyp = words_of(hypothesis.ptr(), lower);
  const auto ref = hyp ? words_of(reference.ptr(), lower) : std::nullopt;
  if (!ref) return nb::none();
  PyObject* ref_list = ref->ptr();
  const TokenLists* lists = read_tokens(hyp->ptr(), {&ref_list, 1});
  if (lists == nullptr) return nb::none();
  Places places = match_from_the_end(*lists);
  const Unmatched left(places, (*lists)[1].size());

  const Stems stems(stem, memo);
  const nb::list hyp_stems = stems.of(*hyp, left.hypothesis), ref_stems = stems.of(*ref, left.reference);
  ref_list = ref_stems.ptr();
  lists = read_tokens(hyp_stems.ptr(), {&ref_list, 1});
  if (lists == nullptr) return nb::none();
  const Places by_stem = match_from_the_end(*lists);
  for (std::size_t i = 0; i < by_stem.size(); ++i)
    if (by_stem[i] >= 0)
      places[left.hypothesis[i]] = static_cast<std::int64_t>(left.reference[static_cast<std::size_t>(by_stem[i])]);
  const Unmatched still(by_stem, left.reference.size());
  const MatchesAndChunks counts(places);
  return nb::make_tuple(counts.matches, counts.chunks, chosen(hyp_stems, still.hypothesis),
                        chosen(ref_stems, still.reference), list_of_numbers(places),
                        list_of_numbers(chosen(left.hypothesis, still.hypothesis)),
                        list_of_numbers(chosen(left.reference, still.reference)));
}

}  // namespace

void bind_word_matches(nb::module_& m) {
  m.def("match_words", &match_words, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("lower").none(),
        nb::arg("stem"), nb::arg("memo").none());
}

}  // namespace tricolore::counting
