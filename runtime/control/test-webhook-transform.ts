/** `test_webhook_transform`: what a request transform makes of a made-up request (`metadata-api.md` 2.18). */
import type { Json } from "../../compiler/catalog/model.ts";
import type { TestWebhookTransform, TestWebhookTransformCall } from "../../compiler/metadata/io.ts";
import { transformBudget } from "../model/templates/budget.ts";
import type { JsonValue } from "../model/templates/json-value.ts";
import { type RequestBody, transformRequest } from "../model/templates/transform-request.ts";
import { isAbsoluteUrl, withoutCredentials } from "../model/templates/url.ts";
import { EngineError } from "../values/errors.ts";
import { promptly } from "../values/interruptible.ts";
import { accept, checkTransforms, refusedTransform } from "./check-transforms.ts";

/**
 * Answers the request that would be sent: URL, method, headers in lower case, body.
 * @throws EngineError `validation-failed` with the template errors as `internal`; `not-found` for a variable that is not
 * among those given, `parse-failed` for a URL whose braces make no sense
 */
export async function testWebhookTransform({ input, path }: TestWebhookTransformCall): Promise<Json> {
  // The response transform is only checked: there is no response.
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
  const outcome = await promptly(transformRequest(transform, request, transformBudget(Number.POSITIVE_INFINITY)));
  const result = accept("request", outcome, path);
  const headers = result.headers.map(([name, value]) => [name.toLowerCase(), value]);
  const answer = { webhook_url: result.url, method: result.method, headers, body: shownBody(result.body) };
  // Long numbers keep their digits; the catalog's type of JSON does not tell them from objects.
  return answer as unknown as Json;
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
