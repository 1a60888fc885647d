/**
 * The sorted names of the root fields that tables can have for any role. Shared by all roles, and reused from program to
 * program until a table is added, removed or renamed.
 */
import { compareText } from "../../runtime/values/text-order.ts";
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { namespaceIn } from "../2-analyze/naming.ts";
import { ofGroup } from "../2-analyze/table-map.ts";
import type { RootFieldKey } from "../catalog/model.ts";

export interface RootFieldEntry {
  readonly field: string;
  readonly source: string;
  /** Key of the table. */
  readonly table: string;
}

export interface RootFieldList {
  /** Sorted by field. */
  readonly entries: readonly RootFieldEntry[];
  /** The fields at which a part of a role may begin (`role-parts.ts`). */
  readonly starts: ReadonlySet<string>;
}

interface KnownList extends RootFieldList {
  /** The entries by group of tables. */
  readonly groups: readonly (readonly RootFieldEntry[])[];
}

type Sources = ReadonlyMap<string, AnalyzedSource>;

const keys = {
  query: ["select", "select_by_pk", "select_aggregate", "select_group", "select_stream"],
  mutation: ["insert", "insert_one", "update", "update_by_pk", "update_many", "delete", "delete_by_pk"],
} as const satisfies Record<string, readonly RootFieldKey[]>;

/** The minimum number of fields between two starts; the average is about twice that. */
const minFields = 32;

export class RootFieldIndex {
  readonly #lists = new Map<keyof typeof keys, KnownList>();
  /** The lists of an earlier index, which share most entries with this one. */
  readonly #earlier: ReadonlyMap<keyof typeof keys, KnownList>;

  private constructor(previous: RootFieldIndex | undefined) {
    this.#earlier = new Map(previous && [...previous.#earlier, ...previous.#lists]);
  }

  /** Returns the previous index if it is valid for these sources, or else a new one. */
  static of(
    sources: Sources,
    previous: { readonly sources: Sources; readonly index: RootFieldIndex } | undefined,
  ): RootFieldIndex {
    return previous && haveSameNames(previous.sources, sources) ? previous.index : new RootFieldIndex(previous?.index);
  }

  /**
   * Returns the fields of sources without a namespace. The fields of `query` include subscription fields.
   * @param sources the sources that the index is valid for; not retained, because that would keep every earlier
   * analysis in memory
   */
  list(operation: keyof typeof keys, sources: Sources): RootFieldList {
    let list = this.#lists.get(operation);
    if (list === undefined) {
      const earlier = this.#earlier.get(operation);
      const groups = [...sources.values()]
        .filter((source) => namespaceOf(source) === undefined)
        .flatMap(({ tables }) => tables.groups.map(entriesOfGroup[operation]));
      const entries = earlier ? mergeGroups(earlier, groups) : groups.flat().sort(byFieldName);
      const fields = entries.map(({ field }) => field).filter((field, i, all) => field !== all[i - 1]);
      const starts = startsOf(fields);
      list = { entries, groups, starts: earlier && haveSameItems(earlier.starts, starts) ? earlier.starts : starts };
      this.#lists.set(operation, list);
    }
    return list;
  }
}

/** Returns the namespace field of a source's root fields, if any. */
export function namespaceOf({ source }: AnalyzedSource): string | undefined {
  return namespaceIn(source) || undefined;
}

/** Returns the names of the root fields that a table can have. */
export function fieldNames({ rootFields }: AnalyzedTable, operation: keyof typeof keys): readonly string[] {
  return rootFields === null ? [] : keys[operation].map((key) => rootFields[key].name);
}

/** Returns true if the same tables have the same root field names. */
function haveSameNames(before: Sources, after: Sources): boolean {
  const [earlier, later] = [[...before.values()], [...after.values()]];
  if (earlier.length !== later.length) return false;
  return later.every((source, i) => {
    const known = earlier[i];
    if (known?.name !== source.name || namespaceOf(known) !== namespaceOf(source)) return false;
    if (known.tables.size !== source.tables.size) return false;
    for (const [table, former] of source.tables.changesSince(known.tables)) {
      if (former?.rootFields !== table.rootFields) return false;
    }
    return true;
  });
}

/**
 * Returns the fields whose names have a lower hash than all names fewer than `minFields` positions away. Adding or
 * removing a name moves only the starts near it, and no two starts are closer than `minFields`.
 */
function startsOf(fields: readonly string[]): ReadonlySet<string> {
  const hashes = fields.map(hashOf);
  const isStart = (hash: number, position: number): boolean => {
    const end = Math.min(position + minFields, fields.length);
    for (let i = Math.max(0, position - minFields + 1); i < end; i++) {
      const other = hashes[i] ?? hash;
      if (other < hash || (other === hash && i < position)) return false;
    }
    return true;
  };
  return new Set(fields.filter((_, position) => isStart(hashes[position] ?? 0, position)));
}

/** Returns the 32-bit FNV-1a hash of a name's UTF-16 code units. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const byFieldName = (a: RootFieldEntry, b: RootFieldEntry): number =>
  compareText(a.field, b.field) || compareText(a.source, b.source) || compareText(a.table, b.table);

/** Returns the sorted entries of all groups. Sorts only the entries of groups that the earlier list does not have. */
function mergeGroups({ entries, groups: before }: KnownList, groups: KnownList["groups"]): readonly RootFieldEntry[] {
  const [known, current] = [new Set(before), new Set(groups)];
  const added = groups
    .filter((group) => !known.has(group))
    .flat()
    .sort(byFieldName);
  const removed = tablesOf(before.filter((group) => !current.has(group)).flat());
  const merged: RootFieldEntry[] = [];
  let next = 0;
  for (const entry of entries) {
    if (removed.get(entry.source)?.has(entry.table)) continue;
    for (let other = added[next]; other && byFieldName(other, entry) < 0; other = added[++next]) merged.push(other);
    merged.push(entry);
  }
  return [...merged, ...added.slice(next)];
}

/** Returns the table keys by source. */
function tablesOf(entries: readonly RootFieldEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (const { source, table } of entries) tables.set(source, (tables.get(source) ?? new Set()).add(table));
  return tables;
}

function haveSameItems(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((item) => right.has(item));
}

const entriesOf = (operation: keyof typeof keys) =>
  ofGroup((group): readonly RootFieldEntry[] =>
    group
      .flatMap((table) => {
        const { source, key } = table;
        return fieldNames(table, operation).map((field) => ({ field, source, table: key }));
      })
      .sort(byFieldName),
  );

/** The sorted entries of a group: merging sorted runs makes sorting all of them cheap. */
const entriesOfGroup = { query: entriesOf("query"), mutation: entriesOf("mutation") };
