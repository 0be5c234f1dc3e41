#include "bind.hpp"
#include "graphs.hpp"
#include "python.hpp"

namespace tricolore::graphs {

namespace {

bool all_below(std::span<const std::int32_t> numbers, std::size_t size) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](auto number) { return number >= 0 && static_cast<std::size_t>(number) < size; });
}

// New numbers, how many there are, and a cycle if there is one.
template <class Find>
nb::tuple ordered(Find&& find) {
  Order order;
  {
    const nb::gil_scoped_release unlocked;
    const InterruptChecks checked(check_signals_sometimes());
    order = find();
  }
  return nb::make_tuple(array_of(std::move(order.numbers)), order.size, array_of(std::move(order.cycle)));
}

nb::tuple order_lattice(const Ints& sources, const Ints& targets, std::int32_t start,
                        const Vector<std::uint8_t>& is_final) {
  const std::span from(sources.data(), sources.size()), to(targets.data(), targets.size());
  const std::span ends(is_final.data(), is_final.size());
  const std::int32_t starts[] = {start};
  check_shape(from.size() == to.size() && all_below(from, ends.size()) && all_below(to, ends.size()) &&
              all_below(starts, ends.size()));
  return ordered([&] { return order_states(ends.size(), from, to, start, ends); });
}

nb::tuple order_forest(const Ints& heads, const Vector<std::int64_t>& starts, const Ints& items, std::size_t nodes,
                       std::int32_t root) {
  const std::span all(items.data(), items.size()), tops(heads.data(), heads.size());
  const std::int32_t roots[] = {root};
  check_shape(ascends(starts, all.size()) && starts.size() == tops.size() + 1 && all_below(tops, nodes) &&
              all_below(roots, nodes) && std::all_of(all.begin(), all.end(), [&](auto i) {
                return static_cast<std::size_t>(~i) < nodes || i >= 0;
              }));
  return ordered([&] { return order_nodes(nodes, tops, {starts.data(), starts.size()}, all, root); });
}

}  // namespace

void bind_graphs(nb::module_& module) {
  module.def("order_lattice", &order_lattice, nb::arg("sources"), nb::arg("targets"), nb::arg("start"),
             nb::arg("is_final"));
  module.def("order_forest", &order_forest, nb::arg("heads"), nb::arg("starts"), nb::arg("items"), nb::arg("nodes"),
             nb::arg("root"));
}

}  // namespace tricolore::graphs
