/** `POST /v1alpha1/pg_dump`: a source's schema or data as SQL (`operations.md` 5.2). */

import type { DumpRequest } from "../ports/administration.ts";
import type { Handler } from "../ports/request.ts";
import type { Services } from "../ports/services.ts";
import { unexpectedKind } from "../values/describe-json.ts";
import type { ErrorVisibility } from "../values/error-body.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJson } from "../values/parse-json.ts";
import { adminOnly } from "./admin-only.ts";

const sqlHeaders = { "content-type": "application/sql; charset=utf-8" };

export function dumpHandler(services: Services, visibility: ErrorVisibility): Handler {
  return adminOnly(services, visibility, async (request, session) => {
    const body = await services.dump.dump(readRequest(parseJson(await request.readBody(session))));
    return { status: 200, headers: sqlHeaders, body, record: { mode: "non-graphql", session, error: null } };
  });
}

/** @throws EngineError `parse-failed` */
function readRequest(body: unknown): DumpRequest {
  if (!isObject(body)) throw unexpectedKind("Object", "Object", body, "$");
  const { opts, clean_output: clean = false, source = "default" } = body;
  if (opts === undefined) throw new EngineError("parse-failed", "$", 'key "opts" not found');
  if (!Array.isArray(opts)) throw unexpectedKind("[]", "Array", opts, "$.opts");
  const options = opts.map((option: unknown, i) => {
    if (typeof option !== "string") throw unexpectedKind("Text", "String", option, `$.opts[${i}]`);
    return option;
  });
  if (typeof clean !== "boolean") throw unexpectedKind("Bool", "Bool", clean, "$.clean_output");
  if (typeof source !== "string") throw unexpectedKind("Text", "String", source, "$.source");
  return { source, options, clean };
}
