import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type FormEvent, useState } from "react";
import { FileTrigger } from "react-aria-components";
import type { OntologyFile, OntologyFileFormat } from "../../api/ontologies.ts";
import { Button } from "../../components/button.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import formStyles from "../../components/form.module.css";
import { Select } from "../../components/select.tsx";
import { fileFormats, guessFormat } from "./file-formats.ts";

interface ChosenFile {
  readonly name: string;
  readonly content: string;
}

/** A form that takes a file with an ontology, in any format of the service. */
export function FileImport({
  action,
  onFile,
}: {
  readonly action: string;
  readonly onFile: (file: OntologyFile) => Promise<unknown>;
}) {
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [format, setFormat] = useState<OntologyFileFormat>("turtle");
  const sending = useMutation({ mutationFn: onFile });
  const choose = async (list: FileList | null) => {
    const chosen = list?.[0];
    if (chosen === undefined) return;
    const content = await chosen.text();
    sending.reset();
    setFile({ name: chosen.name, content });
    setFormat(guessFormat(chosen.name, content) ?? format);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file !== null) sending.mutate({ format, content: file.content });
  };
  return (
    <form onSubmit={submit} className={formStyles.form}>
      <FileTrigger onSelect={choose}>
        <Button>
          <FileUp aria-hidden size={16} /> {file === null ? "Choose a file" : file.name}
        </Button>
      </FileTrigger>
      <Select
        label="Format"
        options={fileFormats}
        value={format}
        onChange={(value) => setFormat(fileFormats.find((each) => each.value === value)?.value ?? format)}
      />
      <FaultNotice error={sending.error} />
      <Button type="submit" variant="primary" isDisabled={file === null} isPending={sending.isPending}>
        {action}
      </Button>
    </form>
  );
}
