/**
 * Names of types that do not belong to actions. Clients cannot distinguish two types of one name: introspection shows
 * only one of them.
 */
import { introspectionTypes, specifiedScalarTypes } from "graphql";
import { columnAggregates } from "../../../runtime/model/definitions/column-aggregates.ts";
import {
  engineDefault,
  graphqlDefault,
  type Naming,
  predicateSuffix,
} from "../../../runtime/model/definitions/naming.ts";
import { lazy } from "../../../runtime/values/lazy.ts";
import { dialectOf } from "../../dialects/index.ts";
import type { TypeRef } from "../../shape/shape.ts";
import type { AnalyzedSource } from "../analysis.ts";
import type { AnalyzedColumn, AnalyzedTable } from "../analyzed-table.ts";
import { type Owner, ownerText } from "../collisions.ts";
import { ofGroup } from "../table-map.ts";

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
  ...["aggregate", "aggregate_fields", "aggregate_order_by", "bool_exp", "bool_exp_bool_exp", "order_by"],
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
  ...["aggregate_group", "aggregate_group_by", "aggregate_group_derived_order_by", "aggregate_group_having"],
  ...["aggregate_group_having_numbers", "aggregate_group_having_values", "aggregate_group_key"],
  ...["aggregate_group_key_order_by", "aggregate_group_order_by", "aggregate_group_related"],
  ...["aggregate", "count_of", ...columnAggregates].map((by) => `aggregate_group_${by}_order_by`),
  ...["aggregate_group_having_percentile_cont", "aggregate_group_having_string_agg"],
  ...["related_input", "rel_rows_input", "obj_rel_updates", "arr_rel_updates"],
  ...["update", "change"].flatMap((kind) => [
    ...["", "_connect", "_move"].map((moves) => `arr_rel_${kind}${moves}_input`),
    ...["", "_connect", "_delete", "_connect_delete"].map((moves) => `obj_rel_${kind}${moves}_input`),
  ]),
  ...["insert_related_input", "obj_rel_connect_input", "arr_rel_connect_input", "connect_or_create_input"],
];

/** Enums that all tables of a source share. */
const commonEnums = ["cursor_ordering", "aggregate_group_part", "aggregate_group_unit"];

/** Suffixes that are used without the prefix and suffix of the source's type names, unless another source has the type. */
const plainSuffixes = ["", "_count", "_bool_and", "_bool_and_arguments", "_bool_or", "_bool_or_arguments"].map(
  (predicate) => `${predicateSuffix}${predicate}`,
);

const columnArguments = /arguments_?columns/i;

/** Suffixes with the name of the table: the columns that aggregate conditions accept. */
const columnEnums = (base: string): readonly string[] =>
  ["bool_and", "bool_or"].map((name) => `select_column_${base}_aggregate_bool_exp_${name}_arguments_columns`);

/** Suffixes of comparison inputs, after the name of a scalar or of an enum table. */
const comparisonSuffixes = ["comparison_exp", "array_comparison_exp", "MSSQL_comparison_exp"];

/** Inputs of operators with several operands, by scalar. */
const operandInputs: Readonly<Record<string, readonly string[]>> = {
  geometry: ["st_d_within_input"],
  geography: ["st_d_within_geography_input"],
  raster: ["st_intersects_geom_nband_input", "st_intersects_nband_geom_input"],
};

/** Finds the owner of a type by its name. */
export class TypeNames {
  readonly #sources: readonly SourceTypes[];

  constructor(sources: Iterable<AnalyzedSource>) {
    this.#sources = [...sources].map((source) => new SourceTypes(source));
  }

  /** Returns the owner as text; `undefined` if there is no such type. */
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

/** Prefix and suffix that turn the name of a table into the name of a type. */
interface Around {
  readonly before: string;
  readonly after: string;
  /** The kind of generated type. */
  readonly suffix: string;
}

/** A type that is generated for a table or a model. */
export interface GeneratedType {
  /** The name of the object type. */
  readonly of: string;
  readonly suffix: string;
}

export class SourceTypes {
  readonly name: string;
  /** Types shared by all tables of the source. */
  readonly common: ReadonlySet<string>;
  readonly comparisons: () => ReadonlySet<string>;
  /** Input types of the arguments that requests set. */
  readonly arguments: () => readonly ArgumentsType[];
  readonly #naming: Naming;
  readonly #rows: () => RowNames;
  /** Owners of argument input types, by type name. */
  readonly #arguments: () => ReadonlyMap<string, string>;
  readonly #around: readonly Around[];
  readonly #plainAround: readonly Around[];

  constructor(analyzed: AnalyzedSource) {
    const naming = namingOf(analyzed);
    this.name = analyzed.name;
    this.#naming = naming;
    this.common = new Set([
      naming.commonType("order_by"),
      ...commonEnums.map((name) => naming.type(naming.commonType(name))),
    ]);
    this.comparisons = lazy(() => new Set(comparisonsOf(analyzed, naming)));
    this.arguments = lazy(() => [...argumentTypes(analyzed, naming)]);
    this.#arguments = lazy(() => new Map(this.arguments().map(({ name: type, of }) => [type, of])));
    this.#rows = lazy(() => rowNames(analyzed, naming));
    const enumOf = (table: string): string => naming.type(table, "enum");
    this.#around = [
      ...[...suffixes, ...plainSuffixes].map((suffix) => around(naming.type(place, suffix), suffix)),
      ...comparisonSuffixes.map((suffix) => around(naming.joined(enumOf(place), suffix), "enum")),
    ];
    this.#plainAround = plainSuffixes.map((suffix) => around(naming.joined(place, suffix), suffix));
  }

  /** Returns the table, model, function or other object that owns a type, as text. */
  ownerOf(name: string): string | undefined {
    const rows = this.#rows().types;
    const own = rows.get(name) ?? this.#arguments().get(name);
    if (own !== undefined) return own;
    for (const { of } of this.generated(name)) return rows.get(of);
    return undefined;
  }

  /** Yields the types of this name that a table or a model may have besides its object type. */
  *generated(name: string): Iterable<GeneratedType> {
    const { types, bases } = this.#rows();
    if (types.size === 0) return;
    for (const { base, suffix } of basesOf(name, this.#around)) {
      const of = this.#naming.type(base);
      if (types.has(of)) yield { of, suffix };
    }
    for (const { base, suffix } of basesOf(name, this.#plainAround)) {
      if (bases.has(base)) yield { of: this.#naming.type(base), suffix };
    }
    if (!columnArguments.test(name)) return;
    for (const base of bases) {
      const suffix = columnEnums(base).find((each) => this.#naming.type(base, each) === name);
      if (suffix !== undefined) yield { of: this.#naming.type(base), suffix };
    }
  }

  /** Yields the names of object types that could have a generated type of this name. */
  *possibleOwners(name: string): Iterable<string> {
    for (const { base } of basesOf(name, [...this.#around, ...this.#plainAround])) yield this.#naming.type(base);
  }

  /** Yields the names of all types that a table could have besides its object type. */
  *generatedFor(base: string): Iterable<string> {
    const naming = this.#naming;
    for (const suffix of [...suffixes, ...plainSuffixes]) yield naming.type(base, suffix);
    for (const suffix of comparisonSuffixes) yield naming.joined(naming.type(base, "enum"), suffix);
    for (const suffix of plainSuffixes) yield naming.joined(base, suffix);
  }
}

/** Suffixes of namespace types. */
const namespaceTypes = ["query", "subscription", "mutation_frontend", "mutation_backend"];

/** Returns true for a type that contains the root fields of the source. */
export function isNamespace(name: string, source: AnalyzedSource): boolean {
  const { namespace } = source.source.customization?.root_fields ?? {};
  if (!namespace) return false;
  const naming = namingOf(source);
  return namespaceTypes.some((suffix) => naming.type(namespace, suffix) === name);
}

export function namingOf({ namingConvention, source }: AnalyzedSource): Naming {
  const { prefix: typePrefix = "", suffix: typeSuffix = "" } = source.customization?.type_names ?? {};
  const convention = namingConvention === "graphql-default" ? graphqlDefault : engineDefault;
  return convention({ typePrefix, typeSuffix });
}

/** The object types of tables and models, with their owners as text. */
interface RowNames {
  /** By type name. */
  readonly types: ReadonlyMap<string, string>;
  /** Names without the prefix and suffix of the source. */
  readonly bases: ReadonlySet<string>;
}

function rowNames(source: AnalyzedSource, naming: Naming): RowNames {
  const rows = [...rowTypes(source)];
  return {
    types: new Map(rows.map(([name, owner]) => [naming.type(name), owner])),
    bases: new Set(rows.map(([name]) => name)),
  };
}

/** Types of every schema with tables, under all naming conventions. */
export const fixedTypes: ReadonlySet<string> = new Set([
  ...[...specifiedScalarTypes, ...introspectionTypes].map(({ name }) => name),
  ...["query_root", "mutation_root", "subscription_root", "order_by", "OrderBy", "cursor_ordering", "CursorOrdering"],
]);

interface ScalarColumn {
  readonly table: AnalyzedTable;
  readonly column: AnalyzedColumn;
}

/** Returns the first column of each database type in a group of tables. */
const scalarColumnsOfGroup = ofGroup((group): readonly ScalarColumn[] => {
  const byType = new Map<string, ScalarColumn>();
  for (const table of group) {
    if (table.graphqlName === null) continue;
    for (const column of table.columns) {
      const { field, shape, enumTable } = column;
      if (field === null || enumTable !== undefined || byType.has(shape.type.sql)) continue;
      byType.set(shape.type.sql, { table, column });
    }
  }
  return [...byType.values()];
});

/** Returns the scalars of the schema, each with a description of a column that has it. */
export function scalarColumns(sources: ReadonlyMap<string, AnalyzedSource>): ReadonlyMap<string, string> {
  const scalars = new Map<string, string>();
  for (const source of sources.values()) {
    const dialect = dialectOf(source.source.kind);
    for (const group of source.tables.groups) {
      for (const { table, column } of scalarColumnsOfGroup(group)) {
        const { graphql } = dialect.scalarOf(dialect.scalarCall(column.shape.type));
        if (scalars.has(graphql)) continue;
        scalars.set(graphql, `the scalar of column ${column.name} of ${ownerText({ kind: "table", source, table })}`);
      }
    }
  }
  return scalars;
}

/** Yields the base names of object types with their owners. */
function* rowTypes({ tables, logicalModels, nativeQueries, storedProcedures }: AnalyzedSource): Named {
  for (const { graphqlName, displayName } of tables.values()) {
    if (graphqlName !== null) yield [graphqlName, `table "${displayName}"`];
  }
  for (const name of logicalModels.keys()) yield [name, `logical model "${name}"`];
  for (const [field, { model }] of [...nativeQueries, ...storedProcedures]) {
    if (!logicalModels.has(model.name)) yield [model.name, `root field "${field}"`];
  }
}

/** Input type of the arguments that requests set. */
export interface ArgumentsType {
  readonly name: string;
  /** Description of the object that has the arguments, for messages. */
  readonly of: string;
  readonly owner: Exclude<Owner, { readonly kind: "action" | "source" }>;
  /** Text that is equal for equal types. */
  readonly text: string;
}

function* argumentTypes(source: AnalyzedSource, naming: Naming): Generator<ArgumentsType> {
  const { functions, tables, nativeQueries, storedProcedures } = source;
  for (const tracked of functions.values()) {
    const { graphqlName, shape, sessionArgument } = tracked;
    const text = argumentsText(shape.arguments, (i) => i !== sessionArgument);
    if (text === "") continue;
    const owner = { kind: "function", source, function: tracked } as const;
    yield { name: naming.type(graphqlName, "args"), of: `function "${graphqlName}"`, owner, text };
  }
  for (const table of tables.values()) {
    const { graphqlName, computedFields, displayName } = table;
    if (graphqlName === null) continue;
    for (const computed of computedFields.values()) {
      const { name: field, tableArgument, columnArguments, sessionArgument } = computed;
      const isGiven = (i: number) => i !== tableArgument && i !== sessionArgument && !columnArguments.has(i);
      const text = argumentsText(computed.function.arguments, isGiven);
      if (text === "") continue;
      const name = naming.type(naming.commonType(field, graphqlName), "args");
      const owner = { kind: "table", source, table } as const;
      yield { name, of: `computed field "${field}" of table "${displayName}"`, owner, text };
    }
  }
  const natives = [
    ...Array.from(nativeQueries, ([field, each]) => ["native query", field, each] as const),
    ...Array.from(storedProcedures, ([field, each]) => ["stored procedure", field, each] as const),
  ];
  for (const [kind, field, { arguments: given }] of natives) {
    const text = argumentsText(given, () => true);
    if (text === "") continue;
    const name = naming.type(field, "arguments");
    yield { name, of: `${kind} "${field}"`, owner: { kind, source, name: field }, text };
  }
}

interface Argument {
  readonly name?: string | null;
  readonly type: TypeRef;
}

function argumentsText(given: readonly Argument[], isGiven: (position: number) => boolean): string {
  return given.flatMap(({ name, type }, i) => (isGiven(i) ? [`${name ?? i}: ${type.sql}`] : [])).join(", ");
}

type Named = Generator<readonly [name: string, owner: string]>;

function* comparisonsOf({ source, shape }: AnalyzedSource, naming: Naming): Generator<string> {
  for (const scalar of new Set(dialectOf(source.kind).scalarNames(shape))) yield* comparisonsOfScalar(scalar, naming);
}

/** Yields the names of the inputs that compare values of a scalar. */
export function* comparisonsOfScalar(scalar: string, naming: Naming): Generator<string> {
  for (const suffix of comparisonSuffixes) yield naming.joined(naming.commonType(scalar), suffix);
  yield naming.commonType(`${scalar}_cast_exp`);
  for (const input of operandInputs[scalar] ?? []) yield naming.commonType(input);
}

/** A character that no name contains. */
const place = "\u0000";

function around(type: string, suffix: string): Around {
  const [before = "", after = ""] = type.split(place);
  return { before, after, suffix };
}

/** Yields each base name that forms the name together with one of the affixes. */
function* basesOf(name: string, all: readonly Around[]): Iterable<{ readonly base: string; readonly suffix: string }> {
  for (const { before, after, suffix } of all) {
    if (name.length <= before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) continue;
    yield { base: name.slice(before.length, name.length - after.length), suffix };
  }
}
