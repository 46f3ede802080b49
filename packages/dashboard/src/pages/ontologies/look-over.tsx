import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import styles from "./look-over.module.css";

/** Asks a person to look a draft over, and leads to the types that nothing joins. */
export function LookOver({
  alone,
  onRelate,
}: {
  readonly alone: readonly string[];
  readonly onRelate: (type: string) => void;
}) {
  return (
    <Notice kind={alone.length > 0 ? "warn" : "plain"}>
      <p>
        This is a draft from the wording of your description, and it can be wrong. Read each relationship
        beside your words, and change, swap or remove those that are not true.
      </p>
      {alone.length > 0 && (
        <div className={styles.alone}>
          <span>
            {alone.length === 1 ? "One type has" : `${alone.length} types have`} no relationship. Relate{" "}
            {alone.length === 1 ? "it" : "them"}, or remove what your texts never mention:
          </span>
          {alone.map((type) => (
            <Button key={type} size="small" aria-label={`Relate ${type}`} onPress={() => onRelate(type)}>
              {type}
            </Button>
          ))}
        </div>
      )}
    </Notice>
  );
}
