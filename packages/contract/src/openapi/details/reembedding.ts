import * as bodies from "../../bodies.ts";
import type { OperationDetails } from "../operation-details.ts";
import { EXAMPLE_PROJECT_ID } from "./projects.ts";

const reembedding = {
  project_id: EXAMPLE_PROJECT_ID,
  status: "running",
  from: { embedding_model: "all-MiniLM-L6-v2", embedding_dimensions: 384 },
  to: { embedding_model: "ollama/nomic-embed-text", embedding_dimensions: 768 },
  chunks_processed: 1280,
  chunks_total: 4096,
  created_at: "2031-05-04T10:00:00.000Z",
  started_at: "2031-05-04T10:00:00.412Z",
  completed_at: null,
  error_message: null,
};

export const reembeddingDetails = {
  reembedProject: {
    tag: "Projects",
    description:
      "Moves the project to the embedding model that is configured now, or to another configured one that is named. It goes on in the background: questions are answered from the present vectors until one transaction changes to the new ones; what is ingested or deleted meanwhile is taken along. Asked again while it runs, it answers the same; after a failure it goes on where it was. A project that is there already is answered as completed.",
    body: {
      name: "ReembedProject",
      schema: bodies.reembedBody,
      example: { embedding: "ollama/nomic-embed-text" },
      isOptional: true,
    },
    example: reembedding,
    errors: [
      {
        status: 400,
        detail: 'embedding: got "<model>", expected one that is configured: <models>',
        when: "The model is not configured. `GET …/config` shows those that are.",
      },
      {
        status: 403,
        detail: "Token usage limit exceeded",
        when: "The account has used up its tokens of this month.",
      },
      {
        status: 409,
        detail:
          "The project is being moved to another embedding model, <model>. Wait until it is there, or cancel that first.",
        when: "It is on its way to another model than the wanted one.",
      },
    ],
  },
  getReembedding: {
    tag: "Projects",
    description:
      "The move to another embedding model that is under way, or the last one. A project that was never moved is answered as completed, from its model to its model.",
    example: reembedding,
  },
  cancelReembedding: {
    tag: "Projects",
    description:
      "Ends a move to another embedding model. The project stays with the model that it has; the vectors that were made for the other one are removed. One that was cancelled before is answered as it is.",
    example: {
      ...reembedding,
      status: "cancelled",
      completed_at: "2031-05-04T10:03:11.006Z",
    },
    errors: [
      {
        status: 409,
        detail: "The project is not being moved to another embedding model. There is nothing to cancel.",
        when: "It never was, or the move has ended.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
