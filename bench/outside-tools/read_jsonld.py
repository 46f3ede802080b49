import pathlib
import re

import rdflib
from rdflib import PROV

from kcs import PROJECT, call, total

VOCABULARY = rdflib.Namespace("urn:kcs:vocabulary:")
graph = rdflib.Graph().parse(data=call(PROJECT + "/graph/export?format=jsonld"), format="json-ld")
entities = set(graph.subjects(rdflib.URIRef("https://schema.org/name")))
entities = {entity for entity in entities if isinstance(entity, rdflib.URIRef)}
relationships = set(graph.subjects(VOCABULARY.source))
assert len(entities) == total("entities"), len(entities)
assert len(relationships) == total("relationships"), len(relationships)
assert all(isinstance(one, rdflib.URIRef) for one in relationships)
for end in (VOCABULARY.source, VOCABULARY.target):
    assert all(graph.value(one, end) in entities for one in relationships)
stated = set(graph.subject_objects(PROV.wasDerivedFrom))
assert relationships <= {fact for fact, _ in stated}
assert all(graph.value(passage, PROV.value) for _, passage in stated)
example = re.search("```sparql\n(.*?)```", (pathlib.Path(__file__).parents[2] / "docs/api.md").read_text(), re.DOTALL)
(founded,) = graph.query(example[1])
assert str(founded.quote).startswith("Nordvik Robotics is"), founded
assert founded.start.datatype == rdflib.XSD.gYear, founded
print(
    f"{len(graph)} triples in the default graph; {len(entities)} entities and {len(relationships)}"
    " relationships with IRIs, each with passages that state it; the documented SPARQL finds one"
)
