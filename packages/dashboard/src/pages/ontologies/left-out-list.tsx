import type { ImportedOntology } from "@kcs/sdk";
import { Notice } from "../../components/notice.tsx";
import { type Column, Table } from "../../components/table.tsx";

type LeftOut = ImportedOntology["left_out"][number];

/** What a file says that an ontology has no place for. */
export function LeftOutList({ items }: { readonly items: readonly LeftOut[] }) {
  if (items.length === 0) return <Notice kind="good">Everything in the file had a place.</Notice>;
  return (
    <>
      <Notice kind="warn">Some parts of the file have no place in an ontology and were left out.</Notice>
      <Table
        label="Left out"
        columns={columns}
        rows={items}
        keyOf={({ item, reason }) => `${item}\n${reason}`}
      />
    </>
  );
}

const columns: readonly Column<LeftOut>[] = [
  { title: "Part of the file", cell: ({ item }) => <bdi>{item}</bdi> },
  { title: "Why", cell: ({ reason }) => reason },
];
