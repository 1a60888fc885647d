/**
 * Names of types that the schema has besides those of actions. Two types of one name cannot be told apart by clients,
 * who would be shown one of them for both.
 */
import { introspectionTypes } from "graphql";
import { engineDefault, graphqlDefault, type Naming } from "../../../runtime/definitions/naming.ts";
import type { AnalyzedSource } from "../analysis.ts";

const rootTypes: ReadonlySet<string> = new Set(["query_root", "mutation_root", "subscription_root"]);
const introspection: ReadonlySet<string> = new Set(introspectionTypes.map(({ name }) => name));

const aggregates = [
  "avg",
  "max",
  "min",
  "stddev",
  "stddev_pop",
  "stddev_samp",
  "sum",
  "var_pop",
  "var_samp",
  "variance",
];

/** What stands behind the name of a table in those of its other types (`graphql-api.md` 2.6). */
const suffixes = [
  ...["aggregate", "aggregate_fields", "aggregate_order_by", "bool_exp", "order_by"],
  ...aggregates.flatMap((name) => [`${name}_fields`, `${name}_order_by`]),
  ...["select_column", "update_column", "constraint", "insert_match_column", "if_matched", "on_conflict"],
  ...["insert_input", "set_input", "inc_input", "append_input", "prepend_input", "delete_at_path_input"],
  ...["delete_elem_input", "delete_key_input", "obj_rel_insert_input", "arr_rel_insert_input"],
  ...["mutation_response", "pk_columns_input", "updates", "stream_cursor_input", "stream_cursor_value_input"],
];

/** The same where prefix and suffix of the source's types do not count. */
const plainSuffixes = ["", "_count", "_bool_and", "_bool_and_arguments", "_bool_or", "_bool_or_arguments"].map(
  (predicate) => `aggregate_bool_exp${predicate}`,
);

/** Tells whose a type is. */
export class TypeNames {
  readonly #sources: readonly SourceTypes[];

  constructor(sources: Iterable<AnalyzedSource>) {
    this.#sources = [...sources].map((source) => new SourceTypes(source));
  }

  /** In words; `undefined`: there is no such type. */
  ownerOf(name: string): string | undefined {
    if (introspection.has(name)) return "introspection";
    if (rootTypes.has(name)) return "the schema";
    for (const source of this.#sources) {
      const table = source.tableOf(name);
      if (table !== undefined) return `table "${table}" in source "${source.name}"`;
      if (source.common.has(name)) return `source "${source.name}"`;
    }
    return undefined;
  }
}

/** What stands before and behind the name of a table. */
type Around = readonly [before: string, after: string];

class SourceTypes {
  readonly name: string;
  /** Types that all its tables use. */
  readonly common: ReadonlySet<string>;
  readonly #naming: Naming;
  /** Tables by the names of their object types, with prefix and suffix of the source, and without. */
  readonly #tables = new Map<string, string>();
  readonly #plain = new Map<string, string>();
  readonly #around: readonly Around[];
  readonly #plainAround: readonly Around[];

  constructor({ name, namingConvention, source, tables }: AnalyzedSource) {
    const { prefix: typePrefix = "", suffix: typeSuffix = "" } = source.customization?.type_names ?? {};
    const convention = namingConvention === "graphql-default" ? graphqlDefault : engineDefault;
    const naming = convention({ typePrefix, typeSuffix });
    this.name = name;
    this.#naming = naming;
    this.common = new Set([naming.commonType("order_by"), naming.type(naming.commonType("cursor_ordering"))]);
    this.#around = suffixes.map((suffix) => around(naming.type(place, suffix)));
    this.#plainAround = plainSuffixes.map((suffix) => around(naming.joined(place, suffix)));
    for (const { graphqlName, displayName } of tables.values()) {
      if (graphqlName === null) continue;
      this.#tables.set(naming.type(graphqlName), displayName);
      this.#plain.set(graphqlName, displayName);
    }
  }

  tableOf(name: string): string | undefined {
    const own = this.#tables.get(name);
    if (own !== undefined) return own;
    for (const base of basesIn(name, this.#around)) {
      const table = this.#tables.get(this.#naming.type(base));
      if (table !== undefined) return table;
    }
    for (const base of basesIn(name, this.#plainAround)) {
      const table = this.#plain.get(base);
      if (table !== undefined) return table;
    }
    return undefined;
  }
}

/** No name has it. */
const place = "\u0000";

function around(type: string): Around {
  const [before = "", after = ""] = type.split(place);
  return [before, after];
}

function* basesIn(name: string, all: readonly Around[]): Generator<string> {
  for (const [before, after] of all) {
    if (name.length <= before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) continue;
    yield name.slice(before.length, name.length - after.length);
  }
}
