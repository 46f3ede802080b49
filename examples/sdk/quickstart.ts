/** Creates a project, ingests a document and asks a question: KCS_KEY=kcs_… node quickstart.ts */
import { createClient } from "@kcs/sdk";

const kcs = createClient({ baseUrl: process.env["KCS_URL"], apiKey: process.env["KCS_KEY"] });

const project = await kcs.projects.create({ name: "Harbour", vector_only: true });
const job = await kcs.documents.ingest(project.project_id, {
  source_doc_id: "harbour-log",
  text: "The dredger Wanda works the east basin every second spring. The crane on pier 3 lifts forty tonnes.",
  metadata: { lang: "en", year: 1994 },
});
await kcs.jobs.wait(project.project_id, job.job_id, {
  onProgress: ({ status, chunks_processed }) => console.log(`${status}: ${chunks_processed} chunks`),
});

const { results } = await kcs.query(project.project_id, {
  query: "How much does the crane lift?",
  include: ["provenance"],
  filter: { metadata: { year: { gte: 1990 } } },
});
console.log(results.summary);
for (const { similarity, source_doc_id, text } of results.chunks)
  console.log(similarity, source_doc_id, text);

await kcs.projects.delete(project.project_id);
