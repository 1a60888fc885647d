/** Lowers actions to the IR of the modules that declare them and of the root fields of roles. */

import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parseType,
  print,
  type TypeNode,
} from "graphql";
import { eventRetry, webhookOf } from "../../runtime/model/definitions/events/configured-webhook.ts";
import { compareText } from "../../runtime/values/text-order.ts";
import type { Action, CustomTypes, TypedName } from "../catalog/outside-sources.ts";
import { joinedColumns } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { ActionRootInputs, OutputJoinsInputs, OutputRowsInputs } from "./action-inputs.ts";
import type { ActionIr, ActionRootIr, ActionTypesIr, OutputColumnIr, OutputJoinsIr, OutputRowsIr } from "./ir.ts";
import { lowerRemoteRelationships } from "./remote-relationships.ts";
import { deprecated, descriptionOf, nameNode } from "./sdl-nodes.ts";

export function lowerActionTypes(types: CustomTypes): ActionTypesIr {
  return { types: customTypesSdl(types) };
}

export function lowerAction(action: Action): ActionIr {
  const { name, definition } = action;
  const { type, kind, handler, timeout = 30, retry_conf } = definition;
  const retry = eventRetry({ num_retries: 0, interval_sec: 0, timeout_sec: timeout, ...retry_conf });
  const { timeoutSeconds, ...retries } = retry;
  const webhook = webhookOf(definition, { template: handler }, retry);
  const { headers, requestTransform, responseTransform, signingSecrets } = webhook;
  return {
    name,
    type,
    ...(kind === "asynchronous" && { asynchronous: true as const }),
    field: actionSdl(action),
    handler: {
      url: handler,
      ...(headers.length > 0 && { headers }),
      ...(definition.forward_client_headers && {
        forwardClientHeaders: true,
        ignoredClientHeaders: definition.ignored_client_headers,
      }),
      timeoutSeconds,
      ...(requestTransform && { requestTransform }),
      ...(responseTransform && { responseTransform }),
      ...(signingSecrets && { signingSecrets }),
      ...(retry_conf && { retries }),
    },
  };
}

/**
 * Returns the root fields of actions. An asynchronous action has a mutation that starts it, and a query and subscription
 * field of the same name with its result.
 */
export function lowerActionRoots(
  inputs: readonly ActionRootInputs[],
  operation: "query" | "mutation" | "subscription",
): readonly ActionRootIr[] {
  return inputs.flatMap(({ action: { name, definition }, outputs: reads, joined }): ActionRootIr[] => {
    const { kind, type, handler } = definition;
    const isAsynchronous = kind === "asynchronous";
    const outputs = { outputs: reads, ...(joined.length > 0 && { joined }) };
    if (isAsynchronous && operation !== "mutation") {
      const comment = `${name}(id: uuid!), the result of a finished call`;
      return [{ field: name, kind: "action_result", comment, ...outputs }];
    }
    if (type !== operation) return [];
    const comment = `${actionSignature({ name, definition, permissions: [] })} by ${shown(handler)}${forwarded(definition)}`;
    if (!isAsynchronous) return [{ field: name, kind: "action", comment, ...outputs }];
    return [{ field: name, kind: "start_action", comment: `${comment}, asynchronous`, outputs: [] }];
  });
}

/** Removes credentials from a URL: readers of generated modules have no need for them. */
const shown = (handler: string): string => handler.replace(/\/\/[^/?#]*@/, "//");

function forwarded({ forward_client_headers, ignored_client_headers }: Action["definition"]): string {
  if (!forward_client_headers) return "";
  const ignored = ignored_client_headers.length === 0 ? "" : ` except ${ignored_client_headers.join(", ")}`;
  return `, with the client's headers${ignored}`;
}

export function lowerOutputJoins({ role, type, relationships }: OutputJoinsInputs): OutputJoinsIr {
  return { role, type, relationships: lowerRemoteRelationships(relationships) };
}

export function lowerOutputRows({ role, type, source, kind, relationships }: OutputRowsInputs): OutputRowsIr {
  const dialect = dialectOf(kind);
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  const columns = new Map<string, OutputColumnIr>();
  /** Returns the SQL column for a field; a field compared with columns of several types has one column per type. */
  const columnFor = (field: string, scalar: OutputColumnIr["type"]): string => {
    const key = JSON.stringify([field, scalar]);
    const known = columns.get(key);
    if (known) return known.sql;
    const count = [...columns.values()].filter((column) => column.field === field).length;
    const sql = quote(count === 0 ? field : `${field} ${count + 1}`);
    columns.set(key, { field, sql, type: scalar });
    return sql;
  };
  const lowered = relationships.map(({ mapping, target, ...relationship }) => ({
    ...relationship,
    target: { source, schema: target.schema, name: target.name },
    columns: mapping.map(({ field, column, type: scalar }) =>
      joinedColumns(columnFor(field, dialect.scalarCall(scalar)), quote(column), dialect, scalar, scalar),
    ),
  }));
  return { role, type, source, columns: [...columns.values()], relationships: lowered };
}

// SDL of custom types and action fields.

/** Prints the types in the order of their names. */
function customTypesSdl({ scalars, enums, input_objects, objects }: CustomTypes): string {
  const definitions: readonly (DefinitionNode & { readonly name: { readonly value: string } })[] = [
    ...scalars.map((type) => ({ kind: Kind.SCALAR_TYPE_DEFINITION as const, ...about(type) })),
    ...enums.map((type) => ({
      kind: Kind.ENUM_TYPE_DEFINITION as const,
      ...about(type),
      values: type.values.map(({ value, description, is_deprecated }) => ({
        kind: Kind.ENUM_VALUE_DEFINITION as const,
        name: nameNode(value),
        ...descriptionOf(description),
        directives: deprecated(is_deprecated ? "No longer supported" : undefined),
      })),
    })),
    ...input_objects.map((type) => ({
      kind: Kind.INPUT_OBJECT_TYPE_DEFINITION as const,
      ...about(type),
      fields: type.fields.map(inputNode),
    })),
    ...objects.map((type) => ({
      kind: Kind.OBJECT_TYPE_DEFINITION as const,
      ...about(type),
      fields: type.fields.map((field) => fieldNode(field)),
    })),
  ];
  const sorted = [...definitions].sort((a, b) => compareText(a.name.value, b.name.value));
  return sorted.map((definition) => print(definition)).join("\n\n");
}

/** Prints a field with descriptions: `place_order(items: [Item!]!): Order!`. */
function actionSdl({ name, definition, comment }: Action): string {
  const { output_type: type, arguments: args = [] } = definition;
  return print({
    ...fieldNode({ name, type, ...(comment && { description: comment }) }),
    arguments: args.map(inputNode),
  });
}

/** Prints a field on one line, without descriptions. */
function actionSignature({ name, definition }: Action): string {
  const { output_type, arguments: args = [] } = definition;
  const list = args.map(({ name: argument, type }) => `${argument}: ${type}`).join(", ");
  return `${name}${list === "" ? "" : `(${list})`}: ${output_type}`;
}

type Described = { readonly name: string; readonly description?: string };

const about = ({ name, description }: Described) => ({ name: nameNode(name), ...descriptionOf(description) });

const typeNode = (type: string): TypeNode => parseType(type, { noLocation: true });

function fieldNode({ type, ...described }: TypedName): FieldDefinitionNode {
  return { kind: Kind.FIELD_DEFINITION, ...about(described), type: typeNode(type) };
}

function inputNode({ type, ...described }: TypedName): InputValueDefinitionNode {
  return { kind: Kind.INPUT_VALUE_DEFINITION, ...about(described), type: typeNode(type) };
}
