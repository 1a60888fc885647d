/**
 * What programs have to write that answer the engine's calls: actions, event triggers and cron triggers with the types
 * of what they are sent and of what they answer. Plain data, printed by the files beside this one.
 */
import type { JsonType } from "../dialects/json-type.ts";

export interface Handlers {
  /** In the order of their names; types may name those that stand later. */
  readonly types: readonly DeclaredType[];
  /** Actions, event triggers, cron triggers; each in order. */
  readonly handlers: readonly Handler[];
}

/** A type that the generated module exports. */
export interface DeclaredType {
  readonly name: string;
  readonly comment: string;
  readonly type: JsonType;
  /** Whether calls hold such values: then the module checks them. */
  readonly isSent: boolean;
}

type HandlerKind = "action" | "event" | "cron";

export interface Handler {
  readonly kind: HandlerKind;
  /** Of the action or trigger. */
  readonly name: string;
  /** Of event triggers: where the same name stands for another trigger in another source. */
  readonly source?: string;
  /** Of event triggers. */
  readonly table?: { readonly schema: string; readonly name: string };
  /** `action place_order` */
  readonly label: string;
  /** The function that the user writes. */
  readonly functionName: string;
  /** What the generated module calls it: functions of different files may have the same name. */
  readonly localName: string;
  /** Its file below the output folder, with slashes. */
  readonly path: string;
  /** The declared type of what is sent; `null`: a transform decides what that is. */
  readonly payload: string | null;
  /** What an action answers; `null`: nothing is read of the answer. */
  readonly result: JsonType | null;
  /** Environment variables that hold signing secrets. */
  readonly secrets: readonly string[];
}

/** The generated module, beside the folders of the user's files. */
export const generatedModulePath = "generated.ts";
