// Generated: change the metadata, not this file.
// From   role listener: tables
// Slice  sha256:0d51774b

import { type TablesByName } from "engine/support";
import { album } from "./default/public.album.js";
import { chart } from "./default/public.chart.js";
import { track } from "./default/public.track.js";

/** Tables on which role listener has a permission. */
export const tables: TablesByName = {
  default: { public: { album: () => album, chart: () => chart, track: () => track } },
};
