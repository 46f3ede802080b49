/** Answers a question from the Markdown and text files of a folder: KCS_KEY=kcs_… node main.ts FOLDER QUESTION */
import { glob, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Client, createClient } from "@kcs/sdk";

const documentsPerRequest = 1000;

async function main(folder: string, question: string): Promise<void> {
  const kcs = createClient({ baseUrl: process.env["KCS_URL"], apiKey: process.env["KCS_KEY"] });
  const projectId = await findOrCreateProject(kcs, `Folder ${basename(resolve(folder))}`);
  const paths = await Array.fromAsync(glob("**/*.{md,txt}", { cwd: folder }));

  // A document that is ingested again replaces its previous version; unchanged passages are not embedded again.
  for (let start = 0; start < paths.length; start += documentsPerRequest) {
    const batch = paths.slice(start, start + documentsPerRequest).map(async (path) => ({
      source_doc_id: path,
      text: await readFile(join(folder, path), "utf8"),
    }));
    const { jobs } = await kcs.documents.ingestBatch(projectId, await Promise.all(batch));
    const ended = await kcs.jobs.waitAll(
      projectId,
      jobs.map((job) => job.job_id),
    );
    for (const job of ended) {
      if (job.status === "failed") console.error(`${job.source_doc_id}: ${job.error_message}`);
    }
  }
  const kept = new Set(paths);
  // All are listed before the first one is deleted: a deletion moves those after it to earlier pages.
  const documents = await Array.fromAsync(kcs.documents.each(projectId));
  for (const { source_doc_id } of documents) {
    if (!kept.has(source_doc_id)) await kcs.documents.delete(projectId, source_doc_id);
  }

  const { results } = await kcs.query(projectId, { query: question, top_k: 3, include: ["provenance"] });
  console.log(results.summary);
  for (const { source_doc_id, similarity } of results.chunks) {
    console.log(`  ${source_doc_id} (similarity ${similarity.toFixed(2)})`);
  }
}

async function findOrCreateProject(kcs: Client, name: string): Promise<string> {
  for await (const project of kcs.projects.each()) {
    if (project.name === name) return project.project_id;
  }
  return (await kcs.projects.create({ name })).project_id;
}

const [folder, question] = process.argv.slice(2);
if (folder === undefined || question === undefined) {
  console.error("Usage: node main.ts FOLDER QUESTION");
  process.exitCode = 2;
} else await main(folder, question);
