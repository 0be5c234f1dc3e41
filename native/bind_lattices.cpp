#include <cmath>
#include <limits>

#include "bind.hpp"
#include "graphs.hpp"
#include "lattice_ngrams.hpp"
#include "lattice_paths.hpp"
#include "lattice_recognition.hpp"
#include "lattice_rescoring.hpp"
#include "lattice_sums.hpp"
#include "python.hpp"

namespace tricolore::graphs::lattices {

namespace {

// A lattice as Python holds it. All of it is checked, so that no mistake up there becomes one in memory down here.
struct Lattice {
  Ints sources, targets, labels;
  Doubles scores, finals;

  LatticeView view() const {
    const LatticeView lattice{span_of(sources), span_of(targets), span_of(labels), span_of(scores), span_of(finals)};
    const auto states = static_cast<std::int32_t>(finals.size());
    const std::size_t arcs = sources.size();
    bool fits = states > 0 && targets.size() == arcs && labels.size() == arcs && scores.size() == arcs &&
                arcs < std::numeric_limits<std::int32_t>::max();
    std::vector<std::uint8_t> left(finals.size());
    for (std::size_t a = 0; fits && a < arcs; ++a) {
      fits = lattice.sources[a] >= (a == 0 ? 0 : lattice.sources[a - 1]) && lattice.targets[a] > lattice.sources[a] &&
             lattice.targets[a] < states && lattice.labels[a] >= no_word &&
             lattice.labels[a] < std::numeric_limits<std::int32_t>::max() && std::isfinite(lattice.scores[a]);
      if (fits) left[lattice.sources[a]] = 1;
    }
    for (std::size_t s = 0; fits && s < finals.size(); ++s)
      fits = std::isfinite(lattice.finals[s]) || (left[s] && lattice.finals[s] < 0.0);
    check_shape(fits);
    return lattice;
  }
};

nb::tuple tuple_of(Paths paths) {
  return nb::make_tuple(array_of(std::move(paths.starts)), array_of(std::move(paths.arcs)),
                        array_of(std::move(paths.scores)));
}

nb::list list_of(std::vector<NgramValues> tables) {
  nb::list list;
  for (auto& table : tables)
    list.append(nb::make_tuple(array_of(std::move(table.keys)), array_of(std::move(table.values))));
  return list;
}

nb::tuple posteriors(const Lattice& lattice) {
  const auto view = lattice.view();
  Walk walk = unlocked([&] {
    Walk found = walk_of(view, OutArcs(view));
    for (std::size_t a = 0; a < view.arcs(); ++a) found.arcs[a] *= found.visits[view.sources[a]];
    return found;
  });
  return nb::make_tuple(walk.total, array_of(std::move(walk.arcs)));
}

nb::tuple split_lattice(const Lattice& lattice, const Longs& starts, const Ints& words, const Doubles& values,
                        double word, std::size_t limit) {
  const auto view = lattice.view();
  check_shape(ascends(starts, words.size()) && starts.size() == values.size() + 1);
  for (const auto number : span_of(words)) check_shape(number >= 0);
  SplitLattice found =
      unlocked([&] { return split_by_ngrams(view, {span_of(starts), span_of(words), span_of(values)}, word, limit); });
  return nb::make_tuple(array_of(std::move(found.sources)), array_of(std::move(found.targets)),
                        array_of(std::move(found.arc_of)), array_of(std::move(found.state_of)),
                        array_of(std::move(found.worth)));
}

nb::tuple recognise(const Lattice& lattice, const Longs& token_starts, const Vector<std::uint32_t>& tokens,
                    const Vector<std::uint32_t>& reference, int order, double alpha, double beta) {
  const auto view = lattice.view();
  const auto words = static_cast<std::int64_t>(token_starts.size()) - 1;
  check_shape(order > 0 && ascends(token_starts, tokens.size()) &&
              std::all_of(view.labels.begin(), view.labels.end(), [&](auto label) { return label < words; }));
  Recognised found = unlocked([&] {
    std::uint32_t types = 0;
    for (const auto token : span_of(tokens)) types = std::max(types, token + 1);
    counting::RecognitionAutomaton automaton;
    automaton.set({order, alpha, beta}, span_of(reference), types);
    return best_recognised(view, {span_of(token_starts), span_of(tokens)}, automaton);
  });
  return nb::make_tuple(found.worth, array_of(std::move(found.arcs)));
}

}  // namespace

void bind_lattices(nb::module_& module) {
  nb::class_<Lattice>(module, "Lattice", "The arrays of a lattice: states in topological order, arcs by their sources.")
      .def(
          "__init__",
          [](Lattice* self, Ints sources, Ints targets, Ints labels, Doubles scores, Doubles finals) {
            new (self) Lattice{sources, targets, labels, scores, finals};
          },
          nb::arg("sources"), nb::arg("targets"), nb::arg("labels"), nb::arg("scores"), nb::arg("finals"))
      .def("best",
           [](const Lattice& self) {
             const auto view = self.view();
             return tuple_of(unlocked([&] { return best_path(view); }));
           })
      .def(
          "kbest",
          [](const Lattice& self, std::size_t number, bool distinct, std::size_t limit, std::size_t most_arcs) {
            const auto view = self.view();
            return tuple_of(unlocked([&] { return best_paths(view, number, distinct, limit, most_arcs); }));
          },
          nb::arg("number"), nb::arg("distinct"), nb::arg("limit"), nb::arg("most_arcs"))
      .def(
          "drawn",
          [](const Lattice& self, const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& rows) {
            const auto view = self.view();
            check_shape(rows.shape(1) > longest_path(view));
            return tuple_of(unlocked(
                [&] { return drawn_paths(view, {rows.data(), rows.shape(0) * rows.shape(1)}, rows.shape(0)); }));
          },
          nb::arg("rows"))
      .def("longest", [](const Lattice& self) { return longest_path(self.view()); })
      .def("posteriors", &posteriors)
      .def(
          "expected_ngrams",
          [](const Lattice& self, int order, std::size_t limit) {
            const auto view = self.view();
            check_shape(order > 0);
            return list_of(unlocked([&] { return expected_ngrams(view, order, limit); }));
          },
          nb::arg("order"), nb::arg("limit"))
      .def(
          "ngram_posteriors",
          [](const Lattice& self, int order, std::size_t limit) {
            const auto view = self.view();
            check_shape(order > 0);
            return list_of(unlocked([&] { return ngram_posteriors(view, order, limit); }));
          },
          nb::arg("order"), nb::arg("limit"))
      .def("split", &split_lattice, nb::arg("starts"), nb::arg("words"), nb::arg("values"), nb::arg("word"),
           nb::arg("limit"))
      .def("recognise", &recognise, nb::arg("token_starts"), nb::arg("tokens"), nb::arg("reference"), nb::arg("order"),
           nb::arg("alpha"), nb::arg("beta"));
}

}  // namespace tricolore::graphs::lattices
