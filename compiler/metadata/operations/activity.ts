/** Operations that list slow operations and active subscriptions of the server that receives the request. */
import { noArguments } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

export const activityOperations = [
  ioOperation("get_slow_operations", {
    about: "Returns the operations that took the most time on this instance since its start.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("get_live_queries", {
    about: "Returns the running subscriptions of this instance, with their SQL and the number of subscribers.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
];
