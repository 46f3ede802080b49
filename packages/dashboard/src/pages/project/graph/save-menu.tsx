import { useSuspenseQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { RefObject } from "react";
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from "react-aria-components";
import { graphFiles } from "../../../api/graph-files.ts";
import { projectQuery } from "../../../api/projects.ts";
import { Button } from "../../../components/button.tsx";
import type { Drawing } from "./drawing.ts";
import { download, graphMlOf } from "./picture-files.ts";
import styles from "./save-menu.module.css";
import type { Scene } from "./scene.ts";

/** Files of what is drawn, where something is, and of the whole graph. */
export function SaveMenu({
  projectId,
  scene,
  note,
  drawing,
}: {
  readonly projectId: string;
  /** null: nothing is drawn yet. */
  readonly scene: Scene | null;
  readonly note: string;
  /** null: a list is shown. */
  readonly drawing: RefObject<Drawing | null> | null;
}) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const saveGraph = (drawn: Scene) =>
    download(
      new Blob([graphMlOf(drawn)], { type: "application/graphml+xml" }),
      `${project.name} (drawn).graphml`,
    );
  const savePicture = async () => {
    const picture = await drawing?.current?.toBlob(`${project.name} · ${note}`);
    if (picture != null) download(picture, `${project.name}.png`);
  };
  return (
    <MenuTrigger>
      <Button
        size="icon"
        variant={drawing === null ? "secondary" : "quiet"}
        aria-label="Save the graph as a file"
      >
        <Download aria-hidden size={16} />
      </Button>
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <Menu className={styles.menu ?? ""} aria-label="Save the graph as a file">
          {scene !== null && drawing !== null && (
            <MenuSection>
              <Header className={styles.title ?? ""}>What is drawn</Header>
              <MenuItem className={styles.item ?? ""} onAction={() => void savePicture()}>
                As a picture (PNG)
              </MenuItem>
              <MenuItem className={styles.item ?? ""} onAction={() => saveGraph(scene)}>
                As a graph (GraphML)
              </MenuItem>
            </MenuSection>
          )}
          <MenuSection>
            <Header className={styles.title ?? ""}>The whole graph, with its evidence</Header>
            {graphFiles(projectId).map(({ label, href }) => (
              <MenuItem key={href} className={styles.item ?? ""} href={href} download>
                {label}
              </MenuItem>
            ))}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
