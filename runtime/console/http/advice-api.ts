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

export const advice = (): Promise<Advice> => runOperation({ type: "advise", args: {} });
