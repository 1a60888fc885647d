// Generated: change the metadata, not this file.
// From   table dbo.author (source default)
// Slice  sha256:c6ddd0b9

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  joinOn,
  mssql,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of dbo.author. */
export const columns = {
  id: column("id", `[id]`, mssql("int")),
  name: column("name", `[name]`, mssql("nvarchar", { cast: "nvarchar(200)" })),
};

/** Table dbo.author. */
export const author = defineTable({
  source: defaultSource,
  sql: `[dbo].[author]`,
  type: "author",
  displayName: "author",
  primaryKey: [columns.id],
  constraints: [constraint("pk_author", `[pk_author]`, ["id"])],
  columns: Object.values(columns),
});

/** Join conditions of relationships. */
export const joins = {
  /** author_id of dbo.book is a foreign key to dbo.author. */
  books: joinOn((author, book) => sql`${book}.[author_id] = ${author}.[id]`, {
    unique: false,
    insert: insertAfter([copyColumn(`[id]`, `[author_id]`, mssql("int"))]),
  }),
};
