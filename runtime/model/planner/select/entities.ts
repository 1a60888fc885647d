/** Selects `_entities` of Apollo Federation: a row for each representation, in order. */

import { EngineError, invariant } from "../../../values/errors.ts";
import { compareText } from "../../../values/text-order.ts";
import { columnEquals } from "../../definitions/column.ts";
import type { EntityDialect } from "../../definitions/dialect.ts";
import { type Encode, type InputRows, sourceValue } from "../../definitions/parameters.ts";
import { allOf, joinSql, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { SourceDefinition } from "../../definitions/table.ts";
import { keyColumns, type TableView } from "../../definitions/view.ts";
import { keyRows, positionKey, readRepresentations } from "../../schema/representations.ts";
import type { Input } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import type { BuildContext } from "./context.ts";
import { selectKeyed } from "./select.ts";

/** The selected entities of one source. */
export interface SelectedEntities {
  readonly source: SourceDefinition;
  readonly views: readonly TableView[];
}

type ValueInput = Extract<Input, { kind: "value" }>;

function nameOf({ table: { source, type } }: TableView): string {
  return source.naming.type(type);
}

function representationsOf(field: SelectedField): ValueInput {
  const input = field.args.get("representations");
  if (input?.kind !== "value") throw new EngineError("unexpected", field.path, "expected representations");
  return input;
}

/**
 * Returns the tables of representations, by source.
 * @param entities tables by type name
 * @throws EngineError `validation-failed`
 */
export function entitiesOf(
  field: SelectedField,
  entities: ReadonlyMap<string, TableView>,
  variables: Readonly<Record<string, unknown>>,
): readonly SelectedEntities[] {
  const input = representationsOf(field);
  const views = new Map<string, TableView>();
  for (const { typename, path } of readRepresentations(sourceValue(input.source, variables), input.path)) {
    const view = entities.get(typename);
    if (!view) {
      const message = `${typename} is not found in selection set or apollo federation is not enabled for the type`;
      throw new EngineError("validation-failed", path, message);
    }
    views.set(typename, view);
  }
  const sorted = [...views].sort(([a], [b]) => compareText(a, b)).map(([, view]) => view);
  const sources = [...new Set(sorted.map(({ table }) => table.source))];
  return sources.map((source) => ({ source, views: sorted.filter(({ table }) => table.source === source) }));
}

/** Splits the entities by type. */
export function byType(selected: readonly SelectedEntities[]): readonly SelectedEntities[] {
  return selected.flatMap(({ source, views }) => views.map((view) => ({ source, views: [view] })));
}

/** Returns the selection on each type. */
export function selectionsOf(
  { selectionOn }: SelectedField,
  selected: readonly SelectedEntities[],
): readonly (readonly SelectedField[])[] {
  invariant(selectionOn, "entities are a union");
  return selected.flatMap(({ views }) => views.map((view) => selectionOn(nameOf(view))));
}

/** Returns the JSON list of the rows, with null for rows that the role may not read. */
export function selectEntities(field: SelectedField, entities: SelectedEntities, context: BuildContext): Sql {
  const { rows, alias } = entityRows(field, entities, context);
  const list = context.dialect.jsonAggregate(sql`${alias}.v`, { position: sql`${alias}.i` });
  return sql`(select ${list} from (${rows}) ${alias})`;
}

/** Returns the rows of one of several sources as one text, each with its index in the list. */
export function selectPlacedEntities(field: SelectedField, entities: SelectedEntities, context: BuildContext): Sql {
  const { rows, alias } = entityRows(field, entities, context);
  return sql`(select ${entityDialect(context).placedTexts(sql`${alias}.i`, sql`${alias}.v`)} from (${rows}) ${alias})`;
}

function entityDialect({ dialect: { entities } }: BuildContext): EntityDialect {
  invariant(entities, "only tables of databases with support for federation are entities");
  return entities;
}

function entityRows(field: SelectedField, { views }: SelectedEntities, context: BuildContext) {
  const alias = context.alias();
  const rows = views.map((view) => rowsOfType(field, view, context));
  return { alias, rows: joinSql(rows, " union all ") };
}

function rowsOfType(field: SelectedField, view: TableView, context: BuildContext): Sql {
  const input = representationsOf(field);
  const name = nameOf(view);
  const { selectionOn } = field;
  invariant(selectionOn, "entities are a union");
  const key = keyColumns(view);
  const rows = keyRows(input.source, input.path, name, key);
  const given = context.alias();
  const lists = [
    { name: sql`i`, values: texts(rows, positionKey, encodePosition, context) },
    ...key.map((column, i) => ({
      name: verbatim(`k${i + 1}`),
      values: texts(rows, column.field, column.type.encode, context),
    })),
  ];
  const value = selectKeyed(view, selectionOn(name), context, (row) =>
    allOf(
      key.map((column, i) => {
        const text = sql`${given}.${verbatim(`k${i + 1}`)}`;
        return columnEquals(column, row, entityDialect(context).operand(text, column.type), context.session);
      }),
    ),
  );
  const from = entityDialect(context).rowsOfTexts(lists, given);
  return context.dialect.select({
    columns: [sql`${entityDialect(context).position(sql`${given}.i`)} as i`, sql`${value} as v`],
    from,
  });
}

const encodePosition: Encode = (value) => String(value);

function texts(rows: InputRows, name: string, encode: Encode, { dialect }: BuildContext): Sql {
  const key = `column ${JSON.stringify([rows.key, name])}`;
  return parameter({ kind: "column", key, rows, name, encode, list: dialect.writes.textList });
}
