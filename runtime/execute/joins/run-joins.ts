/** Runs the joins of a plan: fetches the values of keys, and replaces each key by its value. */
import { type PlacedRow, placedRows, placedText } from "../../model/dialects/placed-texts.ts";
import type { JoinStep } from "../../model/planner/joins/join-plan.ts";
import type { Plan } from "../../model/planner/plan.ts";
import type { EngineError, FieldPath } from "../../values/errors.ts";
import { itemsOf } from "../../values/json/positions.ts";
import { inSpan, noSpan, type SpanAttributes } from "../../values/span.ts";
import { databaseAttributes } from "../operation-spans.ts";
import type { RemoteServices } from "../options.ts";
import { routedSource } from "../route.ts";
import { type Fault, maxFaults } from "./faults.ts";
import { JoinMemory, type JoinRun, joinTexts, type StepKeys, type StepResult } from "./join-texts.ts";
import type { JoinedValue } from "./joined-values.ts";
import { fetchFromRemote, type RemoteStepInput } from "./remote-step.ts";
import { fetchFromSource, type SourceStepInput } from "./source-step.ts";

export type JoinInput = SourceStepInput & RemoteStepInput & Pick<RemoteServices, "maxJoined">;

/** The joins of one response. */
export interface ResponseJoins extends JoinRun {
  /**
   * Records errors of keys.
   * @param path path to the value with the keys
   * @throws EngineError if there are too many errors
   */
  report(path: FieldPath, faults: readonly Fault[]): void;
  /** Errors so far. Each error made a field null. */
  readonly errors: readonly EngineError[];
}

/** Prepares the joins of one request. */
export function joinRun({ joins = [] }: Pick<Plan, "joins">, input: JoinInput): ResponseJoins {
  const fetch: JoinRun["fetch"] = (step, keys) => {
    const { span = noSpan } = input.session;
    if (!span.isRecording) return fetchStep(step, keys, input);
    const fetchSpan = span.child(...spanArguments(step, input));
    return inSpan(fetchSpan, () => fetchStep(step, keys, { ...input, session: { ...input.session, span: fetchSpan } }));
  };
  const errors: EngineError[] = [];
  const report = (path: FieldPath, faults: readonly Fault[]): void => {
    const [first] = faults;
    if (first && errors.length + faults.length > maxFaults) throw first.error.at("$");
    for (const fault of faults) errors.push(fault.error.atField([...path, ...fault.path]));
  };
  return { steps: joins, fetch, memory: new JoinMemory(input.maxJoined), report, errors };
}

function fetchStep(step: JoinStep, keys: StepKeys, input: JoinInput): Promise<StepResult> {
  return step.kind === "source" ? fetchFromSource(step, keys, input) : fetchFromRemote(step, keys, input);
}

/** Returns the arguments of the trace span of a step. */
function spanArguments(
  step: JoinStep,
  { generation, session }: JoinInput,
): [name: string, kind: "client", about: SpanAttributes] {
  if (step.kind === "remote")
    return ["Remote schema query for remote joins", "client", { remote_schema: step.server.name }];
  return ["Database query", "client", databaseAttributes(routedSource(generation, step.source, session))];
}

/**
 * Joins fetched values to the values of one statement or mutation.
 * @param joined the values that contain keys
 * @throws EngineError
 */
export async function joinValues<T extends string | null>(
  values: readonly T[],
  joined: readonly JoinedValue[],
  run: ResponseJoins,
): Promise<readonly (T | string)[]> {
  const inputs = joined.flatMap(({ index, places, path, isPlaced }) => {
    const text = values[index];
    if (!text) return [];
    const rows = isPlaced ? placedRows(text) : undefined;
    return [{ index, text: rows ? `[${rows.map(({ json }) => json).join(",")}]` : text, places, path, rows }];
  });
  const { texts, faults } = await joinTexts(inputs, run);
  for (const [i, textFaults] of faults) {
    const { path = [], rows } = inputs[i] ?? {};
    run.report(path, rows ? textFaults.map((fault) => atRowPosition(fault, rows)) : textFaults);
  }
  const result: (T | string)[] = [...values];
  for (const [i, { index, rows }] of inputs.entries()) {
    const text = texts[i] ?? "null";
    result[index] = rows ? withPositions(rows, text) : text;
  }
  return result;
}

/** Replaces the row index in a fault's path by the row's position in its list. */
function atRowPosition({ path: [row, ...path], error }: Fault, rows: readonly PlacedRow[]): Fault {
  return { path: [Number(rows[Number(row)]?.place), ...path], error };
}

/**
 * Adds the positions of the rows to the joined rows.
 * @param list the joined rows, in order
 */
function withPositions(rows: readonly PlacedRow[], list: string): string {
  const items = itemsOf(list);
  return placedText(rows.map(({ place }, i) => ({ place, json: items[i] ?? "null" })));
}
