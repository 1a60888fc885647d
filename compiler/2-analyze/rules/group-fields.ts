/**
 * Group fields (`author_group`) that are left out because another root field has the name: a table may well be called
 * `author_group`. Unlike other root fields they never make an object inconsistent.
 */
import type { Analysis, AnalyzedSource } from "../analysis.ts";
import type { AnalyzedTable } from "../analyzed-table.ts";
import { namespaceIn } from "../naming.ts";
import { remoteRootFields } from "./remote-names.ts";
import { actionRoots, haveDistinctFields } from "./root-fields.ts";

type Defining = Pick<Analysis, "sources" | "actions" | "remoteSchemas">;

const keyOf = (source: string, field: string): string => `${source} ${field}`;

/** Returns true if a table has no group field because another root field has its name. */
export function isGroupLeftOut(
  leftOut: Analysis["leftOutGroups"],
  { source, rootFields }: Pick<AnalyzedTable, "source" | "rootFields">,
): boolean {
  return leftOut.size > 0 && rootFields !== null && leftOut.has(keyOf(source, rootFields.select_group.name));
}

/** Returns the sources and names of group fields that are left out. */
export function leftOutGroups(defining: Defining, previous: Analysis | undefined): ReadonlySet<string> {
  if (previous?.leftOutGroups.size === 0 && addsNoName(defining, previous)) return previous.leftOutGroups;
  const scopes = new Map<string, Scope>();
  const scopeOf = (namespace: string): Scope => {
    const scope = scopes.get(namespace) ?? { taken: new Set(), groups: new Map() };
    scopes.set(namespace, scope);
    return scope;
  };
  for (const source of defining.sources.values()) {
    const namespace = namespaceIn(source.source);
    if (namespace !== "") scopeOf("").taken.add(namespace);
    addSource(source, scopeOf(namespace));
  }
  const { taken } = scopeOf("");
  for (const action of defining.actions.values()) if (actionRoots(action).has("query")) taken.add(action.name);
  for (const { shape, names } of defining.remoteSchemas.values()) {
    for (const root of ["query", "subscription"] as const) {
      for (const field of shape ? remoteRootFields(shape, names, root) : []) taken.add(field);
    }
  }
  const found = [...scopes.values()].flatMap(({ taken: names, groups }) =>
    [...groups].flatMap(([field, sources]) => {
      return names.has(field) || sources.length > 1 ? sources.map((source) => keyOf(source, field)) : [];
    }),
  );
  return new Set(found);
}

/** Root fields outside namespaces, or in one namespace. */
interface Scope {
  /** Names of fields other than groups. */
  readonly taken: Set<string>;
  /** Sources by the name of a group field. */
  readonly groups: Map<string, string[]>;
}

const otherKeys = ["select", "select_by_pk", "select_aggregate", "select_stream"] as const;

function addSource(source: AnalyzedSource, { taken, groups }: Scope): void {
  for (const { rootFields } of source.tables.values()) {
    if (rootFields === null) continue;
    for (const key of otherKeys) taken.add(rootFields[key].name);
    const { name } = rootFields.select_group;
    groups.set(name, [...(groups.get(name) ?? []), source.name]);
  }
  for (const { rootFields } of source.functions.values()) {
    taken.add(rootFields.function).add(rootFields.aggregate);
  }
  for (const field of [...source.nativeQueries.keys(), ...source.storedProcedures.keys()]) taken.add(field);
}

/** Returns true if the names of all added fields are new and unique. */
function addsNoName({ sources, actions, remoteSchemas }: Defining, previous: Analysis): boolean {
  const known = previous.unresolvedSources ?? previous.sources;
  if (actions !== previous.actions || remoteSchemas !== previous.remoteSchemas) return false;
  if (sources === known) return true;
  // Fields of remote schemas are not part of the comparison.
  return remoteSchemas.size === 0 && haveDistinctFields(sources, known, actions);
}
