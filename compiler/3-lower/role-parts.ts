/**
 * The root fields of a role with many tables stand in several modules, each from one field up to the next in the order
 * of names. A part begins at a field whose name says so by its hash: a change of a few fields changes the parts that
 * they are in, and no other, however many tables there are.
 */
import type { AnalyzedSource, AnalyzedTable } from "../2-analyze/analysis.ts";
import { adminRole } from "./admin-role.ts";
import type { RoleAnalysis } from "./inherited-roles.ts";
import { hiddenRoots, isUsable, isVisible, type RootInputs, rootInputs, usableTables } from "./inputs.ts";
import type { RolePartIr } from "./ir.ts";
import { namespaceOf, type RootFieldEntry, type RootFieldIndex, type RootFieldList } from "./root-field-index.ts";
import { byField, queryRoots, subscriptionRoots } from "./roots.ts";
import { isWritableBy } from "./write-inputs.ts";
import { writeRoots } from "./write-roots.ts";

/** Up to so many tables, all fields of a role stand in one module. */
const fewTables = 200;

export type PartedOperation = "query" | "mutation";

/** The first fields of the parts, in order. */
export type RoleParts = Readonly<Record<PartedOperation, readonly string[]>>;

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
  const tables = [...usableTables(analysis, role)];
  if (tables.length <= fewTables) return undefined;
  const of = (operation: PartedOperation): readonly string[] => {
    const given = tables.filter(([, table]) => mayHaveFields(table, operation, role));
    return firstFields({ analysis, operation, role }, index.list(operation, analysis.sources), given);
  };
  return { query: of("query"), mutation: of("mutation") };
}

interface PartedRole {
  readonly analysis: RoleAnalysis;
  readonly operation: PartedOperation;
  readonly role: string;
}

/** @param tables those that may have fields */
function firstFields(
  parted: PartedRole,
  { entries, starts }: RootFieldList,
  tables: readonly (readonly [AnalyzedSource, AnalyzedTable])[],
): readonly string[] {
  if (tables.length === 0) return [];
  const isOwn = isFieldOf(parted);
  const begun = starts.flatMap((position) => entries[position] ?? []).filter(isOwn);
  const fields = begun.map(({ field }) => field);
  const first = tables.length < fewTables ? leastOf(parted, tables) : entries.find(isOwn)?.field;
  return [...new Set([...(first === undefined ? [] : [first]), ...fields])];
}

/** The first field of a few tables. */
function leastOf(
  { analysis, operation, role }: PartedRole,
  tables: readonly (readonly [AnalyzedSource, AnalyzedTable])[],
): string | undefined {
  const hidden = hiddenRoots(analysis.options);
  const roots = tables.flatMap(([source, table]) =>
    namespaceOf(source) === undefined ? rootsOf(rootInputs(source, table, role, hidden), operation) : [],
  );
  return byField(roots)[0]?.field;
}

/** Whether a field that a table can give is one of the role. */
function isFieldOf({ analysis, operation, role }: PartedRole): (entry: RootFieldEntry) => boolean {
  const { sources, options } = analysis;
  const hidden = hiddenRoots(options);
  return ({ field, source: name, table: key }) => {
    const source = sources.get(name);
    const table = source?.tables.get(key);
    if (!source || !table || !mayHaveFields(table, operation, role)) return false;
    return rootsOf(rootInputs(source, table, role, hidden), operation).some((root) => root.field === field);
  };
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
  const tables = Array.from(found, ([table, source]) => rootInputs(source, table, role, hidden));
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
