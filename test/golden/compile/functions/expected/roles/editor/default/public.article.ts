// Generated: change the metadata, not this file.
// From   table public.article (source default): permissions of role editor
// Slice  sha256:49456f4c

import { tableView } from "engine/support";
import {
  article as table,
  columns,
  computedFields,
} from "../../../sources/default/public.article.js";

/** Select permission of role editor on public.article, for every row. */
export const article = tableView(table, {
  columns: [columns.title],
  computedFields: { heading: computedFields.heading },
  queryRoots: ["select"],
});
