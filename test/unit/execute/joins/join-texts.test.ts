/** Joined texts, compared with the result of a parser and a loop. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JoinMemory, joinTexts, type StepKeys } from "../../../../runtime/execute/joins/join-texts.ts";
import type { JoinPlace, JoinPlaces, JoinStep } from "../../../../runtime/model/planner/joins/join-plan.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const step = (...joins: readonly (JoinPlaces | undefined)[]): JoinStep => ({
  kind: "source",
  source: "other",
  text: "",
  slots: [],
  places: joins.map((places) => ({ keys: 1, path: "$", ...(places && { joins: places }) })),
});

const keys = (number: number, place = 0): JoinPlace => ({ kind: "keys", step: number, place });
const below = (places: JoinPlaces): JoinPlace => ({ kind: "below", places });

interface RecordedRequest {
  readonly step: JoinStep;
  readonly keys: StepKeys;
}

/** Fetches the requested keys in quotes, and records them. */
function recorded(steps: readonly JoinStep[], max?: number) {
  const requests: RecordedRequest[] = [];
  const fetch = async (one: JoinStep, given: StepKeys) => {
    requests.push({ step: one, keys: given });
    return { values: given.map((each) => each.map((key) => JSON.stringify(`<${key}>`))) };
  };
  return { requests, run: { steps, fetch, memory: new JoinMemory(max) } };
}

describe("Joins in JSON texts", () => {
  it("A join requests each key once, regardless of the number of rows", async () => {
    const { requests, run } = recorded([step(undefined)]);
    const rows = Array.from({ length: 1000 }, (_, i) => `{"id":${i},"name":${i % 7},"x":"}"}`);
    const places = new Map([["name", keys(0)]]);
    const { texts } = await joinTexts([{ text: `[${rows.join(",")}]`, places }], run);
    expect(requests.map((each) => each.keys)).toEqual([[["0", "1", "2", "3", "4", "5", "6"]]]);
    expect(JSON.parse(texts[0] ?? "")[8]).toEqual({ id: 8, name: "<1>", x: "}" });
  });

  it("A join skips null keys and sends no request if all keys are null", async () => {
    const { requests, run } = recorded([step(undefined)]);
    const places = new Map([["a", keys(0)]]);
    const texts = [
      { text: '{"a":null}', places },
      { text: '[{"a": null}, null]', places },
    ];
    expect((await joinTexts(texts, run)).texts).toEqual(['{"a":null}', '[{"a": null}, null]']);
    expect(requests).toEqual([]);
  });

  it("A nested join is completed before its result is inserted", async () => {
    const inner = new Map([["b", keys(1)]]);
    const steps = [step(inner), step(undefined)];
    const fetch = async (one: JoinStep, given: StepKeys) => {
      const joined = (key: string) => (one === steps[0] ? `{"b":${key}0}` : `{"deep":${key}}`);
      return { values: given.map((each) => each.map(joined)) };
    };
    const places = new Map([["list", below(new Map([["a", keys(0)]]))]]);
    const { texts } = await joinTexts([{ text: '{"list":[{"a":1},{"a":2},{"a":1}]}', places }], {
      steps,
      fetch,
      memory: new JoinMemory(),
    });
    const [one, two] = [{ a: { b: { deep: 10 } } }, { a: { b: { deep: 20 } } }];
    expect(JSON.parse(texts[0] ?? "")).toEqual({ list: [one, two, one] });
  });

  it("A join reads its keys from hidden members of objects of its types", async () => {
    const { requests, run } = recorded([step(undefined)]);
    const places: JoinPlaces = new Map<string, JoinPlace>([
      ["x", { kind: "typed", types: new Map([["User", { step: 0, place: 0, members: ["_1", "_2"] }]]) }],
      ["_1", { kind: "hidden" }],
      ["_2", { kind: "hidden" }],
    ]);
    const texts = [
      '{"x":"User","_1":1,"_2":"a","y":2}',
      '{"_2":"b","_1":1,"x":"User"}',
      '{"_1":1,"x":"User","_2":null}',
      '{ "y" : 1 , "_1" : 1 , "_2" : "a" , "x" : "User" }',
      '{"x":"Other"}',
      "{}",
    ].map((text) => ({ text, places }));
    const { texts: found } = await joinTexts(texts, run);
    const [a, b] = ['{"k1":1,"k2":"a"}', '{"k1":1,"k2":"b"}'];
    expect(requests.map((each) => each.keys)).toEqual([[[a, b]]]);
    expect(found.map((text) => JSON.parse(text))).toEqual([
      { x: `<${a}>`, y: 2 },
      { x: `<${b}>` },
      { x: null },
      { y: 1, x: `<${a}>` },
      { x: null },
      {},
    ]);
  });

  it("A join fails once its text exceeds the size limit", async () => {
    const places = new Map([["a", keys(0)]]);
    const text = `[${Array.from({ length: 100 }, () => '{"a":1}').join(",")}]`;
    const { run } = recorded([step(undefined)], 300);
    await expect(joinTexts([{ text, places }], run)).rejects.toThrow("exceed 300 characters");
  });

  it("A join reports the errors of keys with their paths, including keys of nested joins", async () => {
    const failing = (key: string) => ({ path: ["at", key], error: new EngineError("unexpected", "$", key) });
    const inner = new Map([["b", keys(1)]]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.nat(9))), fc.nat(9), fc.nat(9), async (rows, one, other) => {
        const steps = [step(inner), step(undefined)];
        const fetch = async (requests: JoinStep, [given = []]: StepKeys) => {
          const isFirst = requests === steps[0];
          const position = given.indexOf(String(isFirst ? one : other));
          const value = (key: string) => (isFirst ? `[null, {"x": [1], "b": ${key}}]` : `"${key}"`);
          const faults = position < 0 ? [] : [new Map([[position, [failing(given[position] ?? "")]]])];
          return { values: [given.map(value)], faults };
        };
        const text = `{"list": [${rows.map((key) => `{"v":"[]", "hidden": 1, "a": ${key}}`).join(", ")}]}`;
        const places = new Map([
          [
            "list",
            below(
              new Map([
                ["a", keys(0)],
                ["hidden", { kind: "hidden" }],
              ] as const),
            ),
          ],
        ]);
        const { texts, faults } = await joinTexts(
          [
            { text: "null", places },
            { text, places },
          ],
          {
            steps,
            fetch,
            memory: new JoinMemory(),
          },
        );
        const { list } = JSON.parse(texts[1] ?? "");
        expect(list).toHaveLength(rows.length);
        const expected = rows.flatMap((key, i) => [
          ...(key === one ? [["list", i, "a", "at", String(key)]] : []),
          ...(key === other ? [["list", i, "a", 1, "b", "at", String(key)]] : []),
        ]);
        expect((faults.get(1) ?? []).map(({ path }) => path)).toEqual(expected);
        expect(faults.has(0)).toBe(false);
      }),
    );
  });

  it("A join leaves the rest of the text unchanged", async () => {
    const value = fc.json().filter((json) => !json.includes("joined"));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, fc.option(fc.nat(3)))), async (rows) => {
        const text = `[${rows.map(([json, key]) => `{"v": ${json}, "joined":${key ?? "null"} ,"w":${json}}`).join(", ")}]`;
        const { run } = recorded([step(undefined)]);
        const { texts } = await joinTexts([{ text, places: new Map([["joined", keys(0)]]) }], run);
        const expected = text.replace(/"joined":(\d+)/g, '"joined":"<$1>"');
        expect(texts).toEqual([expected]);
      }),
    );
  });
});
