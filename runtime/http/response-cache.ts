/** `POST /pro/cache/clear`: an administrator clears answers that are kept, all or those that a parameter names. */
import type { Handler, PlainRequest } from "../ports/request.ts";
import type { ClearedResponses } from "../ports/response-cache.ts";
import type { RequestServices } from "../ports/services.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { nearestName } from "../values/nearest-name.ts";
import { adminOnly } from "./admin-only.ts";
import { jsonResponse } from "./responses.ts";

export function clearCacheHandler(services: RequestServices, visibility: ErrorVisibility): Handler {
  return adminOnly(services, visibility, async (request, session) => {
    await services.responses.clear(clearedBy(request.query));
    return jsonResponse(200, '{"message":"success"}', { mode: "non-graphql", session, error: null });
  });
}

const parameters = ["key", "family", "role"] as const;

/** @throws EngineError `bad-request`: what is not understood would clear everything */
function clearedBy(query: PlainRequest["query"]): ClearedResponses {
  const given = Object.entries(query);
  const [first] = given;
  if (first === undefined) return "all";
  const [name, value] = first;
  const known = parameters.find((parameter) => parameter === name);
  if (known === undefined) {
    const nearest = nearestName(name, parameters);
    const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
    throw bad(`the parameter "${name}" is none of ${parameters.join(", ")}${hint}`);
  }
  if (given.length > 1 || typeof value !== "string") throw bad(`one of ${parameters.join(", ")} is taken at a time`);
  if (value === "") throw bad(`the parameter "${name}" has no value`);
  switch (known) {
    case "key":
      return { key: value };
    case "family":
      return { family: value };
    case "role":
      return { role: value };
  }
}

const bad = (message: string): EngineError => new EngineError("bad-request", "$", message);
