// Generated: change the metadata, not this file.
// From   table public.article (source default): role admin
// Slice  sha256:45d91e7b

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import {
  article as table,
  columns,
  computedFields,
} from "../../../sources/default/public.article.js";

/** Insert permission of role admin on public.article, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.title, columns.author_id, columns.is_published],
});

/** Update permission of role admin on public.article, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.title, columns.author_id, columns.is_published],
});

/** Delete permission of role admin on public.article, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.article, for every row. */
export const article = tableView(table, {
  columns: [columns.id, columns.title, columns.author_id, columns.is_published],
  computedFields: { heading: computedFields.heading },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
