/**
 * Types of newer parts of the schema that are left out because another type has the name, so that metadata of earlier
 * versions keeps its types: `T_change` of mutation responses, and `T_top_per` of lists.
 */
import { predicateSuffix } from "../../runtime/model/definitions/naming.ts";
import { dialectOf } from "../dialects/index.ts";
import type { Analysis, AnalyzedSource } from "./analysis.ts";
import { namingOf, scalarColumns } from "./rules/type-names.ts";
import { ofGroup } from "./table-map.ts";

type Types = Pick<Analysis, "sources" | "customTypes" | "remoteSchemas">;

const newerTypes = ["change", "top_per"] as const;

export interface TakenType {
  readonly name: string;
  /** GraphQL base name of the table or model that lacks the type. */
  readonly of: string;
  readonly kind: (typeof newerTypes)[number];
}

/** Returns a function that lists the types that the tables and models of a source lack. */
export function takenTypes(types: Types): (source: AnalyzedSource) => readonly TakenType[] {
  const taken = new Set(candidates(types));
  return (source) => {
    if (taken.size === 0) return [];
    const naming = namingOf(source);
    return [...tableNames(source), ...modelNames(source)].flatMap((of) =>
      newerTypes.flatMap((kind) => {
        const name = naming.type(of, kind);
        return taken.has(name) ? [{ name, of, kind }] : [];
      }),
    );
  };
}

/** True for names that a newer type may have, in both naming conventions and with any affixes. */
const isCandidate = (name: string): boolean => /change|top_?per/i.test(name);

/** Memoized per group: few tables have such a name. */
const candidatesOf = ofGroup((group) =>
  group.flatMap(({ graphqlName }) => (graphqlName !== null && isCandidate(graphqlName) ? [graphqlName] : [])),
);

const tableNames = ({ tables }: AnalyzedSource): readonly string[] =>
  [...tables.values()].flatMap(({ graphqlName }) => graphqlName ?? []);

const modelNames = ({ logicalModels, nativeQueries, storedProcedures }: AnalyzedSource): ReadonlySet<string> =>
  new Set([
    ...logicalModels.keys(),
    ...[...nativeQueries.values(), ...storedProcedures.values()].map(({ model }) => model.name),
  ]);

/** Returns the names of existing types that newer types could have. */
const candidates = (types: Types): readonly string[] => [...existingTypes(types)].filter(isCandidate);

function* existingTypes({ sources, customTypes, remoteSchemas }: Types): Generator<string> {
  for (const source of sources.values()) {
    const naming = namingOf(source);
    const { prefix = "", suffix = "" } = source.source.customization?.type_names ?? {};
    const isAffix = isCandidate(prefix) || isCandidate(suffix);
    const tables = isAffix ? tableNames(source) : source.tables.groups.flatMap(candidatesOf);
    for (const name of [...tables, ...modelNames(source)]) yield naming.type(name);
  }
  yield* scalarColumns(sources).keys();
  const { objects, input_objects, enums, scalars } = customTypes;
  for (const { name } of [...objects, ...input_objects, ...enums, ...scalars]) yield name;
  for (const { shape, names } of remoteSchemas.values()) {
    for (const name of shape?.types.keys() ?? []) yield names.types.get(name) ?? name;
  }
}

/**
 * Returns the types of aggregate predicates, sorted, that tables of another source have too. These types have neither the
 * prefix nor the suffix of type names, so a source with a prefix or suffix adds them to its types of these names.
 */
export function sharedPredicateTypes(
  source: AnalyzedSource,
  { sources }: Pick<Analysis, "sources">,
): readonly string[] {
  const { prefix, suffix } = source.source.customization?.type_names ?? {};
  if (sources.size < 2 || !(prefix || suffix)) return [];
  const others = [...sources.values()].filter((other) => other !== source);
  const taken = new Set(others.flatMap(predicateTypes));
  return predicateTypes(source)
    .filter((name) => taken.has(name))
    .sort();
}

function predicateTypes(source: AnalyzedSource): readonly string[] {
  if (dialectOf(source.source.kind).runtime.dialect.aggregatePredicates.length === 0) return [];
  const naming = namingOf(source);
  return [...source.tables.values()].flatMap(({ graphqlName }) =>
    graphqlName === null ? [] : [naming.joined(graphqlName, predicateSuffix)],
  );
}
