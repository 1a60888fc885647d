/** Operations that list slow operations and active subscriptions of the server that receives the request. */
import { noArguments } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

export const activityOperations = [
  ioOperation("get_slow_operations", {
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("get_live_queries", {
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
];
