#include "bind.hpp"
#include "forest_derivations.hpp"
#include "forest_kbest.hpp"
#include "forest_ngrams.hpp"
#include "forest_recognition.hpp"
#include "forest_rescoring.hpp"
#include "forest_sums.hpp"
#include "graphs.hpp"
#include "python.hpp"

namespace tricolore::graphs::forests {

namespace {

// A forest as Python has it; the arrays are kept for as long as this lives.
class ForestArrays {
 public:
  ForestArrays(const Ints& heads, const Longs& starts, const Ints& items, const Doubles& scores, std::size_t nodes)
      : heads_(heads), starts_(starts), items_(items), scores_(scores), nodes_(nodes) {
    check_shape(nodes > 0 && scores.size() == heads.size() && starts.size() == heads.size() + 1 &&
                ascends(starts, items.size()));
    check_shape(is_ordered());
  }

  ForestView view() const { return {span_of(heads_), span_of(starts_), span_of(items_), span_of(scores_), nodes_}; }

 private:
  // Whether every node has edges, in the order of nodes, and is made of nodes before it.
  bool is_ordered() const {
    const auto forest = view();
    std::int32_t last = -1;
    for (std::size_t e = 0; e < forest.edges(); ++e) {
      const auto head = forest.heads[e];
      if (head != last && head != last + 1) return false;
      last = head;
      for (const auto item : forest.right(e)) {
        if (item < 0 && ~item >= head) return false;
      }
    }
    return static_cast<std::size_t>(last) + 1 == nodes_;
  }

  Ints heads_;
  Longs starts_;
  Ints items_;
  Doubles scores_;
  std::size_t nodes_;
};

nb::tuple tuple_of(Derivations found) {
  return nb::make_tuple(array_of(std::move(found.starts)), array_of(std::move(found.edges)));
}

nb::tuple read(const ForestArrays& forest, const Longs& starts, const Ints& edges) {
  check_shape(ascends(starts, edges.size()));
  for (const auto edge : span_of(edges))
    check_shape(edge >= 0 && static_cast<std::size_t>(edge) < forest.view().edges());
  auto yields = unlocked([&] { return read_derivations(forest.view(), span_of(starts), span_of(edges)); });
  return nb::make_tuple(array_of(std::move(yields.scores)), array_of(std::move(yields.starts)),
                        array_of(std::move(yields.words)));
}

nb::tuple branching(const ForestArrays& forest, double scale) {
  auto found = unlocked([&] { return branching_of(forest.view(), NodeEdges(forest.view()), scale); });
  return nb::make_tuple(found.total, array_of(std::move(found.chances)), array_of(std::move(found.uses)));
}

nb::tuple recognise(const ForestArrays& forest, const Longs& token_starts, const Ints& token_ids, const Ints& reference,
                    int order, double alpha, double beta, std::size_t limit) {
  check_shape(ascends(token_starts, token_ids.size()) && order >= 1);
  for (const auto ids : {span_of(token_ids), span_of(reference)})
    for (const auto id : ids) check_shape(id >= 0);
  for (const auto item : forest.view().items)
    check_shape(item < 0 || static_cast<std::size_t>(item) + 1 < token_starts.size());
  auto found = unlocked([&] {
    return best_recognised(forest.view(), {span_of(token_starts), span_of(token_ids)}, span_of(reference),
                           {order, alpha, beta}, limit);
  });
  return nb::make_tuple(found.weight, array_of(std::move(found.derivation.starts)),
                        array_of(std::move(found.derivation.edges)));
}

// For each order, the words of all n-grams one after another, and their values.
nb::tuple ngrams(const ForestArrays& forest, std::size_t order, double scale, std::size_t limit, bool once) {
  check_shape(order >= 1);
  auto found = unlocked([&] {
    return once ? ngram_posteriors(forest.view(), order, scale, limit)
                : expected_ngrams(forest.view(), order, scale, limit);
  });
  nb::list words, values;
  for (auto& of_order : found.words) words.append(array_of(std::move(of_order)));
  for (auto& of_order : found.values) values.append(array_of(std::move(of_order)));
  return nb::make_tuple(words, values);
}

nb::tuple rescore(const ForestArrays& forest, double word, const Longs& starts, const Ints& words,
                  const Doubles& values, double model, std::size_t limit) {
  check_shape(ascends(starts, words.size()) && starts.size() == values.size() + 1);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) check_shape(starts.data()[k] < starts.data()[k + 1]);
  for (const auto number : span_of(words)) check_shape(number >= 0);
  auto made = unlocked(
      [&] { return rescored(forest.view(), {word, span_of(starts), span_of(words), span_of(values)}, model, limit); });
  return nb::make_tuple(array_of(std::move(made.heads)), array_of(std::move(made.starts)),
                        array_of(std::move(made.items)), array_of(std::move(made.scores)), made.nodes,
                        array_of(std::move(made.origins)));
}

}  // namespace

void bind_forests(nb::module_& module) {
  nb::class_<ForestArrays>(module, "ForestArrays", "The arrays of a forest in topological order, checked.")
      .def(nb::init<const Ints&, const Longs&, const Ints&, const Doubles&, std::size_t>(), nb::arg("heads"),
           nb::arg("starts"), nb::arg("items"), nb::arg("scores"), nb::arg("nodes"))
      .def("best",
           [](const ForestArrays& self) { return tuple_of(unlocked([&] { return best_derivation(self.view()); })); })
      .def(
          "kbest",
          [](const ForestArrays& self, std::size_t number, bool distinct, std::size_t limit) {
            return tuple_of(unlocked([&] { return best_derivations(self.view(), number, distinct, limit); }));
          },
          nb::arg("number"), nb::arg("distinct"), nb::arg("limit"))
      .def(
          "sample",
          [](const ForestArrays& self, double scale, std::size_t number, Draws& draws) {
            return tuple_of(unlocked([&] { return drawn_derivations(self.view(), scale, number, draws); }));
          },
          nb::arg("scale"), nb::arg("number"), nb::arg("draws"))
      .def(
          "all",
          [](const ForestArrays& self, std::uint64_t most) {
            return tuple_of(unlocked([&] { return all_derivations(self.view(), most); }));
          },
          nb::arg("most"))
      .def("read", &read, nb::arg("starts"), nb::arg("edges"))
      .def("branching", &branching, nb::arg("scale"))
      .def("best_recognised", &recognise, nb::arg("token_starts"), nb::arg("token_ids"), nb::arg("reference"),
           nb::arg("order"), nb::arg("alpha"), nb::arg("beta"), nb::arg("limit"))
      .def("ngrams", &ngrams, nb::arg("order"), nb::arg("scale"), nb::arg("limit"), nb::arg("once"))
      .def("rescored", &rescore, nb::arg("word"), nb::arg("starts"), nb::arg("words"), nb::arg("values"),
           nb::arg("model"), nb::arg("limit"));
}

}  // namespace tricolore::graphs::forests
