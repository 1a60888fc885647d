/** Random templates: from the grammar, from its tokens in any order, and from arbitrary text. */
import fc from "fast-check";
import type { JsonValue } from "../../../../runtime/model/templates/json-value.ts";
import { anyText } from "../../../support/any-text.ts";

/** The names that random templates may use; they also use undefined ones. */
export const arbitraryScope: fc.Arbitrary<Readonly<Record<string, JsonValue>>> = fc.record({
  $body: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
  x: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
  y: fc.constantFrom<JsonValue>({ a: [1, { b: null }], c: "d" }, [[], [true]], "text", 0, false, null),
});

const names = fc.constantFrom("$body", "x", "y", "unbound");
const keys = fc.constantFrom("a", "b", "c", "length", "constructor", "end");
const functions = fc.constantFrom(
  ...["empty", "size", "inverse", "head", "tail", "toCaseFold", "toLower", "toUpper", "toTitle", "escapeUri"],
  ...["fromPairs", "toPairs", "removeNulls", "concat", "not", "getSessionVariable", "unknown"],
);
const operators = fc.constantFrom("??", "||", "&&", "in", "not in", "==", "!=", "<", ">", "<=", ">=");
const scalars = fc.constantFrom(
  "0",
  "-1.5e3",
  "12345678901234567890",
  "true",
  "false",
  "null",
  '"s"',
  '""',
  "[]",
  "{}",
);

export const { expression: grammatical } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie("expression");
  const join = (...parts: (string | fc.Arbitrary<string>)[]) =>
    fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((all) => all.join(""));
  return {
    expression: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(scalars, names),
      join("[", inner, ", ", inner, "]"),
      join('{"a": ', inner, ', "b": ', inner, "}"),
      join("{{ ", inner, " }}"),
      join("(", inner, ")"),
      join('"<{{ ', inner, ' }}>"'),
      join("(", inner, ") ", operators, " (", inner, ")"),
      join("not ", inner),
      join(functions, "(", inner, ")"),
      join("(", inner, ")", fc.constantFrom(".", "?."), keys),
      join("(", inner, ")", fc.constantFrom("[", "?["), fc.constantFrom("0]", "7]", "-1]", "'a']", "'']")),
      join("{{ if ", inner, " }} ", inner, " {{ elif ", inner, " }} ", inner, " {{ else }} ", inner, " {{ end }}"),
      join("{{ range ", fc.constantFrom("_", "x", "i"), ", y := ", inner, " }} ", inner, " {{ end }}"),
    ),
  };
});

const tokens = fc.constantFrom(
  ...["{{", "}}", "{", "}", "[", "]", "(", ")", ",", ":", ":=", ".", "?.", "?[", "??", "==", "<", "&&", "_", '"', "'"],
  ...[
    "if",
    "elif",
    "else",
    "end",
    "range",
    "in",
    "not",
    "null",
    "true",
    "x",
    "$body",
    "$",
    "size",
    "1",
    "-2.5",
    "#",
    "\n",
  ],
  ...["\\", "\\u00e4", "text", "😀", "\ud800", " "],
);
const disordered = fc.array(tokens, { maxLength: 30 }).map((parts) => parts.join(" "));

export const arbitraryTemplate: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: grammatical, weight: 4 },
  { arbitrary: disordered, weight: 2 },
  { arbitrary: fc.array(tokens, { maxLength: 30 }).map((parts) => parts.join("")), weight: 2 },
  { arbitrary: anyText(), weight: 1 },
);
