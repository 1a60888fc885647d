/** Orderings by the distance of a vector: `embedding_cosine_distance: {to, direction}`. */

import { lazy } from "../../values/lazy.ts";
import type { Column } from "../definitions/column.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { orderByEnum } from "./column-enum.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** Yields the orderings of all vectors of a view; a name that the view already has is left out. */
export function* distanceOrderings(
  types: TypeRegistry,
  { table, columns, relationships, computedFields }: TableView,
): Iterable<readonly [string, InputField]> {
  const { naming, dialect } = table.source;
  const taken = new Set([
    ...columns.map(({ field }) => field),
    ...Object.keys({ ...relationships, ...computedFields }),
  ]);
  for (const column of columns) {
    for (const distance of dialect.distances(column.type)) {
      const name = naming.joined(column.field, distance.name);
      if (taken.has(name)) continue;
      const field = argument(() => distanceOrdering(types, table.source, column), distance.description);
      yield [name, { ...field, nullIsAbsent: true, meta: { kind: "distance", column, distance } }];
    }
  }
}

function distanceOrdering(types: TypeRegistry, source: TableView["table"]["source"], { type }: Column) {
  const name = source.naming.commonType(`${type.graphql}_distance_order_by`);
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `order by the distance to a value of type "${type.graphql}"`,
    fields: lazy(
      () =>
        new Map([
          [
            "direction",
            { ...argument(() => orderByEnum(types, source), "default: the nearest first"), nullIsAbsent: true },
          ],
          ["to", argument(() => types.scalarOf(type), undefined, { required: true })],
        ]),
    ),
  }));
}
