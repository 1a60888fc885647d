/** Builds the members of `aggregate`: counts, and functions of columns and computed fields. */
import { EngineError } from "../../../values/errors.ts";
import type { JsonMember } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import type { Sql } from "../../definitions/sql.ts";
import type { OutputMeta } from "../../schema/types.ts";
import type { SelectedField } from "../request/selected-field.ts";
import type { AggregatedValues } from "./carried.ts";
import { aggregateValue, columnAggregate, countOfArguments } from "./column-aggregate.ts";
import type { BuildContext } from "./context.ts";

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
        return { key: f.key, value: countOfArguments(f, values, context) };
      case "column_aggregate":
        return { key: f.key, value: columnAggregate(meta.aggregate, f, values, context) };
      case "function":
        return { key: f.key, members: functionMembers(f, meta, values, context) };
      default:
        throw misplaced(f);
    }
  });
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
