/** What the server that is asked does: which operations were slow, which subscriptions run. */
import { noArguments } from "../arguments.ts";
import { operation } from "../operation.ts";

export const activityOperations = [
  operation("get_slow_operations", {
    effect: "io",
    endpoints: { metadata: "plain" },
    input: noArguments,
    call: (_, { path }) => ({ effect: "io", operation: "get_slow_operations", path }),
  }),
  operation("get_live_queries", {
    effect: "io",
    endpoints: { metadata: "plain" },
    input: noArguments,
    call: (_, { path }) => ({ effect: "io", operation: "get_live_queries", path }),
  }),
];
