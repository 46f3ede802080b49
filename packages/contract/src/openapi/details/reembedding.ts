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
      "Moves the project to the embedding model of new projects, or to the configured model named by `embedding`. The move runs in the background: queries use the present vectors until one transaction switches to the new ones. Documents that are ingested or deleted meanwhile are included. Repeating the request while the move runs returns the same move; after a failure it resumes the move where it stopped. A project that already has the model is not moved, and nothing is embedded again: the response has the status `completed` and a `created_at` of null.",
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
        when: "The account has used up its tokens of this calendar month.",
      },
      {
        status: 409,
        detail:
          "The project is already being moved to another embedding model, <model>. Wait until that move has finished, or cancel it first.",
        when: "The project is already being moved to a model other than the requested one.",
      },
    ],
  },
  getReembedding: {
    tag: "Projects",
    description:
      "The current move to another embedding model, or the last one. For a project that was never moved the response has the status `completed`, and `from` and `to` are the same model.",
    example: reembedding,
  },
  cancelReembedding: {
    tag: "Projects",
    description:
      "Cancels a move to another embedding model. The project keeps its present model; the vectors made for the new model are removed. For a move that is already cancelled the response is that move, unchanged.",
    example: {
      ...reembedding,
      status: "cancelled",
      completed_at: "2031-05-04T10:03:11.006Z",
    },
    errors: [
      {
        status: 409,
        detail: "The project is not being moved to another embedding model. There is nothing to cancel.",
        when: "The project was never moved, or the move has ended.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
