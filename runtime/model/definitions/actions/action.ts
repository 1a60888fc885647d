/** Root fields that a handler outside answers (`docs/actions.md`): what generated modules say of them. */
import { type DocumentNode, type FieldDefinitionNode, Kind, parse } from "graphql";
import { invariant } from "../../../values/errors.ts";
import { lazy } from "../../../values/lazy.ts";
import type { WebhookHeader } from "../input-validation.ts";

/** The types of all actions as SDL. */
export interface ActionTypes {
  readonly document: () => DocumentNode;
}

export function actionTypes(sdl: string): ActionTypes {
  // Actions can do without types of their own; no document is empty.
  const none = { kind: Kind.DOCUMENT, definitions: [] } as const;
  return { document: lazy(() => (sdl.trim() === "" ? none : parse(sdl, { noLocation: true }))) };
}

/** How the handler is called. */
export interface ActionHandler {
  /** May name environment variables: `https://{{HOST}}/orders`. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders: boolean;
  /** Names of headers of the client that are not forwarded. */
  readonly ignoredClientHeaders: readonly string[];
  readonly timeoutSeconds: number;
  /** As the metadata has them. */
  readonly requestTransform?: object;
  readonly responseTransform?: object;
  /** Environment variables with the secrets of Standard Webhooks; the first signs, all may have signed. */
  readonly signingSecrets?: readonly string[];
}

export interface ActionDefinition {
  readonly name: string;
  readonly type: "query" | "mutation";
  /** Nobody waits for the answer of the handler, which is asked for by its id (`docs/actions.md`). */
  readonly asynchronous?: true;
  readonly types: ActionTypes;
  /** Its arguments and its result. */
  readonly field: () => FieldDefinitionNode;
  readonly handler: ActionHandler;
}

interface ActionParts {
  readonly type: "query" | "mutation";
  readonly asynchronous?: true;
  /** `place_order(items: [Item!]!): Order!` */
  readonly field: string;
  readonly handler: Pick<ActionHandler, "url"> & Partial<ActionHandler>;
}

export function defineAction(
  name: string,
  types: ActionTypes,
  { type, asynchronous, field, handler }: ActionParts,
): ActionDefinition {
  return {
    name,
    type,
    ...(asynchronous && { asynchronous }),
    types,
    field: lazy(() => fieldOf(field)),
    handler: { headers: [], forwardClientHeaders: false, ignoredClientHeaders: [], timeoutSeconds: 30, ...handler },
  };
}

function fieldOf(text: string): FieldDefinitionNode {
  const [type] = parse(`type Actions {\n${text}\n}`, { noLocation: true }).definitions;
  const field = type?.kind === Kind.OBJECT_TYPE_DEFINITION ? type.fields?.[0] : undefined;
  invariant(field, "an action is a field");
  return field;
}
