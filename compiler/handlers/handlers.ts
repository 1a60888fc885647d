/**
 * Handlers that a service implements: actions, event triggers and cron triggers, with the types of their payloads and
 * results. Plain data, printed by the files beside this one.
 */
import type { JsonType } from "../dialects/json-type.ts";

export interface Handlers {
  /** Sorted by name; a type may refer to later ones. */
  readonly types: readonly DeclaredType[];
  /** Actions, event triggers, then cron triggers; each sorted. */
  readonly handlers: readonly Handler[];
}

/** A type that the generated module exports. */
export interface DeclaredType {
  readonly name: string;
  readonly comment: string;
  readonly type: JsonType;
  /** Calls contain values of the type, which the module validates. */
  readonly isSent: boolean;
}

type HandlerKind = "action" | "event" | "cron";

export interface Handler {
  readonly kind: HandlerKind;
  readonly name: string;
  /** Event triggers only: their names are unique only within a source. */
  readonly source?: string;
  /** Event triggers only. */
  readonly table?: { readonly schema: string; readonly name: string };
  /** `action place_order` */
  readonly label: string;
  /** Name of the function that the user implements. */
  readonly functionName: string;
  /** Its name in the generated module, where functions of different files may share a name. */
  readonly localName: string;
  /** Path of its file below the output folder, with slashes. */
  readonly path: string;
  /** Declared type of the payload; `null` if a transform changes it. */
  readonly payload: string | null;
  /** Result type of an action; `null` if the engine ignores the result. */
  readonly result: JsonType | null;
  /** Names of the environment variables with signing secrets. */
  readonly secrets: readonly string[];
}

/** Path of the generated module, beside the folders of the user's files. */
export const generatedModulePath = "generated.ts";
