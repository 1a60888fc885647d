/**
 * The names of the root fields that tables can give to some role, in order. The same for all roles, and kept from
 * program to program while no table comes, goes or gets other names.
 */
import type { AnalyzedSource, AnalyzedTable } from "../2-analyze/analysis.ts";
import type { RootFieldKey } from "../catalog/model.ts";

export interface RootFieldEntry {
  readonly field: string;
  readonly source: string;
  /** Of the table. */
  readonly table: string;
}

type Sources = ReadonlyMap<string, AnalyzedSource>;

const keys = {
  query: ["select", "select_by_pk", "select_aggregate", "select_stream"],
  mutation: ["insert", "insert_one", "update", "update_by_pk", "update_many", "delete", "delete_by_pk"],
} as const satisfies Record<string, readonly RootFieldKey[]>;

export class RootFieldIndex {
  readonly #lists = new Map<keyof typeof keys, readonly RootFieldEntry[]>();

  /** The previous one where it holds for these sources, too. */
  static of(
    sources: Sources,
    previous: { readonly sources: Sources; readonly index: RootFieldIndex } | undefined,
  ): RootFieldIndex {
    return previous && haveSameNames(previous.sources, sources) ? previous.index : new RootFieldIndex();
  }

  /**
   * In the order of the fields; of sources without a namespace; `query`: the fields of subscriptions, too.
   * @param sources for which it holds: it keeps none, which would keep all that was ever analysed
   */
  entries(operation: keyof typeof keys, sources: Sources): readonly RootFieldEntry[] {
    let entries = this.#lists.get(operation);
    if (entries === undefined) {
      entries = [...sources.values()]
        .filter((source) => namespaceOf(source) === undefined)
        .flatMap((source) => [...source.tables.values()].flatMap((table) => entriesOf(source, table, operation)))
        .sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
      this.#lists.set(operation, entries);
    }
    return entries;
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

function entriesOf(
  source: AnalyzedSource,
  table: AnalyzedTable,
  operation: keyof typeof keys,
): readonly RootFieldEntry[] {
  return fieldNames(table, operation).map((field) => ({ field, source: source.name, table: table.key }));
}
