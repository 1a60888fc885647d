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

export interface RootFieldList {
  /** In the order of the fields. */
  readonly entries: readonly RootFieldEntry[];
  /** The positions at which a part of a role can begin (`role-parts.ts`). */
  readonly starts: readonly number[];
}

type Sources = ReadonlyMap<string, AnalyzedSource>;

const keys = {
  query: ["select", "select_by_pk", "select_aggregate", "select_stream"],
  mutation: ["insert", "insert_one", "update", "update_by_pk", "update_many", "delete", "delete_by_pk"],
} as const satisfies Record<string, readonly RootFieldKey[]>;

/** A part has about so many fields. */
const fieldsOfPart = 64;

export class RootFieldIndex {
  /** What it was made from, table by table. */
  readonly #made: readonly { readonly key: string; readonly rootFields: AnalyzedTable["rootFields"] }[];
  readonly #sources: readonly { readonly name: string; readonly namespace: string | undefined }[];
  readonly #lists = new Map<keyof typeof keys, RootFieldList>();

  constructor(sources: Sources) {
    this.#made = [...tablesOf(sources)].map(({ key, rootFields }) => ({ key, rootFields }));
    this.#sources = [...sources.values()].map((source) => ({ name: source.name, namespace: namespaceOf(source) }));
  }

  /** The previous one where it still holds. */
  static of(sources: Sources, previous: RootFieldIndex | undefined): RootFieldIndex {
    return previous?.holdsFor(sources) ? previous : new RootFieldIndex(sources);
  }

  holdsFor(sources: Sources): boolean {
    const now = [...sources.values()];
    const isSame = this.#sources.every(({ name, namespace }, i) => {
      const source = now[i];
      return source?.name === name && namespaceOf(source) === namespace;
    });
    if (!isSame || now.length !== this.#sources.length) return false;
    let count = 0;
    for (const { key, rootFields } of tablesOf(sources)) {
      const made = this.#made[count++];
      if (made === undefined || made.key !== key || made.rootFields !== rootFields) return false;
    }
    return count === this.#made.length;
  }

  /**
   * Of sources without a namespace; `query`: the fields of subscriptions, too.
   * @param sources for which it holds: it keeps none, which would keep all that was ever analysed
   */
  list(operation: keyof typeof keys, sources: Sources): RootFieldList {
    let list = this.#lists.get(operation);
    if (list === undefined) {
      const entries = [...sources.values()]
        .filter((source) => namespaceOf(source) === undefined)
        .flatMap((source) => [...source.tables.values()].flatMap((table) => entriesOf(source, table, operation)))
        .sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
      const starts = entries.flatMap(({ field }, i) => (hashOf(field) % fieldsOfPart === 0 ? i : []));
      list = { entries, starts };
      this.#lists.set(operation, list);
    }
    return list;
  }
}

/** The field that the root fields of a source stand below. */
export function namespaceOf({ source }: AnalyzedSource): string | undefined {
  return source.customization?.root_fields?.namespace || undefined;
}

function* tablesOf(sources: Sources): Iterable<AnalyzedTable> {
  for (const { tables } of sources.values()) yield* tables.values();
}

function entriesOf(
  source: AnalyzedSource,
  { key, rootFields }: AnalyzedTable,
  operation: keyof typeof keys,
): readonly RootFieldEntry[] {
  if (rootFields === null) return [];
  return keys[operation].map((each) => ({ field: rootFields[each].name, source: source.name, table: key }));
}

/** FNV-1a of a name. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
