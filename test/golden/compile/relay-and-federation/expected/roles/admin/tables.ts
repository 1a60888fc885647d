// Generated: change the metadata, not this file.
// From   role admin: tables
// Slice  sha256:c1c489dd

import { type TablesByName } from "engine/support";
import { album } from "./default/public.album.js";
import { chart } from "./default/public.chart.js";
import { track } from "./default/public.track.js";

/** Tables on which role admin has a permission. */
export const tables: TablesByName = {
  default: { public: { album: () => album, chart: () => chart, track: () => track } },
};
