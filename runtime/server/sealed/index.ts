/** The module `engine/sealed`, which the entry of an artifact imports. */
export type { Artifact, SealedRemoteSchema, SealedRole, SealedSettings, SealedSource } from "./artifact.ts";
export { runArtifact } from "./main.ts";
