// Generated: change the metadata, not this file.
// From   role follower
// Slice  sha256:5e1552c4

import { defineRole, selectByPk, selectFunction } from "engine/support";
import { tracked as tracks_like } from "../../sources/default/public.tracks_like.function.js";
import { track } from "./default/public.track.js";

/** Fields of queries and of subscriptions. */
const query = { tracks_like: selectFunction(() => track, tracks_like) };

/** What role follower may ask. */
export const role = defineRole({
  role: "follower",
  query,
  subscription: { ...query, track_by_pk: selectByPk(() => track) },
  tables: { default: { public: { track: () => track } } },
  entities: [() => track],
});
