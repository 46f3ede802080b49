import { Dialog } from "../components/dialog.tsx";
import { Facts } from "../components/facts.tsx";

const shortcuts: readonly {
  readonly label: string;
  readonly keys: readonly string[];
  readonly isEither?: true;
}[] = [
  { label: "Go to a page, project, document or entity, ask, or do something", keys: ["Ctrl", "K"] },
  { label: "Search the page, or ask: put the cursor into its field", keys: ["/"] },
  { label: "Ask the question that is written", keys: ["Enter"] },
  { label: "A new line in the question", keys: ["Shift", "Enter"] },
  { label: "Ask, from anywhere in the options", keys: ["Ctrl", "Enter"] },
  { label: "Close what is open; in the graph, the step before", keys: ["Esc"] },
  { label: "In the graph: move it", keys: ["Arrow keys"] },
  { label: "In the graph: larger, smaller", keys: ["+", "-"], isEither: true },
  { label: "In the graph: all of it", keys: ["0"] },
  { label: "In the graph: expand an entity", keys: ["Shift", "Click"] },
  { label: "In a list: select all up to this one", keys: ["Shift", "Click"] },
  { label: "This list", keys: ["?"] },
];

/** All shortcuts. On a Mac, Cmd does what Ctrl does. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <Facts
        items={shortcuts.map(({ label, keys, isEither }) => ({
          label,
          value: keys.map((key, at) => (
            <span key={key}>
              {at > 0 && (isEither === true ? " or " : " + ")}
              <kbd>{key}</kbd>
            </span>
          )),
        }))}
      />
    </Dialog>
  );
}
