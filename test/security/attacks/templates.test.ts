/** Templates of transforms and connections with hostile values: bounds for time, steps and output. */
import { describe, expect, it } from "vitest";
import { transformBudget } from "../../../runtime/model/templates/budget.ts";
import { compileRequestTransform } from "../../../runtime/model/templates/definition.ts";
import type { JsonValue } from "../../../runtime/model/templates/json-value.ts";
import { transformRequest } from "../../../runtime/model/templates/transform-request.ts";
import { runUntilFirstYield } from "../../../runtime/values/interruptible.ts";
import { longestPause } from "../../support/longest-pause.ts";

const numbers = (length: number) => Array.from({ length }, (_, i) => i);

/** Evaluates the template of a body. */
async function evaluated(template: string, input: JsonValue, milliseconds = 10_000) {
  const compiled = compileRequestTransform({ version: 2, body: { action: "transform", template } });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  const request = { method: "POST", url: "http://handler/", headers: [], body: { input }, sessionVariables: null };
  const { result: outcome, pause } = await longestPause(async () =>
    runUntilFirstYield(transformRequest(compiled.value, request, transformBudget(milliseconds))),
  );
  return { outcome, pause, errors: outcome.ok ? [] : outcome.errors };
}

/** Returns the shortest of a few measurements, because the machine is shared. */
async function shortestPause(template: string, input: JsonValue): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5 && shortest > 100; run++) {
    shortest = Math.min(shortest, (await evaluated(template, input)).pause);
  }
  return shortest;
}

const rangeIn = "{{ range _, x := $body.input.l }} {{ x in $body.input.l }} {{ end }}";
const nested = "{{ range _, x := $body.input.l }} {{ range _, y := $body.input.l }} {{ x == y }} {{ end }} {{ end }}";

describe("Templates over a request's list", () => {
  it("A template searches a list for each of its 20,000 items in linear time", async () => {
    const { outcome } = await evaluated(rangeIn, { l: numbers(20_000) });
    expect(outcome).toMatchObject({ ok: true, value: { body: { value: numbers(20_000).map(() => true) } } });
  });

  it.each<[string, string, JsonValue]>([
    ["a search of the list for each item", rangeIn, { l: numbers(20_000) }],
    ["two nested ranges over 20,000 numbers", nested, { l: numbers(20_000) }],
    ["a search of a list of lists for each item", rangeIn, { l: numbers(5_000).map((n) => [[n]]) }],
    [
      "a copy of the list for each item",
      "{{ range _, x := $body.input.l }} {{ $body.input.l }} {{ end }}",
      { l: numbers(20_000) },
    ],
    [
      "a concatenation of the list for each item",
      "{{ concat({{ range _, x := $body.input.l }} {{ $body.input.l }} {{ end }}) }}",
      { l: numbers(20_000) },
    ],
    [
      "a long text for each item",
      '{{ range _, x := $body.input.l }} "{{ $body.input.t }}{{ x }}" {{ end }}',
      { l: numbers(10_000), t: "x".repeat(500_000) },
    ],
    [
      "an upper-case text for each item",
      "{{ range _, x := $body.input.l }} {{ size(toUpper($body.input.t)) }} {{ end }}",
      { l: numbers(10_000), t: "x".repeat(500_000) },
    ],
    [
      "a comparison of long objects for each item",
      "{{ range _, x := $body.input.l }} {{ $body.input.a == $body.input.b }} {{ end }}",
      {
        l: numbers(10_000),
        a: Object.fromEntries(numbers(20_000).map((n) => [`k${n}`, n])),
        b: Object.fromEntries(numbers(20_000).map((n) => [`k${n}`, n])),
      },
    ],
  ])("A template blocks the event loop for at most 100 ms: %s", async (_, template, input) => {
    expect(await shortestPause(template, input)).toBeLessThan(100);
  });

  it("A template that exceeds the step limit is refused with the limit and the location", async () => {
    const { errors } = await evaluated(nested, { l: numbers(20_000) });
    expect(errors).toEqual([
      {
        error_code: "Limit Error",
        message: "Evaluating the template takes more than 2,000,000 steps.",
        source_position: expect.anything(),
      },
    ]);
  });

  it("A template result above the size limit is refused, even if it repeats few values", async () => {
    const doubled = (depth: number): string =>
      depth === 0 ? '"twice"' : `{{ range _, x${depth} := [${doubled(depth - 1)}] }} [x${depth}, x${depth}] {{ end }}`;
    const { errors } = await evaluated(doubled(60), {});
    expect(errors).toMatchObject([{ error_code: "Limit Error" }]);
    const text = await evaluated("{{ range _, x := $body.input.l }} {{ $body.input.t }} {{ end }}", {
      l: numbers(100),
      t: "x".repeat(500_000),
    });
    expect(text.errors).toMatchObject([{ message: "The result has more than 8,388,608 characters." }]);
  });

  it("A template ends with the timeout of its call", async () => {
    const { errors } = await evaluated(nested, { l: numbers(1_000) }, 1);
    expect(errors).toMatchObject([
      { error_code: "Limit Error", message: "Evaluating the template takes longer than 1 ms." },
    ]);
  });
});
