/** Operations on REST endpoints. */

import type { z } from "zod";
import type { RestEndpoint } from "../../catalog/outside-sources.ts";
import { restEndpoint } from "../../catalog/schema/collections.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { nonEmptyText } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { put, set, without } from "../edit.ts";
import { hintFor, isInconsistent } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";

function createEndpoint(request: Request<RestEndpoint>): Result<Change> {
  const { catalog, path, input } = request;
  const id = { kind: "rest_endpoint" as const, name: input.name };
  const isTaken = catalog.rest_endpoints.some(({ name }) => name === input.name);
  if (isTaken && !isInconsistent(request, id)) {
    return fail("already-exists", path, `Endpoint with name: ${input.name} already exists`);
  }
  const endpoints = put(catalog.rest_endpoints, input, ({ name }) => name === input.name);
  return ok({ catalog: set(catalog, "rest_endpoints", endpoints), targets: [id] });
}

const dropArguments = object({ about: { name: "Name of the endpoint." }, required: { name: nonEmptyText } });

function dropEndpoint({ catalog, path, input }: Request<z.output<typeof dropArguments>>): Result<Change> {
  const names = catalog.rest_endpoints.map(({ name }) => name);
  if (!names.includes(input.name)) {
    const message = `endpoint with name: ${input.name} does not exist`;
    return fail("not-exists", path, message, hintFor(input.name, names));
  }
  const endpoints = without(catalog.rest_endpoints, ({ name }) => name === input.name);
  return ok({ catalog: set(catalog, "rest_endpoints", endpoints) });
}

export const restEndpointOperations = [
  operation("create_rest_endpoint", {
    about: "Gives a saved operation a URL below `/api/rest/`.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: restEndpoint,
    check: "target",
    apply: createEndpoint,
  }),
  operation("drop_rest_endpoint", {
    about: "Removes a REST endpoint.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: dropArguments,
    check: "new-entries",
    apply: dropEndpoint,
  }),
];
