/** Lowers the sources and tables of the Analysis to the IR of `sources/`, which all roles share. */

import { automaticFieldDescription } from "../../runtime/model/definitions/function.ts";
import { automaticDescription } from "../../runtime/model/definitions/table.ts";
import { cutEnd } from "../../runtime/values/cut-end.ts";
import { invariant } from "../../runtime/values/errors.ts";
import type { AnalyzedNativeArgument, AnalyzedNativeQuery, AnalyzedStoredProcedure } from "../2-analyze/analysis.ts";
import {
  type AnalyzedColumn,
  type AnalyzedComputedField,
  type AnalyzedRelationship,
  keyFields,
} from "../2-analyze/analyzed-table.ts";
import { splitAtArguments } from "../catalog/native-code.ts";
import { printName } from "../catalog/schema/names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { TypeRef } from "../shape/shape.ts";
import type {
  ColumnIr,
  ComputedFieldIr,
  JoinIr,
  NativeArgumentIr,
  NativeQueryIr,
  RowsName,
  SourceIr,
  StoredProcedureIr,
  TableIr,
} from "./ir.ts";
import type { NativeRows } from "./native-rows.ts";
import type { RelationshipInputs } from "./relationship-inputs.ts";
import type { SourceInputs, TableInputs } from "./table-inputs.ts";
import { label, refTo } from "./table-names.ts";

/** Name of the dialect of Citus in `engine/support`. */
const distributedDialect = "citus";

export function lowerSource({ name, kind, convention, customization, ...options }: SourceInputs): SourceIr {
  const { prefix, suffix } = customization?.type_names ?? {};
  return {
    name,
    kind,
    dialect: options.isDistributed ? distributedDialect : dialectOf(kind).runtime.name,
    naming: convention === "graphql-default" ? "graphqlDefault" : "engineDefault",
    hidesAggregatePredicates: options.hidesAggregatePredicates,
    takenTypes: options.takenTypes ?? [],
    typeNames: { ...(prefix ? { typePrefix: prefix } : {}), ...(suffix ? { typeSuffix: suffix } : {}) },
  };
}

export function lowerTable(inputs: TableInputs): TableIr {
  const { source, kind, table, graphqlName, displayName, description, relation, distribution } = inputs;
  const dialect = dialectOf(kind);
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  return {
    table: refTo(source, table),
    sql: table.native ? quote(table.name) : `${quote(table.schema)}.${quote(table.name)}`,
    type: graphqlName,
    displayName,
    ...ownDescription(description, table.native ? "" : automaticDescription(displayName)),
    columns: inputs.columns.flatMap((column) => lowerColumn(column, inputs, dialect)),
    primaryKey: keyFields(inputs.primaryKey) ?? [],
    constraints: [
      ...inputs.constraints.map(({ name, columns }) => ({ name, sql: quote(name), columns })),
      ...inputs.uniqueIndexes.map(({ name, columns, elements, condition }) => ({
        name,
        sql: quote(name),
        columns,
        isIndex: true as const,
        ...(elements && { partial: { elements, ...(condition !== undefined && { condition }) } }),
      })),
    ],
    partitioned: relation.kind === "partitioned_table",
    ...(dialect.runtime.dialect.writes.keptRows || distribution ? { namesColumns: true } : {}),
    ...(distribution && { distribution: quotedDistribution(distribution, quote) }),
    // A view may select from a table with statement triggers.
    earlyTriggers:
      relation.statementTriggers === true || (relation.kind !== "table" && relation.kind !== "partitioned_table"),
    // Each partition can have its own triggers.
    mayLeaveOutRows: relation.insertTriggers === true || relation.kind !== "table",
    joins: inputs.relationships.map((each) => lowerJoin(table, each, dialect)),
    computedFields: inputs.computedFields.map(({ computed }) => ({
      ...lowerComputedField(source, computed, dialect),
      ...(distribution && rowTypeOf(computed, inputs.columns, quote)),
    })),
    ...(inputs.query ? { query: lowerRows(inputs.query, dialect) } : {}),
  };
}

function quotedDistribution(
  distribution: NonNullable<TableInputs["distribution"]>,
  quote: (name: string) => string,
): NonNullable<TableIr["distribution"]> {
  if (!("column" in distribution) || distribution.column === undefined) return distribution;
  return { ...distribution, column: quote(distribution.column) };
}

/** Returns the type of the row that a computed field passes to its function. */
function rowTypeOf(
  { function: { arguments: args }, tableArgument }: AnalyzedComputedField,
  columns: readonly AnalyzedColumn[],
  quote: (name: string) => string,
): Pick<ComputedFieldIr, "rowType"> {
  const argument = tableArgument === undefined ? undefined : args[tableArgument];
  return argument ? { rowType: { type: argument.type.sql, columns: columns.map(({ name }) => quote(name)) } } : {};
}

function lowerRows(rows: NativeRows, dialect: Dialect): NonNullable<TableIr["query"]> {
  if ("query" in rows) return lowerNativeQuery(rows, dialect);
  return "procedure" in rows ? lowerProcedure(rows, dialect) : { nestedModel: rows.model.name };
}

/**
 * Lowers a native query. If it has relationships, it needs a separate object type, because other queries of its model
 * lack them.
 */
function lowerNativeQuery({ query, model, arguments: args }: AnalyzedNativeQuery, dialect: Dialect): NativeQueryIr {
  const { code, root_field_name, object_relationships, array_relationships } = query;
  const hasRelationships = object_relationships.length + array_relationships.length > 0;
  const positions = new Map(args.map(({ name }, i) => [name, i]));
  // Pieces alternate between SQL text and argument names.
  const pieces = splitAtArguments(code);
  return {
    name: root_field_name,
    objectType: hasRelationships ? root_field_name : model.name,
    code: pieces.map((piece, i) => (i % 2 === 0 ? piece : (positions.get(piece) ?? 0))),
    arguments: args.map((argument) => lowerArgument(argument, dialect)),
  };
}

function lowerArgument(
  { name, type, nullable, description }: AnalyzedNativeArgument,
  dialect: Dialect,
): NativeArgumentIr {
  const described = description === undefined ? {} : { description };
  return { name, type: dialect.scalarCall(type), nullable, ...described };
}

function lowerProcedure(
  { procedure, field, model, arguments: args }: AnalyzedStoredProcedure,
  dialect: Dialect,
): StoredProcedureIr {
  const { quoteIdentifier } = dialect.runtime.dialect;
  const { schema, name } = procedure.stored_procedure;
  const declared = (type: TypeRef): string => {
    const text = dialect.procedures?.declaredType(type);
    invariant(text !== undefined, `a stored procedure uses type ${type.sql}, which cannot be declared`);
    return text;
  };
  return {
    name: field,
    objectType: model.name,
    procedure: `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`,
    columns: model.columns.map(({ name: column, shape }) => ({
      sql: quoteIdentifier(column),
      type: declared(shape.type),
    })),
    arguments: args.map((argument) => ({
      ...lowerArgument(argument, dialect),
      variable: declared(argument.type),
    })),
  };
}

function lowerColumn(
  { name, field, shape, description, enumTable }: AnalyzedColumn,
  { source, enumTables }: TableInputs,
  dialect: Dialect,
): ColumnIr[] {
  if (field === null) return [];
  const values = enumTable === undefined ? undefined : enumTables[enumTable];
  return [
    {
      field,
      sql: dialect.runtime.dialect.quoteIdentifier(name),
      type: dialect.scalarCall(shape.type),
      ...(values ? { enumTable: { source, schema: values.schema, name: values.name } } : {}),
      nullable: shape.nullable,
      ...(shape.readsData && { readsData: true as const }),
      ...(description ? { description } : {}),
    },
  ];
}

function lowerComputedField(source: string, computed: AnalyzedComputedField, dialect: Dialect): ComputedFieldIr {
  const { name, function: shape, returns, tableArgument, columnArguments, description } = computed;
  const columns = [...columnArguments].map(
    ([position, column]) => [position, dialect.runtime.dialect.quoteIdentifier(column)] as const,
  );
  return {
    name,
    function: { source, schema: shape.schema, name: shape.name },
    ...(returns.kind === "scalar" ? { type: dialect.scalarCall(returns.type) } : {}),
    ...(tableArgument === undefined ? {} : { row: tableArgument }),
    ...(columns.length === 0 ? {} : { columns: Object.fromEntries(columns) }),
    ...sessionPosition(computed),
    ...ownDescription(description, automaticFieldDescription(printName(shape, dialect.defaultSchema))),
  };
}

/** Returns the description unless it equals the automatic one. An empty description suppresses the automatic one. */
function ownDescription(description = "", automatic: string): { readonly description?: string } {
  return description === automatic ? {} : { description };
}

/** Returns the position of the argument that receives the session variables, if any. */
export function sessionPosition({ sessionArgument }: { readonly sessionArgument: number | undefined }): {
  readonly session?: number;
} {
  return sessionArgument === undefined ? {} : { session: sessionArgument };
}

function lowerJoin(
  table: RowsName,
  { relationship, target, copies, document }: RelationshipInputs,
  dialect: Dialect,
): JoinIr {
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  const { name, mapping, unique, comment, insertionOrder } = relationship;
  const reason = document ? `${label(target)} as JSON in ${document.column}.` : joinReason(table, relationship, target);
  return {
    name,
    comment: comment ? `${cutEnd(comment, /[.\s]/)}. ${reason}` : reason,
    target: { schema: target.schema, name: target.name },
    columns: mapping.map(({ local, remote, ...by }) => ({ local: quote(local), remote: quote(remote), ...by })),
    unique,
    ...(document && {
      document: {
        column: quote(document.column),
        list: document.list,
        members: document.members.map(({ name: key, shape, model }) => ({
          key,
          sql: quote(key),
          type: dialect.memberType(shape.type),
          ...(model && { nested: true as const }),
        })),
      },
    }),
    ...(copies && {
      insert: {
        order: insertionOrder === "before_parent" ? "before" : "after",
        copies: copies.map(({ from, to, type }) => ({
          from: quote(from),
          to: quote(to),
          type: dialect.scalarCall(type),
        })),
      },
    }),
  };
}

function joinReason(table: RowsName, { origin, mapping }: AnalyzedRelationship, target: RowsName): string {
  const local = mapping.map((pair) => pair.local).join(", ");
  const remote = mapping.map((pair) => pair.remote).join(", ");
  const verb = mapping.length === 1 ? "is" : "are";
  switch (origin) {
    case "foreign_key":
      return `${local} ${verb} a foreign key to ${label(target)}.`;
    case "foreign_key_of_other":
      return `${remote} of ${label(target)} ${verb} a foreign key to ${label(table)}.`;
    case "manual":
      return `Joins ${local} to ${remote} of ${label(target)}, by manual configuration.`;
  }
}
