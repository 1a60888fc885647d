/** Actions → IR of the modules that declare them, and of the fields of roles. */
import { webhookOf } from "../../runtime/model/definitions/events/configured-webhook.ts";
import type { Action, CustomTypes } from "../catalog/outside-sources.ts";
import { joinedColumns } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import type { ActionRootInputs, OutputJoinsInputs, OutputRowsInputs } from "./action-inputs.ts";
import { actionSdl, actionSignature, customTypesSdl } from "./action-sdl.ts";
import type { ActionIr, ActionRootIr, ActionTypesIr, OutputColumnIr, OutputJoinsIr, OutputRowsIr } from "./ir.ts";
import { lowerRemoteRelationships } from "./remote-relationships.ts";

export function lowerActionTypes(types: CustomTypes): ActionTypesIr {
  return { types: customTypesSdl(types) };
}

export function lowerAction(action: Action): ActionIr {
  const { name, definition } = action;
  const { type, kind, handler, timeout: timeoutSeconds = 30 } = definition;
  const noRetries = { retries: 0, intervalSeconds: 0, timeoutSeconds };
  const webhook = webhookOf(definition, { template: handler }, noRetries);
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
    },
  };
}

/** An asynchronous action is a mutation, and a field of the same name that tells what became of it. */
export function lowerActionRoots(
  inputs: readonly ActionRootInputs[],
  operation: "query" | "mutation" | "subscription",
): readonly ActionRootIr[] {
  return inputs.flatMap(({ action: { name, definition }, outputs: reads, joined }): ActionRootIr[] => {
    const { kind, type, handler } = definition;
    const isAsynchronous = kind === "asynchronous";
    const outputs = { outputs: reads, ...(joined.length > 0 && { joined }) };
    if (isAsynchronous && operation !== "mutation") {
      const comment = `${name}(id: uuid!), its result once it has ended`;
      return [{ field: name, kind: "action_result", comment, ...outputs }];
    }
    if (type !== operation) return [];
    const comment = `${actionSignature({ name, definition, permissions: [] })} by ${shown(handler)}${forwarded(definition)}`;
    if (!isAsynchronous) return [{ field: name, kind: "action", comment, ...outputs }];
    return [{ field: name, kind: "start_action", comment: `${comment}, which nobody waits for`, outputs: [] }];
  });
}

/** Without credentials: who reads what a role may ask need not know them. */
const shown = (handler: string): string => handler.replace(/\/\/[^/?#]*@/, "//");

function forwarded({ forward_client_headers, ignored_client_headers }: Action["definition"]): string {
  if (!forward_client_headers) return "";
  const others = ignored_client_headers.length === 0 ? "" : ` but ${ignored_client_headers.join(", ")}`;
  return `, with the headers of the client${others}`;
}

export function lowerOutputJoins({ role, type, relationships }: OutputJoinsInputs): OutputJoinsIr {
  return { role, type, relationships: lowerRemoteRelationships(relationships) };
}

export function lowerOutputRows({ role, type, source, kind, relationships }: OutputRowsInputs): OutputRowsIr {
  const dialect = dialectOf(kind);
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  const columns = new Map<string, OutputColumnIr>();
  /** A field that is compared with columns of several types stands for several columns. */
  const columnFor = (field: string, scalar: OutputColumnIr["type"]): string => {
    const key = JSON.stringify([field, scalar]);
    const known = columns.get(key);
    if (known) return known.sql;
    const others = [...columns.values()].filter((column) => column.field === field).length;
    const sql = quote(others === 0 ? field : `${field} ${others + 1}`);
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
