/** Operations that list slow operations, active subscriptions and log lines of the server that receives the request. */
import { list, object, oneOf } from "../../catalog/schema/combinators.ts";
import { nonEmptyText, nonNegativeInt, roleName } from "../../catalog/schema/scalars.ts";
import { noArguments } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

const limit = nonNegativeInt().refine((value) => value >= 1 && value <= 1000, "expected a number from 1 to 1000");

export const activityOperations = [
  ioOperation("get_slow_operations", {
    about: "Returns the operations that took the most time on this instance since its start.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("get_role_usage", {
    about:
      "Returns the number of requests of each role in this process since its start, with failures, time in seconds and bytes of responses before compression. Results of subscriptions are not counted; roles after the first 1,000 are counted together.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("get_tool_calls", {
    about:
      "Returns the newest calls of tools by assistants in this process in the last hour, at most 1,000, without arguments and results.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("get_instances", {
    about:
      "Returns the processes of all instances that share the metadata database, with the version of the metadata that each serves. Takes about a second. A process that no longer responds stays on the list of the process that knew it for five minutes. Instances with a schema sync interval of 0 list only themselves and do not respond to others.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("get_live_queries", {
    about: "Returns the running subscriptions of this instance, with their SQL and the number of subscribers.",
    endpoints: { metadata: "plain" },
    input: noArguments,
  }),
  ioOperation("get_log_lines", {
    about:
      "Returns the last lines of the log of this process as they were written, of the last 5,000 lines and 2 MiB. Lines about requests of this operation are left out.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        after: "Cursor of an earlier response: returns the oldest lines after it. Default: returns the newest lines.",
        limit: "Number of lines, from 1 to 1000. Default: 200.",
        level: "Lowest level of the lines. Default: all.",
        types: "Returns only lines of these [log types](log-types.md). Default: all.",
        role: "Returns only lines about requests of this role. Default: all.",
        text: "Returns only lines that contain this text, in upper or lower case. Default: all.",
      },
      defaulted: { limit: limit.default(200) },
      optional: {
        after: nonEmptyText,
        level: oneOf(["debug", "info", "warn", "error", "critical"]),
        types: list(nonEmptyText),
        role: roleName,
        text: nonEmptyText,
      },
    }),
  }),
];
