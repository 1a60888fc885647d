/** Types of changes that would have the name of another type of the schema, and are left out. */
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import { namingOf, scalarColumns } from "../2-analyze/rules/type-names.ts";
import { ofGroup } from "../2-analyze/table-map.ts";

type Types = Pick<Analysis, "sources" | "customTypes" | "remoteSchemas">;

/** Returns the names of such types of a source. */
export function takenChangeTypes(source: AnalyzedSource, types: Types): readonly string[] {
  const taken = new Set(takenNames(types));
  if (taken.size === 0) return [];
  const naming = namingOf(source);
  const bases = [...source.tables.values()].flatMap(({ graphqlName }) => graphqlName ?? []);
  return bases
    .map((base) => naming.type(base, "change"))
    .filter((name) => taken.has(name))
    .sort();
}

const isCandidate = (name: string): boolean => /change/i.test(name);

/** Memoized per group: few tables have such a name. */
const candidatesOf = ofGroup((group) =>
  group.flatMap(({ graphqlName }) => (graphqlName !== null && isCandidate(graphqlName) ? [graphqlName] : [])),
);

/** Yields the names of types that could be those of changes. */
function* takenNames({ sources, customTypes, remoteSchemas }: Types): Generator<string> {
  for (const source of sources.values()) {
    const naming = namingOf(source);
    const { prefix = "", suffix = "" } = source.source.customization?.type_names ?? {};
    const isAffix = isCandidate(prefix) || isCandidate(suffix);
    const tables = isAffix
      ? [...source.tables.values()].flatMap(({ graphqlName }) => graphqlName ?? [])
      : source.tables.groups.flatMap(candidatesOf);
    const models = [
      ...source.logicalModels.keys(),
      ...[...source.nativeQueries.values(), ...source.storedProcedures.values()].map(({ model }) => model.name),
    ];
    for (const name of [...tables, ...models]) yield* candidates([naming.type(name)]);
  }
  yield* candidates(scalarColumns(sources).keys());
  const { objects, input_objects, enums, scalars } = customTypes;
  yield* candidates([...objects, ...input_objects, ...enums, ...scalars].map(({ name }) => name));
  for (const { shape, names } of remoteSchemas.values()) {
    for (const name of shape?.types.keys() ?? []) yield* candidates([names.types.get(name) ?? name]);
  }
}

function* candidates(names: Iterable<string>): Generator<string> {
  for (const name of names) if (isCandidate(name)) yield name;
}
