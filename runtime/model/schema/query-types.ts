/** Root fields of queries and subscriptions (`graphql-api.md` 2.2). */

import { invariant } from "../../values/errors.ts";
import { lazy } from "../../values/lazy.ts";
import type { LiveRoot, NodeRoot, RootField, StreamRoot } from "../definitions/roots.ts";
import { functionField } from "./function-roots.ts";
import { aggregateType, connectionField, keyArguments, listArguments, objectType } from "./output-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { nodeField } from "./relay-types.ts";
import { streamArguments } from "./stream-types.ts";
import type { OutputField } from "./types.ts";

export function subscriptionField(types: TypeRegistry, root: LiveRoot | NodeRoot): OutputField {
  return root.kind === "select_stream" ? streamField(types, root) : queryField(types, root);
}

function streamField(types: TypeRegistry, root: StreamRoot): OutputField {
  const { view } = root;
  return {
    type: () => objectType(types, view()),
    list: true,
    required: true,
    description: () => rootDescription(root),
    args: lazy(() => streamArguments(types, view())),
    meta: { kind: "stream", root },
  };
}

export function queryField(types: TypeRegistry, root: RootField | NodeRoot): OutputField {
  if (root.kind === "node") {
    invariant(types.relay, "only the Relay schema has nodes");
    return nodeField(types, types.relay, root, objectType);
  }
  const { view } = root;
  const field = { description: () => rootDescription(root), meta: { kind: "root", root } } as const;
  switch (root.kind) {
    case "select_many":
    case "native_query":
    case "stored_procedure":
      return {
        ...field,
        type: () => objectType(types, view()),
        list: true,
        required: true,
        args: lazy(() => listArguments(types, view())),
      };
    case "select_by_pk":
      return {
        ...field,
        type: () => objectType(types, view()),
        list: false,
        required: false,
        args: lazy(() => keyArguments(types, view())),
      };
    case "select_aggregate":
      return {
        ...field,
        type: () => aggregateType(types, view()),
        list: false,
        required: true,
        args: lazy(() => listArguments(types, view())),
      };
    case "select_connection":
      return { ...field, ...connectionField(types, view()) };
    case "function":
    case "function_aggregate":
    case "function_connection":
      return { ...field, ...functionField(types, root) };
  }
}

function rootDescription(root: LiveRoot): string | undefined {
  if (root.description !== undefined) return root.description === "" ? undefined : root.description;
  const table = `"${root.view().table.displayName}"`;
  switch (root.kind) {
    case "native_query":
    case "stored_procedure":
      return undefined;
    case "select_many":
    case "select_connection":
      return `fetch data from the table: ${table}`;
    case "select_by_pk":
      return `fetch data from the table: ${table} using primary key columns`;
    case "select_aggregate":
      return `fetch aggregated fields from the table: ${table}`;
    case "select_stream":
      return `fetch data from the table in a streaming manner: ${table}`;
    case "function":
    case "function_connection":
      return `execute function "${root.function.function.displayName}" which returns ${table}`;
    case "function_aggregate": {
      const { displayName } = root.function.function;
      return `execute function "${displayName}" and query aggregates on result of table type ${table}`;
    }
  }
}
