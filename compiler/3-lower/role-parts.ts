/**
 * Divides the root fields of a role with many tables among several modules: parts, each a range of fields in the order
 * of names. The boundaries depend on the names of all fields (`root-field-index.ts`), so a change of a few fields affects
 * only the parts that contain them, however many tables there are.
 */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import type { TableGroup } from "../2-analyze/table-map.ts";
import type { SourceKind } from "../catalog/model.ts";
import type { RoleAnalysis } from "./inherited-roles.ts";
import type { PartedOperation, RolePartIr, RoleParts } from "./ir.ts";
import { isVisible, ofGroupAndRole, usableInGroup } from "./role-tables.ts";
import { fieldNames, namespaceOf, type RootFieldEntry, type RootFieldIndex } from "./root-field-index.ts";
import { type HiddenRoots, hiddenRoots, type RootInputs, rootInputs } from "./root-inputs.ts";
import { byField, queryRoots, subscriptionRoots, writeRoots } from "./roots.ts";
import { isWritableBy } from "./write-inputs.ts";

/** Up to this number of tables, all root fields of a role are in one module. */
const maxTablesWithoutParts = 200;

export interface RolePartInputs {
  readonly role: string;
  readonly operation: PartedOperation;
  readonly first: string;
  /** The first field of the next part; `null` for the last one. */
  readonly next: string | null;
  /** The tables that may have fields in the part. */
  readonly tables: readonly RootInputs[];
}

/** Returns `undefined` if the role's fields are in one module, as always with Apollo federation, which lists all entities. */
export function rolePartsOf(analysis: RoleAnalysis, index: RootFieldIndex, role: string | null): RoleParts | undefined {
  if (role === null || analysis.options.experimentalFeatures.has("apollo_federation")) return undefined;
  if (countUsable(analysis, role) <= maxTablesWithoutParts) return undefined;
  const of = (operation: PartedOperation) => firstFields({ analysis, index, operation, role });
  return { query: of("query"), mutation: of("mutation") };
}

function countUsable({ sources }: RoleAnalysis, role: string): number {
  let count = 0;
  for (const { tables } of sources.values()) {
    for (const group of tables.groups) count += usableInGroup(group, role).length;
  }
  return count;
}

interface PartedRole {
  readonly analysis: RoleAnalysis;
  readonly index: RootFieldIndex;
  readonly operation: PartedOperation;
  readonly role: string;
}

/** Returns the role's first field and all its fields that begin a part, over sources without a namespace. */
function firstFields({ analysis, index, operation, role }: PartedRole): readonly string[] {
  const { sources } = analysis;
  const { starts } = index.list(operation, sources);
  const found = [...sources.values()].flatMap((source) => {
    if (namespaceOf(source) !== undefined) return [];
    const fieldsOf = fieldsInGroups({ operation, kind: source.source.kind, ...hiddenRoots(analysis), starts });
    return source.tables.groups.map((group) => fieldsOf(group, role));
  });
  const firsts = found.flatMap(({ first }) => first ?? []).sort();
  return [...new Set([...firsts.slice(0, 1), ...found.flatMap((fields) => fields.starts).sort()])];
}

/** Settings, other than table and role, that determine which fields begin parts. */
interface PartRules extends HiddenRoots {
  readonly operation: PartedOperation;
  readonly kind: SourceKind;
  readonly starts: ReadonlySet<string>;
}

/** Root fields of a role on the tables of a group. */
interface GroupFields {
  /** The first in the order of names. */
  readonly first: string | undefined;
  /** The fields that begin a part, unordered. */
  readonly starts: readonly string[];
}

const noFields: GroupFields = { first: undefined, starts: [] };

type GroupFieldsOf = (group: TableGroup, role: string) => GroupFields;

/** Memoized functions, by the set of starts and by the other rules. An entry lives as long as its set of starts. */
const memo = new WeakMap<PartRules["starts"], Map<string, GroupFieldsOf>>();

function fieldsInGroups(rules: PartRules): GroupFieldsOf {
  const { operation, kind, hideStreams, hideUpdateMany, leftOutGroups, starts } = rules;
  const byRules = memo.get(starts) ?? new Map<string, GroupFieldsOf>();
  memo.set(starts, byRules);
  const key = JSON.stringify([operation, kind, hideStreams, hideUpdateMany, ...leftOutGroups]);
  const fieldsOf = byRules.get(key) ?? ofGroupAndRole((group, role) => groupFields(group, rules, role), noFields);
  byRules.set(key, fieldsOf);
  return fieldsOf;
}

function groupFields(group: TableGroup, { operation, kind, starts, ...hidden }: PartRules, role: string): GroupFields {
  let first: string | undefined;
  const partStarts: string[] = [];
  for (const table of group) {
    if (!mayHaveFields(table, operation, role)) continue;
    // Skips most tables cheaply, before their permitted fields are computed.
    const isCandidate = (field: string) => starts.has(field) || first === undefined || field < first;
    if (!fieldNames(table, operation).some(isCandidate)) continue;
    for (const { field } of rootsOf(rootInputs(kind, table, role, hidden), operation)) {
      if (first === undefined || field < first) first = field;
      if (starts.has(field)) partStarts.push(field);
    }
  }
  return { first, starts: partStarts };
}

/** Returns false if the role has no field on the table: a cheap check, since there may be thousands of tables. */
function mayHaveFields(table: AnalyzedTable, operation: PartedOperation, role: string): boolean {
  return operation === "mutation" ? isWritableBy(table, role) : isVisible(table, role);
}

function rootsOf(inputs: RootInputs, operation: PartedOperation): readonly { readonly field: string }[] {
  return operation === "mutation" ? writeRoots(inputs) : [...queryRoots(inputs), ...subscriptionRoots(inputs)];
}

export function rolePartInputs(
  analysis: RoleAnalysis,
  index: RootFieldIndex,
  { role, operation, first, next }: Omit<RolePartInputs, "tables">,
): RolePartInputs {
  const { sources } = analysis;
  const { entries } = index.list(operation, sources);
  const hidden = hiddenRoots(analysis);
  const found = new Map<AnalyzedTable, AnalyzedSource>();
  const end = next === null ? entries.length : positionOf(entries, next);
  for (const { source: name, table: key } of entries.slice(positionOf(entries, first), end)) {
    const source = sources.get(name);
    const table = source?.tables.get(key);
    if (source && table && mayHaveFields(table, operation, role)) found.set(table, source);
  }
  const tables = Array.from(found, ([table, { source }]) => rootInputs(source.kind, table, role, hidden));
  return { role, operation, first, next, tables };
}

/** Returns the position of the first entry whose field is not before `field`, by binary search. */
function positionOf(entries: readonly RootFieldEntry[], field: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.field ?? field) < field) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function lowerRolePart({ role, operation, first, next, tables }: RolePartInputs): RolePartIr {
  const own = <Root extends { readonly field: string }>(roots: readonly Root[]): readonly Root[] =>
    byField(roots.filter(({ field }) => field >= first && (next === null || field < next)));
  if (operation === "mutation") return { role, operation, first, mutation: own(tables.flatMap(writeRoots)) };
  return {
    role,
    operation,
    first,
    query: own(tables.flatMap(queryRoots)),
    subscription: own(tables.flatMap(subscriptionRoots)),
  };
}
