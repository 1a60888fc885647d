/** `node(id:)` of the Relay API: the row that a global id names (`graphql-api.md` 5.11). */
import { EngineError, invariant } from "../errors.ts";
import type { Input } from "../operation/input.ts";
import type { SelectedField } from "../operation/selection.ts";
import { sourceValue, valueSlot } from "../parameters.ts";
import { decodeNodeId, encodeNodeKey, nodeView } from "../relay/node-id.ts";
import type { ObjectTypeDef, OutputMeta } from "../schema/types.ts";
import { allOf, parameter, type Sql, sql, verbatim } from "../sql.ts";
import type { Column } from "../table.ts";
import type { TableView } from "../view.ts";
import type { BuildContext } from "./context.ts";
import { selectKeyed } from "./select.ts";

/** A row that is asked for by its id. */
export interface SelectedNode {
  readonly field: SelectedField;
  readonly view: TableView;
  /** The type of its rows. */
  readonly type: ObjectTypeDef;
  readonly id: Extract<Input, { kind: "value" }>;
}

/**
 * The table that the id of a field is of.
 * @throws EngineError `validation-failed`
 */
export function nodeOf(
  field: SelectedField,
  { root, typeOf }: Extract<OutputMeta, { kind: "node" }>,
  variables: Readonly<Record<string, unknown>>,
): SelectedNode {
  const id = field.args.get("id");
  if (id?.kind !== "value") throw new EngineError("unexpected", field.path, "an id was expected here");
  const nodeId = decodeNodeId(sourceValue(id.source, variables), id.path, id.source.kind !== "variable");
  const view = nodeView(nodeId, root.tables, id.path);
  return { field, view, type: typeOf(view), id };
}

/** JSON object of the row, or NULL where the role does not see it. */
export function selectNode({ field, view, type, id }: SelectedNode, context: BuildContext): Sql {
  const { relay } = context.dialect;
  const { selectionOn } = field;
  invariant(relay && selectionOn, "a node is selected from an interface");
  const keyValue = (column: Column, index: number): Sql => {
    const encode = encodeNodeKey(column, index, field.path, relay);
    const slot = valueSlot(id.source, { encode }, `node ${index} ${column.type.cast}`, id.path);
    if (relay.keepsValue(column.type)) return column.type.operand(parameter(slot));
    return sql`${parameter(slot)}${verbatim(`::${column.type.cast}`)}`;
  };
  return selectKeyed(view, selectionOn(type), context, (row) => {
    const key = view.table.primaryKey;
    return allOf(key.map((column, i) => sql`${row}.${verbatim(column.sql)} = ${keyValue(column, i)}`));
  });
}
