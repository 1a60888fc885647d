import { GraphQLError } from "graphql";
import { expect, it } from "vitest";
import { graphqlErrorStatus } from "../../../runtime/http/graphql-status.ts";
import type { ErrorCode } from "../../../runtime/values/error-codes.ts";
import { EngineError } from "../../../runtime/values/errors.ts";

it.each<[ErrorCode, number]>([
  ["access-denied", 403],
  ["batch-limit-exceeded", 422],
  ["constraint-violation", 400],
  ["depth-limit-exceeded", 422],
  ["invalid-json", 400],
  ["invalid-jwt", 401],
  ["jwt-invalid-claims", 403],
  ["jwt-missing-role-claims", 403],
  ["node-limit-exceeded", 422],
  ["parse-failed", 422],
  ["permission-denied", 403],
  ["validation-failed", 422],
])("An error with the code %s has the status %i", (code, status) => {
  expect(graphqlErrorStatus(new EngineError(code, "$", "refused"))).toBe(status);
});

it("An error with another status than 400 keeps it, and a status of success becomes 400", () => {
  const statusOf = (status: number) => graphqlErrorStatus(new EngineError("access-denied", "$", "refused", { status }));
  expect([401, 429, 500, 200].map(statusOf)).toEqual([401, 429, 500, 400]);
});

it("A text that is not GraphQL has the status 400", () => {
  const cause = new GraphQLError("Syntax Error");
  expect(graphqlErrorStatus(new EngineError("validation-failed", "$.query", "refused", { cause }))).toBe(400);
});

it("A code of an action handler that names a member of every object has the status 400", () => {
  const error = new EngineError("not-found", "$", "refused");
  expect(graphqlErrorStatus(Object.assign(error, { code: "constructor" }))).toBe(400);
});
