/** `GET /api/swagger/json`: the OpenAPI document of the REST endpoints (`administration.md` 4.10). */

import type { Handler } from "../ports/request.ts";
import type { RequestServices } from "../ports/services.ts";
import { adminOnly } from "./admin-only.ts";
import { jsonResponse } from "./responses.ts";
import type { RestSettings } from "./rest.ts";

/** `?form=full` adds what the specification does not name: security schemes, errors, examples and ids. */
export function openApiHandler(services: RequestServices, settings: RestSettings): Handler {
  return adminOnly(services, settings, ({ query }, session) => {
    const form = query.form === "full" ? "full" : "plain";
    const document = services.rest.openApi({ form, response: settings.restResponse });
    return jsonResponse(200, document, { mode: "non-graphql", session, error: null });
  });
}
