import io

import networkx

from kcs import PROJECT, call, total

graph = networkx.read_graphml(io.BytesIO(call(PROJECT + "/graph/export?format=graphml").encode()))
assert graph.number_of_nodes() == total("entities")
assert graph.number_of_edges() == total("relationships")
assert all(data["name"] and data["type"] for _, data in graph.nodes(data=True))
years = [data["valid_from"] for *_, data in graph.edges(data=True) if "valid_from" in data]
assert years and all(isinstance(year, str) for year in years), years
print(f"{graph.number_of_nodes()} nodes and {graph.number_of_edges()} edges, like the lists; years are texts")
