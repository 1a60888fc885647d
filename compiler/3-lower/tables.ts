/** What all roles share: sources and tables of the Analysis → the IR of `sources/`. */

import type { AnalyzedColumn, AnalyzedComputedField, AnalyzedRelationship } from "../2-analyze/analysis.ts";
import type { QualifiedName } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { SourceInputs, TableInputs, TableRelationshipInputs } from "./inputs.ts";
import type { ColumnIr, ComputedFieldIr, JoinIr, SourceIr, TableIr } from "./ir.ts";

export function lowerSource({ name, kind, convention, customization, ...options }: SourceInputs): SourceIr {
  const { prefix, suffix } = customization?.type_names ?? {};
  return {
    name,
    kind,
    dialect: dialectOf(kind).runtime.name,
    naming: convention === "graphql-default" ? "graphqlDefault" : "engineDefault",
    hidesAggregatePredicates: options.hidesAggregatePredicates,
    typeNames: { ...(prefix ? { typePrefix: prefix } : {}), ...(suffix ? { typeSuffix: suffix } : {}) },
  };
}

export function lowerTable(inputs: TableInputs): TableIr {
  const { source, kind, table, graphqlName, displayName, description, relation } = inputs;
  const dialect = dialectOf(kind);
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  return {
    table: { source, schema: table.schema, name: table.name },
    sql: `${quote(table.schema)}.${quote(table.name)}`,
    type: graphqlName,
    displayName,
    ...(description ? { description } : {}),
    columns: inputs.columns.flatMap((column) => lowerColumn(column, inputs, dialect)),
    primaryKey: keyFields(inputs.primaryKey) ?? [],
    constraints: inputs.constraints.map(({ name, columns }) => ({ name, sql: quote(name), columns })),
    partitioned: relation.kind === "partitioned_table",
    ...(dialect.runtime.dialect.writes.keptRows ? { namesColumns: true } : {}),
    // A view may stand for a table that has some.
    earlyTriggers:
      relation.statementTriggers === true || (relation.kind !== "table" && relation.kind !== "partitioned_table"),
    joins: inputs.relationships.map((each) => lowerJoin(table, each, dialect)),
    computedFields: inputs.computedFields.map(({ computed }) => lowerComputedField(source, computed, dialect)),
  };
}

/** The fields of a key's columns; `undefined` unless there is a key and all its columns have one. */
export function keyFields(key: readonly AnalyzedColumn[]): readonly string[] | undefined {
  const fields = key.flatMap(({ field }) => (field === null ? [] : [field]));
  return fields.length > 0 && fields.length === key.length ? fields : undefined;
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
      ...(description ? { description } : {}),
    },
  ];
}

function lowerComputedField(source: string, computed: AnalyzedComputedField, dialect: Dialect): ComputedFieldIr {
  const { name, function: shape, returns, tableArgument, description } = computed;
  return {
    name,
    function: { source, schema: shape.schema, name: shape.name },
    ...(returns.kind === "scalar" ? { type: dialect.scalarCall(returns.type) } : {}),
    row: tableArgument,
    ...sessionPosition(computed),
    ...(description === undefined ? {} : { description }),
  };
}

/** The position of the argument that gets the session variables, if one does. */
export function sessionPosition({ sessionArgument }: { readonly sessionArgument: number | undefined }): {
  readonly session?: number;
} {
  return sessionArgument === undefined ? {} : { session: sessionArgument };
}

function lowerJoin(
  table: QualifiedName,
  { relationship, target, copies }: TableRelationshipInputs,
  dialect: Dialect,
): JoinIr {
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  const { name, mapping, unique, comment, insertionOrder } = relationship;
  const reason = joinReason(table, relationship, target);
  return {
    name,
    comment: comment ? `${comment.replace(/[.\s]*$/, ".")} ${reason}` : reason,
    target: { schema: target.schema, name: target.name },
    columns: mapping.map(({ local, remote }) => ({ local: quote(local), remote: quote(remote) })),
    unique,
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

function joinReason(table: QualifiedName, { origin, mapping }: AnalyzedRelationship, target: QualifiedName): string {
  const local = mapping.map((pair) => pair.local).join(", ");
  const remote = mapping.map((pair) => pair.remote).join(", ");
  const verb = mapping.length === 1 ? "is" : "are";
  switch (origin) {
    case "foreign_key":
      return `${local} ${verb} a foreign key to ${label(target)}.`;
    case "foreign_key_of_other":
      return `${remote} of ${label(target)} ${verb} a foreign key to ${label(table)}.`;
    case "manual":
      return `Joined as the metadata says: ${local} to ${remote} of ${label(target)}.`;
  }
}

/** How comments name a table. */
export const label = ({ schema, name }: QualifiedName): string => `${schema}.${name}`;
