/**
 * Names of existing types that a newer generated type would also have. The generated type is then left out of the
 * schema, so that metadata of earlier versions keeps its types.
 */
import type { Analysis, AnalyzedSource } from "./analysis.ts";
import { namingOf } from "./rules/type-names.ts";
import { ofGroup, type TableGroup } from "./table-map.ts";

/** Names that a type may share with the type of `top_per`, in both naming conventions and with any affixes. */
const newer = /top_?per/i;

/** Base names of the tables of a group; few tables have such a name. */
const basesOfGroup = ofGroup((group: TableGroup) =>
  group.flatMap(({ graphqlName }) => (graphqlName !== null && newer.test(graphqlName) ? [graphqlName] : [])),
);

/** Returns the names, sorted, without duplicates. */
export function takenTypes({
  sources,
  customTypes,
  remoteSchemas,
}: Pick<Analysis, "sources" | "customTypes" | "remoteSchemas">): readonly string[] {
  const { scalars, enums, input_objects, objects } = customTypes;
  const names = [
    ...[...sources.values()].flatMap(rowTypes),
    ...[...scalars, ...enums, ...input_objects, ...objects].map(({ name }) => name),
    ...[...remoteSchemas.values()].flatMap(({ shape, names }) =>
      Array.from(shape?.types.keys() ?? [], (name) => names.types.get(name) ?? name),
    ),
  ];
  return [...new Set(names.filter((name) => newer.test(name)))].sort();
}

function rowTypes(source: AnalyzedSource): readonly string[] {
  const naming = namingOf(source);
  const models = [...source.nativeQueries.values(), ...source.storedProcedures.values()].map(({ model }) => model.name);
  const bases = [...source.tables.groups.flatMap(basesOfGroup), ...source.logicalModels.keys(), ...models];
  return bases.map((base) => naming.type(base));
}
