/** The confirmation of writes: by a form of the client, or by an argument. */
import { describe, expect, it } from "vitest";
import type { WriteEffect } from "../../../../runtime/ports/agent-tools.ts";
import type { FakeTool } from "../../../support/agent-tools.ts";
import { earlier, modern, stubMcp } from "../../../support/mcp.ts";

const write = { readOnly: false, destructive: true };
const effect: readonly WriteEffect[] = [
  { table: "loan", inserted: 0, updated: 0, deleted: 3 },
  { table: null, inserted: 0, updated: 1, deleted: 0 },
];
const input = { type: "object", properties: { year: { type: "integer" } }, additionalProperties: false };
const remove = (more: Partial<FakeTool> = {}): FakeTool => ({
  name: "delete_loans",
  title: "Delete loans",
  hints: write,
  input,
  effect: () => effect,
  run: () => '{"delete_loan":{"affected_rows":3}}',
  ...more,
});
const values = { year: 2020 };
const forms = { elicitation: {} };
const call = (given: object = values, more: object = {}, capabilities: object = forms) =>
  modern("tools/call", { name: "delete_loans", arguments: given, ...more }, capabilities);
const accept = { confirmation: { action: "accept", content: {} } };

describe("Clients with forms", () => {
  it("The first call requests a confirmation of the rows by table, and changes nothing", async () => {
    const mcp = stubMcp([remove()]);
    const { json } = await mcp.send(call());
    expect(json.result).toMatchObject({
      resultType: "input_required",
      inputRequests: {
        confirmation: {
          method: "elicitation/create",
          params: {
            mode: "form",
            message:
              "Delete loans: The call would change these rows:\n- loan: 3 rows deleted\n- other tables: 1 row updated",
            requestedSchema: { type: "object", properties: {} },
          },
        },
      },
    });
    expect(json.result.ttlMs).toBeUndefined();
    expect(mcp.tools.runs).toEqual([]);
  });

  it("The accepted call runs once", async () => {
    const mcp = stubMcp([remove()]);
    const { requestState } = (await mcp.send(call())).json.result;
    const retry = call(values, { inputResponses: accept, requestState });
    expect((await mcp.send(retry)).json.result.structuredContent).toEqual({ delete_loan: { affected_rows: 3 } });
    expect((await mcp.send(retry)).json.result.resultType).toBe("input_required");
    expect(mcp.tools.runs).toHaveLength(1);
  });

  it.each(["decline", "cancel"])("After %s nothing runs", async (action) => {
    const mcp = stubMcp([remove()]);
    const { requestState } = (await mcp.send(call())).json.result;
    const { json } = await mcp.send(call(values, { inputResponses: { confirmation: { action } }, requestState }));
    expect(json.result).toMatchObject({ resultType: "complete", isError: true });
    expect(json.result.content[0].text).toContain("Nothing has changed");
    expect(mcp.tools.runs).toEqual([]);
  });

  it.each([
    ["of other arguments", async (state: string) => ({ given: { year: 2021 }, state })],
    ["with another effect", async (state: string) => ({ given: values, state: tampered(state) })],
    ["that is missing", async () => ({ given: values, state: undefined })],
    ["that is not a text", async () => ({ given: values, state: { a: 1 } })],
    ["without a signature", async (state: string) => ({ given: values, state: state.split(".")[0] })],
    ["with an empty signature", async (state: string) => ({ given: values, state: `${state.split(".")[0]}.` })],
  ])("A state %s requests a new confirmation", async (_what, change) => {
    const mcp = stubMcp([remove()]);
    const { requestState } = (await mcp.send(call())).json.result;
    const { given, state } = await change(requestState);
    const { json } = await mcp.send(call(given, { inputResponses: accept, requestState: state }));
    expect(json.result.resultType).toBe("input_required");
    expect(mcp.tools.runs).toEqual([]);
  });

  it("A state of another role requests a new confirmation", async () => {
    const mcp = stubMcp([remove()]);
    const { requestState } = (await mcp.send(call(), { headers: { "x-engine-role": "clerk" } })).json.result;
    const retry = call(values, { inputResponses: accept, requestState });
    expect((await mcp.send(retry, { headers: { "x-engine-role": "member" } })).json.result.resultType).toBe(
      "input_required",
    );
    expect((await mcp.send(retry, { headers: { "x-engine-role": "clerk" } })).json.result.resultType).toBe("complete");
  });

  it("A state of an instance with another admin secret requests a new confirmation", async () => {
    const state = async (secret: string) =>
      (await stubMcp([remove()], { ENGINE_GRAPHQL_ADMIN_SECRET: secret }).send(call())).json.result.requestState;
    const mcp = stubMcp([remove()], { ENGINE_GRAPHQL_ADMIN_SECRET: "one" });
    const retry = async (secret: string) =>
      (await mcp.send(call(values, { inputResponses: accept, requestState: await state(secret) }))).json.result
        .resultType;
    expect([await retry("two"), await retry("one")]).toEqual(["input_required", "complete"]);
  });

  it("An effect that has grown since requests a new confirmation, a smaller one does not", async () => {
    let deleted = 3;
    const mcp = stubMcp([remove({ effect: () => [{ table: "loan", inserted: 0, updated: 0, deleted }] })]);
    const { requestState } = (await mcp.send(call())).json.result;
    deleted = 4;
    const again = (await mcp.send(call(values, { inputResponses: accept, requestState }))).json.result;
    expect(again.inputRequests.confirmation.params.message).toContain("4 rows deleted");
    deleted = 2;
    const { json } = await mcp.send(call(values, { inputResponses: accept, requestState: again.requestState }));
    expect(json.result.resultType).toBe("complete");
    expect(mcp.tools.runs).toHaveLength(1);
  });

  it("A write whose effect is unknown needs a confirmation too", async () => {
    const mcp = stubMcp([remove({ effect: () => null, hints: { ...write, openWorld: true } })]);
    const { message } = (await mcp.send(call())).json.result.inputRequests.confirmation.params;
    expect(message).toContain("cannot be determined in advance");
    expect(message).toContain("calls other services");
  });

  it("The argument confirm does not replace the form", async () => {
    const mcp = stubMcp([remove()]);
    expect((await mcp.send(call({ ...values, confirm: true }))).json.result.isError).toBe(true);
    expect(mcp.tools.runs).toEqual([]);
  });

  it("Wrong arguments are refused before the form", async () => {
    const { json } = await stubMcp([remove()]).send(call({ year: "2020" }));
    expect(json.result.isError).toBe(true);
  });
});

describe("Clients without forms", () => {
  const none = {};

  it("The input schema has the argument confirm", async () => {
    const mcp = stubMcp([remove(), { name: "find" }]);
    const properties = async (message: ReturnType<typeof modern>) =>
      (await mcp.send(message)).json.result.tools.map(({ inputSchema }: { inputSchema: { properties: object } }) =>
        Object.keys(inputSchema.properties),
      );
    expect(await properties(modern("tools/list"))).toEqual([["year", "confirm"], expect.anything(), []]);
    expect(await properties(earlier("tools/list"))).toEqual([["year", "confirm"], expect.anything(), []]);
    expect(await properties(modern("tools/list", {}, forms))).toEqual([["year"], expect.anything(), []]);
    // Forms on other pages do not help.
    expect(await properties(modern("tools/list", {}, { elicitation: { url: {} } }))).toContainEqual([
      "year",
      "confirm",
    ]);
  });

  it.each([
    ["the newest revision", (given: object) => call(given, {}, none)],
    ["an earlier revision", (given: object) => earlier("tools/call", { name: "delete_loans", arguments: given })],
  ])("A call of %s without confirm reports its effect, and with it runs", async (_revision, message) => {
    const mcp = stubMcp([remove()]);
    for (const given of [values, { ...values, confirm: false }]) {
      const { json } = await mcp.send(message(given));
      expect(json.result.isError).toBe(true);
      expect(json.result.content[0].text).toContain("Nothing has changed yet");
      expect(json.result.content[0].text).toContain("- loan: 3 rows deleted");
      expect(json.result.content[0].text).toContain('"confirm": true');
    }
    expect((await mcp.send(message({ ...values, confirm: "true" }))).json.result.content[0].text).toContain(
      "$.confirm",
    );
    expect(mcp.tools.runs).toEqual([]);
    await mcp.send(message({ ...values, confirm: true }));
    expect(mcp.tools.runs).toEqual([{ tool: "delete_loans", values, role: "admin" }]);
  });

  it("A variable with the name confirm keeps its meaning", async () => {
    const own = { type: "object", properties: { confirm: { type: "boolean" } }, additionalProperties: false };
    const mcp = stubMcp([remove({ input: own })]);
    await mcp.send(call({ confirm: true }, {}, none));
    expect(mcp.tools.runs).toEqual([]);
    await mcp.send(call({ confirm: false, confirm_write: true }, {}, none));
    expect(mcp.tools.runs[0]?.values).toEqual({ confirm: false });
  });
});

describe("Policies", () => {
  it("forbid hides tools that write", async () => {
    const mcp = stubMcp([remove(), { name: "find" }], { ENGINE_GRAPHQL_MCP_WRITES: "forbid" });
    const { tools } = (await mcp.send(modern("tools/list"))).json.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(["describe", "find"]);
    const { json } = await mcp.send(call({ ...values, confirm: true }));
    expect(json.error).toMatchObject({ code: -32602 });
    expect(json.error.message).not.toContain('did you mean "delete_loans"');
    expect(mcp.tools.runs).toEqual([]);
  });

  it("allow runs writes without a confirmation", async () => {
    const mcp = stubMcp([remove()], { ENGINE_GRAPHQL_MCP_WRITES: "allow" });
    await mcp.send(call());
    expect(mcp.tools.runs).toHaveLength(1);
    expect((await mcp.send(call({ ...values, confirm: true }, {}, {}))).json.result.isError).toBe(true);
  });
});

/** Returns a state whose effect is smaller than the signed one. */
function tampered(state: string): string {
  const [body = "", mac] = state.split(".");
  const write = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  return `${Buffer.from(JSON.stringify({ ...write, effect: [] })).toString("base64url")}.${mac}`;
}
