/** Builds the members of `aggregate`: counts, and functions of columns and computed fields. */
import { EngineError, pathTo } from "../../../values/errors.ts";
import type { Column } from "../../definitions/column.ts";
import type { JsonMember } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import type { Sql } from "../../definitions/sql.ts";
import type { OutputMeta } from "../../schema/types.ts";
import type { Input } from "../request/input.ts";
import { booleanValue } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { checkDistinguishable, distinctColumns } from "./arguments.ts";
import { type AggregatedValues, aggregateOf } from "./carried.ts";
import { type BuildContext, operand } from "./context.ts";
import { columnOf, fractionValue, unsupported } from "./group/keys.ts";

/** Returns the selected members of an `aggregate` field. */
export function aggregateMembers(
  field: SelectedField,
  values: AggregatedValues,
  context: BuildContext,
): readonly JsonMember[] {
  return field.selection.map((f): JsonMember => {
    const { meta } = f;
    switch (meta.kind) {
      case "constant":
        return { key: f.key, value: context.dialect.textLiteral(meta.value) };
      case "count":
        return { key: f.key, value: countValue(f, values, context) };
      case "text_list":
        return { key: f.key, value: joinedTexts(f, values, context) };
      case "percentile":
        return { key: f.key, value: percentile(f, values, context) };
      case "function":
        return { key: f.key, members: functionMembers(f, meta, values, context) };
      default:
        throw misplaced(f);
    }
  });
}

function countValue(field: SelectedField, values: AggregatedValues, context: BuildContext): Sql {
  const columns = field.args.get("columns") ?? field.args.get("column");
  const distinct = field.args.get("distinct");
  const items: readonly Input[] = columns?.kind === "list" ? columns.items : columns ? [columns] : [];
  const counted = items.flatMap((i) => {
    if (i.kind !== "enum" || i.meta.kind !== "column") return [];
    return [{ value: values.column(i.meta.column), type: i.meta.column.type }];
  });
  const isDistinct = distinct?.kind === "value" && booleanValue(distinct, context.variables);
  if (isDistinct) checkDistinguishable(distinctColumns(columns), pathTo(field.path, "args", "columns"));
  return aggregateOf((given) => context.dialect.count(given, isDistinct), counted, values, context);
}

/** Returns `string_agg`. */
function joinedTexts(field: SelectedField, values: AggregatedValues, context: BuildContext): Sql {
  const { groups } = context.dialect;
  const column = columnArgument(field);
  if (!groups.isText(column.type)) throw unsupported(field.path, column, "'string_agg'", "texts");
  const separator = argumentOf(field, "separator");
  const position = values.orderOf(field);
  const joined = (value: Sql): Sql => groups.joinTexts(value, operand(separator, groups.textType), position);
  return aggregateValue(joined, values.column(column), values, context);
}

/** Returns `percentile_cont`. */
function percentile(field: SelectedField, values: AggregatedValues, context: BuildContext): Sql {
  const { percentile: of, comparedNumber } = context.dialect.groups;
  const column = columnArgument(field);
  if (!of?.supports(column.type)) throw unsupported(field.path, column, "percentiles", "numbers");
  const fraction = operand(argumentOf(field, "fraction"), comparedNumber, fractionValue);
  return aggregateValue((value) => of.call(fraction, value), values.column(column), values, context);
}

/** Returns an aggregate of one value. */
const aggregateValue = (
  aggregate: (value: Sql) => Sql,
  value: Sql,
  values: AggregatedValues,
  context: BuildContext,
): Sql => aggregateOf(([only]) => aggregate(only?.value ?? value), [{ value }], values, context);

function argumentOf(field: SelectedField, name: string): Input {
  const input = field.args.get(name);
  if (!input) throw misplaced(field);
  return input;
}

function columnArgument(field: SelectedField): Column {
  const column = columnOf(field.args.get("column"));
  if (!column) throw misplaced(field);
  return column;
}

function functionMembers(
  field: SelectedField,
  { function: f }: Extract<OutputMeta, { kind: "function" }>,
  values: AggregatedValues,
  context: BuildContext,
): readonly JsonMember[] {
  const aggregated = (value: Sql, type: ScalarType): Sql => {
    const result = aggregateValue((each) => f.call(each, type), value, values, context);
    // Aggregates are serialized like the column, including the conversion of numbers to strings.
    return type.output?.(result, context.options) ?? result;
  };
  return field.selection.map((inner): JsonMember => {
    const { key, meta } = inner;
    if (meta.kind === "constant") return { key, value: context.dialect.textLiteral(meta.value) };
    if (meta.kind === "column") return { key, value: aggregated(values.column(meta.column), meta.column.type) };
    if (meta.kind !== "computed" || meta.computed.kind !== "value") throw misplaced(inner);
    return { key, value: aggregated(values.computed(meta.computed, inner), meta.computed.type) };
  });
}

/** Returns the error for a field that the planner does not expect; only a defect causes it. */
export function misplaced(field: SelectedField): EngineError {
  return new EngineError("unexpected", field.path, `field ${field.key} is not allowed here`, { status: 500 });
}
