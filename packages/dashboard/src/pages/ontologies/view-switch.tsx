import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import tabStyles from "../../components/tabs.module.css";
import styles from "./view-switch.module.css";

type View = "form" | "text";

/** Switches between form and text where there is no room for both. */
export function ViewSwitch({
  view,
  onChange,
}: {
  readonly view: View;
  readonly onChange: (view: View) => void;
}) {
  return (
    <ToggleButtonGroup
      aria-label="Edit as"
      selectedKeys={[view]}
      disallowEmptySelection
      onSelectionChange={(keys) => onChange(keys.has("text") ? "text" : "form")}
      className={`${tabStyles.list} ${styles.switch}`}
    >
      <ToggleButton id="form" className={`${tabStyles.tab} ${styles.view}`}>
        Form
      </ToggleButton>
      <ToggleButton id="text" className={`${tabStyles.tab} ${styles.view}`}>
        JSON
      </ToggleButton>
    </ToggleButtonGroup>
  );
}
