/** `test_webhook_transform`: its arguments (`metadata-api.md` 2.18). Nothing is sent, and no metadata is looked at. */

import type { z } from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import { choose, list, mapOf, object } from "../../catalog/schema/combinators.ts";
import { fromEnv, json, text } from "../../catalog/schema/scalars.ts";
import { requestTransform, responseTransform } from "../../catalog/schema/transforms.ts";
import type { TestWebhookTransform } from "../io.ts";
import { operation } from "../operation.ts";

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
  operation("test_webhook_transform", {
    effect: "io",
    endpoints: { metadata: "plain" },
    input: testArguments,
    call: (input, { path }) => ({ effect: "io", operation: "test_webhook_transform", input, path }),
  }),
];
