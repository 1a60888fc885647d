/** Arguments of `test_webhook_transform`, which sends nothing and reads no metadata. */

import type { z } from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { Json, JsonObject } from "../../catalog/model.ts";
import { choose, list, mapOf, object } from "../../catalog/schema/combinators.ts";
import { fromEnv, json, text } from "../../catalog/schema/scalars.ts";
import { requestTransform, responseTransform } from "../../catalog/schema/transforms.ts";
import { ioOperation } from "../operation.ts";

export interface TestWebhookTransform {
  /** May contain `{{NAME}}`. */
  readonly webhook_url: string | { readonly from_env: string };
  readonly body: Json;
  readonly request_transform: JsonObject;
  readonly response_transform?: JsonObject;
  /** Replaces the environment of the server. */
  readonly env?: Readonly<Record<string, string>>;
  readonly request_headers?: readonly (readonly [name: string, value: string])[];
  readonly session_variables?: Readonly<Record<string, string>>;
}

const header = list(text)
  .refine((pair) => pair.length === 2, "expected a header as a pair of name and value")
  .transform(([name = "", value = ""]) => [name, value] as const);

const testArguments: z.ZodType<TestWebhookTransform> = object({
  about: {
    webhook_url: "URL of the webhook; `{{NAME}}` is replaced by the variable NAME of `env`.",
    body: "Body of the sample request.",
    request_transform: "The transform to test.",
    env: "Environment variables by name; real ones are not read. Default: none.",
    request_headers: "Headers of the sample request, as pairs of name and value. Default: none.",
    session_variables: "Session variables of the sample request. Default: none.",
    response_transform: "Transform of the response, whose templates are only checked.",
  },
  required: {
    webhook_url: choose<TestWebhookTransform["webhook_url"]>(
      () => [text, fromEnv],
      (input) => (isObject(input) ? fromEnv : text),
    ),
    body: json,
    request_transform: requestTransform,
  },
  optional: {
    env: mapOf(text),
    request_headers: list(header),
    session_variables: mapOf(text),
    response_transform: responseTransform,
  },
});

export const testWebhookTransformOperations = [
  ioOperation("test_webhook_transform", {
    about: "Returns the request that a transform produces from sample data, without sending it.",
    endpoints: { metadata: "plain" },
    input: testArguments,
  }),
];
