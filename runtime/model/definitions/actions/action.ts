/** Actions in generated modules: root fields that an external handler resolves (`docs/how-to/actions.md`). */
import { type DocumentNode, type FieldDefinitionNode, Kind, parse } from "graphql";
import { invariant } from "../../../values/errors.ts";
import { lazy } from "../../../values/lazy.ts";
import type { RetryPolicy } from "../events/event-trigger.ts";
import type { WebhookHeader } from "../input-validation.ts";

export interface ActionTypes {
  readonly document: () => DocumentNode;
}

export function actionTypes(sdl: string): ActionTypes {
  // GraphQL documents cannot be empty, but actions may have no types of their own.
  const none = { kind: Kind.DOCUMENT, definitions: [] } as const;
  return { document: lazy(() => (sdl.trim() === "" ? none : parse(sdl, { noLocation: true }))) };
}

export interface ActionHandler {
  /** May contain environment variables: `https://{{HOST}}/orders`. */
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly forwardClientHeaders: boolean;
  /** Names of client headers that are not forwarded. */
  readonly ignoredClientHeaders: readonly string[];
  readonly timeoutSeconds: number;
  /** In the form of the metadata. */
  readonly requestTransform?: object;
  readonly responseTransform?: object;
  /** Environment variables with secrets of Standard Webhooks. Each call has one signature per secret, in this order. */
  readonly signingSecrets?: readonly string[];
  /** Retries of failed calls of an asynchronous action; absent if there are none. */
  readonly retries?: Omit<RetryPolicy, "timeoutSeconds">;
}

export interface ActionDefinition {
  readonly name: string;
  readonly type: "query" | "mutation";
  /** The caller immediately gets an id, with which it fetches the result (`docs/how-to/actions.md`). */
  readonly asynchronous?: true;
  readonly types: ActionTypes;
  /** Returns the field with its arguments and its result type. */
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
