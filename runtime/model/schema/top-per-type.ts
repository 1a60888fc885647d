/** The argument `top_per` of lists: the first rows of each group. */

import { lazy } from "../../values/lazy.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { selectColumnEnum } from "./column-enum.ts";
import type { TypeRegistry } from "./registry.ts";
import { queryArgument } from "./relay-types.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** Returns the argument by name; nothing for a role without columns, or if another type has the name of its type. */
export function topPerArgument(types: TypeRegistry, view: TableView): readonly (readonly [string, InputField])[] {
  const { naming, takenTypes = [] } = view.table.source;
  if (view.columns.length === 0 || takenTypes.includes(typeName(view))) return [];
  const description = "the first rows for each combination of columns, before limit and offset";
  return [[naming.field("top_per"), queryArgument(() => topPerType(types, view), description)]];
}

const typeName = ({ table }: TableView): string => table.source.naming.type(table.type, "top_per");

/** Returns the input type `{columns, limit}`. */
function topPerType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const name = typeName(view);
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `groups of rows of "${table.displayName}", and the number of rows of each group`,
    fields: lazy(
      () =>
        new Map([
          [
            "columns",
            argument(() => selectColumnEnum(types, view), "rows with equal values of these columns are a group", {
              list: true,
              required: true,
            }),
          ],
          ["limit", { ...argument(() => types.scalar("Int"), "rows of each group", { required: true }), meta: count }],
        ]),
    ),
  }));
}

const count = { kind: "argument", minimum: 0 } as const;
