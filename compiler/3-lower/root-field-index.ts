/**
 * The names of the root fields that tables can give to some role, in order. The same for all roles, and kept from
 * program to program while no table comes, goes or gets other names.
 */
import { compareText } from "../../runtime/values/text-order.ts";
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { ofGroup } from "../2-analyze/table-map.ts";
import type { RootFieldKey } from "../catalog/model.ts";

export interface RootFieldEntry {
  readonly field: string;
  readonly source: string;
  /** Of the table. */
  readonly table: string;
}

export interface RootFieldList {
  /** In the order of the fields. */
  readonly entries: readonly RootFieldEntry[];
  /** The fields at which a part of a role can begin (`role-parts.ts`). */
  readonly starts: ReadonlySet<string>;
}

interface KnownList extends RootFieldList {
  /** The entries of each group of tables. */
  readonly groups: readonly (readonly RootFieldEntry[])[];
}

type Sources = ReadonlyMap<string, AnalyzedSource>;

const keys = {
  query: ["select", "select_by_pk", "select_aggregate", "select_stream"],
  mutation: ["insert", "insert_one", "update", "update_by_pk", "update_many", "delete", "delete_by_pk"],
} as const satisfies Record<string, readonly RootFieldKey[]>;

/** The least number of fields from one start to the next; there are about twice as many. */
const leastFields = 32;

export class RootFieldIndex {
  readonly #lists = new Map<keyof typeof keys, KnownList>();
  /** Of which most entries are the same. */
  readonly #earlier: ReadonlyMap<keyof typeof keys, KnownList>;

  private constructor(previous: RootFieldIndex | undefined) {
    this.#earlier = new Map(previous && [...previous.#earlier, ...previous.#lists]);
  }

  /** The previous one where it holds for these sources, too. */
  static of(
    sources: Sources,
    previous: { readonly sources: Sources; readonly index: RootFieldIndex } | undefined,
  ): RootFieldIndex {
    return previous && haveSameNames(previous.sources, sources) ? previous.index : new RootFieldIndex(previous?.index);
  }

  /**
   * Of sources without a namespace; `query`: the fields of subscriptions, too.
   * @param sources for which it holds: it keeps none, which would keep all that was ever analysed
   */
  list(operation: keyof typeof keys, sources: Sources): RootFieldList {
    let list = this.#lists.get(operation);
    if (list === undefined) {
      const earlier = this.#earlier.get(operation);
      const groups = [...sources.values()]
        .filter((source) => namespaceOf(source) === undefined)
        .flatMap(({ tables }) => tables.groups.map(entriesOfGroup[operation]));
      const entries = earlier ? withOtherGroups(earlier, groups) : groups.flat().sort(byFieldName);
      const fields = entries.map(({ field }) => field).filter((field, i, all) => field !== all[i - 1]);
      const starts = startsOf(fields);
      list = { entries, groups, starts: earlier && haveSameItems(earlier.starts, starts) ? earlier.starts : starts };
      this.#lists.set(operation, list);
    }
    return list;
  }
}

/** The field that the root fields of a source stand below. */
export function namespaceOf({ source }: AnalyzedSource): string | undefined {
  return source.customization?.root_fields?.namespace || undefined;
}

/** The names of the fields that a table can give. */
export function fieldNames({ rootFields }: AnalyzedTable, operation: keyof typeof keys): readonly string[] {
  return rootFields === null ? [] : keys[operation].map((key) => rootFields[key].name);
}

/** Whether the same tables have the same names. */
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
 * The fields whose names have the least hash of all names near them: a name that comes or goes moves the starts near it
 * and no others, and no two starts are closer than `leastFields`.
 */
function startsOf(fields: readonly string[]): ReadonlySet<string> {
  const hashes = fields.map(hashOf);
  const isStart = (hash: number, position: number): boolean => {
    const end = Math.min(position + leastFields, fields.length);
    for (let i = Math.max(0, position - leastFields + 1); i < end; i++) {
      const other = hashes[i] ?? hash;
      if (other < hash || (other === hash && i < position)) return false;
    }
    return true;
  };
  return new Set(fields.filter((_, position) => isStart(hashes[position] ?? 0, position)));
}

/** FNV-1a of a name. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const byFieldName = (a: RootFieldEntry, b: RootFieldEntry): number =>
  compareText(a.field, b.field) || compareText(a.source, b.source) || compareText(a.table, b.table);

/** In order, without sorting those of groups that were there before. */
function withOtherGroups(
  { entries, groups: before }: KnownList,
  groups: KnownList["groups"],
): readonly RootFieldEntry[] {
  const [known, now] = [new Set(before), new Set(groups)];
  const fresh = groups
    .filter((group) => !known.has(group))
    .flat()
    .sort(byFieldName);
  const gone = tablesOf(before.filter((group) => !now.has(group)).flat());
  const merged: RootFieldEntry[] = [];
  let next = 0;
  for (const entry of entries) {
    if (gone.get(entry.source)?.has(entry.table)) continue;
    for (let other = fresh[next]; other && byFieldName(other, entry) < 0; other = fresh[++next]) merged.push(other);
    merged.push(entry);
  }
  return [...merged, ...fresh.slice(next)];
}

/** By source. */
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

/** In order, so that sorting those of all groups is little work. */
const entriesOfGroup = { query: entriesOf("query"), mutation: entriesOf("mutation") };
