/** IR of the plans of a saved operation. */

import type {
  EncoderCode,
  HandlerObjects,
  KeyForm,
  ValueSource,
  WrittenRow,
} from "../../runtime/model/definitions/parameters.ts";
import type { OutputObject } from "../../runtime/model/planner/action-plan.ts";
import type { ExpectedRows, StepColumn, WritePlan } from "../../runtime/model/planner/mutate/plan.ts";
import type { PlanPart } from "../../runtime/model/planner/plan.ts";
import type { ActionCall } from "../../runtime/model/planner/request/action/select.ts";
import type { VariableStates } from "../../runtime/model/planner/saved-plans.ts";
import type { SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import type { SavedOperationRef } from "../3-lower/ir.ts";
import type { ExportIr } from "./exported-values.ts";
import type { JoinedIr } from "./joins-ir.ts";
import type { RemotePlaceIr, RemoteRequestIr } from "./remotes-ir.ts";

/** `roles/<role>/operations/<collection>.<query>.ts` */
export interface SavedPlansIr {
  readonly operation: SavedOperationRef;
  readonly role: string;
  readonly variant: SchemaVariant;
  readonly kind: "query" | "mutation" | "subscription";
  readonly optional: readonly string[];
  readonly conditions: readonly string[];
  readonly plans: readonly { readonly when: VariableStates; readonly plan: PlanIr }[];
}

/** A plan as plain data. */
export interface PlanIr {
  readonly statements: readonly {
    readonly source: string;
    readonly text: string;
    readonly slots: readonly SlotIr[];
    readonly callsFunctions: boolean;
  }[];
  readonly writes: readonly {
    readonly source: string;
    readonly steps: readonly WriteStepIr[];
    readonly result: WritePlan["result"];
  }[];
  readonly parts: readonly PlanPartIr[];
  readonly remotes?: readonly RemoteRequestIr[];
  readonly actions?: readonly ActionRequestIr[];
  readonly joins?: readonly JoinStepIr[];
}

export type PlanPartIr =
  | (Omit<Extract<PlanPart, { kind: "column" }>, "joins"> & JoinedIr)
  | (Omit<Extract<PlanPart, { kind: "write" }>, "joins"> & JoinedIr)
  | (Omit<Extract<PlanPart, { kind: "remote" }>, "joins"> & JoinedIr)
  | (Omit<Extract<PlanPart, { kind: "action" }>, "joins"> & JoinedIr)
  | Extract<PlanPart, { kind: "json" }>
  | { readonly kind: "object"; readonly key: string; readonly parts: readonly PlanPartIr[] };

export type JoinStepIr = SourceStepIr | RemoteStepIr;

export interface SourceStepIr {
  readonly kind?: never;
  readonly source: string;
  readonly text: string;
  readonly slots: readonly SlotIr[];
  readonly places: readonly (JoinedIr & { readonly keys: number; readonly path: string })[];
}

export interface RemoteStepIr {
  readonly kind: "remote";
  readonly places: readonly RemotePlaceIr[];
}

/** A call of an action's handler. */
export interface ActionRequestIr {
  readonly action: ExportIr;
  readonly use: ActionCall["use"];
  /** Path of the field. */
  readonly path: string;
  /** GraphQL text by argument name. */
  readonly args: Texts;
  /** GraphQL text by variable name. */
  readonly defaults: Texts;
  readonly output: OutputObject | null;
  readonly reads: readonly {
    readonly source: string;
    readonly text: string;
    readonly slots: readonly SlotIr[];
    readonly places: readonly number[];
  }[];
  readonly afterWrites: number;
}

type Texts = readonly (readonly [name: string, text: string])[];

/** Rows that the operation writes, or objects in a handler's response. */
export type RowsIr = readonly WrittenRow[] | HandlerObjects;

export interface WriteStepIr {
  readonly text: string;
  readonly slots: readonly SlotIr[];
  readonly path: string;
  readonly setsUser: boolean;
  readonly expects?: ExpectedRows;
  readonly needs?: StepColumn;
  readonly lacks?: readonly StepColumn[];
}

export type SlotIr =
  | { readonly kind: "value"; readonly source: ValueSource; readonly code: EncoderCode; readonly path: string }
  | {
      readonly kind: "column";
      readonly rows: RowsIr;
      readonly name: string;
      readonly code: EncoderCode;
    }
  | { readonly kind: "result"; readonly step: number; readonly column: number }
  | {
      readonly kind: "copied";
      readonly parts: readonly {
        readonly step: number;
        readonly column: number;
        readonly index: number;
        readonly rows: readonly WrittenRow[];
      }[];
    }
  | { readonly kind: "join_keys"; readonly place: number; readonly column: number; readonly form: KeyForm }
  | { readonly kind: "session"; readonly variable: string }
  | { readonly kind: "whole_session" };

/** Fails to type-check if `T` has members other than `Known`. */
export type Complete<T, Known extends keyof T> = Exclude<keyof T, Known> extends never ? true : never;
