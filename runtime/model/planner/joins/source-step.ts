/**
 * Rows of another source for all keys of a level: one statement, whatever their number
 * (`docs/remote-relationships.md`).
 */

import { EngineError } from "../../../values/errors.ts";
import { joinKeysSlot, type KeyForm } from "../../definitions/parameters.ts";
import { keyColumn, type ToSource } from "../../definitions/remote-relationship.ts";
import { joinSql, parameter, render, type Sql, sql } from "../../definitions/sql.ts";
import type { SourceDefinition } from "../../definitions/table.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { type BuildContext, buildContext, type PlanOptions } from "../select/context.ts";
import { selectJoined } from "../select/select.ts";
import type { SourceStep, StepPlace } from "./join-plan.ts";

/** A field whose values another source has. */
export interface SourcePlace extends StepPlace {
  readonly field: SelectedField;
  readonly join: ToSource;
}

export function sourceStep(
  source: SourceDefinition,
  places: readonly SourcePlace[],
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): SourceStep {
  const context = buildContext(source.dialect, options, variables);
  const rows = places.map((place, i) => rowsOfPlace(place, i, context));
  const { text, slots } = render(joinSql([...context.before, joinSql(rows, "\nunion all ")], ";\n"), source.dialect);
  return {
    kind: "source",
    source: source.name,
    text,
    slots,
    places: places.map(({ field: _, join: __, ...place }) => place),
  };
}

/** One row: the number of the place, and the values for its keys as one text, each with the position of its key. */
function rowsOfPlace({ field, join }: SourcePlace, place: number, context: BuildContext): Sql {
  const { dialect } = context;
  const { entities } = dialect;
  if (!entities) throw new EngineError("unexpected", field.path, "this database takes no lists of keys");
  const given = context.alias();
  const list = (column: number, form: KeyForm) => ({
    name: keyColumn(column),
    values: parameter(joinKeysSlot(place, column, form, dialect.writes.textList)),
  });
  const texts = join.types.map(({ json }, i) => list(i, json ? "json" : "text"));
  // Where no columns are compared, the keys say how many rows there are.
  if (texts.length === 0) texts.push(list(0, "json"));
  const typed = dialect.select({
    columns: [
      sql`${given}.i as i`,
      ...join.types.map(
        (type, i) =>
          sql`${entities.joinOperand(sql`${given}.${keyColumn(i)}`, type, join.keys[i]?.value?.type)} as ${keyColumn(i)}`,
      ),
    ],
    from: entities.numberedRowsOfTexts(texts, given),
  });
  const row = context.alias();
  const { value, from } = selectJoined(join.relationship, field, { keys: sql`(${typed})`, row }, context);
  const number = dialect.textLiteral(String(place));
  const rows = dialect.select({ columns: [sql`${row}.i as i`, sql`${value} as v`], from });
  const all = context.alias();
  const placed = entities.placedTexts(sql`${all}.i`, sql`${all}.v`);
  return dialect.select({ columns: [sql`${number} as p`, sql`${placed} as v`], from: sql`(${rows}) ${all}` });
}
