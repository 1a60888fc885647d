/** Arguments of the operation that lists calls of asynchronous actions, which are rows of the metadata database. */

import { list, object, oneOf } from "../../catalog/schema/combinators.ts";
import { bool, nonNegativeInt } from "../../catalog/schema/scalars.ts";
import { instant, storableText, uuid } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

export const callStatuses = ["created", "processing", "completed", "error"] as const;

const getArguments = object({
  about: {
    action_name: "Name of the action. Default: all actions.",
    call_id: "Id of the call, as the mutation returned it. Default: all calls.",
    status:
      "States of the calls: `created` ones wait, `processing` ones run, and ended ones are `completed` or `error`; `[]` for all.",
    from: "Time of the earliest call. Default: no limit.",
    to: "Time after the latest call. Default: no limit.",
    limit: "Maximum number of calls.",
    offset: "Number of calls to skip.",
    get_rows_count: "Adds the total number as `count` to the response.",
  },
  defaulted: {
    status: list(oneOf(callStatuses)).default([]),
    limit: nonNegativeInt().default(100),
    offset: nonNegativeInt().default(0),
    get_rows_count: bool.default(false),
  },
  optional: { action_name: storableText, call_id: uuid, from: instant, to: instant },
});

export const actionLogOperations = [
  ioOperation("get_action_logs", {
    about:
      "Returns the calls of asynchronous actions, the newest first, each with its state, input, and output or errors. Stored headers and session variables are left out, except for the role; `internal` of errors describes the request to the handler, as in the API.",
    endpoints: { metadata: "plain" },
    input: getArguments,
  }),
];
