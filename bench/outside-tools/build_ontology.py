"""Uses the client that openapi-python-client has generated."""

import os
import sys

sys.path.insert(0, os.environ["KCS_CLIENT"])

from knowledge_context_service_client import AuthenticatedClient
from knowledge_context_service_client.api.ontologies import create_ontology, get_ontology
from knowledge_context_service_client.models import CreateOntology, Fault, Ontology

from kcs import HEADERS, URL

client = AuthenticatedClient(base_url=URL, token=HEADERS["Authorization"].split()[1])
body = CreateOntology.from_dict(
    {
        "name": "Shipping",
        "schema": {
            "ontology": {
                "hierarchy": [{"level": 0, "node_types": {"Ship": {"properties": ["tonnage"]}, "Harbour": {}}}],
                "edge_types": [{"name": "BERTHED_AT", "source_types": ["Ship"], "target_types": ["Harbour"]}],
            }
        },
    }
)
created = create_ontology.sync(client=client, body=body)
assert isinstance(created, Ontology), created
stored = get_ontology.sync(created.id, client=client)
level = stored.schema.ontology.hierarchy[0]
assert level.level == 0 and level.node_types["Ship"].properties == ["tonnage"], level
[edge] = stored.schema.ontology.edge_types
assert (edge.name, edge.source_types) == ("BERTHED_AT", ["Ship"])
assert isinstance(get_ontology.sync("ont_none", client=client), Fault)
print("an ontology is built and read back with the classes NodeType, HierarchyLevel and EdgeType")
