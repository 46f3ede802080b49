/** How a text ends about an outage that is over when its cause is. */
export const RESUMES = "nothing that was accepted is lost, and work resumes automatically.";
