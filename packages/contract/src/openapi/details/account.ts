import * as bodies from "../../bodies.ts";
import type { OperationDetails } from "../operation-details.ts";
import { EXAMPLE_PROJECT_ID, exampleConfig } from "./projects.ts";

export const accountDetails = {
  getProjectConfig: {
    tag: "Projects",
    description:
      "The project's configuration, with the embedding model that it has now, and the service's current settings.",
    example: {
      ontology: null,
      config: exampleConfig,
      in_use: {
        embedding_model: exampleConfig.embedding_model,
        embedding_dimensions: exampleConfig.embedding_dimensions,
        embedding_models: [exampleConfig.embedding_model],
        max_text_bytes: 10_485_760,
        language_model: null,
      },
    },
  },
  getUsage: {
    tag: "Account",
    description: "By day in UTC and by project. Days without usage are left out.",
    query: bodies.usageParameters,
    example: {
      from: "2031-04-04",
      to: "2031-05-03",
      days: [
        {
          date: "2031-05-03",
          project_id: EXAMPLE_PROJECT_ID,
          tokens: 14,
          documents: 1,
          chunks: 1,
          queries: 3,
          model_calls: 0,
          model_tokens: 0,
        },
      ],
      limits: {
        token_limit: null,
        tokens_used: 14,
        tokens_left: null,
        ingest_per_minute: 10,
        pending_jobs: null,
        stored_bytes: null,
        stored_bytes_used: 87,
        concurrent_queries: null,
        projects: 10_000,
        ontologies: 10_000,
      },
    },
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
