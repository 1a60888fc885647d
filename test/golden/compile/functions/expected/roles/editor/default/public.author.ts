// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role editor
// Slice  sha256:af027a2a

import { allowInsert, tableView } from "engine/support";
import { author as table, columns } from "../../../sources/default/public.author.js";

/** Insert permission of role editor on public.author, without a check. */
const insert = allowInsert({ columns: [columns.first_name] });

/** Write permissions of role editor on public.author. */
export const author = tableView(table, { readable: false, insert });
