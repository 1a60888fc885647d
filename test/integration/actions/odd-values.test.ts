/** Asynchronous actions with arguments, session variables or results that `jsonb` rejects. No value is lost. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let handler: ActionHandlerServer;
let engine: TestServer;
/** The handler's response; `text` is JSON. */
let answer: { readonly status?: number; readonly text: string };

const key = "k".repeat(32);

beforeAll(async () => {
  handler = await startActionHandler((_, response) => response.writeHead(answer.status ?? 200).end(answer.text));
  engine = await startTestServer({
    environment: {
      HANDLER: `http://127.0.0.1:${handler.port}`,
      ENGINE_GRAPHQL_ADMIN_SECRET: "admin",
      ENGINE_GRAPHQL_JWT_SECRET: JSON.stringify({ type: "HS256", key }),
    },
  });
  const definition = {
    handler: "{{HANDLER}}/say",
    kind: "asynchronous",
    output_type: "json",
    arguments: [
      { name: "text", type: "String" },
      { name: "what", type: "json" },
    ],
  };
  const { status, text } = await engine.post(
    "/v1/metadata",
    {
      type: "bulk",
      args: [
        { type: "create_action", args: { name: "say", definition } },
        { type: "create_action_permission", args: { action: "say", role: "user" } },
      ],
    },
    admin,
  );
  if (status !== 200) throw new Error(text);
}, 60_000);

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

const admin = { "x-engine-admin-secret": "admin" };

function user(name: string): Record<string, string> {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { "x-engine-default-role": "user", "x-engine-allowed-roles": ["user"], "x-engine-name": name };
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part({ "https://engine.io/jwt/claims": claims })}`;
  return { authorization: `Bearer ${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}` };
}

/**
 * Starts an asynchronous action.
 * @param variables JSON text, so that numbers keep all digits
 */
async function start(variables: string, headers: Record<string, string> = admin): Promise<string> {
  const mutation = "mutation($text: String, $what: json) { say(text: $text, what: $what) }";
  const { json } = await engine.post(
    "/v1/graphql",
    `{"query": ${JSON.stringify(mutation)}, "variables": ${variables}}`,
    headers,
  );
  expect(json.errors).toBeUndefined();
  return json.data.say;
}

/** Waits for a call to end, and returns its result as text. */
function ended(id: string, headers: Record<string, string> = admin): Promise<string> {
  const body = { query: "query($id: uuid!) { say(id: $id) { output errors } }", variables: { id } };
  return vi.waitFor(
    async () => {
      const { text, json } = await engine.post("/v1/graphql", body, headers);
      expect(json.data.say.output ?? json.data.say.errors).not.toBeNull();
      return text;
    },
    { timeout: 5000, interval: 20 },
  );
}

const odd: readonly (readonly [string, string])[] = [
  ["the character NUL", '"a\\u0000b"'],
  ["NUL in a name and elsewhere", '{"a\\u0000":[1,"\\u0000"],"b":"\\\\u0000"}'],
  ["half of a surrogate pair", '"\\ud800"'],
  ["a number that is too large", "[1e200000]"],
  ["the log's encoding of such values", '{"(json text)":"5"}'],
];

describe.each(odd)("The odd value %s", (_, text) => {
  it("The odd value reaches the handler", async () => {
    answer = { text: "1" };
    const id = await start(`{"what": ${text}}`);
    expect(await ended(id)).toBe('{"data":{"say":{"output":1,"errors":null}}}');
    expect(handler.requests.at(-1)?.text).toContain(`"input":{"what":${text}}`);
  });

  it("The odd value is returned as a result", async () => {
    answer = { text };
    expect(await ended(await start("{}"))).toBe(`{"data":{"say":{"output":${text},"errors":null}}}`);
  });

  it("The odd value is returned in an error", async () => {
    answer = { status: 422, text: `{"message": "no", "extensions": {"value": ${text}}}` };
    expect(await ended(await start("{}"))).toContain(`"extensions":{"value":${text}}`);
  });
});

describe("Session variables of asynchronous actions", () => {
  it.each([["a\u0000b"], ["\ud800"], ['{"(json text)":"{}"}']])(
    "The session variable %j distinguishes sessions",
    async (name) => {
      answer = { text: "1" };
      const id = await start("{}", user(name));
      expect(await ended(id, user(name))).toContain('"output":1');
      expect(JSON.parse(handler.requests.at(-1)?.text ?? "{}").session_variables).toEqual({
        "x-engine-role": "user",
        "x-engine-name": name,
      });
      const body = { query: "query($id: uuid!) { say(id: $id) { output } }", variables: { id } };
      for (const other of ["ab", "a", "a\\u0000b", "\ufffd", "\udfff", ""]) {
        expect((await engine.post("/v1/graphql", body, user(other))).json).toEqual({ data: { say: null } });
      }
    },
  );
});

it("Values that jsonb supports are stored unchanged", async () => {
  answer = { text: '{"a": [1.5, null, "x"]}' };
  const id = await start('{"text": "plain", "what": {"b": 2}}');
  await ended(id);
  const [row] = await query(
    engine.metadataUrl,
    `select input_payload::text as input, response_payload::text as output
     from engine_catalog.engine_action_log where id = '${id}'`,
  );
  expect(row).toEqual({ input: '{"text": "plain", "what": {"b": 2}}', output: '{"a": [1.5, null, "x"]}' });
});
