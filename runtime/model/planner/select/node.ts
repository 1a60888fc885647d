/** Selects `node(id:)` of the Relay API: a row by global id. */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { Column } from "../../definitions/column.ts";
import { sourceValue, valueSlot } from "../../definitions/parameters.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, parameter, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import { decodeNodeId, encodeNodeKey, type NodeId, nodeView } from "../../relay/node-id.ts";
import type { RelayTexts } from "../../relay/relay-texts.ts";
import type { OutputMeta } from "../../schema/types.ts";
import type { Input } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import type { BuildContext } from "./context.ts";
import { selectKeyed } from "./select.ts";

/** A row selected by global id. */
export interface SelectedNode {
  readonly field: SelectedField;
  readonly view: TableView;
  /** Selection on the object type of the row. */
  readonly selection: readonly SelectedField[];
  readonly id: Extract<Input, { kind: "value" }>;
  readonly nodeId: NodeId;
  /** Decodes and encodes ids. */
  readonly texts: RelayTexts;
}

/**
 * Returns the table and key in a field's global id.
 * @throws EngineError `validation-failed`
 */
export function nodeOf(
  field: SelectedField,
  { root, typeOf, texts }: Extract<OutputMeta, { kind: "node" }>,
  variables: Readonly<Record<string, unknown>>,
): SelectedNode {
  const id = field.args.get("id");
  if (id?.kind !== "value") throw new EngineError("unexpected", field.path, "expected an id");
  const nodeId = decodeNodeId(sourceValue(id.source, variables), texts, id.path, id.source.kind !== "variable");
  const view = nodeView(nodeId, root.tables, id.path);
  invariant(field.selectionOn, "a node is selected from an interface");
  return { field, view, selection: field.selectionOn(typeOf(view).name), id, nodeId, texts };
}

/** Returns the JSON object of the row, or NULL if the role may not read it. */
export function selectNode(node: SelectedNode, context: BuildContext): Sql {
  const { field, view, selection, id, nodeId: planned, texts } = node;
  const { relay } = context.dialect;
  invariant(relay, "only rows of databases with Relay support are nodes");
  const keyValue = (column: Column, index: number): Sql => {
    const encode = encodeNodeKey(column, index, { planned, texts }, field.path, relay);
    const slot = valueSlot(id.source, { encode }, `node ${index} ${column.type.cast}`, id.path);
    if (relay.keepsValue(column.type)) return column.type.operand(parameter(slot));
    return relay.operand(parameter(slot), column.type);
  };
  return selectKeyed(view, selection, context, (row) => {
    const key = view.table.primaryKey;
    return allOf(
      key.map((column, i) => compared(sql`${row}.${verbatim(column.sql)}`, "=", keyValue(column, i), column.type)),
    );
  });
}
