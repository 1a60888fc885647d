/** Schema of tools for assistants. */

import * as z from "zod";
import type { AgentTool } from "../outside-sources.ts";
import { savedOperation } from "./collections.ts";
import { duplicates, namedList, nonEmptyList, object } from "./combinators.ts";
import { int, nonEmptyText, roleName, text } from "./scalars.ts";

/** The names that clients of the Model Context Protocol accept. */
const toolName: z.ZodType<string> = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, {
  error: (issue) =>
    `${issue.input} is not a valid name of a tool, which has 1 to 64 letters, digits, underscores, dots and hyphens`,
});

/** A scope of OAuth (RFC 6749): printable ASCII without spaces, quotes and backslashes. */
const scope: z.ZodType<string> = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, {
  error: (issue) => `${issue.input} is not a valid scope, which has no spaces, quotes and backslashes`,
});

function distinct(things: string, element: z.ZodType<string>): z.ZodType<readonly string[]> {
  return nonEmptyList(element).superRefine((items, context) => {
    const repeated = duplicates(items);
    if (repeated.length === 0) return;
    context.addIssue({ code: "custom", message: `duplicate ${things} are not allowed: ${repeated.join(", ")}` });
  });
}

function limit(maximum: number): z.ZodType<number> {
  return int.refine((value) => value >= 1 && value <= maximum, {
    error: (issue) => `expected an integer from 1 to ${maximum}, encountered ${issue.input}`,
  });
}

/** The largest limits that a tool may have. */
const maxima = { rows: 1_000_000, bytes: 64 * 1024 * 1024, seconds: 3600 } as const;

export const agentTool: z.ZodType<AgentTool> = object({
  about: {
    name: "Name of the tool: 1 to 64 letters, digits, underscores, dots and hyphens.",
    title: "Title for people.",
    description: "Description for the model. Default: derived from the operation.",
    definition: "The operation to run.",
    roles: "Roles that may call the tool. Default: every role that can run the operation.",
    scopes: "OAuth scopes; the token of a caller must contain all of them. Default: none.",
    limits: "Limits of a call.",
    comment: "Note for readers of the metadata, without effect.",
  },
  required: { name: toolName, definition: savedOperation },
  optional: {
    title: nonEmptyText,
    description: nonEmptyText,
    roles: distinct("roles", roleName),
    scopes: distinct("scopes", scope),
    limits: object({
      about: {
        rows: "Maximum number of items of all lists in the result, at most 1000000. Default: 1000.",
        bytes: "Maximum size of the result in bytes of JSON, at most 67108864. Default: 262144.",
        seconds: "Maximum duration, at most 3600. Default: 30.",
      },
      optional: { rows: limit(maxima.rows), bytes: limit(maxima.bytes), seconds: limit(maxima.seconds) },
    }),
    comment: text,
  },
});
export const agentTools = namedList("agent tools", agentTool, ({ name }) => name);
