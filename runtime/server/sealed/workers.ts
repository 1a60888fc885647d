/** The module `engine/sealed-workers`, which an artifact's `workers.mjs` imports. */
export { runArtifactWorkers } from "./workers-main.ts";
