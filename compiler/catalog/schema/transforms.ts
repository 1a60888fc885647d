/** Schemas of request and response transforms. Operations validate the templates. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { JsonObject } from "../model.ts";
import { choose, jsonForm, list, mapOf, object, oneOf, type Refusal } from "./combinators.ts";
import { int, text } from "./scalars.ts";

const invalidAction: Refusal = { refused: "invalid transform action" };

const bodies: Readonly<Record<string, z.ZodType<JsonObject>>> = {
  transform: jsonForm({ required: { action: z.literal("transform"), template: text } }),
  remove: jsonForm({ required: { action: z.literal("remove") } }),
  x_www_form_urlencoded: jsonForm({
    required: { action: z.literal("x_www_form_urlencoded"), form_template: mapOf(text) },
  }),
};
const anyBody = jsonForm({ required: { action: text } });

const bodyVersion2 = choose<JsonObject>((input) => {
  if (!isObject(input) || typeof input.action !== "string") return anyBody;
  return (Object.hasOwn(bodies, input.action) ? bodies[input.action] : undefined) ?? invalidAction;
});

const version = int.refine((value) => value === 1 || value === 2, {
  error: (issue) => `expected 1 or 2, encountered ${issue.input}`,
});
const templateEngine = oneOf(["Kriti"]);

const queryParameters = choose<string | JsonObject>((input) =>
  typeof input === "string" ? text : mapOf(z.nullable(text)),
);

function requestTransformOf(body: z.ZodType<string | JsonObject>): z.ZodType<JsonObject> {
  return jsonForm({
    optional: {
      version,
      template_engine: templateEngine,
      method: text,
      url: text,
      query_params: queryParameters,
      request_headers: object({ optional: { add_headers: mapOf(text), remove_headers: list(text) } }),
      body,
    },
  });
}

function responseTransformOf(body: z.ZodType<string | JsonObject>): z.ZodType<JsonObject> {
  return jsonForm({ optional: { version, template_engine: templateEngine, body } });
}

/** Selects the form of `body` by `version`, which is 1 by default. */
function byVersion(
  transformOf: (body: z.ZodType<string | JsonObject>) => z.ZodType<JsonObject>,
): z.ZodType<JsonObject> {
  const version1 = transformOf(text);
  const version2 = transformOf(bodyVersion2);
  return choose((input) => (isObject(input) && input.version === 2 ? version2 : version1));
}

export const requestTransform = byVersion(requestTransformOf);
export const responseTransform = byVersion(responseTransformOf);
