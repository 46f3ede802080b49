import { useState } from "react";
import { CheckboxField } from "../../components/checkbox-field.tsx";

/**
 * Whether a type that gets another name keeps what was read under its earlier one. `earlier`: the name that texts are read under; null where nothing
 * was read yet.
 */
export function useEarlierName(earlier: string | null, name: string) {
  const [isKept, setKept] = useState(true);
  const isRenamed = earlier !== null && name.trim() !== "" && name.trim() !== earlier;
  return {
    /** What is stored of it. */
    readAs: isRenamed && isKept ? { readAs: earlier } : {},
    field: isRenamed ? (
      <CheckboxField
        label={`Keep what was found as ${earlier}: texts are still read under that name`}
        isSelected={isKept}
        onChange={setKept}
      />
    ) : null,
  };
}
