/**
 * Names of types that the schema has besides those of actions. Two types of one name cannot be told apart by clients,
 * who would be shown one of them for both.
 */
import { introspectionTypes } from "graphql";
import { engineDefault, graphqlDefault, type Naming } from "../../../runtime/definitions/naming.ts";
import type { AnalyzedSource } from "../analysis.ts";

const rootTypes: ReadonlySet<string> = new Set(["query_root", "mutation_root", "subscription_root"]);
const introspection: ReadonlySet<string> = new Set(introspectionTypes.map(({ name }) => name));

/** What stands behind the name of a table in those of its other types (`graphql-api.md` 2.6). */
const suffixes = [
  ...["aggregate", "aggregate_fields", "aggregate_order_by", "aggregate_bool_exp", "bool_exp", "order_by"],
  ...["avg_fields", "max_fields", "min_fields", "stddev_fields", "stddev_pop_fields", "stddev_samp_fields"],
  ...["sum_fields", "var_pop_fields", "var_samp_fields", "variance_fields"],
  ...["select_column", "update_column", "constraint", "insert_match_column", "if_matched", "on_conflict"],
  ...["insert_input", "set_input", "inc_input", "append_input", "prepend_input", "delete_at_path_input"],
  ...["delete_elem_input", "delete_key_input", "obj_rel_insert_input", "arr_rel_insert_input"],
  ...["mutation_response", "pk_columns_input", "updates", "stream_cursor_input", "stream_cursor_value_input"],
];

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
    }
    return undefined;
  }
}

class SourceTypes {
  readonly name: string;
  readonly #naming: Naming;
  /** Tables by the names of their object types. */
  readonly #tables = new Map<string, string>();
  /** What stands before and behind the name of a table. */
  readonly #around: readonly (readonly [before: string, after: string])[];

  constructor({ name, namingConvention, source, tables }: AnalyzedSource) {
    const { prefix: typePrefix = "", suffix: typeSuffix = "" } = source.customization?.type_names ?? {};
    const convention = namingConvention === "graphql-default" ? graphqlDefault : engineDefault;
    this.name = name;
    this.#naming = convention({ typePrefix, typeSuffix });
    this.#around = suffixes.map((suffix) => {
      const [before = "", after = ""] = this.#naming.type(place, suffix).split(place);
      return [before, after];
    });
    for (const { graphqlName, displayName } of tables.values()) {
      if (graphqlName !== null) this.#tables.set(this.#naming.type(graphqlName), displayName);
    }
  }

  tableOf(name: string): string | undefined {
    const own = this.#tables.get(name);
    if (own !== undefined) return own;
    for (const [before, after] of this.#around) {
      if (name.length <= before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) continue;
      const base = name.slice(before.length, name.length - after.length);
      const table = this.#tables.get(this.#naming.type(base));
      if (table !== undefined) return table;
    }
    return undefined;
  }
}

/** No name has it. */
const place = "\u0000";
