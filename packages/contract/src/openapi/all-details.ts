import { accountDetails } from "./details/account.ts";
import { correctionDetails } from "./details/corrections.ts";
import { documentDetails } from "./details/documents.ts";
import { feedbackDetails } from "./details/feedback.ts";
import { graphDetails } from "./details/graph.ts";
import { ingestionDetails } from "./details/ingestion.ts";
import { ontologyDetails } from "./details/ontologies.ts";
import { ontologyVersionDetails } from "./details/ontology-versions.ts";
import { projectDetails } from "./details/projects.ts";
import { queryDetails } from "./details/queries.ts";
import { queueDetails } from "./details/queue.ts";
import { reembeddingDetails } from "./details/reembedding.ts";
import { rereadingDetails } from "./details/rereading.ts";
import { jobEventDetails, webhookDetails } from "./details/webhooks.ts";
import type { OperationDetails } from "./operation-details.ts";

/** By the endpoint's name in the endpoint table. A test checks that every endpoint is present. */
export const operationDetails: Readonly<Record<string, OperationDetails>> = {
  ...projectDetails,
  ...reembeddingDetails,
  ...rereadingDetails,
  ...ingestionDetails,
  ...queueDetails,
  ...queryDetails,
  ...correctionDetails,
  ...feedbackDetails,
  ...ontologyDetails,
  ...ontologyVersionDetails,
  ...documentDetails,
  ...graphDetails,
  ...accountDetails,
  ...jobEventDetails,
  ...webhookDetails,
};
