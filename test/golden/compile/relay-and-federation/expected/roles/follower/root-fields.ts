// Generated: change the metadata, not this file.
// From   role follower
// Slice  sha256:5a90ed8c

import { defineRole, selectByPk, selectFunction } from "engine/support";
import { tracked as tracks_like } from "../../sources/default/public.tracks_like.function.js";
import { track } from "./default/public.track.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { tracks_like: selectFunction(() => track, tracks_like) };

/** Root fields of role follower. */
export const role = defineRole({
  role: "follower",
  query,
  subscription: { ...query, track_by_pk: selectByPk(() => track) },
  tables: () => tables,
  entities: [() => track],
});
