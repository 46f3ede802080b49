/** Ingests many documents in few requests, shows progress and handles errors: KCS_KEY=kcs_… node many-documents.ts */
import { AuthenticationError, createClient, KcsError } from "@kcs/sdk";

const kcs = createClient({
  baseUrl: process.env["KCS_URL"],
  apiKey: process.env["KCS_KEY"],
  onRetry: ({ error, delayMs }) => console.log(`${error.message} Next attempt in ${delayMs} ms.`),
});

const documents = Array.from({ length: 50 }, (_, at) => ({
  source_doc_id: `log/${at}`,
  text: `Entry ${at}: the ferry carried ${at} crates to the quay.`,
}));

try {
  const { project_id } = await kcs.projects.create({ name: "Ferry log", vector_only: true });
  const { jobs } = await kcs.documents.ingestBatch(project_id, documents);
  const ended = await kcs.jobs.waitAll(
    project_id,
    jobs.map((job) => job.job_id),
    {
      onProgress: ({ completed, total, chunks }) => console.log(`${completed} of ${total}, ${chunks} chunks`),
    },
  );
  for (const job of ended) if (job.status === "failed") console.log(job.source_doc_id, job.error_message);

  let chunks = 0;
  for await (const job of kcs.jobs.each(project_id)) chunks += job.chunks_processed;
  console.log(`${chunks} chunks in total`);
  await kcs.projects.delete(project_id);
} catch (error) {
  if (error instanceof AuthenticationError) console.error("Set KCS_KEY to a key of this service.");
  else if (error instanceof KcsError) console.error(error.message);
  else throw error;
  process.exitCode = 1;
}
