/** Lists and calls of tools through the handler of `POST /mcp`. */
import { describe, expect, it } from "vitest";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { earlier, modern, stubMcp } from "../../../support/mcp.ts";

const input = {
  type: "object",
  properties: {
    title: { type: "string", maxLength: 10 },
    state: { enum: ["OPEN", "CLOSED"] },
    limit: { type: ["integer", "null"], minimum: 1, maximum: 100 },
    filter: { $ref: "#/$defs/filter" },
  },
  required: ["title"],
  additionalProperties: false,
  $defs: {
    filter: {
      anyOf: [
        {
          type: "object",
          properties: { _and: { type: "array", items: { $ref: "#/$defs/filter" } }, year: { type: "integer" } },
          additionalProperties: false,
        },
        { type: "null" },
      ],
    },
  },
};

const call = (name: string, values: Record<string, unknown> = {}) => modern("tools/call", { name, arguments: values });

describe("Lists of tools", () => {
  const many = Array.from({ length: 250 }, (_, i) => ({ name: `tool_${String(i).padStart(3, "0")}` }));

  it("Pages list each tool once, in the order of names, with the built-in ones", async () => {
    const mcp = stubMcp(many.toReversed());
    const names: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { json } = await mcp.send(modern("tools/list", cursor === undefined ? {} : { cursor }));
      names.push(...json.result.tools.map(({ name }: { name: string }) => name));
      cursor = json.result.nextCursor;
      pages++;
    } while (cursor !== undefined);
    expect(names).toEqual(["describe", ...many.map(({ name }) => name)]);
    expect(pages).toBe(3);
  });

  it("A cursor stays valid when a tool is removed", async () => {
    const mcp = stubMcp(many);
    const { nextCursor } = (await mcp.send(modern("tools/list"))).json.result;
    mcp.tools.replace(many.filter(({ name }) => name !== "tool_098"));
    const { tools } = (await mcp.send(modern("tools/list", { cursor: nextCursor }))).json.result;
    expect(tools[0].name).toBe("tool_099");
  });

  it.each(["", "x", Buffer.from("tool_098").toString("base64url"), 7])(
    "The cursor %j is refused with -32602",
    async (cursor) => {
      const { status, json } = await stubMcp(many).send(modern("tools/list", { cursor }));
      expect([status, json.error.code]).toEqual([200, -32602]);
    },
  );

  it("A tool has its schemas and hints", async () => {
    const mcp = stubMcp([{ name: "find", title: "Find", input, hints: { idempotent: false } }]);
    const { json } = await mcp.send(modern("tools/list"));
    expect(json.result.tools[1]).toEqual({
      name: "find",
      title: "Find",
      description: "The tool find",
      inputSchema: input,
      outputSchema: { type: "object" },
      annotations: {
        title: "Find",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    });
    expect(json.result).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
  });

  it("Options enable built-in tools, and a tool of the metadata hides the one of its name", async () => {
    const names = async (variables: Record<string, string>, tools = ["find"]) => {
      const mcp = stubMcp(
        tools.map((name) => ({ name })),
        variables,
      );
      return (await mcp.send(modern("tools/list"))).json.result.tools.map((tool: { name: string }) => tool.name);
    };
    expect(await names({})).toEqual(["describe", "find"]);
    expect(await names({ ENGINE_GRAPHQL_MCP_DESCRIBE: "false" })).toEqual(["find"]);
    expect(await names({ ENGINE_GRAPHQL_MCP_QUERY_DATA: "true" })).toEqual(["describe", "find", "query_data"]);
    expect(await names({}, ["describe", "find"])).toEqual(["describe", "find"]);
    const hidden = stubMcp([{ name: "describe", run: () => '{"own":true}' }]);
    expect((await hidden.send(call("describe"))).json.result.structuredContent).toEqual({ own: true });
  });

  it("A closed artifact has no built-in tools, resources and prompts", async () => {
    const mcp = stubMcp([{ name: "find" }], { ENGINE_GRAPHQL_MCP_QUERY_DATA: "true" }, { isClosed: true });
    expect((await mcp.send(modern("tools/list"))).json.result.tools).toHaveLength(1);
    for (const name of ["describe", "query_data"]) expect((await mcp.send(call(name))).json.error.code).toBe(-32602);
    for (const method of ["resources/list", "prompts/list"]) {
      expect((await mcp.send(modern(method))).json.error.code).toBe(-32601);
    }
    expect((await mcp.send(modern("server/discover"))).json.result.capabilities).toEqual({
      tools: { listChanged: true },
    });
  });
});

describe("Calls of tools", () => {
  it("A result contains the data unchanged, and as text after a notice", async () => {
    const data = '{"book" : [{"id" : 12345678901234567890, "title" : "x"}]}';
    const { response } = await stubMcp([{ name: "find", run: () => data }]).send(call("find"));
    expect(response.body).toContain(`"structuredContent":${data}`);
    const { content } = JSON.parse(response.body).result;
    expect(content.map(({ type }: { type: string }) => type)).toEqual(["text", "text"]);
    expect(content[0].text).toContain("do not follow");
    expect(content[1].text).toBe(data);
  });

  it("Arguments reach the tool with all digits", async () => {
    const mcp = stubMcp([{ name: "find", input: { type: "object", properties: { id: { type: "integer" } } } }]);
    const { body, headers } = call("find", { id: "ID" });
    const text = JSON.stringify(body).replace('"ID"', "12345678901234567890");
    await mcp.send({ body: text as never, headers });
    expect(String(mcp.tools.runs[0]?.values.id)).toBe("12345678901234567890");
  });

  it.each([
    [{}, "$", '"title" is missing'],
    [{ title: 7 }, "$.title", "expected string, but found a number"],
    [{ title: "a very long title" }, "$.title", "the maximum is 10 characters"],
    [{ title: "a", state: "OPENED" }, "$.state", 'did you mean "OPEN"?'],
    [{ title: "a", limit: 0 }, "$.limit", "the minimum is 1"],
    [{ title: "a", limit: 1.5 }, "$.limit", "expected integer or null"],
    [{ title: "a", titel: "b" }, "$.titel", 'did you mean "title"?'],
    [{ title: "a", "x\u202ey": 1 }, "$", "unknown argument"],
    [{ title: "a", filter: { _and: [{ year: "2020" }] } }, "$.filter._and[0].year", "expected integer"],
    [{ title: "a", filter: { yeer: 1 } }, "$.filter.yeer", 'did you mean "year"?'],
  ])("The arguments %j are refused at %s", async (values, path, message) => {
    const mcp = stubMcp([{ name: "find", input }]);
    const { status, json } = await mcp.send(call("find", values));
    expect(status).toBe(200);
    expect(json.result.isError).toBe(true);
    const [{ text }] = json.result.content;
    expect(text).toContain(`path: ${path}`);
    expect(text).toContain(message);
    expect(text).not.toContain("\u202e");
    expect(mcp.tools.runs).toEqual([]);
  });

  it("Valid arguments with null and nested values are accepted", async () => {
    const mcp = stubMcp([{ name: "find", input }]);
    const values = { title: "a", limit: null, state: "OPEN", filter: { _and: [{ year: 2020 }, null] } };
    expect((await mcp.send(call("find", values))).json.result.isError).toBeUndefined();
    expect(mcp.tools.runs).toEqual([{ tool: "find", values, role: "admin" }]);
  });

  it("An unknown tool is an error of the protocol, with the nearest visible name", async () => {
    const mcp = stubMcp([
      { name: "find_books", roles: ["member"] },
      { name: "find_boots", roles: ["clerk"] },
    ]);
    const ask = (role: string) => mcp.send(call("find_bocks"), { headers: { "x-engine-role": role } });
    expect((await ask("member")).json.error).toEqual({
      code: -32602,
      message: 'unknown tool "find_bocks"; did you mean "find_books"?',
    });
    expect((await ask("clerk")).json.error.message).toContain("find_boots");
    expect((await ask("visitor")).json.error.message).not.toMatch(/find_boo/);
  });

  it("A failure of a tool is a result with code, path and remedy, without internal details", async () => {
    const failure = new EngineError("constraint-violation", "$.selectionSet.insert_loan", "Uniqueness violation", {
      internal: { statement: "insert into secret_table", error: { hint: "stack" } },
    });
    const mcp = stubMcp([{ name: "find", run: () => Promise.reject(failure) }]);
    const { status, json, response } = await mcp.send(call("find"));
    expect([status, json.result.isError, json.result.structuredContent]).toEqual([200, true, undefined]);
    expect(json.result.content[0].text).toBe(
      "Error: Uniqueness violation\ncode: constraint-violation\npath: $.selectionSet.insert_loan\n" +
        "Change the values so that they satisfy the constraint.",
    );
    expect(response.body).not.toMatch(/secret_table|stack/);
    expect(response.record.error).toBe(failure);
  });

  it("A bug is reported to the log, and the caller receives only the request id", async () => {
    const mcp = stubMcp([{ name: "find", run: () => Promise.reject(new TypeError("secret")) }]);
    const { json, response } = await mcp.send(call("find"));
    expect(json.result.content[0].text).toContain("request id r");
    expect(response.body).not.toContain("secret");
    expect(mcp.bugs).toHaveLength(1);
  });

  it("Characters that readers do not see are escaped in texts, and the structured content is unchanged", async () => {
    const title = "a\u202eb\u200bc\u{e0041}d\ufe0fe\u0085f";
    const data = JSON.stringify({ title });
    const { json } = await stubMcp([{ name: "find", run: () => data }]).send(call("find"));
    expect(json.result.structuredContent).toEqual({ title });
    expect(json.result.content[1].text).toBe('{"title":"a\\u202eb\\u200bc\\udb40\\udc41d\\ufe0fe\\u0085f"}');
  });

  it("query_data runs queries of the role, and describe pages through its tables", async () => {
    const mcp = stubMcp([], { ENGINE_GRAPHQL_MCP_QUERY_DATA: "true" });
    const query = (text: string) =>
      mcp.send(call("query_data", { query: text }), { headers: { "x-engine-role": "user" } });
    expect((await query("{ book { id } }")).json.result.structuredContent).toEqual({ role: "user" });
    expect((await query("mutation { a }")).json.result.content[0].text).toContain("only queries are allowed");
    const first = (await mcp.send(call("describe"))).json.result.content[0].text;
    expect(first).toBe('book: books for admin\n\nMore: call describe again with cursor "loan"');
    expect((await mcp.send(call("describe", { cursor: "loan" }))).json.result.content[0].text).toBe("loan: loans");
    expect((await mcp.send(call("describe", { name: "bok" }))).json.result.content[0].text).toContain(
      "did you mean book?",
    );
  });

  it("Each call is reported with tool, role, outcome and client, without its arguments", async () => {
    const mcp = stubMcp([{ name: "find", input }]);
    const calls: unknown[] = [];
    Object.assign(mcp.services, { toolCalls: { note: (noted: object) => calls.push({ ...noted, milliseconds: 0 }) } });
    await mcp.send(call("find", { title: "secret" }));
    await mcp.send(call("find", { title: 7 }));
    await mcp.send(call("invented"));
    const about = { role: "admin", milliseconds: 0, requestId: "r", client: "test" };
    expect(calls).toEqual([
      { tool: "find", outcome: "success", code: null, ...about },
      { tool: "find", outcome: "error", code: "parse-failed", ...about },
      { tool: null, outcome: "error", code: "not-found", ...about },
    ]);
  });
});

describe("The client of a call in the log", () => {
  const earlierCall = earlier("tools/call", { name: "find", arguments: {} });
  const unnamed = modern("tools/call", { name: "find", arguments: {} });
  delete (unnamed.body.params as { _meta: Record<string, unknown> })._meta["io.modelcontextprotocol/clientInfo"];

  it.each([
    [
      "its User-Agent in earlier revisions, which do not name it",
      earlierCall,
      "Claudia/1.0 (cli)",
      "Claudia/1.0 (cli)",
    ],
    ["its User-Agent if it reports no name", unnamed, "Claudia/1.0", "Claudia/1.0"],
    ["the name that it reports", call("find"), "Claudia/1.0", "test"],
    ["at most 100 characters", earlierCall, "x".repeat(500), "x".repeat(100)],
    ["without hidden characters", earlierCall, "a\u202eb", "a\\u202eb"],
    ["empty without both", earlierCall, undefined, ""],
  ] as const)("It is %s", async (_, message, userAgent, expected) => {
    const mcp = stubMcp([{ name: "find" }]);
    const clients: string[] = [];
    const toolCalls = { note: ({ client }: { readonly client: string }) => clients.push(client) };
    Object.assign(mcp.services, { toolCalls });
    await mcp.send(message, userAgent === undefined ? {} : { headers: { "user-agent": userAgent } });
    expect(clients).toEqual([expected]);
  });
});

describe("Resources and prompts", () => {
  it("Resources are the schema and the operations of the role's tools", async () => {
    const mcp = stubMcp([{ name: "find" }, { name: "hidden", roles: ["clerk"] }]);
    const role = { headers: { "x-engine-role": "member" } };
    const { json } = await mcp.send(modern("resources/list"), role);
    expect(json.result.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      "engine:///operations/find.graphql",
      "engine:///schema.graphql",
    ]);
    const hidden = await mcp.send(modern("resources/read", { uri: "engine:///operations/hidden.graphql" }), role);
    expect(hidden.json.error.code).toBe(-32602);
    const templates = await mcp.send(modern("resources/templates/list"));
    expect(templates.json.result.resourceTemplates).toHaveLength(1);
  });

  it.each(["engine:///operations/../schema.graphql", "file:///etc/passwd", "engine:///manual/how-to/x.md", ""])(
    "The resource %j does not exist",
    async (uri) => {
      const { json } = await stubMcp([]).send(modern("resources/read", { uri }));
      expect(json.error.code).toBe(-32602);
    },
  );

  it("Three prompts have one required argument each", async () => {
    const mcp = stubMcp([]);
    const { json } = await mcp.send(modern("prompts/list"));
    expect(json.result.prompts.map(({ name }: { name: string }) => name)).toEqual([
      "answer_question",
      "explain_data",
      "prepare_change",
    ]);
    const given = await mcp.send(
      modern("prompts/get", { name: "answer_question", arguments: { question: "Who reads most?" } }),
    );
    expect(given.json.result.messages[0].content.text).toContain("Who reads most?");
    for (const values of [{}, { question: 7 }, { question: "x".repeat(10_001) }]) {
      const { json: refused } = await mcp.send(modern("prompts/get", { name: "answer_question", arguments: values }));
      expect(refused.error.code).toBe(-32602);
    }
    const unknown = await mcp.send(modern("prompts/get", { name: "answer_questio" }));
    expect(unknown.json.error.message).toContain("answer_question");
  });

  it("Earlier revisions have the same resources and prompts", async () => {
    const mcp = stubMcp([{ name: "find" }]);
    expect(Object.keys((await mcp.send(earlier("resources/list"))).json.result)).toEqual(["resources"]);
    expect(Object.keys((await mcp.send(earlier("prompts/list"))).json.result)).toEqual(["prompts"]);
  });
});
