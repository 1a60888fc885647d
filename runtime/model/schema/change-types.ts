/** The rows of a mutation before and after it: `changes` of a mutation response. */
import { lazy } from "../../values/lazy.ts";
import type { TableView } from "../definitions/view.ts";
import { objectType } from "./output-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

/**
 * Yields the field, if the role may read rows. Rows before an update are found by primary key. A table keeps the name of
 * its type where that is the name of a change of another table, whose changes are then left out.
 */
export function* changesField(types: TypeRegistry, view: TableView): Iterable<[string, OutputField]> {
  const { source, primaryKey } = view.table;
  if (!view.readable || primaryKey.length === 0 || source.dialect.writes.changes === undefined) return;
  if (source.takenTypes?.includes(typeName(view))) return;
  yield [
    "changes",
    {
      list: true,
      required: true,
      args: noArguments,
      type: () => changeType(types, view),
      description: () => "the affected rows before and after the mutation",
      meta: { kind: "changes", view },
    },
  ];
}

const typeName = ({ table }: TableView): string => table.source.naming.type(table.type, "change");

function changeType(types: TypeRegistry, view: TableView): ObjectTypeDef {
  const { table } = view;
  const name = typeName(view);
  const row = (which: "old" | "new", description: string): [string, OutputField] => [
    which,
    {
      list: false,
      required: false,
      args: noArguments,
      type: () => objectType(types, view),
      description: () => description,
      meta: { kind: "change_row", row: which },
    },
  ];
  const inserted: OutputField = {
    list: false,
    required: true,
    args: noArguments,
    type: () => types.scalar("Boolean"),
    description: () => "true if the mutation inserted the row",
    meta: { kind: "change_inserted" },
  };
  return types.of(table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `a row of "${table.displayName}" before and after a mutation`,
    fields: lazy(
      () =>
        new Map([
          ["inserted", inserted],
          row("new", "the row after the mutation; null if it was deleted"),
          row("old", "the row before the mutation; null if there was none, or if the role may not select it"),
        ]),
    ),
  }));
}
