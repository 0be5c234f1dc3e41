#include "graphs.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "interruption.hpp"

namespace tricolore::graphs {

namespace {

// Links from one vertex to others, grouped by where they come from.
class Links {
 public:
  Links(std::size_t vertices, std::span<const std::int32_t> from, std::span<const std::int32_t> to)
      : begins_(vertices + 1), ends_(from.size()) {
    for (const auto vertex : from) ++begins_[vertex + 1];
    for (std::size_t v = 0; v < vertices; ++v) begins_[v + 1] += begins_[v];
    auto next = begins_;
    for (std::size_t k = 0; k < from.size(); ++k) ends_[next[from[k]]++] = to[k];
  }

  std::span<const std::int32_t> of(std::size_t vertex) const {
    return {ends_.data() + begins_[vertex], ends_.data() + begins_[vertex + 1]};
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t> ends_;
};

// Marks all that can be reached from what is in `found`, which is used up.
void reach(const Links& links, std::vector<std::int32_t> found, std::vector<std::uint8_t>& reached) {
  for (const auto vertex : found) reached[vertex] = 1;
  while (!found.empty()) {
    const auto vertex = found.back();
    found.pop_back();
    for (const auto next : links.of(vertex)) {
      if (!reached[next]) {
        reached[next] = 1;
        found.push_back(next);
      }
    }
  }
}

// Walks backwards among vertices that wait for one another until one comes again.
std::vector<std::int32_t> find_cycle(const Links& backwards, const std::vector<std::int32_t>& waiting,
                                     std::int32_t vertex) {
  std::vector<std::int32_t> walk, seen(waiting.size(), -1);
  while (seen[vertex] < 0) {
    seen[vertex] = static_cast<std::int32_t>(walk.size());
    walk.push_back(vertex);
    const auto before = backwards.of(vertex);
    vertex = *std::find_if(before.begin(), before.end(), [&](auto v) { return waiting[v] > 0; });
  }
  walk.erase(walk.begin(), walk.begin() + seen[vertex]);
  std::reverse(walk.begin(), walk.end());
  return walk;
}

// Kahn's algorithm; of vertices that could come next the one with the lowest number does. Only links between vertices
// that are kept are given.
Order sorted(const std::vector<std::uint8_t>& kept, std::span<const std::int32_t> from,
             std::span<const std::int32_t> to) {
  const std::size_t vertices = kept.size();
  const Links forwards(vertices, from, to);
  std::vector<std::int32_t> waiting(vertices);
  for (const auto vertex : to) ++waiting[vertex];
  std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> ready;
  std::size_t wanted = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (!kept[v]) continue;
    ++wanted;
    if (waiting[v] == 0) ready.push(static_cast<std::int32_t>(v));
  }
  Order order{std::vector<std::int32_t>(vertices, -1), 0, {}};
  while (!ready.empty()) {
    const auto vertex = ready.top();
    ready.pop();
    order.numbers[vertex] = static_cast<std::int32_t>(order.size++);
    if (order.size % 4096 == 0) check_interrupt();
    for (const auto next : forwards.of(vertex)) {
      if (--waiting[next] == 0) ready.push(next);
    }
  }
  if (order.size < wanted) {
    const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](auto n) { return n > 0; });
    const Links backwards(vertices, to, from);
    order.cycle = find_cycle(backwards, waiting, static_cast<std::int32_t>(stuck - waiting.begin()));
  }
  return order;
}

}  // namespace

Order order_states(std::size_t states, std::span<const std::int32_t> sources, std::span<const std::int32_t> targets,
                   std::int32_t start, std::span<const std::uint8_t> is_final) {
  std::vector<std::uint8_t> reached(states), leading(states);
  reach(Links(states, sources, targets), {start}, reached);
  std::vector<std::int32_t> ends;
  for (std::size_t s = 0; s < states; ++s) {
    if (is_final[s]) ends.push_back(static_cast<std::int32_t>(s));
  }
  reach(Links(states, targets, sources), std::move(ends), leading);
  for (std::size_t s = 0; s < states; ++s) reached[s] &= leading[s];
  std::vector<std::int32_t> from, to;
  for (std::size_t a = 0; a < sources.size(); ++a) {
    if (reached[sources[a]] && reached[targets[a]]) {
      from.push_back(sources[a]);
      to.push_back(targets[a]);
    }
  }
  return sorted(reached, from, to);
}

Order order_nodes(std::size_t nodes, std::span<const std::int32_t> heads, std::span<const std::int64_t> starts,
                  std::span<const std::int32_t> items, std::int32_t root) {
  // From below: a node has a derivation if all nodes of one of its edges have.
  std::vector<std::int32_t> tails, edge_of;
  std::vector<std::int64_t> missing(heads.size());
  for (std::size_t e = 0; e < heads.size(); ++e) {
    for (auto k = starts[e]; k < starts[e + 1]; ++k) {
      if (items[k] >= 0) continue;
      tails.push_back(~items[k]);
      edge_of.push_back(static_cast<std::int32_t>(e));
      ++missing[e];
    }
  }
  const Links uses(nodes, tails, edge_of);
  std::vector<std::uint8_t> made(nodes), useful(nodes);
  std::vector<std::int32_t> found;
  const auto complete = [&](std::size_t edge) {
    if (made[heads[edge]]) return;
    made[heads[edge]] = 1;
    found.push_back(heads[edge]);
  };
  for (std::size_t e = 0; e < heads.size(); ++e) {
    if (missing[e] == 0) complete(e);
  }
  while (!found.empty()) {
    const auto node = found.back();
    found.pop_back();
    for (const auto edge : uses.of(node)) {
      if (--missing[edge] == 0) complete(edge);
    }
  }
  // From above, along edges that can be completed.
  std::vector<std::int32_t> from, to;
  for (std::size_t k = 0; k < tails.size(); ++k) {
    if (missing[edge_of[k]] != 0) continue;
    from.push_back(heads[edge_of[k]]);
    to.push_back(tails[k]);
  }
  if (made[root]) reach(Links(nodes, from, to), {root}, useful);
  std::vector<std::int32_t> lower, upper;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (!useful[from[k]]) continue;
    lower.push_back(to[k]);
    upper.push_back(from[k]);
  }
  return sorted(useful, lower, upper);
}

}  // namespace tricolore::graphs
