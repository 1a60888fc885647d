/** Client of the findings about permissions, limits and indexes. */
import { runOperation } from "./metadata-api.ts";

export interface AdviceFinding {
  readonly rule: string;
  readonly severity: "error" | "warning" | "note";
  /** Names of the objects, separated by dots. */
  readonly place: string;
  /** JSONPath in the metadata document. */
  readonly path: string;
  readonly reason: string;
  readonly fix: string;
}

export interface Advice {
  /** The most severe first. */
  readonly findings: readonly AdviceFinding[];
  /** Rules that the server could not apply. */
  readonly skipped: readonly { readonly rule: string; readonly reason: string }[];
}

interface AdviceCounts {
  /** Version of the metadata that the paths belong to. */
  readonly resource_version: number;
  readonly counts: readonly {
    /** JSONPath of a table or a permission in the metadata document. */
    readonly path: string;
    readonly error: number;
    readonly warning: number;
    readonly note: number;
  }[];
}

/** Returns the number of findings of each table and permission. @throws ApiError */
export const adviceCounts = (): Promise<AdviceCounts> => runOperation({ type: "advise", args: { counts: true } });

/** @throws ApiError */
export const advice = (): Promise<Advice> => runOperation({ type: "advise", args: {} });
