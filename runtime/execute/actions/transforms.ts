/** What the metadata says of handlers as templates and transforms, each compiled when it is first used. */
import type { ActionHandler } from "../../model/definitions/actions/action.ts";
import {
  compileRequestTransform,
  compileResponseTransform,
  type RequestTransform,
  type ResponseTransform,
} from "../../model/templates/definition.ts";
import type { JsonObject } from "../../model/templates/json-value.ts";
import type { Outcome } from "../../model/templates/template-error.ts";
import { compileTemplate } from "../../values/environment-template.ts";

export interface Transforms {
  readonly url: ReturnType<typeof compileTemplate>;
  /** `undefined`: there is none. */
  readonly request: Outcome<RequestTransform> | undefined;
  readonly response: Outcome<ResponseTransform> | undefined;
}

const known = new WeakMap<ActionHandler, Transforms>();

export function transformsOf(handler: ActionHandler): Transforms {
  let transforms = known.get(handler);
  if (transforms === undefined) {
    const { url, requestTransform, responseTransform } = handler;
    transforms = {
      url: compileTemplate(url),
      request: requestTransform && compileRequestTransform(jsonOf(requestTransform)),
      response: responseTransform && compileResponseTransform(jsonOf(responseTransform)),
    };
    known.set(handler, transforms);
  }
  return transforms;
}

/** The metadata is JSON. */
function jsonOf(transform: object): JsonObject {
  return Object.fromEntries(Object.entries(transform));
}
