// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role reader
// Slice  sha256:d45a0e51

import { tableView, toRows } from "engine/support";
import {
  author as table,
  columns,
  computedFields,
} from "../../../sources/default/public.author.js";
import { article } from "./public.article.js";

/** Select permission of role reader on public.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id],
  computedFields: {
    full_name: computedFields.full_name,
    newest: toRows(computedFields.newest, () => article),
    published: toRows(computedFields.published, () => article),
    written: toRows(computedFields.written, () => article),
  },
});
