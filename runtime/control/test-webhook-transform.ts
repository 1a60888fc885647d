/** `test_webhook_transform`: applies a request transform to a sample request. */
import type { Json } from "../../compiler/catalog/model.ts";
import type { TestWebhookTransform } from "../../compiler/metadata/operations/test-webhook-transform.ts";
import { transformBudget } from "../model/templates/budget.ts";
import type { JsonValue } from "../model/templates/json-value.ts";
import { type RequestBody, transformRequest } from "../model/templates/transform-request.ts";
import { isAbsoluteUrl, withoutCredentials } from "../model/templates/url.ts";
import { EngineError } from "../values/errors.ts";
import { runUntilFirstYield } from "../values/interruptible.ts";
import { accept, checkTransforms, refusedTransform } from "./check-transforms.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";

export const testWebhookTransformHandlers: IoHandlers<"test_webhook_transform"> = {
  test_webhook_transform: (call) => testWebhookTransform(call),
};

/**
 * Returns the request that would be sent: URL, method, headers in lower case, body.
 * @throws EngineError `validation-failed` with the template errors as `internal`; `not-found` for an environment variable
 * without a sample value; `parse-failed` for a URL with unbalanced braces
 */
export async function testWebhookTransform({ input, path }: IoCallOf<"test_webhook_transform">): Promise<Json> {
  // The response transform is only validated, since there is no response.
  const { request: transform } = checkTransforms(input, path);
  const url = resolveUrl(input, path);
  if (!isAbsoluteUrl(url)) {
    const message = `Invalid URL: ${withoutCredentials(url)}`;
    throw refusedTransform("request", [{ error_code: "Request Initialization Error", message }], path);
  }
  const request = {
    method: "POST",
    url,
    headers: input.request_headers ?? [],
    body: input.body,
    sessionVariables: lowerCaseKeys(input.session_variables),
  };
  const outcome = await runUntilFirstYield(
    transformRequest(transform, request, transformBudget(Number.POSITIVE_INFINITY)),
  );
  const result = accept("request", outcome, path);
  const headers = result.headers.map(([name, value]) => [name.toLowerCase(), value]);
  const response = { webhook_url: result.url, method: result.method, headers, body: shownBody(result.body) };
  // The body may contain long numbers as objects that keep their digits, which the type `Json` does not include.
  return response as unknown as Json;
}

const sampleContext =
  "https://engine.io/docs/latest/graphql/core/actions/rest-connectors/#action-transforms-sample-context";

const reference = /\{\{([^{}]+)\}\}/g;

function resolveUrl({ webhook_url: given, env = {} }: TestWebhookTransform, path: string): string {
  const lookUp = (name: string): string | undefined => (Object.hasOwn(env, name) ? env[name] : undefined);
  if (typeof given !== "string") {
    const found = lookUp(given.from_env);
    if (found === undefined) throw new EngineError("not-found", path, "Missing Env Var");
    return found;
  }
  if (given.replace(reference, "").includes("{{")) throw new EngineError("parse-failed", path, "Invalid Url Template");
  return given.replace(reference, (_, inner: string) => {
    const name = inner.trim();
    const found = lookUp(name);
    if (found !== undefined) return found;
    const message =
      `Missing Env Var: ${name}. For security reasons when testing request options real environment variable values ` +
      `are not available. Please enter a mock value for ${name} in the Sample Env Variables list. See ${sampleContext}`;
    throw new EngineError("not-found", path, message);
  });
}

function lowerCaseKeys(variables: Readonly<Record<string, string>> | undefined): Record<string, string> | null {
  if (variables === undefined) return null;
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]));
}

function shownBody(body: RequestBody): JsonValue {
  switch (body.kind) {
    case "json":
      return body.value;
    case "form":
      return body.text;
    case "none":
      return "";
  }
}
