/** A webhook as the metadata defines it → what its calls need, with transforms compiled. Done once per definition. */
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
  /** `undefined`: there is none. */
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

/** The metadata is JSON. */
function jsonOf(transform: object): JsonObject {
  return Object.fromEntries(Object.entries(transform));
}
