// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:45a1986a

import {
  defineRelay,
  selectConnection,
  selectFunctionConnection,
  selectNode,
} from "engine/support";
import { tracked as tracks_like } from "../../sources/default/public.tracks_like.function.js";
import { album } from "./default/public.album.js";
import { track } from "./default/public.track.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  album_connection: selectConnection(() => album),
  node: selectNode(tables, { except: [["default", "public", "chart"]] }),
  track_connection: selectConnection(() => track),
  tracks_like_connection: selectFunctionConnection(() => track, tracks_like),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });
