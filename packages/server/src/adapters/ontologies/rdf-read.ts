/**
 * The types of an ontology in RDF: classes (OWL, RDFS, concepts of SKOS, targets of SHACL shapes) are node types, properties
 * between classes are edge types, the other properties are properties of their classes.
 */
import type { Quad, Term } from "n3";
import type { ReadOntologyFile } from "../../ports/ontology-files.ts";
import { OntologyFileError } from "../../ports/ontology-files.ts";
import { createDraft, type Draft, type DraftEdge, exampleOf, leaveOutPairs } from "./draft.ts";
import { iri, PREFIXES } from "./vocabulary.ts";

const CLASSES = ["owl:Class", "rdfs:Class", "skos:Concept"] as const;
const OBJECT_PROPERTIES = ["owl:ObjectProperty"] as const;
/** Of values of statements and items of lists, each as often as it is read: six times those of the largest file. */
const MAX_READS = 3_000_000;
const PROPERTIES = ["owl:DatatypeProperty", "rdf:Property"] as const;

export function readQuads(quads: readonly Quad[]): ReadOntologyFile {
  const graph = createGraph(quads);
  const draft = createDraft();
  const names = nameTerms(graph, draft);
  readClasses(graph, draft, names);
  readProperties(graph, draft, names);
  readShapes(graph, draft, names);
  for (const ontology of graph.ofType(["owl:Ontology", "skos:ConceptScheme"]))
    draft.name ??= graph.texts(ontology, ["rdfs:label", "skos:prefLabel"])[0] ?? null;
  reportRest(graph, draft, names);
  return draft.finish();
}

interface Names {
  readonly classes: ReadonlyMap<string, string>;
  /** Of what is a property, whatever it leads to. */
  readonly properties: ReadonlyMap<string, string>;
}

type Name = Parameters<typeof iri>[0];
type Graph = ReturnType<typeof createGraph>;

function createGraph(quads: readonly Quad[]) {
  const bySubject = bySubjectAndPredicate(quads);
  const used = new Set<Quad>();
  let reads = 0;
  /** Statements may be referred to again and again, and lists lead back to themselves. @throws OntologyFileError */
  const count = (values: number): void => {
    reads += values;
    if (reads > MAX_READS) throw new OntologyFileError("refers to the same lists or statements too often");
  };
  /** The values of the predicates, in the order of the file; they count as read. */
  const values = (subject: string, names: readonly Name[]): readonly Term[] => {
    const own = bySubject.get(subject);
    const found = names.flatMap((name) => own?.get(iri(name)) ?? []);
    count(found.length);
    if (names.length > 1) found.sort((one, other) => one.place - other.place);
    for (const { quad } of found) used.add(quad);
    return found.map(({ quad }) => quad.object);
  };
  const objects = (name: Name) =>
    new Set(quads.filter(({ predicate }) => predicate.value === iri(name)).map(({ object }) => object.value));
  const paths = objects("sh:path");
  const list = (head: Term): readonly Term[] => {
    const items: Term[] = [];
    for (let at: Term | undefined = head; at !== undefined && at.value !== iri("rdf:nil"); ) {
      count(1);
      for (const item of values(at.value, ["rdf:first"])) items.push(item);
      at = values(at.value, ["rdf:rest"])[0];
    }
    return items;
  };
  return {
    values,
    list,
    count,
    texts: (subject: string, names: readonly Name[]) => values(subject, names).map(({ value }) => value),
    /** Subjects with one of these types, blank ones left out. */
    ofType(types: readonly Name[]): readonly string[] {
      const wanted = types.map(iri);
      const found = quads.filter(
        ({ subject, predicate, object }) =>
          subject.termType === "NamedNode" &&
          predicate.value === iri("rdf:type") &&
          wanted.includes(object.value),
      );
      for (const each of found) used.add(each);
      return [...new Set(found.map(({ subject }) => subject.value))];
    },
    /** Reads no other type of the subject. */
    isOfType(subject: string, name: Name): boolean {
      const typed = bySubject.get(subject)?.get(iri("rdf:type")) ?? [];
      const found = typed.filter(({ quad }) => quad.object.value === iri(name));
      for (const { quad } of found) used.add(quad);
      return found.length > 0;
    },
    /** Values of a predicate of any subject. */
    objects,
    /** Whether a shape has it as a path. */
    isPath: (term: string) => paths.has(term),
    unread: () => quads.filter((each) => !used.has(each)),
  };
}

/** With their places in the file. */
function bySubjectAndPredicate(quads: readonly Quad[]) {
  const placed = quads.map((quad, place) => ({ quad, place }));
  const bySubject = Map.groupBy(placed, ({ quad }) => quad.subject.value);
  return new Map(
    [...bySubject].map(([subject, own]) => [subject, Map.groupBy(own, ({ quad }) => quad.predicate.value)]),
  );
}

function nameTerms(graph: Graph, draft: Draft): Names {
  const taken = new Map<string, string>();
  const named = (terms: Iterable<string>) =>
    new Map(
      [...terms].flatMap((term) => {
        const name = nameOf(term, graph.texts(term, ["rdfs:label", "skos:prefLabel"])[0]);
        const other = taken.get(name);
        if (other !== undefined && other !== term) {
          draft.leaveOut(term, `has the name of ${other}`);
          return [];
        }
        taken.set(name, term);
        return [[term, name] as const];
      }),
    );
  const classes = new Set([...graph.ofType(CLASSES), ...graph.objects("sh:targetClass")]);
  const datatypes = [...classes].filter((term) => term.startsWith(PREFIXES.xsd));
  for (const term of [...datatypes, iri("owl:Thing")]) classes.delete(term);
  return { classes: named(classes), properties: ownNames(graph) };
}

/** The names of properties need not differ from those of classes, and several classes can have one of the same name. */
function ownNames(graph: Graph): ReadonlyMap<string, string> {
  const terms = new Set([
    ...graph.ofType([...OBJECT_PROPERTIES, ...PROPERTIES]),
    ...graph.objects("sh:path"),
  ]);
  return new Map(
    [...terms].map((term) => [term, nameOf(term, graph.texts(term, ["rdfs:label", "skos:prefLabel"])[0])]),
  );
}

/** The last part of the IRI; the label where that part is a code such as GO_0008150. */
function nameOf(term: string, label: string | undefined): string {
  const part = term.slice(Math.max(term.lastIndexOf("#"), term.lastIndexOf("/"), term.lastIndexOf(":")) + 1);
  return label !== undefined && (part === "" || /[\d%]/.test(part))
    ? label
    : decoded(part === "" ? term : part);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readClasses(graph: Graph, draft: Draft, { classes }: Names): void {
  for (const [term, name] of classes) {
    const node = draft.node(name);
    readShared(graph, term, node);
    for (const text of graph.texts(term, ["skos:example"])) node.examples.add(text);
    for (const level of graph.texts(term, ["kcs:level"])) node.level = Number(level);
    for (const lower of graph.texts(term, ["kcs:aggregates"]))
      node.aggregates.add(classes.get(lower) ?? nameOf(lower, undefined));
  }
}

function readShared(graph: Graph, term: string, type: ReturnType<Draft["node"]> | DraftEdge): void {
  const [description, ...others] = graph.texts(term, ["rdfs:comment", "skos:definition"]);
  type.description = [description ?? "", ...others].join("\n");
  const labels = graph.texts(term, ["rdfs:label", "skos:prefLabel", "skos:altLabel"]);
  for (const label of labels) if (label !== type.name) type.aliases.add(label);
  for (const name of graph.texts(term, ["kcs:readAs"])) type.readAs = name;
}

function readProperties(graph: Graph, draft: Draft, names: Names): void {
  const objects = new Set(graph.ofType(OBJECT_PROPERTIES));
  for (const term of [...objects, ...graph.ofType(PROPERTIES).filter((each) => !objects.has(each))]) {
    const name = names.properties.get(term) ?? term;
    const sources = classesOf(graph, graph.values(term, ["rdfs:domain"]), names);
    const targets = classesOf(graph, graph.values(term, ["rdfs:range"]), names);
    if (!objects.has(term) && targets.length === 0) {
      for (const source of sources) draft.node(source).properties.add(name);
      if (sources.length === 0 && !graph.isPath(term)) draft.leaveOut(term, "is a property of no class");
      for (const text of graph.texts(term, ["rdfs:comment", "skos:definition"]))
        draft.leaveOut(term, `has a description, which properties do not: ${text.slice(0, 100)}`);
      continue;
    }
    const edge = draft.edge(name);
    for (const source of sources) edge.sourceTypes.add(source);
    for (const target of targets) edge.targetTypes.add(target);
    readShared(graph, term, edge);
    edge.temporal = graph.texts(term, ["kcs:temporal"]).includes("true");
    edge.functional = graph.isOfType(term, "owl:FunctionalProperty");
    for (const property of graph.texts(term, ["kcs:property"])) edge.properties.add(property);
    for (const text of graph.texts(term, ["kcs:example", "skos:example"])) {
      const example = exampleOf(jsonOf(text));
      if (example !== null) edge.examples.push(example);
    }
  }
}

/** A text of an example that is no JSON is a sentence. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The names of classes, also those of unions. */
function classesOf(graph: Graph, terms: readonly Term[], { classes }: Names): readonly string[] {
  return terms.flatMap((term) => {
    const members = graph.values(term.value, ["owl:unionOf"]).flatMap(graph.list);
    graph.values(term.value, ["rdf:type"]);
    return [term, ...members].flatMap(({ value }) => classes.get(value) ?? []);
  });
}

/** A shape says which properties, and which relationships to which classes, those of its target have. */
function readShapes(graph: Graph, draft: Draft, names: Names): void {
  const pairs = new Map<DraftEdge, number>();
  for (const shape of graph.ofType(["sh:NodeShape"])) {
    const targets = classesOf(graph, graph.values(shape, ["sh:targetClass"]), names);
    for (const { value: property } of graph.values(shape, ["sh:property"])) {
      const [path] = graph.texts(property, ["sh:path"]);
      graph.values(property, ["sh:datatype", "rdf:type"]);
      const either = graph.values(property, ["sh:or"]).flatMap(graph.list);
      const classes = [property, ...either.map(({ value }) => value)].flatMap((each) =>
        classesOf(graph, graph.values(each, ["sh:class"]), names),
      );
      graph.count(targets.length + classes.length);
      const name = names.properties.get(path ?? "");
      if (name === undefined) {
        draft.leaveOut(shape, "has a path that is no property");
        continue;
      }
      if (classes.length === 0) for (const target of targets) draft.node(target).properties.add(name);
      else {
        const edge = draft.edge(name);
        for (const target of targets) edge.sourceTypes.add(target);
        for (const each of classes) edge.targetTypes.add(each);
        pairs.set(edge, (pairs.get(edge) ?? 0) + targets.length * new Set(classes).size);
      }
    }
  }
  leaveOutPairs(draft, pairs);
}

/** What nothing was made of, by its predicate. */
function reportRest(graph: Graph, draft: Draft, { classes, properties }: Names): void {
  for (const { subject, predicate, object } of graph.unread()) {
    const owner = classes.get(subject.value) ?? properties.get(subject.value) ?? subject.value;
    const kind = predicate.value === iri("rdf:type") ? `is a ${object.value}` : `has ${predicate.value}`;
    draft.leaveOut(
      subject.termType === "BlankNode" ? "a part without a name" : owner,
      `${kind}, for which there is no place`,
    );
  }
}
