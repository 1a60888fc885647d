/** Emits the shared modules of sources and tables: `sources/<source>/source.ts`, `sources/<source>/<schema>.<table>.ts`. */
import type {
  ColumnIr,
  ComputedFieldIr,
  DocumentIr,
  JoinIr,
  NativeArgumentIr,
  NativeQueryIr,
  SourceIr,
  StoredProcedureIr,
  TableIr,
} from "../3-lower/ir.ts";
import { label as rowsLabel } from "../3-lower/table-names.ts";
import { isScalarCall, type JoinedColumns, type ScalarCall } from "../dialects/dialect.ts";
import { propertyAccess, propertyKey, stringLiteral, templateLines, templateLiteral, templateText } from "./escape.ts";
import { exportName, identifier } from "./identifiers.ts";
import { type Code, call, commented, group, object, sequence } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { enumPath, functionPath, sourcePath, tablePath } from "./paths.ts";

/** Returns the name under which a module exports its source; reserved words such as `default` get a suffix. */
export function sourceExport(source: string): string {
  const name = identifier(source);
  return name === `${source}_` ? `${source}Source` : name;
}

export function emitSource(source: SourceIr, slice: string): ModuleText {
  const name = sourceExport(source.name);
  const from = `source ${source.name} (${source.kind})`;
  const module = new ModuleBuilder(sourcePath(source.name), { from, slice }, [name]);
  const typeNames = Object.entries(source.typeNames).map(([key, text]) => member(key, stringLiteral(text)));
  const naming = typeNames.length === 0 ? [] : [object(typeNames)];
  module.export(
    [],
    name,
    call(
      module.support("defineSource"),
      object([
        member("name", stringLiteral(source.name)),
        member("dialect", module.support(source.dialect)),
        member("naming", call(module.support(source.naming), ...naming)),
        ...(source.hidesAggregatePredicates ? [member("hidesAggregatePredicates", "true")] : []),
        ...(source.takenTypes.length === 0
          ? []
          : [member("takenTypes", group("[", source.takenTypes.map(stringLiteral), "]"))]),
      ]),
    ),
  );
  return module.print();
}

export function emitTable(table: TableIr, slice: string): ModuleText {
  const name = exportName(table.table.name);
  const label = rowsLabel(table.table);
  const from = `${table.query ? "" : "table "}${label} (source ${table.table.source})`;
  const exports = [
    "columns",
    name,
    ...(table.joins.length === 0 ? [] : ["joins"]),
    ...(table.computedFields.length === 0 ? [] : ["computedFields"]),
  ];
  const module = new ModuleBuilder(tablePath(table.table), { from, slice }, exports);
  module.export([`Columns of ${label}.`], "columns", object(table.columns.map((column) => columnCode(module, column))));
  module.export([table.query ? `Rows of ${label}.` : `Table ${label}.`], name, tableCode(module, table));
  if (table.joins.length > 0) {
    const joins = table.joins.map((join) => joinCode(module, join, table));
    module.export(["Join conditions of relationships."], "joins", object(joins));
  }
  if (table.computedFields.length > 0) {
    const fields = table.computedFields.map((field) => computedCode(module, field));
    module.export(["Computed fields."], "computedFields", object(fields));
  }
  return module.print();
}

/** Emits `key: value`. */
export const member = (key: string, value: Code): Code => sequence(`${propertyKey(key)}: `, value);

/** Emits `object.name`. */
export const memberOf = (object: Code, name: string): Code => sequence(object, propertyAccess("", name));

function columnCode(module: ModuleBuilder, column: ColumnIr): Code {
  const { field, sql, type, enumTable, nullable, readsData, description } = column;
  const options = [
    ...(nullable ? [member("nullable", "true")] : []),
    ...(readsData ? [member("readsData", "true")] : []),
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
  ];
  const scalar = scalarCode(module, type);
  const values = enumTable && module.import(enumPath(enumTable), exportName(enumTable.name));
  const args = [
    stringLiteral(field),
    templateLiteral(sql),
    values === undefined ? scalar : call(module.support("enumOf"), values, scalar),
  ];
  return member(field, call(module.support("column"), ...args, ...(options.length === 0 ? [] : [object(options)])));
}

export function scalarCode(module: ModuleBuilder, scalar: ScalarCall): Code {
  const args = scalar.arguments.map((argument) => {
    if (typeof argument === "string") return stringLiteral(argument);
    if (isScalarCall(argument)) return scalarCode(module, argument);
    return object(Object.entries(argument).map(([key, text]) => member(key, stringLiteral(text))));
  });
  return sequence(module.support(scalar.function), group("(", args, ")"));
}

function tableCode(module: ModuleBuilder, table: TableIr): Code {
  const { source } = table.table;
  const key = table.primaryKey.map((field) => propertyAccess("columns", field));
  const define = module.support("defineTable");
  const description = table.description === undefined ? [] : [member("description", stringLiteral(table.description))];
  const properties = [
    member("source", module.import(sourcePath(source), sourceExport(source))),
    member("sql", templateLiteral(table.sql)),
    member("type", stringLiteral(table.type)),
    member("displayName", stringLiteral(table.displayName)),
    ...description,
    member("primaryKey", group("[", key, "]")),
    ...(table.constraints.length === 0 ? [] : [member("constraints", constraintsCode(module, table.constraints))]),
    ...(table.namesColumns ? [member("columns", "Object.values(columns)")] : []),
    ...(table.distribution ? [member("distribution", distributionCode(table.distribution))] : []),
    ...(table.partitioned ? [member("partitioned", "true")] : []),
    ...(table.earlyTriggers ? [member("earlyTriggers", "true")] : []),
    ...(table.mayLeaveOutRows ? [member("mayLeaveOutRows", "true")] : []),
    ...(table.query ? [member("query", rowsCode(module, table.query))] : []),
  ];
  return call(define, object(properties));
}

function distributionCode(distribution: NonNullable<TableIr["distribution"]>): Code {
  const { kind } = distribution;
  if (kind !== "distributed") return object([member("kind", stringLiteral(kind))]);
  const { column, colocation } = distribution;
  return object([
    member("kind", stringLiteral(kind)),
    ...(column === undefined ? [] : [member("column", templateLiteral(column))]),
    member("colocation", String(colocation)),
  ]);
}

function rowsCode(module: ModuleBuilder, query: NonNullable<TableIr["query"]>): Code {
  if ("nestedModel" in query) return call(module.support("nestedModel"), stringLiteral(query.nestedModel));
  return "procedure" in query ? procedureCode(module, query) : nativeQueryCode(module, query);
}

/**
 * Emits `nativeQuery({ name, objectType, arguments: [nativeArgument("since", …)], rows: (since) => sql`select …` })`.
 */
function nativeQueryCode(module: ModuleBuilder, query: NativeQueryIr): Code {
  const tag = module.support("sql");
  const args = query.arguments.map((argument) =>
    call(
      module.support("nativeArgument"),
      stringLiteral(argument.name),
      scalarCode(module, argument.type),
      ...argumentOptions(argument),
    ),
  );
  const parameters = module.parameters(query.arguments.map((argument) => identifier(argument.name)));
  const text = query.code.map((piece) =>
    typeof piece === "string" ? templateLines(piece) : `\${${parameters[piece]}}`,
  );
  return call(
    module.support("nativeQuery"),
    object([
      member("name", stringLiteral(query.name)),
      member("objectType", stringLiteral(query.objectType)),
      ...(args.length === 0 ? [] : [member("arguments", group("[", args, "]"))]),
      member("rows", `(${parameters.join(", ")}) => ${tag}\`${text.join("")}\``),
    ]),
  );
}

function argumentOptions({ nullable, description }: NativeArgumentIr): readonly Code[] {
  const options = [
    ...(nullable ? [member("nullable", "true")] : []),
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
  ];
  return options.length === 0 ? [] : [object(options)];
}

/** Emits `storedProcedure({ name, objectType, procedure: `[dbo].[p]`, columns: [{ sql: `[id]`, type: `int` }] })`. */
function procedureCode(module: ModuleBuilder, { arguments: declared, columns, ...procedure }: StoredProcedureIr): Code {
  const args = declared.map((argument) =>
    call(
      module.support("procedureArgument"),
      stringLiteral(argument.name),
      scalarCode(module, argument.type),
      stringLiteral(argument.variable),
      ...argumentOptions(argument),
    ),
  );
  const result = columns.map(({ sql, type }) =>
    object([member("sql", templateLiteral(sql)), member("type", stringLiteral(type))]),
  );
  return call(
    module.support("storedProcedure"),
    object([
      member("name", stringLiteral(procedure.name)),
      member("objectType", stringLiteral(procedure.objectType)),
      member("procedure", templateLiteral(procedure.procedure)),
      member("columns", group("[", result, "]")),
      ...(args.length === 0 ? [] : [member("arguments", group("[", args, "]"))]),
    ]),
  );
}

/**
 * Emits `[constraint("loan_pkey", `"loan_pkey"`, ["id"]), uniqueIndex("loan_open", `"loan_open"`, ["book"], { elements:
 * …, condition: … })]`.
 */
function constraintsCode(module: ModuleBuilder, constraints: TableIr["constraints"]): Code {
  const items = constraints.map(({ name, sql, columns, isIndex, partial }) =>
    call(
      module.support(isIndex ? "uniqueIndex" : "constraint"),
      stringLiteral(name),
      templateLiteral(sql),
      group("[", columns.map(stringLiteral), "]"),
      ...(partial
        ? [
            object([
              member("elements", group("[", partial.elements.map(templateLiteral), "]")),
              ...(partial.condition === undefined ? [] : [member("condition", templateLiteral(partial.condition))]),
            ]),
          ]
        : []),
    ),
  );
  return group("[", items, "]");
}

/** Emits `name: joinOn((loan, member) => sql`…`, { unique: true })`. */
function joinCode(module: ModuleBuilder, join: JoinIr, { table: { name: table }, distribution }: TableIr): Code {
  if (join.document) return commented([join.comment], member(join.name, documentCode(module, join.document)));
  const define = module.support("joinOn");
  const tag = module.support("sql");
  const [from = "", to = ""] = module.parameters([identifier(table), identifier(joinedName(join, table))]);
  const on = `(${from}, ${to}) => ${tag}\`${joinCondition(join.columns, from, to)}\``;
  const options = object([
    member("unique", String(join.unique)),
    ...(distribution ? [member("columns", joinedPairs(join.columns))] : []),
    ...(join.insert ? [member("insert", joinInsertCode(module, join.insert))] : []),
  ]);
  return commented([join.comment], member(join.name, call(define, on, options)));
}

const joinedPairs = (columns: readonly JoinedColumns[]): Code => {
  const pairs = columns.map(({ local, remote }) =>
    object([member("local", templateLiteral(local)), member("remote", templateLiteral(remote))]),
  );
  return group("[", pairs, "]");
};

/** Emits `${member}.id = ${loan}.member_id`, or a true condition for a relationship that compares no columns. */
export function joinCondition(columns: readonly JoinedColumns[], from: string, to: string): string {
  if (columns.length === 0) return "1 = 1";
  return columns
    .map(({ local, remote, operator = "=", cast }) => {
      const as = cast === undefined ? "" : `::${templateText(cast)}`;
      return `\${${to}}.${templateText(remote)}${as} ${templateText(operator)} \${${from}}.${templateText(local)}${as}`;
    })
    .join(" and ");
}

/** Emits `documentJoin({ column: `"items"`, list: true, members: [{ key: "sku", sql: `"sku"`, type: "text" }] })`. */
function documentCode(module: ModuleBuilder, { column, list, members }: DocumentIr): Code {
  const items = members.map(({ key, sql, type, nested }) =>
    object([
      member("key", stringLiteral(key)),
      member("sql", templateLiteral(sql)),
      member("type", stringLiteral(type)),
      ...(nested ? [member("nested", "true")] : []),
    ]),
  );
  return call(
    module.support("documentJoin"),
    object([
      member("column", templateLiteral(column)),
      member("list", String(list)),
      member("members", group("[", items, "]")),
    ]),
  );
}

/** Emits `insertBefore([copyColumn(`"id"`, `"member_id"`, pg("uuid"))])`. */
function joinInsertCode(module: ModuleBuilder, { order, copies }: NonNullable<JoinIr["insert"]>): Code {
  const define = module.support(order === "before" ? "insertBefore" : "insertAfter");
  const items = copies.map(({ from, to, type }) =>
    call(module.support("copyColumn"), templateLiteral(from), templateLiteral(to), scalarCode(module, type)),
  );
  return call(define, group("[", items, "]"));
}

/** Returns the parameter name for the joined table: the relationship's name if a table joins itself. */
const joinedName = ({ target, name }: JoinIr, table: string): string =>
  identifier(target.name) === identifier(table) ? name : target.name;

/** Emits `full_name: computedValue(full_name, pg("text"), { row: 0 })`. */
function computedCode(module: ModuleBuilder, field: ComputedFieldIr): Code {
  const { name, type, row, rowType, columns, session, description } = field;
  const called = module.import(functionPath(field.function), exportName(field.function.name));
  const options = object([
    ...(row === undefined ? [] : [member("row", String(row))]),
    ...(rowType === undefined
      ? []
      : [
          member(
            "rowType",
            object([
              member("type", templateLiteral(rowType.type)),
              member("columns", group("[", rowType.columns.map(templateLiteral), "]")),
            ]),
          ),
        ]),
    ...(columns === undefined
      ? []
      : [
          member(
            "columns",
            object(Object.entries(columns).map(([i, sql]) => sequence(`${i}: `, templateLiteral(sql)))),
          ),
        ]),
    ...(session === undefined ? [] : [member("session", String(session))]),
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
  ]);
  if (type === undefined) return member(name, call(module.support("computedRows"), called, options));
  return member(name, call(module.support("computedValue"), called, scalarCode(module, type), options));
}
