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
  required: {
    webhook_url: choose<TestWebhookTransform["webhook_url"]>((input) => (isObject(input) ? fromEnv : text)),
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
    endpoints: { metadata: "plain" },
    input: testArguments,
  }),
];
