/** Finds select permissions without a limit that apply to requests without credentials. */
import { pathOf, type Rule } from "../model.ts";
import { permissionId, placeIn, publicReads, tablesOf } from "../tables.ts";

export const unlimitedList: Rule = {
  id: "unlimited-list",
  title: "Unlimited public list",
  about: "Requests without credentials read any number of rows of a table at once.",
  severity: "warning",
  needs: "unauthorized role",
  *find(input) {
    for (const [, table] of tablesOf(input)) {
      yield undefined;
      if (table.table.is_enum === true) continue;
      for (const { role, limit } of publicReads(input, table)) {
        if (limit !== undefined) continue;
        yield {
          rule: unlimitedList.id,
          severity: "warning",
          place: placeIn(table, "select", role),
          path: pathOf(input, permissionId(table, "select", role)),
          reason: `the select permission of ${role} on ${table.displayName} has no limit, and it applies to requests without credentials: one request can read the whole table`,
          fix: "set `limit` in the permission, for example to 100",
        };
      }
    }
  },
};
