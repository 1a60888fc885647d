/** A webhook definition with compiled transforms. Compiled once per definition. */
import type { WebhookDefinition } from "../../model/definitions/events/event-trigger.ts";
import {
  compileRequestTransform,
  compileResponseTransform,
  type RequestTransform,
  type ResponseTransform,
} from "../../model/templates/definition.ts";
import type { JsonObject } from "../../model/templates/json-value.ts";
import type { Outcome } from "../../model/templates/template-error.ts";

export interface Webhook {
  readonly definition: WebhookDefinition;
  /** `undefined` if the definition has no such transform. */
  readonly requestTransform: Outcome<RequestTransform> | undefined;
  readonly responseTransform: Outcome<ResponseTransform> | undefined;
}

export function openWebhook(definition: WebhookDefinition): Webhook {
  const { requestTransform, responseTransform } = definition;
  return {
    definition,
    requestTransform: requestTransform && compileRequestTransform(jsonOf(requestTransform)),
    responseTransform: responseTransform && compileResponseTransform(jsonOf(responseTransform)),
  };
}

/** Converts a transform of the metadata, which is a JSON value, to a JSON object. */
function jsonOf(transform: object): JsonObject {
  return Object.fromEntries(Object.entries(transform));
}
