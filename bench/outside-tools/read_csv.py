import io

import pandas

from kcs import PROJECT, call, total


def table(part):
    text = call(f"{PROJECT}/graph/export?format=csv&part={part}")
    # As docs/api.md says.
    return pandas.read_csv(io.StringIO(text), dtype=str, keep_default_na=False).astype({"chunks": int})


entities, relationships = table("entities"), table("relationships")
assert len(entities) == total("entities") and len(relationships) == total("relationships")
years = set(relationships["valid_from"]) - {""}
assert years and "" in set(relationships["valid_from"]), "the graph has years and empty cells"
assert all(year.isdigit() and len(year) == 4 for year in years), years
assert set(relationships["source_id"]) | set(relationships["target_id"]) <= set(entities["entity_id"])
print(f"{len(entities)} and {len(relationships)} rows; the years {', '.join(sorted(years))} next to empty cells")
