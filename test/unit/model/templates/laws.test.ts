/** Laws of every template, scope and transform. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget, type TemplateLimits, transformBudget } from "../../../../runtime/model/templates/budget.ts";
import { compileTemplate } from "../../../../runtime/model/templates/compile-template.ts";
import { compileRequestTransform, compileResponseTransform } from "../../../../runtime/model/templates/definition.ts";
import { evaluate, outcomeOf, type Program } from "../../../../runtime/model/templates/evaluator.ts";
import { compareJson, type JsonObject, type JsonValue } from "../../../../runtime/model/templates/json-value.ts";
import { parseTemplate } from "../../../../runtime/model/templates/parser.ts";
import type { Outcome } from "../../../../runtime/model/templates/template-error.ts";
import { transformRequest } from "../../../../runtime/model/templates/transform-request.ts";
import { transformResponse } from "../../../../runtime/model/templates/transform-response.ts";
import {
  isAbsoluteUrl,
  parseQuery,
  type QueryPair,
  queryPairs,
  renderQuery,
  withQuery,
} from "../../../../runtime/model/templates/url.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";
import { stringifyJson } from "../../../../runtime/values/json-number.ts";
import { anyCharacter, anyText } from "../../../support/any-text.ts";
import { anyUrl } from "../../../support/any-url.ts";
import { arbitraryScope, arbitraryTemplate, grammatical } from "./arbitrary-template.ts";
import { render, tryRender } from "./render.ts";

const codes = new Set([
  ...["Parse Error", "Lexer Error", "Attribute Error", "Name Error", "Type Error", "Index Error", "Range Error"],
  ...["Function Error", "TransformationError"],
]);

/** Fails for errors that are not documented for templates. */
function check(outcome: Outcome<unknown>, source?: string): void {
  if (outcome.ok) return;
  if (outcome.errors.length === 0) expect.fail("a failure has no errors");
  const lines = source?.split("\n").map((line) => [...line].length);
  for (const { error_code, message, source_position: place } of outcome.errors) {
    if (!codes.has(error_code) || message === "") expect.fail(`${error_code}: ${message}`);
    if (lines === undefined) continue;
    if (place === undefined) throw new Error("an error of a template has no position");
    const isInside =
      place.start_line * 1e6 + place.start_column <= place.end_line * 1e6 + place.end_column &&
      (lines[place.start_line] ?? -1) >= place.start_column - 1 &&
      (lines[place.end_line] ?? -1) >= place.end_column - 1;
    if (!isInside) expect.fail(`${JSON.stringify(place)} is not in ${source}`);
  }
}

describe("Laws of templates", () => {
  it("Any template returns a JSON value or a template error within its text", () => {
    const evaluated = fc.property(arbitraryTemplate, arbitraryScope, (source, scope) => {
      const outcome = tryRender(source, scope);
      check(outcome, source);
      return !outcome.ok || typeof JSON.stringify(outcome.value) === "string";
    });
    fc.assert(evaluated, { numRuns: 3000 });
  });

  it("Any template that follows the grammar is parsed", () => {
    fc.assert(fc.property(grammatical, (source) => parseTemplate(source).ok));
  });

  it("Evaluation leaves the scope unchanged and is repeatable", () => {
    const twice = fc.property(grammatical, arbitraryScope, (source, scope) => {
      const before = structuredClone(scope);
      expect(tryRender(source, scope)).toEqual(tryRender(source, scope));
      expect(scope).toEqual(before);
    });
    fc.assert(twice, { numRuns: 500 });
  });
});

/** Pauses at each `true` of the pattern, which repeats. */
class PausingBudget extends Budget {
  readonly #pattern: readonly boolean[];
  #charges = 0;

  constructor(limits: TemplateLimits, pattern: readonly boolean[]) {
    super(limits);
    this.#pattern = pattern;
  }

  override charge(steps: number): boolean {
    super.charge(steps);
    return this.#pattern[this.#charges++ % this.#pattern.length] === true;
  }
}

describe("Pausing evaluation", () => {
  const limits = { steps: 20_000, outputCharacters: 2000, outputValues: 200, milliseconds: Number.POSITIVE_INFINITY };
  const patterns = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });

  /** Returns results and the number of pauses. */
  function evaluated(programs: readonly Program[], variables: JsonObject, budget: Budget) {
    const scope = { variables: new Map(Object.entries(variables)), functions: new Map() };
    const work = evaluate(programs, scope, budget);
    for (let pauses = 0; ; pauses++) {
      const { done, value } = work.next();
      if (done) return { outcomes: programs.map((program) => outcomeOf(program, value)), pauses };
    }
  }

  it("A pausing evaluation returns the same values and errors as one that does not pause", () => {
    const longList = fc.array(fc.jsonValue({ maxDepth: 1 }), {
      minLength: 16,
      maxLength: 40,
    }) as fc.Arbitrary<JsonValue>;
    const scopes = fc.record({
      $body: longList,
      x: longList,
      y: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
    });
    const templates = fc.array(grammatical, { minLength: 1, maxLength: 3 });
    let paused = 0;
    const same = fc.property(templates, scopes, patterns, (sources, scope, pattern) => {
      const programs = sources.map((source) => {
        const compiled = compileTemplate(source);
        return compiled.ok ? compiled.value : expect.fail(source);
      });
      const { outcomes, pauses } = evaluated(programs, scope, new PausingBudget(limits, pattern));
      expect(outcomes).toEqual(evaluated(programs, scope, new PausingBudget(limits, [false])).outcomes);
      if (pauses > 0) paused++;
    });
    const ranges = "{{ range i, y := $body }} [{{ y in x }}, {{ $body == x }}, {{ y }}, {{ i }}] {{ end }}";
    const list = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? [i] : i));
    const examples: [string[], { $body: JsonValue; x: JsonValue; y: JsonValue }, boolean[]][] = [
      [[ranges, "$body.no", ranges], { $body: list, x: list, y: 1 }, [true]],
      [[ranges], { $body: list, x: list, y: 1 }, [false, true, false]],
    ];
    fc.assert(same, { numRuns: 1500, examples });
    expect(paused).toBeGreaterThan(500);
  });
});

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<JsonValue>;

describe("JSON in templates", () => {
  it("Any JSON is a template that evaluates to itself", () => {
    const plain = json.map((value) => JSON.stringify(value)).filter((text) => !text.includes("{{"));
    const same = fc.property(plain, (text) => stringifyJson(render(text)) === text);
    fc.assert(same, { examples: [['{"a":{"b":[{}]},"__proto__":"}}"}']] });
  });

  it("A JSON value passes through a variable unchanged, and a string also through interpolation", () => {
    fc.assert(fc.property(json, (value) => render("{{ v }}", { v: value }) === value));
    const strings = fc.property(anyText(), (text) => render('"{{ v }}"', { v: text }) === text);
    fc.assert(strings);
  });

  it("JSON values are totally ordered and equal only to themselves", () => {
    const small = fc.jsonValue({ maxDepth: 2, stringUnit: anyCharacter }) as fc.Arbitrary<JsonValue>;
    const order = fc.property(small, small, small, (a, b, c) => {
      const isAntisymmetric = Math.sign(compareJson(a, b)) + Math.sign(compareJson(b, a)) === 0;
      const isTransitive = compareJson(a, b) > 0 || compareJson(b, c) > 0 || compareJson(a, c) <= 0;
      const sorted = (value: JsonValue) => JSON.stringify(value, sortKeys);
      const isEqualToItself = compareJson(a, a) === 0 && (compareJson(a, b) === 0) === (sorted(a) === sorted(b));
      return isAntisymmetric && isTransitive && isEqualToItself;
    });
    fc.assert(order, { numRuns: 1000 });
  });

  it("JSON values of any depth can be compared", () => {
    const deep = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as JsonValue;
    expect(render("a == b", { a: deep(50_000), b: deep(50_000) })).toBe(true);
    expect(render("a < b", { a: deep(50_000), b: deep(50_001) })).toBe(true);
    expect(tryRender("not a", { a: deep(50_000) }).ok).toBe(false);
  });

  it("Strings are ordered by code point", () => {
    const points = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const order = fc.property(
      anyText(),
      anyText(),
      (a, b) => Math.sign(compareJson(a, b)) === Math.sign(compareJson(points(a), points(b))),
    );
    fc.assert(order, { numRuns: 1000 });
  });
});

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const inString = arbitraryTemplate.map((source) => source.replaceAll('"', "'"));
const fields = fc.dictionary(fc.string(), inString, { maxKeys: 3 });
const body = fc.oneof(
  arbitraryTemplate,
  fc.constant({ action: "remove" }),
  arbitraryTemplate.map((template) => ({ action: "transform", template })),
  fields.map((form_template) => ({ action: "x_www_form_urlencoded", form_template })),
);
const definitions = fc.record(
  {
    version: fc.constantFrom(1, 2),
    method: fc.string(),
    url: fc.oneof(
      inString,
      inString.map((source) => `http://host/${source}`),
    ),
    query_params: fc.oneof(inString, fc.dictionary(inString, fc.option(inString), { maxKeys: 3 })),
    request_headers: fc.record({ add_headers: fields, remove_headers: fc.array(fc.string()) }, { requiredKeys: [] }),
    body,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const requests = fc.record({
  method: fc.constant("POST"),
  url: anyUrl,
  headers: fc.array(fc.tuple(fc.string(), fc.string())),
  body: json,
  sessionVariables: fc.option(fc.dictionary(fc.string(), fc.string())),
});

describe("Laws of transforms", () => {
  it("Any request transform returns a request that can be sent, or template errors", () => {
    const transformed = fc.property(definitions, requests, (definition, request) => {
      const compiled = compileRequestTransform(definition);
      check(compiled);
      if (!compiled.ok) return;
      const outcome = runToCompletion(transformRequest(compiled.value, request, transformBudget(60_000)));
      check(outcome);
      if (!outcome.ok) return;
      const added = outcome.value.headers.filter((header) => !request.headers.includes(header as [string, string]));
      for (const [name, value] of added) {
        validateHeaderName(name);
        validateHeaderValue(name, Buffer.from(value).toString("latin1"));
      }
      expect(isAbsoluteUrl(outcome.value.url)).toBe(true);
    });
    fc.assert(transformed, { numRuns: 2000 });
  });

  it("Any response transform returns a body or template errors", () => {
    const transformed = fc.property(body, json, fc.option(requests), (definition, received, request) => {
      const compiled = compileResponseTransform({ body: definition as JsonValue });
      check(compiled);
      if (!compiled.ok) return;
      const response = { status: 200, body: received, sessionVariables: null, request };
      check(runToCompletion(transformResponse(compiled.value, response, transformBudget(60_000))));
    });
    fc.assert(transformed, { numRuns: 1000 });
  });
});

describe("Query parameters of URLs", () => {
  const texts = fc.string({ unit: "grapheme" });
  const values: fc.Arbitrary<string | null> = fc.option(texts);
  const pair: fc.Arbitrary<QueryPair> = fc.tuple(texts, values);
  // A parameter without key and value is an empty string between two ampersands.
  const visible = fc.array(
    pair.filter(([key, value]) => key !== "" || value !== null),
    { maxLength: 4 },
  );

  it("Query parameters round-trip", () => {
    const read = fc.property(visible, (all) => {
      expect(parseQuery(renderQuery(all))).toEqual(all);
    });
    fc.assert(read);
  });

  it("Replacing query parameters leaves the rest of the URL unchanged", () => {
    const replaced = fc.property(anyUrl, visible, (url, all) => {
      const changed = withQuery(url, all);
      expect(queryPairs(changed)).toEqual(all);
      expect(changed.split(/[?#]/)[0]).toBe(url.split(/[?#]/)[0]);
      expect(changed.split("#")[1]).toBe(url.split("#")[1]);
    });
    fc.assert(replaced);
  });
});
