/** What the entry of an artifact imports, as `engine/sealed`. */
export type { Artifact, SealedRemoteSchema, SealedRole, SealedSettings, SealedSource } from "./artifact.ts";
export { runArtifact } from "./main.ts";
