// Generated: change the metadata, not this file.
// From   table public.track (source default): permissions of role follower
// Slice  sha256:2b7fc50a

import { tableView } from "engine/support";
import { columns, track as table } from "../../../sources/default/public.track.js";

/** Select permission of role follower on public.track, for every row. */
export const track = tableView(table, { columns: [columns.id, columns.title], queryRoots: [] });
