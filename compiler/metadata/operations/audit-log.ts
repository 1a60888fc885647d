/** Arguments of the operation that reads the log of administrative operations. */
import { object } from "../../catalog/schema/combinators.ts";
import { nonNegativeInt } from "../../catalog/schema/scalars.ts";
import { instant, storableText } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

const limit = nonNegativeInt().refine((value) => value >= 1 && value <= 1000, "expected a number from 1 to 1000");

export const auditLogOperations = [
  ioOperation("get_audit_log", {
    about:
      "Returns administrative operations, the newest first: time, caller, address, request id, types and object names, outcome. Values of arguments are not stored.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        from: "Time of the earliest entry. Default: no limit.",
        to: "Time after the latest entry. Default: no limit.",
        operation: "Type of an operation in the request, such as `drop_action`. Default: all.",
        user: "Session variable `x-engine-user-id` of the caller. Default: all.",
        request_id: "Id of the request. Default: all.",
        limit: "Number of entries, from 1 to 1000. Default: 100.",
        before: "Returns only entries with ids below this one. Default: all.",
      },
      defaulted: { limit: limit.default(100) },
      optional: {
        from: instant,
        to: instant,
        operation: storableText,
        user: storableText,
        request_id: storableText,
        before: nonNegativeInt(),
      },
    }),
  }),
];
