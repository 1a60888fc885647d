/** `docs/reference/templates.md`: the language of templates, from its tables. Results are those of the evaluator. */
import { transformBudget } from "../../../runtime/model/templates/budget.ts";
import { compileStringTemplate, compileTemplate } from "../../../runtime/model/templates/compile-template.ts";
import { evaluate, outcomeOf, type Program, type Scope } from "../../../runtime/model/templates/evaluator.ts";
import { functionTable } from "../../../runtime/model/templates/functions.ts";
import type { JsonValue } from "../../../runtime/model/templates/json-value.ts";
import { requestScope, responseScope } from "../../../runtime/model/templates/scope.ts";
import { type Node, type Operator, operatorLevels } from "../../../runtime/model/templates/syntax.ts";
import type { Outcome, TemplateErrorCode } from "../../../runtime/model/templates/template-error.ts";
import { runToCompletion } from "../../../runtime/values/interruptible.ts";
import type { ReferencePage } from "../page.ts";
import { block, code, page, table } from "../texts.ts";

const intro = `
Here you look up the language of templates: its syntax, operators, functions and variables, each with a result.
`;

const use = `
Templates transform the requests and responses of [actions](../how-to/actions.md),
[event triggers](../how-to/event-triggers.md) and [schedules](../how-to/schedules.md), and select connections
([connection templates](../how-to/scaling.md#connection-templates)). A template of a body is JSON with expressions in
\`{{ }}\`. A template of a URL, header, parameter or form field is a text with expressions in \`{{ }}\`, and its result must
be a text, number or boolean.

The examples of this page use these variables:
`;

const sample = {
  method: "POST",
  url: "https://api.example/orders?page=2",
  headers: [["accept", "application/json"]] as const,
  body: { action: { name: "order" }, input: { id: 7, tags: ["new", "gift"], note: null } },
  sessionVariables: { "x-engine-role": "user", "x-engine-user-id": "12" },
};

const scopes = {
  request: requestScope(sample),
  response: responseScope({
    status: 200,
    body: { total: "30.50", lines: [{ sku: "a" }] },
    sessionVariables: sample.sessionVariables,
    request: sample,
  }),
};

/** Syntax of each kind of expression, with examples for the scope of requests. */
const syntax: Readonly<Record<Exclude<Node["kind"], "call" | "not" | "operation">, readonly [string, string]>> = {
  constant: ["JSON constants; `#` begins a comment that ends with the line", "{{ 1.5 }} # one and a half"],
  interpolation: ["expressions in a text", '"order {{ $body.input.id }} of {{ $body.action.name }}"'],
  array: ["a list", "[{{ $body.input.id }}, null]"],
  object: ["an object", '{"order": {{ $body.input.id }}}'],
  variable: ["a variable", "{{ $base_url }}"],
  path: [
    "members by `.name`, `[\"name\"]`, `['name']` or an index; behind `?`, a missing member results in null",
    "{{ [$body.input.tags[0], $body.input?.size] }}",
  ],
  if: [
    "a choice, with any number of `elif`; `else` is required",
    '{{ if $body.input.id > 5 }} "late" {{ else }} "early" {{ end }}',
  ],
  range: [
    "a list from a list; `_` is an index that is not needed",
    '{{ range i, tag := $body.input.tags }} "{{ i }}: {{ tag }}" {{ end }}',
  ],
};

const operators: Readonly<Record<Operator, readonly [doc: string, example: string]>> = {
  "??": ["the right side if the left one is null", '{{ $body.input.note ?? "none" }}'],
  "||": ["true if a side is true", "{{ false || true }}"],
  "&&": ["true if both sides are true", "{{ true && false }}"],
  in: ["true if a list contains the value, or an object the key", '{{ "gift" in $body.input.tags }}'],
  "not in": ["the contrary of `in`", '{{ "id" not in $body.input }}'],
  "==": ["true for equal JSON values", "{{ $body.input.id == 7 }}"],
  "!=": ["true for different JSON values", "{{ $body.input.id != 7 }}"],
  "<": ["less, for numbers, texts and other values of one type", "{{ 2 < 10 }}"],
  ">": ["greater", '{{ "b" > "a" }}'],
  "<=": ["less or equal", "{{ 7 <= $body.input.id }}"],
  ">=": ["greater or equal", "{{ 7 >= 8 }}"],
};

const variables: Readonly<Record<string, string>> = {
  $body: "the body: of the request before the transform, or of the response",
  $base_url: "the URL of the request before the transform",
  $session_variables: "the session variables of the request, with lower-case names",
  $query_params: "the parameters of the URL as a list of pairs",
  $request:
    "the request before its transform: `method`, `url`, `body`, `query_params`, `request_headers`, `session_variables`; null if it has no transform",
  $response: "`status`, the HTTP status of the response",
};

const errors: Readonly<Record<TemplateErrorCode, string>> = {
  "Lexer Error": "a character or text cannot be read",
  "Parse Error": "the syntax is wrong; metadata operations refuse such templates",
  "Name Error": "a variable or function does not exist",
  "Attribute Error": "an object has no such member; use `?.` for members that may be missing",
  "Index Error": "a list has no such item",
  "Type Error": "an operator or a result has the wrong type",
  "Range Error": "`range` has no list",
  "Function Error": "a function has a wrong argument",
  "Limit Error": "the evaluation exceeds a limit ([actions](../how-to/actions.md))",
  TransformationError: "the result is no valid URL, header, method or text",
};

/** Returns the result of a template as JSON text. @throws Error if it fails */
function resultOf(source: string, scope: Scope = scopes.request, compile = compileTemplate): string {
  return JSON.stringify(evaluated(compile(source), scope, source));
}

function evaluated(compiled: Outcome<Program>, scope: Scope, source: string): JsonValue {
  if (!compiled.ok) throw new Error(`${source}: ${JSON.stringify(compiled.errors)}`);
  const found = outcomeOf(compiled.value, runToCompletion(evaluate([compiled.value], scope, transformBudget(10_000))));
  if (!found.ok) throw new Error(`${source}: ${JSON.stringify(found.errors)}`);
  return found.value;
}

const cell = (text: string): string => code(text.replaceAll("|", "\\|"));

/** Returns rows of variables. @throws Error if a variable has no description */
const variableRows = (scope: Scope): readonly (readonly string[])[] =>
  [...scope.variables].map(([name, value]) => {
    const doc = variables[name];
    if (doc === undefined) throw new Error(`the variable ${name} has no description`);
    const text = JSON.stringify(value);
    return [code(name), doc, text.length > 90 ? "" : cell(text)];
  });

export const templatesPage: ReferencePage = {
  path: "docs/reference/templates.md",
  render: () => {
    const levels = operatorLevels.flatMap((level, index) =>
      level.map((operator) => {
        const [doc, example] = operators[operator];
        return [cell(operator), String(index + 1), doc, cell(example), cell(resultOf(example))];
      }),
    );
    const functions = Object.entries(functionTable).map(([name, { doc, example }]) => {
      const call = `{{ ${name}(${example}) }}`;
      return [code(name), doc, cell(call), cell(resultOf(call))];
    });
    const forms = Object.values(syntax).map(([doc, example]) => [doc, cell(example), cell(resultOf(example))]);
    const session = '{{ getSessionVariable("X-Engine-User-Id") }}';
    const url = "https://api.example/users/{{ $session_variables['x-engine-user-id'] }}/orders";
    const total = '{"total": {{ $body.total }}, "status": {{ $response.status }}}';
    return Promise.resolve(
      page(
        "# Templates",
        intro,
        use,
        block(
          "json",
          JSON.stringify(
            { $body: sample.body, $base_url: sample.url, $session_variables: sample.sessionVariables },
            null,
            2,
          ),
        ),
        "## Syntax",
        table(["form", "example", "result"], forms),
        "## Operators",
        "A higher level binds closer. Operators of one level are evaluated from the left. `not` is a prefix.",
        table(
          ["operator", "level", "meaning", "example", "result"],
          [
            ...levels,
            [
              code("not"),
              String(operatorLevels.length + 1),
              "negates a boolean",
              cell("{{ not true }}"),
              cell(resultOf("{{ not true }}")),
            ],
          ],
        ),
        "## Functions",
        "A function has one argument.",
        table(
          ["function", "result", "example", "value"],
          [
            ...functions,
            [
              code("getSessionVariable"),
              "a session variable, in any spelling of its name; fails if it is missing, null for null",
              cell(session),
              cell(resultOf(session)),
            ],
          ],
        ),
        "## Variables of requests",
        table(["variable", "value", "in the examples"], variableRows(scopes.request)),
        "A URL, for example:",
        block("text", url),
        `results in ${resultOf(url, scopes.request, compileStringTemplate)}.`,
        "## Variables of responses",
        table(["variable", "value", "in an example"], variableRows(scopes.response)),
        "The template",
        block("text", total),
        `results in ${cell(resultOf(total, scopes.response))}.`,
        "## Variables of connection templates",
        "A connection template has one variable, `$`. [Connection templates](../how-to/scaling.md#connection-templates) lists its\nmembers. There, expressions in brackets need no `{{ }}`.",
        "## Errors",
        "`test_webhook_transform` and the log list errors with these codes:",
        table(
          ["`error_code`", "cause"],
          Object.entries(errors).map(([name, doc]) => [code(name), doc]),
        ),
      ),
    );
  },
};
