/**
 * The root fields of a role with many tables stand in several modules, each from one field up to the next in the order
 * of names. A part begins at a field of the role where the names of all fields say so (`root-field-index.ts`): a change
 * of a few fields changes the parts that they are in, and no other, however many tables there are.
 */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import type { TableGroup } from "../2-analyze/table-map.ts";
import type { SourceKind } from "../catalog/model.ts";
import { adminRole } from "./admin-role.ts";
import type { RoleAnalysis } from "./inherited-roles.ts";
import type { PartedOperation, RolePartIr, RoleParts } from "./ir.ts";
import { isUsable, isVisible, ofGroupAndRole, usableInGroup } from "./role-tables.ts";
import { fieldNames, namespaceOf, type RootFieldEntry, type RootFieldIndex } from "./root-field-index.ts";
import { type HiddenRoots, hiddenRoots, type RootInputs, rootInputs } from "./root-inputs.ts";
import { byField, queryRoots, subscriptionRoots } from "./roots.ts";
import { isWritableBy } from "./write-inputs.ts";
import { writeRoots } from "./write-roots.ts";

/** Up to so many tables, all fields of a role stand in one module. */
const fewTables = 200;

export interface RolePartInputs {
  readonly role: string;
  readonly operation: PartedOperation;
  readonly first: string;
  /** The first field of the next part; `null` in the last one. */
  readonly next: string | null;
  /** The tables that may have fields in it. */
  readonly tables: readonly RootInputs[];
}

/** `undefined`: the role's fields stand in one module. A gateway's entities are listed as a whole. */
export function rolePartsOf(analysis: RoleAnalysis, index: RootFieldIndex, role: string | null): RoleParts | undefined {
  if (role === null || analysis.options.experimentalFeatures.has("apollo_federation")) return undefined;
  if (countUsable(analysis, role) <= fewTables) return undefined;
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

/** Of sources without a namespace: the first field of the role, and all of its fields that begin a part. */
function firstFields({ analysis: { sources, options }, index, operation, role }: PartedRole): readonly string[] {
  const { starts } = index.list(operation, sources);
  const found = [...sources.values()].flatMap((source) => {
    if (namespaceOf(source) !== undefined) return [];
    const fieldsOf = fieldsInGroups({ operation, kind: source.source.kind, ...hiddenRoots(options), starts });
    return source.tables.groups.map((group) => fieldsOf(group, role));
  });
  const firsts = found.flatMap(({ first }) => first ?? []).sort();
  return [...new Set([...firsts.slice(0, 1), ...found.flatMap((fields) => fields.starts).sort()])];
}

/** What decides about the fields that begin parts besides a table and a role. */
interface PartRules extends HiddenRoots {
  readonly operation: PartedOperation;
  readonly kind: SourceKind;
  readonly starts: ReadonlySet<string>;
}

/** Fields that a role has on the tables of a group. */
interface GroupFields {
  /** In the order of names. */
  readonly first: string | undefined;
  /** Those that begin a part, in no order. */
  readonly starts: readonly string[];
}

const noFields: GroupFields = { first: undefined, starts: [] };

type GroupFieldsOf = (group: TableGroup, role: string) => GroupFields;

/** What is kept of groups: while fields can begin parts where they do, by the other rules. */
const known = new WeakMap<PartRules["starts"], Map<string, GroupFieldsOf>>();

function fieldsInGroups(rules: PartRules): GroupFieldsOf {
  const { operation, kind, hideStreams, hideUpdateMany, starts } = rules;
  const byRules = known.get(starts) ?? new Map<string, GroupFieldsOf>();
  known.set(starts, byRules);
  const key = [operation, kind, hideStreams, hideUpdateMany].join(" ");
  const fieldsOf = byRules.get(key) ?? ofGroupAndRole((group, role) => groupFields(group, rules, role), noFields);
  byRules.set(key, fieldsOf);
  return fieldsOf;
}

function groupFields(group: TableGroup, { operation, kind, starts, ...hidden }: PartRules, role: string): GroupFields {
  let first: string | undefined;
  const begun: string[] = [];
  for (const table of group) {
    if (!mayHaveFields(table, operation, role)) continue;
    // Most tables have neither: their fields need no closer look.
    const isWanted = (field: string) => starts.has(field) || first === undefined || field < first;
    if (!fieldNames(table, operation).some(isWanted)) continue;
    for (const { field } of rootsOf(rootInputs(kind, table, role, hidden), operation)) {
      if (first === undefined || field < first) first = field;
      if (starts.has(field)) begun.push(field);
    }
  }
  return { first, starts: begun };
}

/** Before more is looked at: there may be thousands of tables. */
function mayHaveFields(table: AnalyzedTable, operation: PartedOperation, role: string): boolean {
  if (!isUsable(table, role)) return false;
  return role === adminRole || (operation === "mutation" ? isWritableBy(table, role) : isVisible(table, role));
}

function rootsOf(inputs: RootInputs, operation: PartedOperation): readonly { readonly field: string }[] {
  return operation === "mutation" ? writeRoots(inputs) : [...queryRoots(inputs), ...subscriptionRoots(inputs)];
}

export function rolePartInputs(
  { sources, options }: RoleAnalysis,
  index: RootFieldIndex,
  { role, operation, first, next }: Omit<RolePartInputs, "tables">,
): RolePartInputs {
  const { entries } = index.list(operation, sources);
  const hidden = hiddenRoots(options);
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

/** The first entry whose field is not before this one. */
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
