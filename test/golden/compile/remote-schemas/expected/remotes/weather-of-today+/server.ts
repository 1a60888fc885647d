// Generated: change the metadata, not this file.
// From   remote schema weather of today
// Slice  sha256:494a9220

import { remoteServer } from "engine/support";

/** The server of remote schema weather of today. */
export const server = remoteServer("weather of today", "{{CHECK_PATH}}", { batchRootFields: true });
