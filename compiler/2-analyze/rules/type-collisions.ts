/**
 * Detects objects that define different types with the same name: the schema could contain only one of them. Tables with
 * equal types, as in two databases with the same schema, may share a name.
 */
import type { Naming } from "../../../runtime/model/definitions/naming.ts";
import { dialectOf } from "../../dialects/index.ts";
import type { Analysis, AnalysisOptions, AnalyzedSource } from "../analysis.ts";
import type { AnalyzedTable } from "../analyzed-table.ts";
import { type Collision, type Owner, ownerText } from "../collisions.ts";
import { haveDistinctTypes } from "./distinct-types.ts";
import { type ArgumentsType, fixedTypes, isNamespace, namingOf, SourceTypes, scalarColumns } from "./type-names.ts";
import { fieldOf, objectText } from "./type-texts.ts";

/** An object with a row type, and the name of that type. */
interface Row {
  readonly name: string;
  readonly owner: Exclude<Owner, { readonly kind: "action" | "source" | "function" }>;
}

/** Returns the first collision between types, if any. */
export function typeCollision(
  sources: ReadonlyMap<string, AnalyzedSource>,
  options: AnalysisOptions,
  previous: Analysis | undefined,
): Collision | undefined {
  if (previous !== undefined && haveDistinctTypes(sources, previous.sources)) return undefined;
  const rows = new Map<string, Row>();
  for (const row of rowsOf(sources)) {
    const other = rows.get(row.name);
    if (other !== undefined && textOf(other.owner) !== textOf(row.owner))
      return collision(row.name, other.owner, row.owner);
    rows.set(row.name, row);
  }
  const scalars = scalarColumns(sources);
  const types = Array.from(sources.values(), (source) => ({ source, types: new SourceTypes(source) }));
  for (const row of rows.values()) {
    const other = otherType(row, scalars, types);
    if (other !== undefined) return collisionWith(row, other);
    for (const each of types) {
      for (const { of, suffix } of each.types.generated(row.name)) {
        const base = rows.get(of)?.owner;
        if (base !== undefined && isGenerated(suffix, base, options)) return collision(row.name, base, row.owner);
      }
    }
  }
  return argumentCollision(
    types.flatMap(({ types: own }) => own.arguments()),
    rows,
  );
}

interface TypesOf {
  readonly source: AnalyzedSource;
  readonly types: SourceTypes;
}

/** Describes another object whose type has the name of a row type; `undefined` if there is none. */
function otherType({ name }: Row, scalars: ReadonlyMap<string, string>, types: readonly TypesOf[]): string | undefined {
  if (fixedTypes.has(name)) return "a type of every schema";
  const scalar = scalars.get(name);
  if (scalar !== undefined) return scalar;
  for (const { source, types: own } of types) {
    // Collecting the scalars of a whole database is slow, so it is limited to names that comparison inputs can have.
    if (/(exp|input)$/i.test(name) && own.comparisons().has(name)) {
      return `an input that compares values in source ${source.name}`;
    }
    if (isNamespace(name, source)) return `the namespace of source ${source.name}`;
  }
  return undefined;
}

/**
 * Returns a collision between different input types of arguments with one name, or between such a type and a row type.
 */
function argumentCollision(inputs: readonly ArgumentsType[], rows: ReadonlyMap<string, Row>): Collision | undefined {
  const byName = new Map<string, ArgumentsType>();
  for (const each of inputs) {
    const row = rows.get(each.name);
    if (row !== undefined) return collision(each.name, row.owner, each.owner);
    const other = byName.get(each.name);
    if (other !== undefined && other.text !== each.text) {
      // The second owner is excluded from the schema: a table takes precedence.
      const [first, second] = each.owner.kind === "table" ? [each, other] : [other, each];
      return collision(each.name, first.owner, second.owner);
    }
    byName.set(each.name, each);
  }
  return undefined;
}

function* rowsOf(sources: ReadonlyMap<string, AnalyzedSource>): Generator<Row> {
  for (const source of sources.values()) {
    const naming = namingOf(source);
    for (const table of source.tables.values()) {
      if (table.graphqlName !== null)
        yield { name: naming.type(table.graphqlName), owner: { kind: "table", source, table } };
    }
    const models = [
      ...Array.from(source.logicalModels.keys(), (name) => ["logical model", name, name] as const),
      ...Array.from(source.nativeQueries, ([name, { model }]) => ["native query", name, model.name] as const),
      ...Array.from(source.storedProcedures, ([name, { model }]) => ["stored procedure", name, model.name] as const),
    ];
    for (const [kind, name, model] of models) {
      if (kind !== "logical model" && source.logicalModels.has(model)) continue;
      yield { name: naming.type(model), owner: { kind, source, name } };
    }
  }
}

/** Returns a text that is equal for row types that clients cannot distinguish. */
function textOf({ source, ...owner }: Row["owner"]): string {
  const naming = namingOf(source);
  if (owner.kind !== "table") return `${owner.kind} ${owner.name} of ${source.name}`;
  const { columns, relationships, computedFields, remoteRelationships, shape } = owner.table;
  const columnFields = columns.flatMap((column) => {
    const target = column.enumTable === undefined ? undefined : typeNameOf(column.enumTable, source, naming);
    return fieldOf(column, source.source.kind).map((field) =>
      target ? { ...field, type: `enum of ${target}` } : field,
    );
  });
  const others = [
    ...Array.from(relationships.values(), ({ name, kind, target }) => ({
      name,
      type: `${kind} ${typeNameOf(target, source, naming)}`,
    })),
    ...Array.from(computedFields.values(), ({ name, returns }) => {
      const type = returns.kind === "table" ? typeNameOf(returns.target, source, naming) : returns.type.sql;
      return { name, type: `computed ${type}` };
    }),
    ...Array.from(remoteRelationships.keys(), (name) => ({ name, type: "remote relationship" })),
  ];
  const values = shape.enumValues?.map(({ value }) => value).join(" ") ?? "";
  return objectText([...columnFields, ...others.map((field) => ({ ...field, inputs: "" }))]) + values;
}

function typeNameOf(key: string, { tables }: AnalyzedSource, naming: Naming): string {
  const name = tables.get(key)?.graphqlName;
  return name ? naming.type(name) : key;
}

/** Returns true if the admin schema may have the owner's type with this suffix. Not exact for rare types. */
function isGenerated(suffix: string, owner: Row["owner"], options: AnalysisOptions): boolean {
  const isOfModel = modelSuffixes.has(suffix);
  if (owner.kind !== "table") return isOfModel || suffix === "order_by";
  if (isOfModel) return false;
  const { shape, primaryKey, table } = owner.table;
  const hidden = options.experimentalFeatures;
  const { upsert } = dialectOf(owner.source.source.kind).runtime.dialect;
  const findsByColumns = upsert.argument === "if_matched";
  switch (suffix) {
    case "enum":
      return table.is_enum === true;
    case "stream_cursor_input":
    case "stream_cursor_value_input":
      return !hidden.has("hide_stream_fields");
    case "insert_input":
    case "obj_rel_insert_input":
    case "arr_rel_insert_input":
      return shape.insertable;
    case "constraint":
    case "on_conflict":
      return shape.insertable && !findsByColumns && hasUniqueKey(shape);
    case "update_column":
      return shape.insertable && (findsByColumns || hasUniqueKey(shape));
    case "if_matched":
    case "insert_match_column":
      return shape.insertable && findsByColumns;
    case "mutation_response":
      return shape.insertable || shape.updatable || shape.deletable;
    case "pk_columns_input":
      return shape.updatable && primaryKey.length > 0;
    case "updates":
      return shape.updatable && !hidden.has("hide_update_many_fields");
    default:
      return suffix.endsWith("_input") ? shape.updatable : true;
  }
}

/** Suffixes of types that only native queries have. */
const modelSuffixes: ReadonlySet<string> = new Set(["bool_exp_bool_exp", "enum_name"]);

function hasUniqueKey({ primaryKey, uniqueKeys, uniqueIndexes = [] }: AnalyzedTable["shape"]): boolean {
  return primaryKey !== null || uniqueKeys.length + uniqueIndexes.length > 0;
}

function collision(name: string, first: Owner, second: Owner): Collision {
  const owners = [ownerText(first), ownerText(second)].join(", ");
  return { message: messageFor(name, owners), owners: [[first, second]] };
}

function collisionWith({ name, owner }: Row, other: string): Collision {
  return { message: messageFor(name, `${other}, ${ownerText(owner)}`), owners: [[owner]] };
}

const messageFor = (name: string, owners: string): string =>
  `Found conflicting definitions for GraphQL type '${name}' by [${owners}]. Give one of them another name: a custom_name, or a prefix or suffix for the type names of its source.`;
