/** Runs the joins of a plan: asks for what keys lead to, and puts it into the values that hold them. */

import { type PlacedRow, placedRows, placedText } from "../../dialects/placed-texts.ts";
import type { Plan } from "../../planner/plan.ts";
import { itemsOf } from "../../values/json-text.ts";
import type { OutsideServices } from "../options.ts";
import { JoinMemory } from "./join-memory.ts";
import { type JoinRun, joinTexts } from "./join-texts.ts";
import type { JoinedValue } from "./joined-values.ts";
import { askRemote, type RemoteStepInput } from "./remote-step.ts";
import { askSource, type SourceStepInput } from "./source-step.ts";

/** What the joins of a request are run for. */
export type JoinInput = SourceStepInput & RemoteStepInput & Pick<OutsideServices, "mostJoined">;

/** For one request. */
export function joinRun({ joins = [] }: Pick<Plan, "joins">, input: JoinInput): JoinRun {
  const ask: JoinRun["ask"] = (step, keys) =>
    step.kind === "source" ? askSource(step, keys, input) : askRemote(step, keys, input);
  return { steps: joins, ask, memory: new JoinMemory(input.mostJoined) };
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
