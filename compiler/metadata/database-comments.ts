/** Copies comments of databases into metadata without own comments, so that descriptions do not depend on inference. */
import { qualifiedKey } from "../2-analyze/analysis.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ColumnConfig, QualifiedName, Source, Table } from "../catalog/model.ts";
import type { ColumnShape, FunctionShape, Shape, TableShape } from "../shape/shape.ts";

/**
 * Returns the catalog with the comments of tables, columns and functions that it tracks. Comments of the catalog take
 * precedence, also empty ones, which remove a description.
 * @param shapes the databases of the sources whose comments are copied
 */
export function withDatabaseComments(catalog: Catalog, shapes: ReadonlyMap<string, Shape>): Catalog {
  const sources = catalog.sources.map((source) => {
    const shape = shapes.get(source.name);
    return shape === undefined ? source : sourceWithComments(source, shape);
  });
  return { ...catalog, sources };
}

function sourceWithComments(source: Source, shape: Shape): Source {
  const tables = new Map(shape.tables.map((table) => [qualifiedKey(table), table]));
  const commentOf = functionComments(shape.functions);
  return {
    ...source,
    tables: source.tables.map((table) => tableWithComments(table, tables.get(qualifiedKey(table.table)), commentOf)),
    functions: source.functions.map((tracked) => withComment(tracked, commentOf(tracked.function))),
  };
}

type CommentOf = (name: QualifiedName) => string | null;

/** Overloaded functions have no comment, because the metadata cannot refer to one of them. */
function functionComments(functions: readonly FunctionShape[]): CommentOf {
  const comments = new Map<string, string | null>();
  for (const shape of functions) {
    const key = qualifiedKey(shape);
    comments.set(key, comments.has(key) ? null : shape.comment);
  }
  return (name) => comments.get(qualifiedKey(name)) ?? null;
}

function tableWithComments(table: Table, shape: TableShape | undefined, commentOf: CommentOf): Table {
  const computed_fields = table.computed_fields.map((field) =>
    withComment(field, commentOf(field.definition.function)),
  );
  if (shape === undefined) return { ...table, computed_fields };
  const own = table.configuration ?? {};
  const columns = columnsWithComments(own.column_config ?? {}, shape.columns);
  const configuration = {
    ...withComment(own, shape.comment),
    ...(columns.size > 0 && { column_config: Object.fromEntries(columns) }),
  };
  return { ...table, computed_fields, ...(Object.keys(configuration).length > 0 && { configuration }) };
}

function columnsWithComments(
  own: Readonly<Record<string, ColumnConfig>>,
  columns: readonly ColumnShape[],
): ReadonlyMap<string, ColumnConfig> {
  const configured = new Map(Object.entries(own));
  for (const { name, comment } of columns) {
    if (comment !== null) configured.set(name, withComment<ColumnConfig>(configured.get(name) ?? {}, comment));
  }
  return configured;
}

/** Adds a comment to an object without one. An empty comment counts, because it removes a description. */
function withComment<T extends { readonly comment?: string | null }>(owner: T, comment: string | null): T {
  return comment === null || typeof owner.comment === "string" ? owner : { ...owner, comment };
}
