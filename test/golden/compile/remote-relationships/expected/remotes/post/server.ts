// Generated: change the metadata, not this file.
// From   remote schema post
// Slice  sha256:48f47ebc

import { remoteServer } from "engine/support";

/** The server of remote schema post. */
export const server = remoteServer("post", "https://post.example/graphql");
