import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { documentsQuery } from "../../../api/documents.ts";
import { Button } from "../../../components/button.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { periodWords } from "../../../components/time-words.ts";
import { isPeriod } from "./graph-address.ts";
import styles from "./graph-scope.module.css";
import filterStyles from "./type-filter.module.css";

const maxListed = 12;

/** Draws only what one document names. */
export function DocumentScope({
  projectId,
  chosen,
  onChange,
}: {
  readonly projectId: string;
  readonly chosen: string | null;
  readonly onChange: (id: string | null) => void;
}) {
  return (
    <Scope label="Document" chosen={chosen}>
      {(close) => (
        <DocumentChoice
          projectId={projectId}
          chosen={chosen}
          onChange={(id) => {
            close();
            onChange(id);
          }}
        />
      )}
    </Scope>
  );
}

function DocumentChoice({ projectId, chosen, onChange }: Parameters<typeof DocumentScope>[0]) {
  const [find, setFind] = useState("");
  const { data } = useQuery(documentsQuery(projectId, { find, from: 0 }));
  return (
    <>
      <SearchField label="Find a document" value={find} onSearch={setFind} />
      {chosen !== null && (
        <Button size="small" onPress={() => onChange(null)}>
          All documents
        </Button>
      )}
      <ul className={filterStyles.scroll}>
        {data?.documents.slice(0, maxListed).map(({ source_doc_id: id }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.document}
              aria-pressed={id === chosen}
              onClick={() => onChange(id)}
            >
              <bdi>{id}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {data?.documents.length === 0 && <p className={filterStyles.none}>No document with this name.</p>}
    </>
  );
}

/** Draws only relationships that a text says hold at a time, or dates not at all. */
export function TimeScope({
  chosen,
  onChange,
}: {
  readonly chosen: string | null;
  readonly onChange: (asOf: string | null) => void;
}) {
  return (
    <Scope label="Time" chosen={chosen === null ? null : periodWords(chosen)}>
      {(close) => (
        <TimeChoice
          chosen={chosen}
          onChange={(asOf) => {
            close();
            onChange(asOf);
          }}
        />
      )}
    </Scope>
  );
}

function TimeChoice({ chosen, onChange }: Parameters<typeof TimeScope>[0]) {
  const [text, setText] = useState(chosen ?? "");
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    if (isPeriod(wanted)) onChange(wanted);
    else setRefused(true);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="As of a year, month or day"
        hint="A relationship to which no text gives a date is always drawn."
        placeholder="1901, 1901-05 or 1901-05-09"
        value={text}
        onChange={(next) => {
          setRefused(false);
          setText(next);
        }}
        {...(isRefused ? { fault: "Write a year, month or day such as 1901, 1901-05 or 1901-05-09." } : {})}
        autoFocus
      />
      <div className={styles.actions}>
        {chosen !== null && <Button onPress={() => onChange(null)}>Any time</Button>}
        <Button type="submit" variant="primary">
          Show
        </Button>
      </div>
    </form>
  );
}

function Scope({
  label,
  chosen,
  children,
}: {
  readonly label: string;
  readonly chosen: string | null;
  readonly children: (close: () => void) => ReactNode;
}) {
  return (
    <DialogTrigger>
      <AriaButton className={filterStyles.trigger ?? ""}>
        {label}
        {chosen !== null && <bdi className={`${filterStyles.badge} ${styles.chosen}`}>{chosen}</bdi>}
        <ChevronDown aria-hidden size={14} />
      </AriaButton>
      <Popover className={filterStyles.popover ?? ""} placement="bottom start" offset={4}>
        <Dialog aria-label={label} className={filterStyles.dialog ?? ""}>
          {({ close }) => children(close)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
