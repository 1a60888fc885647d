/** `GET /api/swagger/json`: the OpenAPI document of the REST endpoints (`administration.md` 4.10). */

import type { OpenAPIObject } from "openapi3-ts/oas30";
import type { Handler, PlainRequest } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import { EngineError, pathTo } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { adminOnly } from "./admin-only.ts";
import { dataForm, plainForm } from "./openapi-forms.ts";
import { jsonResponse } from "./responses.ts";
import type { RestSettings } from "./rest.ts";

/**
 * `?role=` is for what that role may ask, as it sees the types; without it for all endpoints, as admin does.
 * `?form=full` adds what the specification does not name: errors, examples, members that are always there.
 */
export function openApiHandler(services: RequestServices, settings: RestSettings): Handler {
  return adminOnly(services, settings, ({ query }, session) => {
    const document = documentOf(services, query);
    const answered = settings.restResponse === "data" ? dataForm(document) : document;
    const body = JSON.stringify(query.form === "full" ? answered : plainForm(answered));
    return jsonResponse(200, body, { mode: "non-graphql", session, error: null });
  });
}

/** @throws EngineError where there is no such role */
function documentOf({ rest }: RequestServices, { role = "admin" }: PlainRequest["query"]): OpenAPIObject {
  const text = typeof role === "string" ? rest.openApi(role) : undefined;
  if (text !== undefined) return JSON.parse(text);
  const message =
    typeof role === "string" ? unknownRole(role, rest.openApiRoles()) : 'the parameter "role" is given several times';
  throw new EngineError("not-exists", pathTo("$", "role"), message);
}

function unknownRole(role: string, known: Iterable<string>): string {
  const given = role.slice(0, 100);
  const hint = didYouMean(given, known);
  return `no permission names the role ${JSON.stringify(given)}${hint === undefined ? "" : `: ${hint}`}`;
}
