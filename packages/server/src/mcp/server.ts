/** What the service calls itself. */
export const SERVER = {
  name: "knowledge-context-service",
  title: "Knowledge Context Service",
  version: "0.1.0",
};
