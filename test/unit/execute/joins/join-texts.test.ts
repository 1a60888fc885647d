/** What a text gets in the places of its keys, compared with what a parser and a loop make of the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JoinMemory } from "../../../../runtime/execute/joins/join-memory.ts";
import { joinTexts, type StepKeys } from "../../../../runtime/execute/joins/join-texts.ts";
import type { JoinPlace, JoinPlaces, JoinStep } from "../../../../runtime/model/planner/joins/join-plan.ts";

const step = (...joins: readonly (JoinPlaces | undefined)[]): JoinStep => ({
  kind: "source",
  source: "other",
  text: "",
  slots: [],
  places: joins.map((places) => ({ keys: 1, path: "$", ...(places && { joins: places }) })),
});

const keys = (number: number, place = 0): JoinPlace => ({ kind: "keys", step: number, place });
const below = (places: JoinPlaces): JoinPlace => ({ kind: "below", places });

interface Asked {
  readonly step: JoinStep;
  readonly keys: StepKeys;
}

/** Answers what was asked for, in quotes. */
function recorded(steps: readonly JoinStep[], most?: number) {
  const asked: Asked[] = [];
  const ask = async (one: JoinStep, given: StepKeys) => {
    asked.push({ step: one, keys: given });
    return given.map((each) => each.map((key) => JSON.stringify(`<${key}>`)));
  };
  return { asked, run: { steps, ask, memory: new JoinMemory(most) } };
}

describe("joins in texts", () => {
  it("asks for each key once, whatever the number of rows", async () => {
    const { asked, run } = recorded([step(undefined)]);
    const rows = Array.from({ length: 1000 }, (_, i) => `{"id":${i},"name":${i % 7},"x":"}"}`);
    const places = new Map([["name", keys(0)]]);
    const [text] = await joinTexts([{ text: `[${rows.join(",")}]`, places }], run);
    expect(asked.map((each) => each.keys)).toEqual([[["0", "1", "2", "3", "4", "5", "6"]]]);
    expect(JSON.parse(text ?? "")[8]).toEqual({ id: 8, name: "<1>", x: "}" });
  });

  it("asks nobody for null, and not at all where all keys are", async () => {
    const { asked, run } = recorded([step(undefined)]);
    const places = new Map([["a", keys(0)]]);
    const texts = [
      { text: '{"a":null}', places },
      { text: '[{"a": null}, null]', places },
    ];
    expect(await joinTexts(texts, run)).toEqual(['{"a":null}', '[{"a": null}, null]']);
    expect(asked).toEqual([]);
  });

  it("joins what is joined before it is put in", async () => {
    const inner = new Map([["b", keys(1)]]);
    const steps = [step(inner), step(undefined)];
    const ask = async (one: JoinStep, given: StepKeys) => {
      return given.map((each) => each.map((key) => (one === steps[0] ? `{"b":${key}0}` : `{"deep":${key}}`)));
    };
    const places = new Map([["list", below(new Map([["a", keys(0)]]))]]);
    const [text] = await joinTexts([{ text: '{"list":[{"a":1},{"a":2},{"a":1}]}', places }], {
      steps,
      ask,
      memory: new JoinMemory(),
    });
    const [one, two] = [{ a: { b: { deep: 10 } } }, { a: { b: { deep: 20 } } }];
    expect(JSON.parse(text ?? "")).toEqual({ list: [one, two, one] });
  });

  it("takes keys from hidden members, for objects of the type", async () => {
    const { asked, run } = recorded([step(undefined)]);
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
    const found = await joinTexts(texts, run);
    const [a, b] = ['{"k1":1,"k2":"a"}', '{"k1":1,"k2":"b"}'];
    expect(asked.map((each) => each.keys)).toEqual([[[a, b]]]);
    expect(found.map((text) => JSON.parse(text))).toEqual([
      { x: `<${a}>`, y: 2 },
      { x: `<${b}>` },
      { x: null },
      { y: 1, x: `<${a}>` },
      { x: null },
      {},
    ]);
  });

  it("stops where the values do not fit", async () => {
    const places = new Map([["a", keys(0)]]);
    const text = `[${Array.from({ length: 100 }, () => '{"a":1}').join(",")}]`;
    const { run } = recorded([step(undefined)], 300);
    await expect(joinTexts([{ text, places }], run)).rejects.toThrow("more than 300 characters");
  });

  it("leaves all else as it is", async () => {
    const value = fc.json().filter((json) => !json.includes("joined"));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, fc.option(fc.nat(3)))), async (rows) => {
        const text = `[${rows.map(([json, key]) => `{"v": ${json}, "joined":${key ?? "null"} ,"w":${json}}`).join(", ")}]`;
        const { run } = recorded([step(undefined)]);
        const [found] = await joinTexts([{ text, places: new Map([["joined", keys(0)]]) }], run);
        const expected = text.replace(/"joined":(\d+)/g, '"joined":"<$1>"');
        expect(found).toBe(expected);
      }),
    );
  });
});
