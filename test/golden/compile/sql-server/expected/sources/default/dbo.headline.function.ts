// Generated: change the metadata, not this file.
// From   function dbo.headline (source default)
// Slice  sha256:c9a7e2e8

import { argument, defineFunction, mssql } from "engine/support";
import { defaultSource } from "./source.js";

/** Function dbo.headline. */
export const headline = defineFunction({
  source: defaultSource,
  sql: `[dbo].[headline]`,
  displayName: "headline",
  arguments: [
    argument(mssql("nvarchar", { cast: "nvarchar(200)" }), {
      field: "title",
      sql: `[title]`,
      hasDefault: true,
    }),
    argument(mssql("decimal", { cast: "decimal(8, 2)" }), {
      field: "price",
      sql: `[price]`,
      hasDefault: true,
    }),
  ],
  returnsSet: false,
});
