/** The schema of a file of permission tests; its JSON Schema is in `fixtures/schemas`. */

import * as z from "zod";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";
import { isJsonNumber, numberText } from "../../values/json-number.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { sessionPrefix } from "../../values/session.ts";

const expected = (description: string) => ({ error: `expected ${description}` });
const text = z.string(expected("a string"));
const json = z.custom<Json>((value) => value !== undefined);
const jsonObject = z
  .custom<JsonObject>((value) => isObject(value) && !isJsonNumber(value), expected("an object"))
  .meta({ type: "object" });

/** An object without other members, whose error suggests the nearest one. */
function strict<Shape extends z.ZodRawShape>(shape: Shape, description: string) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return `expected ${description}`;
      const [key = ""] = issue.keys as readonly string[];
      return `unknown key ${JSON.stringify(key)}; ${didYouMean(key, known) ?? `the keys are ${known.join(", ")}`}`;
    },
  });
}

const scalarText = z
  .custom<Json>((value) => ["string", "boolean"].includes(typeof value) || isJsonNumber(value), expected("a string"))
  .meta({ type: ["string", "number", "boolean"] })
  .transform((value) => (isJsonNumber(value) ? numberText(value) : String(value)));

const sessionVariable = text.refine((name) => name.toLowerCase().startsWith(sessionPrefix), {
  error: `the name of a session variable begins with ${sessionPrefix}`,
});

const session = strict(
  {
    role: text.describe("Role of the requests."),
    variables: z
      .record(sessionVariable, scalarText, expected("an object of session variables"))
      .optional()
      .describe("Session variables by name, such as `x-engine-user-id`."),
  },
  "a session with a role",
);

const setupStep = strict(
  {
    database: text.optional().describe("Name of the database; default the only one, or `default`."),
    sql: text.optional().describe("SQL that runs as the owner of the tables."),
    rows: z
      .record(z.string(), z.array(jsonObject, expected("a list of rows")), expected("rows by table"))
      .optional()
      .describe(
        "Rows by table, `table` or `schema.table`, inserted in this order. Missing columns have their defaults.",
      ),
  },
  "a step with `sql` or `rows`",
).refine(({ sql, rows }) => (sql === undefined) !== (rows === undefined), expected("one of the keys sql, rows"));

const setup = z.array(setupStep, expected("a list of steps with `sql` or `rows`"));

const errorObject = strict(
  {
    code: text.optional().describe("Code of the error, such as `permission-error`."),
    message: text.optional().describe("Complete message of the error."),
    path: text.optional().describe("Path of the error, such as `$.selectionSet.list`."),
  },
  "a code, or an object with code, message and path",
);

const expectedError = z
  .union([text.transform((code) => ({ code })), errorObject])
  .describe("Expected error: its code, or an object whose members must equal those of the error.");

const testCase = strict(
  {
    name: text.describe("Sentence about the behaviour, unique in the file."),
    session: z
      .union([text, session], expected("the name of a session, or a session with a role"))
      .describe("Name of a session of the file, or a session."),
    query: text.describe("GraphQL document with a query or a mutation."),
    operation: text.optional().describe("Name of the operation, for a document with several."),
    variables: jsonObject.optional().describe("Values of the GraphQL variables."),
    setup: setup.optional().describe("Steps after those of the file."),
    data: json
      .optional()
      .describe("Expected `data` of the response: complete rows, in any order where the query has no `order_by`."),
    error: expectedError.optional(),
  },
  "a case with name, session and query",
);

/** The schema of a file. */
export const testFileSchema = strict(
  {
    sessions: z
      .record(z.string(), session, expected("an object of sessions by name"))
      .optional()
      .describe("Sessions by name."),
    seeds: z
      .boolean(expected("true or false"))
      .optional()
      .describe("If true, the seeds of all databases run before the setup of each case."),
    setup: setup.optional().describe("Steps that run before each case, in its transaction."),
    cases: z
      .array(testCase, expected("a list of cases"))
      .describe("Cases, each of which runs in a transaction of its own."),
  },
  "a file with a list of cases",
);

/** A text instead of a list: `!include` and the file with the list. */
const include = { type: "string", pattern: "^!include ", description: "A file with the value." } as const;

/** Returns the JSON Schema of a file, for editors. */
export function testFileJsonSchema(): object {
  return z.toJSONSchema(testFileSchema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (jsonSchema.type !== "array") return;
      const { type, items } = jsonSchema;
      Object.assign(jsonSchema, { anyOf: [{ type, items }, include] });
      delete jsonSchema.type;
      delete jsonSchema.items;
    },
  });
}
