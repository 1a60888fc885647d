/** Random parts of metadata that several objects use. Names are hostile where the format allows any text. */

import fc from "fast-check";
import type { Json, JsonObject, QualifiedName } from "../../../compiler/catalog/model.ts";
import { anyText } from "../../support/any-text.ts";

const hostile = [
  "__proto__",
  "constructor",
  "10",
  "9",
  "Ü n\u2028",
  "*/",
  "a.b",
  "!include x.yaml",
  "null",
  "~",
  "2020-01-01",
];
export const text = fc.oneof(
  { weight: 3, arbitrary: anyText({ minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(...hostile) },
);
export const name = fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]{0,5}$/);
export const comment = fc.string({ maxLength: 5 });
/** Serialised and parsed once, because JSON has no negative zero. */
export const json = fc.jsonValue({ maxDepth: 2 }).map((value): Json => JSON.parse(JSON.stringify(value)));
export const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(text, json, { maxKeys: 3 });
export const count = fc.nat({ max: 1000 });
export const yes = fc.constant(true as const);
export const qualifiedName: fc.Arbitrary<QualifiedName> = fc.record({ schema: text, name: text });
export const mapping = fc.dictionary(text, text, { maxKeys: 3 });

type Arbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Values<A extends Arbitraries> = { readonly [K in keyof A]: A[K] extends fc.Arbitrary<infer V> ? V : never };

/** Generates an object with required and optional keys. */
export function record<R extends Arbitraries, O extends Arbitraries>(
  required: R,
  optional: O,
): fc.Arbitrary<Values<R> & Partial<Values<O>>> {
  const all = fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
  return all as fc.Arbitrary<Values<R> & Partial<Values<O>>>;
}

/** Generates a list without two elements of the same key. */
export function unique<T>(element: fc.Arbitrary<T>, key: (item: T) => unknown, maxLength = 2): fc.Arbitrary<T[]> {
  return fc.uniqueArray(element, { selector: (item) => JSON.stringify(key(item)), maxLength });
}

export const some = <T>(element: fc.Arbitrary<T>) => fc.array(element, { minLength: 1, maxLength: 2 });
export const columns = fc.oneof(fc.constant("*" as const), fc.array(text, { maxLength: 3 }));

export const header = fc.oneof(
  record({ name: text, value: text }, {}),
  record({ name: text, value_from_env: text }, {}),
);

const transformBody = fc.oneof(
  record({ action: fc.constant("remove") }, {}),
  record({ action: fc.constant("transform"), template: text }, {}),
  record({ action: fc.constant("x_www_form_urlencoded"), form_template: mapping }, {}),
);
const responseTransform = fc.oneof(
  record({}, { template_engine: fc.constant("Kriti"), body: text }),
  record({ version: fc.constant(2) }, { body: transformBody }),
);
const requestTransform = fc.oneof(
  record({}, { version: fc.constant(1), method: text, url: text, body: text, query_params: text }),
  record(
    { version: fc.constant(2) },
    {
      query_params: fc.dictionary(text, fc.option(text), { maxKeys: 2 }),
      request_headers: record({}, { add_headers: mapping, remove_headers: fc.array(text, { maxLength: 2 }) }),
      body: transformBody,
    },
  ),
);
export const transforms = { request_transform: requestTransform, response_transform: responseTransform };
