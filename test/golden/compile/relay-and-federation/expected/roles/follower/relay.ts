// Generated: change the metadata, not this file.
// From   role follower: Relay API
// Slice  sha256:fd0a3d22

import { defineRelay, selectNode } from "engine/support";
import { track } from "./default/public.track.js";

/** What role follower may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({
  query: {},
  subscription: { node: selectNode({ default: { public: { track: () => track } } }) },
});
