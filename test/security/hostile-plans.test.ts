/**
 * Remote requests of saved operations with text that tries to inject code. Plans contain it as text and do not execute
 * it.
 */
import fc from "fast-check";
import { Kind, print } from "graphql";
import { expect, it } from "vitest";
import { emitSavedPlans } from "../../compiler/5-plan/emit-plans.ts";
import type { PlanIr, SlotIr } from "../../compiler/5-plan/plans-ir.ts";
import type { JoinedArgumentIr, RemoteVariableIr } from "../../compiler/5-plan/remotes-ir.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import { ModuleLoader } from "../../runtime/control/load/module-loader.ts";
import type { OutputObject } from "../../runtime/model/planner/action-plan.ts";
import { argumentValues } from "../../runtime/model/planner/request/action/arguments.ts";
import type { RemoteNode } from "../../runtime/model/planner/request/remote/remote-request.ts";
import type { SavedPlans } from "../../runtime/model/planner/saved-plans.ts";
import * as support from "../../runtime/model/support/index.ts";
import { anyText } from "../support/any-text.ts";
import { moduleCode } from "../support/module-code.ts";
import { sharedCode } from "../support/shared-code.ts";

const attack = "globalThis.wasReached = true";

const hostile = [
  `"; ${attack}; "`,
  `\`; ${attack}; \``,
  `\${${attack}}`,
  `*/ ${attack} /*`,
  `\n${attack}\n`,
  `\u2028${attack}`,
  "\\",
  "__proto__",
  "constructor",
  "plans",
  "remotePlace",
  "require",
  "\u202ereversed",
];

/** Returns a module that exports the names that plans refer to. */
const exporting = (text: string): string => `
  import { remoteSchema, remoteServer, toRemoteSchema } from "engine/support";
  const join = toRemoteSchema([], () => remote, []);
  const named = Object.fromEntries([[${JSON.stringify(text)}, join]]);
  export const remote = {
    ...remoteSchema(remoteServer("r", "u"), { types: "type Query { a: Int }", query: "Query" }),
    relationships: Object.fromEntries([[${JSON.stringify(text)}, named]]),
  };
  export const view = { remoteRelationships: named };
`;

const exportedAction = `
  import { actionTypes, defineAction } from "engine/support";
  const field = "a(note: String, other: String): Int";
  export const action = defineAction("a", actionTypes(""), { type: "query", field, handler: { url: "u" } });
`;

/** Returns the selection of a response. */
const answerOf = (text: string): OutputObject => ({
  members: [
    { kind: "member", key: text, name: `${text}?`, object: { members: [{ kind: "member", key: text, name: text }] } },
    { kind: "constant", key: text, value: text },
    { kind: "join", key: text, names: [text] },
    { kind: "read", key: text },
  ],
  place: 0,
});

/** Returns a plan with the text in every possible position. */
function planWith(text: string): PlanIr {
  const remote = { path: "remotes/r.ts", name: "remote", as: text };
  const field: RemoteNode = {
    kind: "field",
    key: text,
    name: `${text}?`,
    args: [[text, text]],
    selection: [],
    lists: 0,
  };
  const selection: readonly RemoteNode[] = [field, { kind: "fragment", type: text, selection: [field] }];
  const own = { name: text, type: text };
  const variables: readonly RemoteVariableIr[] = [
    {
      ...own,
      kind: "request",
      defaultValue: text,
      remote,
      declared: `${text}?`,
      path: text,
      otherwise: { [text]: text },
    },
  ];
  const session: readonly RemoteVariableIr[] = [{ ...own, kind: "session", variable: text }];
  const literal: JoinedArgumentIr = { kind: "text", text };
  const argument: JoinedArgumentIr = { kind: "object", fields: [[text, { kind: "list", items: [literal] }]] };
  const positions: SlotIr = {
    kind: "column",
    rows: { place: 0, path: text },
    name: text,
    code: { name: "rowPosition" },
  };
  const place = {
    remote,
    path: text,
    call: [{ name: text, args: [[text, argument]] as const }],
    type: text,
    selection,
    typenames: { [`${text}?`]: text },
    members: [text],
    joins: Object.fromEntries([
      [text, { kind: "typed" as const, types: Object.fromEntries([[text, { step: 0, place: 0, members: [text] }]]) }],
    ]),
  };
  return {
    statements: [],
    writes: [],
    parts: [
      { kind: "remote", key: text, request: 0 },
      { kind: "action", key: text, action: 0 },
    ],
    actions: [
      {
        action: { path: "actions/a.ts", name: "action", as: text },
        use: "action",
        path: text,
        args: [
          ["note", print({ kind: Kind.STRING, value: text })],
          ["other", "$other"],
        ],
        defaults: [["other", print({ kind: Kind.STRING, value: text })]],
        output: answerOf(text),
        reads: [{ source: text, text, slots: [positions], places: [0] }],
        afterWrites: 1,
      },
    ],
    remotes: [{ remote, operation: "query", name: text, fields: [{ field }], variables, afterWrites: 0 }],
    joins: [
      {
        kind: "remote",
        places: [
          { ...place, join: { from: remote, type: text, name: text }, variables },
          { ...place, join: { from: { ...remote, name: "view" }, name: text }, variables: session },
        ],
      },
    ],
  };
}

function check(text: string): void {
  const operation = { collection: text, name: text };
  const ir = { operation, role: "r", variant: "frontend", kind: "query", optional: [], conditions: [] } as const;
  const dialect = dialectOf("postgres");
  const module = emitSavedPlans({ ...ir, plans: [{ when: {}, plan: planWith(text) }] }, () => dialect, "0");
  const files = new Map([
    ["roles/r/operations/plans.ts", module.code],
    ["remotes/r.ts", moduleCode(exporting(text))],
    ["actions/a.ts", moduleCode(exportedAction)],
  ]);
  const hashOf = (path: string) => `${path} ${text}`;
  const program = { module: (path: string) => ({ code: files.get(path) ?? "", hash: hashOf(path) }), hashOf };
  const loader = new ModuleLoader({ program, support, cache: sharedCode });
  const { plans } = loader.require("roles/r/operations/plans.ts") as { readonly plans: SavedPlans };
  const { remotes, actions, joins, parts } = plans.plans.always ?? {};
  expect(parts).toEqual(planWith(text).parts);
  const [action] = actions ?? [];
  if (!action) throw new Error("it asks a handler");
  expect(action.output).toEqual(answerOf(text));
  expect(action).toMatchObject({ call: { use: "action" }, afterWrites: 1 });
  expect(argumentValues(action.call.input, {})).toEqual({ note: text, other: text });
  expect(argumentValues(action.call.input, { other: "x" })).toEqual({ note: text, other: "x" });
  const [read] = action.reads;
  expect(read).toMatchObject({ source: text, places: [0], slots: [{ kind: "column", name: text }] });
  expect(read?.text.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
  expect(remotes?.[0]).toMatchObject({
    operationName: text,
    variables: [{ name: text, type: text, defaultValue: text }],
  });
  const value = remotes?.[0]?.variables[0]?.value;
  expect(value).toMatchObject({ declared: `${text}?`, path: text });
  const [step] = joins ?? [];
  if (step?.kind !== "remote") throw new Error("it asks a remote server");
  const fields = planWith(text).remotes?.[0]?.fields[0]?.field;
  for (const { path, request, joins: inner } of step.places) {
    expect(path).toBe(text);
    expect(request.call.path).toEqual([
      {
        name: text,
        args: [[text, { kind: "object", fields: [[text, { kind: "list", items: [{ kind: "text", text }] }]] }]],
      },
    ]);
    expect(request.call.type).toBe(text);
    expect(request.call.selection).toEqual([fields, { kind: "fragment", type: text, selection: [fields] }]);
    expect(request.call.typenames).toEqual(new Map([[`${text}?`, { unknown: text }]]));
    const types = new Map([[text, { step: 0, place: 0, members: [text] }]]);
    expect(inner).toEqual(new Map([[text, { kind: "typed", types }]]));
  }
  expect(step.places[1]?.request.variables).toEqual(
    new Map([[text, expect.objectContaining({ value: expect.objectContaining({ kind: "session", variable: text }) })]]),
  );
  expect((globalThis as { wasReached?: boolean }).wasReached).toBeUndefined();
}

it.each(hostile)("A saved plan keeps %j as text", (text) => check(text));

it("A saved plan keeps arbitrary text as text", () => {
  fc.assert(fc.property(anyText({ minLength: 1, maxLength: 20 }), check), { numRuns: 100 });
});
