/** Schemas of request and response transforms. Operations validate the templates. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { JsonObject } from "../model.ts";
import { choose, jsonForm, list, mapOf, object, oneOf, type Refusal } from "./combinators.ts";
import { int, text } from "./scalars.ts";

const invalidAction: Refusal = { refused: "invalid transform action" };

const bodies: Readonly<Record<string, z.ZodType<JsonObject>>> = {
  transform: jsonForm({
    about: { action: "`transform`: the template computes the body.", template: "Template of the body." },
    required: { action: z.literal("transform"), template: text },
  }),
  remove: jsonForm({ about: { action: "`remove`: the call has no body." }, required: { action: z.literal("remove") } }),
  x_www_form_urlencoded: jsonForm({
    about: {
      action: "`x_www_form_urlencoded`: the body is a form.",
      form_template: "Templates of the values, by name.",
    },
    required: { action: z.literal("x_www_form_urlencoded"), form_template: mapOf(text) },
  }),
};
const anyBody = jsonForm({ required: { action: text } });

const bodyVersion2 = choose<JsonObject>(
  () => [...Object.values(bodies)],
  (input) => {
    if (!isObject(input) || typeof input.action !== "string") return anyBody;
    return (Object.hasOwn(bodies, input.action) ? bodies[input.action] : undefined) ?? invalidAction;
  },
);

const version = int.refine((value) => value === 1 || value === 2, {
  error: (issue) => `expected 1 or 2, encountered ${issue.input}`,
});
const templateEngine = oneOf(["Kriti"]);

const queryParameters = choose<string | JsonObject>(
  () => [text, mapOf(z.nullable(text))],
  (input) => (typeof input === "string" ? text : mapOf(z.nullable(text))),
);

function requestTransformOf(body: z.ZodType<string | JsonObject>): z.ZodType<JsonObject> {
  return jsonForm({
    about: {
      version: "Form of `body`: `1` for a template, `2` for an object with an action. Default: `1`.",
      template_engine: "Language of the templates; always `Kriti`.",
      method: "HTTP method. Default: `POST`.",
      url: "Template of the URL; `{{$base_url}}` is the configured one.",
      query_params: "Templates of query parameters by name, or one template of the query string.",
      request_headers: "Changes of headers.",
      body: "Body of the call.",
    },
    optional: {
      version,
      template_engine: templateEngine,
      method: text,
      url: text,
      query_params: queryParameters,
      request_headers: object({
        about: {
          add_headers: "Templates of headers to add or replace, by name.",
          remove_headers: "Names of headers to remove.",
        },
        optional: { add_headers: mapOf(text), remove_headers: list(text) },
      }),
      body,
    },
  });
}

function responseTransformOf(body: z.ZodType<string | JsonObject>): z.ZodType<JsonObject> {
  return jsonForm({
    about: {
      version: "Form of `body`: `1` for a template, `2` for an object with an action. Default: `1`.",
      template_engine: "Language of the templates; always `Kriti`.",
      body: "Value that replaces the body of the response.",
    },
    optional: { version, template_engine: templateEngine, body },
  });
}

/** Selects the form of `body` by `version`, which is 1 by default. */
function byVersion(
  transformOf: (body: z.ZodType<string | JsonObject>) => z.ZodType<JsonObject>,
): z.ZodType<JsonObject> {
  const version1 = transformOf(text);
  const version2 = transformOf(bodyVersion2);
  return choose(
    () => [version1, version2],
    (input) => (isObject(input) && input.version === 2 ? version2 : version1),
  );
}

export const requestTransform = byVersion(requestTransformOf);
export const responseTransform = byVersion(responseTransformOf);
