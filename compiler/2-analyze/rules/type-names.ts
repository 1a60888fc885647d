/**
 * Names of types that the schema has besides those of actions. Two types of one name cannot be told apart by clients,
 * who would be shown one of them for both.
 */
import { introspectionTypes } from "graphql";
import { engineDefault, graphqlDefault, type Naming } from "../../../runtime/model/definitions/naming.ts";
import { lazy } from "../../../runtime/values/lazy.ts";
import { dialectOf } from "../../dialects/index.ts";
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

/** Suffixes of the names of a table's generated types. */
const suffixes = [
  ...["aggregate", "aggregate_fields", "aggregate_order_by", "bool_exp", "order_by"],
  ...aggregates.flatMap((name) => [`${name}_fields`, `${name}_order_by`]),
  ...[
    "enum",
    "enum_name",
    "select_column",
    "update_column",
    "constraint",
    "insert_match_column",
    "if_matched",
    "on_conflict",
  ],
  ...["insert_input", "set_input", "inc_input", "append_input", "prepend_input", "delete_at_path_input"],
  ...["delete_elem_input", "delete_key_input", "obj_rel_insert_input", "arr_rel_insert_input"],
  ...["mutation_response", "pk_columns_input", "updates", "stream_cursor_input", "stream_cursor_value_input"],
];

/** The same where prefix and suffix of the source's types do not count. */
const plainSuffixes = ["", "_count", "_bool_and", "_bool_and_arguments", "_bool_or", "_bool_or_arguments"].map(
  (predicate) => `aggregate_bool_exp${predicate}`,
);

/** What stands behind the name of a scalar, or of the enum of a table, in that of the input that compares it. */
const comparisonSuffixes = ["comparison_exp", "array_comparison_exp", "MSSQL_comparison_exp"];

/** Inputs of operators with several operands, by the scalar that has them. */
const operandInputs: Readonly<Record<string, readonly string[]>> = {
  geometry: ["st_d_within_input"],
  geography: ["st_d_within_geography_input"],
  raster: ["st_intersects_geom_nband_input", "st_intersects_nband_geom_input"],
};

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
      const owner = source.ownerOf(name);
      if (owner !== undefined) return `${owner} in source "${source.name}"`;
      if (source.common.has(name) || source.comparisons().has(name)) return `source "${source.name}"`;
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
  /** Inputs that compare values. */
  readonly comparisons: () => ReadonlySet<string>;
  readonly #naming: Naming;
  /** Tables and models by the names of their object types, with prefix and suffix of the source, and without. */
  readonly #rows = new Map<string, string>();
  readonly #plain = new Map<string, string>();
  /** Who takes arguments, by the type of these. */
  readonly #arguments: ReadonlyMap<string, string>;
  readonly #around: readonly Around[];
  readonly #plainAround: readonly Around[];

  constructor(analyzed: AnalyzedSource) {
    const naming = namingOf(analyzed);
    this.name = analyzed.name;
    this.#naming = naming;
    this.common = new Set([naming.commonType("order_by"), naming.type(naming.commonType("cursor_ordering"))]);
    this.comparisons = lazy(() => new Set(comparisonsOf(analyzed, naming)));
    this.#arguments = new Map(argumentTypes(analyzed, naming));
    const enumOf = (table: string): string => naming.type(table, "enum");
    this.#around = [
      ...suffixes.map((suffix) => naming.type(place, suffix)),
      ...comparisonSuffixes.map((suffix) => naming.joined(enumOf(place), suffix)),
    ].map(around);
    this.#plainAround = plainSuffixes.map((suffix) => around(naming.joined(place, suffix)));
    for (const [name, owner] of rowTypes(analyzed)) {
      this.#rows.set(naming.type(name), owner);
      this.#plain.set(name, owner);
    }
  }

  /** A table, a model, or a function and the like. */
  ownerOf(name: string): string | undefined {
    const own = this.#rows.get(name) ?? this.#arguments.get(name);
    if (own !== undefined) return own;
    if (this.#plain.size === 0) return undefined;
    return (
      ownerOfBase(name, this.#around, (base) => this.#rows.get(this.#naming.type(base))) ??
      ownerOfBase(name, this.#plainAround, (base) => this.#plain.get(base))
    );
  }
}

export function namingOf({ namingConvention, source }: AnalyzedSource): Naming {
  const { prefix: typePrefix = "", suffix: typeSuffix = "" } = source.customization?.type_names ?? {};
  const convention = namingConvention === "graphql-default" ? graphqlDefault : engineDefault;
  return convention({ typePrefix, typeSuffix });
}

/** Base names of object types, and whose they are. */
function* rowTypes({ tables, logicalModels, nativeQueries, storedProcedures }: AnalyzedSource): Named {
  for (const { graphqlName, displayName } of tables.values()) {
    if (graphqlName !== null) yield [graphqlName, `table "${displayName}"`];
  }
  for (const name of logicalModels.keys()) yield [name, `logical model "${name}"`];
  for (const [field, { model }] of [...nativeQueries, ...storedProcedures]) {
    if (!logicalModels.has(model.name)) yield [model.name, `root field "${field}"`];
  }
}

/** Inputs of arguments, and who takes these. */
function* argumentTypes(analyzed: AnalyzedSource, naming: Naming): Named {
  const { functions, tables, nativeQueries, storedProcedures } = analyzed;
  for (const { graphqlName } of functions.values()) {
    yield [naming.type(graphqlName, "args"), `function "${graphqlName}"`];
  }
  for (const { graphqlName, computedFields, displayName } of tables.values()) {
    if (graphqlName === null) continue;
    for (const { name } of computedFields.values()) {
      const owner = `computed field "${name}" of table "${displayName}"`;
      yield [naming.type(naming.commonType(name, graphqlName), "args"), owner];
    }
  }
  for (const field of nativeQueries.keys()) yield [naming.type(field, "arguments"), `native query "${field}"`];
  for (const field of storedProcedures.keys()) yield [naming.type(field, "arguments"), `stored procedure "${field}"`];
}

type Named = Generator<readonly [name: string, owner: string]>;

function* comparisonsOf({ source, shape }: AnalyzedSource, naming: Naming): Generator<string> {
  for (const scalar of new Set(dialectOf(source.kind).scalarNames(shape))) {
    for (const suffix of comparisonSuffixes) yield naming.joined(naming.commonType(scalar), suffix);
    yield naming.commonType(`${scalar}_cast_exp`);
    for (const input of operandInputs[scalar] ?? []) yield naming.commonType(input);
  }
}

/** No name has it. */
const place = "\u0000";

function around(type: string): Around {
  const [before = "", after = ""] = type.split(place);
  return [before, after];
}

/** The first owner of what may be the base of a name. */
function ownerOfBase(
  name: string,
  all: readonly Around[],
  ownerOf: (base: string) => string | undefined,
): string | undefined {
  for (const [before, after] of all) {
    if (name.length <= before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) continue;
    const owner = ownerOf(name.slice(before.length, name.length - after.length));
    if (owner !== undefined) return owner;
  }
  return undefined;
}
