import rdflib

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
print(
    f"{len(graph)} triples in the default graph; {len(entities)} entities and {len(relationships)}"
    " relationships with IRIs"
)
