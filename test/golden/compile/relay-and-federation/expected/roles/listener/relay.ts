// Generated: change the metadata, not this file.
// From   role listener: Relay API
// Slice  sha256:00988752

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

/** Root fields of the Relay API for role listener, except mutations. */
export const relay = defineRelay({
  query: {
    album_connection: selectConnection(() => album),
    node: selectNode(tables, {
      except: [["default", "public", "chart"], ["default", "public", "track"]],
    }),
    track_connection: selectConnection(() => track),
    tracks_like_connection: selectFunctionConnection(() => track, tracks_like),
  },
  subscription: {
    album_connection: selectConnection(() => album),
    node: selectNode(tables, { except: [["default", "public", "chart"]] }),
    track_connection: selectConnection(() => track),
    tracks_like_connection: selectFunctionConnection(() => track, tracks_like),
  },
});
