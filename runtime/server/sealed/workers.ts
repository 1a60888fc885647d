/** What the entry of an artifact's `workers.mjs` imports, as `engine/sealed-workers`. */
export { runArtifactWorkers } from "./workers-main.ts";
