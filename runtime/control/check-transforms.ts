/** Parses transforms of metadata and of test calls. */
import type { JsonObject } from "../../compiler/catalog/model.ts";
import {
  compileRequestTransform,
  compileResponseTransform,
  type RequestTransform,
  type ResponseTransform,
} from "../model/templates/definition.ts";
import type { Outcome } from "../model/templates/template-error.ts";
import { EngineError } from "../values/errors.ts";

export interface Transforms {
  readonly request_transform?: JsonObject;
  readonly response_transform?: JsonObject;
}

/**
 * Parses all templates of an object.
 * @throws EngineError `validation-failed` at `path`; `internal` lists the errors of the first invalid transform
 */
export function checkTransforms(
  { request_transform = {}, response_transform = {} }: Transforms,
  path: string,
): { readonly request: RequestTransform; readonly response: ResponseTransform } {
  const request = accept("request", compileRequestTransform(request_transform), path);
  const response = accept("response", compileResponseTransform(response_transform), path);
  return { request, response };
}

/** Returns the value of a successful outcome. @throws EngineError for a failed outcome */
export function accept<T>(direction: "request" | "response", outcome: Outcome<T>, path: string): T {
  if (!outcome.ok) throw refusedTransform(direction, outcome.errors, path);
  return outcome.value;
}

/** @param internal the error objects */
export function refusedTransform(direction: "request" | "response", internal: readonly object[], path: string) {
  return new EngineError("validation-failed", path, `${direction} transform validation failed`, { internal });
}
