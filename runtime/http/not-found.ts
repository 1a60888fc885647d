/** Everything that has no route: unknown paths, other methods, groups of endpoints that are switched off. */

import type { Handler } from "../ports/request.ts";
import { EngineError } from "../values/errors.ts";
import { errorResponse } from "./responses.ts";

export const notFoundHandler: Handler = () =>
  Promise.resolve(errorResponse(new EngineError("not-found", "$", "resource does not exist", { status: 404 })));
