import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus, Sparkles } from "lucide-react";
import { projectsQuery } from "../api/projects.ts";
import { Button } from "../components/button.tsx";
import { FaultNotice } from "../components/fault-notice.tsx";
import { startSample } from "./start-sample.ts";
import styles from "./welcome.module.css";

const steps = [
  { title: "Create a project", text: "A project has its own documents, and its answers use only those." },
  { title: "Add texts to it", text: "Paste a text or drop a folder. The service processes them itself." },
  { title: "Ask", text: "Every answer shows the passages that support it." },
] as const;

/** For users without a project: explains the service and offers two ways to start. */
export function Welcome({ onCreate }: { readonly onCreate: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const starting = useMutation({
    mutationFn: startSample,
    async onSuccess(projectId) {
      await navigate({ to: "/projects/$projectId", params: { projectId } });
      await queryClient.invalidateQueries(projectsQuery);
    },
  });
  return (
    <section aria-labelledby="welcome" className={styles.welcome}>
      <h2 id="welcome">From a text to an answer in three steps</h2>
      <ol className={styles.steps}>
        {steps.map(({ title, text }, at) => (
          <li key={title} className={styles.step}>
            <span className={styles.number} aria-hidden>
              {at + 1}
            </span>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button variant="primary" isPending={starting.isPending} onPress={() => starting.mutate()}>
          <Sparkles aria-hidden size={16} />{" "}
          {starting.isPending ? "Setting up …" : "Try it with a sample text"}
        </Button>
        <Button onPress={onCreate}>
          <Plus aria-hidden size={16} /> New project
        </Button>
      </div>
      <FaultNotice error={starting.error} />
    </section>
  );
}
