/** Rules of permissions in a source of Citus, whose servers can join only some of the rows in a statement. */
import { citus } from "../../../runtime/model/dialects/postgres/citus.ts";
import type { Predicate } from "../analyzed-table.ts";
import { reject } from "../rejection.ts";
import type { TableFields, TablesByKey } from "../table-fields.ts";

type Shape = TableFields["base"]["shape"];

/** Returns the place of a table's rows, with unquoted columns. */
const placeOf = ({ distribution, kind }: Shape) =>
  distribution ?? {
    kind: kind === "table" || kind === "partitioned_table" ? ("local" as const) : ("unknown" as const),
  };

/**
 * Checks the relationships of a condition. Checks of written rows are evaluated on the coordinator, which cannot join
 * them to distributed tables.
 * @throws Rejection for a relationship that Citus cannot join
 */
export function checkJoins(predicate: Predicate, table: TableFields, tables: TablesByKey, isCheck: boolean): void {
  switch (predicate.kind) {
    case "and":
    case "or":
      for (const item of predicate.items) checkJoins(item, table, tables, isCheck);
      return;
    case "not":
      checkJoins(predicate.item, table, tables, isCheck);
      return;
    case "related": {
      const { relationship, where } = predicate;
      const target = tables.get(relationship.target);
      if (target === undefined) return;
      const own = placeOf(table.base.shape);
      const from = isCheck && own.kind !== "local" ? ({ kind: "values" } as const) : own;
      if (!citus.distributed?.joins(from, placeOf(target.base.shape), relationship.mapping)) {
        const reason = isCheck
          ? "is evaluated on written rows, which Citus cannot join to this table"
          : "cannot be evaluated by Citus, because the tables are not co-located, or the relationship does not compare their distribution columns";
        reject(`the condition on relationship "${relationship.name}" to "${target.base.displayName}" ${reason}`);
      }
      checkJoins(where, target, tables, isCheck);
      return;
    }
    default:
      return;
  }
}
