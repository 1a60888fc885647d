/** Runs the joins of a plan: asks for what keys lead to, and puts it into the values that hold them. */

import { type PlacedRow, placedRows, placedText } from "../../model/dialects/placed-texts.ts";
import type { JoinStep } from "../../model/planner/joins/join-plan.ts";
import type { Plan } from "../../model/planner/plan.ts";
import { inSpan, noSpan, type SpanAttributes } from "../../values/span.ts";
import { itemsOf } from "../json-text.ts";
import { databaseAttributes } from "../operation-spans.ts";
import type { OutsideServices } from "../options.ts";
import { routedSource } from "../route.ts";
import { JoinMemory } from "./join-memory.ts";
import { type JoinRun, joinTexts, type StepKeys, type StepValues } from "./join-texts.ts";
import type { JoinedValue } from "./joined-values.ts";
import { askRemote, type RemoteStepInput } from "./remote-step.ts";
import { askSource, type SourceStepInput } from "./source-step.ts";

/** What the joins of a request are run for. */
export type JoinInput = SourceStepInput & RemoteStepInput & Pick<OutsideServices, "mostJoined">;

/** For one request. */
export function joinRun({ joins = [] }: Pick<Plan, "joins">, input: JoinInput): JoinRun {
  const ask: JoinRun["ask"] = (step, keys) => {
    const { span = noSpan } = input.session;
    if (!span.isRecording) return askOther(step, keys, input);
    const asking = span.child(...nameOf(step, input));
    return inSpan(asking, () => askOther(step, keys, { ...input, session: { ...input.session, span: asking } }));
  };
  return { steps: joins, ask, memory: new JoinMemory(input.mostJoined) };
}

function askOther(step: JoinStep, keys: StepKeys, input: JoinInput): Promise<StepValues> {
  return step.kind === "source" ? askSource(step, keys, input) : askRemote(step, keys, input);
}

/** How traces tell of it: as of what is asked for a request itself. */
function nameOf(
  step: JoinStep,
  { generation, session }: JoinInput,
): [name: string, kind: "client", about: SpanAttributes] {
  if (step.kind === "remote")
    return ["Remote schema query for remote joins", "client", { remote_schema: step.server.name }];
  return ["Database query", "client", databaseAttributes(routedSource(generation, step.source, session))];
}

/**
 * Values of one origin, some of which hold keys, with what is joined to them.
 * @param joined which of the values
 * @throws EngineError
 */
export async function joinValues<T extends string | null>(
  values: readonly T[],
  joined: readonly JoinedValue[],
  run: JoinRun,
): Promise<readonly (T | string)[]> {
  const given = joined.flatMap(({ index, places, isPlaced }) => {
    const text = values[index];
    if (!text) return [];
    const rows = isPlaced ? placedRows(text) : undefined;
    return [{ index, text: rows ? `[${rows.map(({ json }) => json).join(",")}]` : text, places, rows }];
  });
  const texts = await joinTexts(given, run);
  const result: (T | string)[] = [...values];
  for (const [i, { index, rows }] of given.entries()) {
    const text = texts[i] ?? "null";
    result[index] = rows ? placedAgain(rows, text) : text;
  }
  return result;
}

/** @param list of the rows' values, in their order */
function placedAgain(rows: readonly PlacedRow[], list: string): string {
  const items = itemsOf(list);
  return placedText(rows.map(({ place }, i) => ({ place, json: items[i] ?? "null" })));
}
