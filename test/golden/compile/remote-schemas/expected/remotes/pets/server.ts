// Generated: change the metadata, not this file.
// From   remote schema pets
// Slice  sha256:13dc6662

import { remoteServer } from "engine/support";

/** The server of remote schema pets. */
export const server = remoteServer("pets", "https://{{PETS_HOST}}/graphql", {
  headers: [{ name: "x-key", valueFromEnv: "CHECK_KEY" }, { name: "x-note", value: "a \"note\"" }],
  forwardClientHeaders: true,
  timeoutSeconds: 10,
});
