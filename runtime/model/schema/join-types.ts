/** Fields of remote relationships. */

import { lazy } from "../../values/lazy.ts";
import type { RemoteRelationships, ToSource } from "../definitions/remote-relationship.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import type { TableView } from "../definitions/view.ts";
import type { TypeRegistry } from "./registry.ts";
import { type InputField, noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

type Named = readonly [string, OutputField];

/** Builders of row types, passed in because their module imports this one. */
export interface RowTypes {
  objectType(types: TypeRegistry, view: TableView): ObjectTypeDef;
  aggregateType(types: TypeRegistry, view: TableView): ObjectTypeDef;
  listArguments(types: TypeRegistry, view: TableView): ReadonlyMap<string, InputField>;
}

/**
 * Yields the fields of remote relationships.
 * @param source source whose naming convention applies to aggregate fields; absent: the default convention
 */
export function* joinFields(
  types: TypeRegistry,
  relationships: RemoteRelationships,
  rows: RowTypes,
  source?: SourceDefinition,
): Iterable<Named> {
  for (const [field, join] of Object.entries(relationships)) {
    if (join.kind === "source") yield* sourceFields(types, field, join, rows, source);
  }
}

function* sourceFields(
  types: TypeRegistry,
  field: string,
  join: ToSource,
  { objectType, aggregateType, listArguments }: RowTypes,
  source: SourceDefinition | undefined,
): Iterable<Named> {
  const { relationship } = join;
  const target = () => relationship.target();
  const { kind, description } = relationship;
  const args = lazy(() => listArguments(types, target()));
  yield [
    field,
    {
      type: () => objectType(types, target()),
      list: kind === "array",
      required: kind === "array",
      description: () => description,
      args: kind === "array" ? args : noArguments,
      meta: { kind: "join", join },
    },
  ];
  if (relationship.kind === "object" || !relationship.aggregations) return;
  yield [
    source?.naming.joined(field, "aggregate") ?? `${field}_aggregate`,
    {
      type: () => aggregateType(types, target()),
      list: false,
      required: true,
      description: () => "An aggregate relationship",
      args,
      meta: { kind: "join_aggregate", join },
    },
  ];
}
