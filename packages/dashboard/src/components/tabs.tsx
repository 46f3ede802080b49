import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import styles from "./tabs.module.css";

export interface TabContent {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** Tabs of which one is visible. */
export function Tabs({
  label,
  tabs,
  initial,
}: {
  readonly label: string;
  readonly tabs: readonly TabContent[];
  /** The id of the initially selected tab. Default: the first one */
  readonly initial?: string;
}) {
  return (
    <AriaTabs {...(initial === undefined ? {} : { defaultSelectedKey: initial })}>
      <TabList aria-label={label} className={styles.list ?? ""}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab ?? ""}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ""}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
