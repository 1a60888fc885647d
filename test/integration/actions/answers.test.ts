/** Invalid and missing responses of handlers: the client's error, and the details that it hides. */
import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error("there is none");
  return value;
};

let handler: ActionHandlerServer;
let engine: TestServer;
/** Sends the handler's response; set by each test. */
let answer: (response: ServerResponse) => void;

const body =
  (text: string, status = 200, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers);
    response.end(text);
  };
const secret = "s3cret-of-the-environment";

beforeAll(async () => {
  handler = await startActionHandler((_, response) => answer(response));
  engine = await startTestServer({
    environment: {
      HANDLER: `http://127.0.0.1:${handler.port}`,
      SECRET: secret,
      KEY: "whsec_bmV3",
      OLD_KEY: "b2xk",
      ENGINE_GRAPHQL_ADMIN_INTERNAL_ERRORS: "true",
      ENGINE_GRAPHQL_ADMIN_SECRET: "admin",
      ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup,http-log,action-handler-log",
    },
  });
  const definition = {
    handler: "{{HANDLER}}/{{SECRET}}",
    output_type: "Answer!",
    timeout: 1,
    headers: [{ name: "x-secret", value_from_env: "SECRET" }],
  };
  const admin = { "x-engine-admin-secret": "admin" };
  const create = (name: string, more: object) => ({
    type: "create_action",
    args: { name, definition: { ...definition, ...more } },
  });
  const { status, text } = await engine.post(
    "/v1/metadata",
    {
      type: "bulk",
      args: [
        {
          type: "set_custom_types",
          args: {
            objects: [
              {
                name: "Answer",
                fields: [
                  { name: "id", type: "Int!" },
                  { name: "text", type: "String" },
                ],
              },
            ],
          },
        },
        create("ask", { type: "query" }),
        create("tell", { signing_secret: [{ value_from_env: "KEY" }, { value_from_env: "OLD_KEY" }] }),
        create("bent", { type: "query", request_transform: { version: 2, url: "{{ $body.nothing }}" } }),
        create("turned", {
          type: "query",
          response_transform: { version: 2, body: { action: "transform", template: '{ "id": {{ $body.none }} }' } },
        }),
        create("numbers", { type: "query", output_type: "[Int!]" }),
        { type: "create_action_permission", args: { action: "ask", role: "user" } },
      ],
    },
    admin,
  );
  if (status !== 200) throw new Error(text);
});

afterAll(async () => {
  await engine?.close();
  await handler?.close();
});

const ask = (query: string, headers: Record<string, string> = {}) =>
  engine.post("/v1/graphql", { query }, { "x-engine-admin-secret": "admin", ...headers });

const failure = async (query = "{ ask { id } }") => {
  const { json } = await ask(query);
  const { message, extensions } = json.errors[0];
  return [message, extensions.code, extensions.internal?.error];
};

describe("Unresponsive action handlers", () => {
  it("A silent handler fails the action after its timeout", async () => {
    answer = () => undefined;
    const began = performance.now();
    expect(await failure()).toEqual(["http exception when calling webhook", "unexpected", "no reply in time"]);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it("A handler that closes its connection fails the action", async () => {
    answer = (response) => response.destroy();
    expect((await failure())[0]).toBe("http exception when calling webhook");
    answer = (response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"id": 1');
      setImmediate(() => response.destroy());
    };
    expect((await failure())[0]).toBe("http exception when calling webhook");
  });

  it("A handler response of 100 MB fails the action", async () => {
    answer = (response) => {
      const piece = " ".repeat(1024 * 1024);
      let pieces = 0;
      const more = (): void => {
        while (pieces++ < 100) if (!response.write(piece)) return void response.once("drain", more);
        response.end('{"id": 1}');
      };
      more();
    };
    const [message, code] = await failure();
    expect([message, code]).toEqual(["http exception when calling webhook", "unexpected"]);
  });
});

describe("Invalid responses of action handlers", () => {
  it.each([
    ["HTML", body("<html>no</html>", 200, { "content-type": "text/html" })],
    ["nothing", body("")],
    ["half of a value", body('{"id": 1')],
    ["two values", body('{"id": 1} {"id": 2}')],
  ])("A handler response of %s is reported as invalid JSON", async (_, given) => {
    answer = given;
    const [message, code, internal] = await failure();
    expect([message, code]).toEqual(["not a valid json response from webhook", "unexpected"]);
    expect(internal).toMatch(/^invalid JSON: /);
  });

  it("A handler response that is not UTF-8 is decoded with replacement characters", async () => {
    answer = (response) =>
      response.end(Buffer.from([...Buffer.from('{"id": 1, "text": "'), 0xff, 0xfe, ...Buffer.from('"}')]));
    expect((await ask("{ ask { id text } }")).json).toEqual({ data: { ask: { id: 1, text: "\ufffd\ufffd" } } });
  });

  it.each([
    [301, "internal error", "expecting 2xx or 4xx status code, but found 301"],
    [500, "internal error", "expecting 2xx or 4xx status code, but found 500"],
  ])("A handler response with status %i fails the action", async (status, message, internal) => {
    answer = body('{"id": 1}', status);
    expect(await failure()).toEqual([message, "unexpected", internal]);
  });

  it("A redirect of a handler to another origin is not followed", async () => {
    answer = body("{}", 307, { location: "http://169.254.169.254/latest" });
    expect((await failure())[0]).toBe("http exception when calling webhook");
  });

  it.each([
    ["{ ask { id } }", "null", "got null for the action webhook response"],
    ["{ ask { id } }", "[]", "got array for the action webhook response, expecting Answer"],
    ["{ ask { id } }", "1", "got scalar String for the action webhook response, expecting Answer"],
    ["{ ask { text } }", "{}", 'field "id" expected in webhook response, but not found'],
    ["{ ask { id } }", '{"id": null}', 'expecting not null value for field "id"'],
    ["{ numbers }", "1", "expecting array for the action webhook response"],
    ["{ numbers }", "[1, true]", "got scalar Boolean for the action webhook response, expecting Int"],
  ])("For %s, the handler response %s fails the action", async (query, text, message) => {
    answer = body(text);
    expect(await failure(query)).toEqual([message, "unexpected", "unexpected response"]);
  });

  it("A handler response with the key __proto__ is refused", async () => {
    answer = body('{"id": 1, "__proto__": {"text": "x"}}');
    expect((await failure())[0]).toBe("not a valid json response from webhook");
  });
});

describe("Refusals by action handlers", () => {
  const refusal = async (text: string) => {
    answer = body(text, 422);
    return (await ask("{ ask { id } }")).json.errors[0];
  };

  it("A refusing handler sets the message, code and extensions of the error", async () => {
    expect(await refusal('{"message": "no"}')).toEqual({
      message: "no",
      extensions: { path: "$", code: "unexpected" },
    });
    expect(await refusal('{"message": "no", "code": "bad"}')).toEqual({
      message: "no",
      extensions: { path: "$", code: "bad" },
    });
    const extensions = { code: "mine", big: [1.5] };
    expect(await refusal(JSON.stringify({ message: "no", code: "bad", extensions }))).toEqual({
      message: "no",
      extensions,
    });
    expect(await refusal('{"message": "no", "extensions": {}}')).toEqual({ message: "no", extensions: {} });
  });

  it.each([
    ["[]", "parsing the error of the action webhook failed, expected an object"],
    ["{}", 'key "message" not found'],
    ['{"message": 1}', 'the value of "message" is not a string'],
  ])("A malformed refusal of a handler is reported: %s", async (text, message) => {
    expect(await refusal(text)).toMatchObject({ message, extensions: { code: "parse-failed" } });
  });
});

describe("Failing transforms of actions", () => {
  it("A failing transform fails the action, and a failing request transform sends no request", async () => {
    answer = body('{"id": 1}');
    const before = handler.requests.length;
    expect((await failure("{ bent { id } }"))[0]).toBe("Request Transformation Failed");
    expect(handler.requests).toHaveLength(before);
    expect((await failure("{ turned { id } }"))[0]).toBe("Response Transformation Failed");
  });
});

describe("Details of action calls", () => {
  it("An error of an action shows the configured URL, payload and response only to admins", async () => {
    answer = body('"oops"', 500, { "x-from": "handler" });
    const { text, json } = await ask("{ ask { id } }");
    expect(json.errors[0].extensions.internal).toMatchObject({
      error: "expecting 2xx or 4xx status code, but found 500",
      request: {
        url: "{{HANDLER}}/{{SECRET}}",
        headers: [{ name: "x-secret", value_from_env: "SECRET" }],
        body: { action: { name: "ask" }, input: {}, request_query: "{ ask { id } }" },
        transformed_request: null,
      },
      response: { status: 500, body: "oops", headers: expect.arrayContaining([{ name: "x-from", value: "handler" }]) },
    });
    expect(text).not.toContain(secret);
    const asUser = await ask("{ ask { id } }", { "x-engine-role": "user" });
    expect(asUser.json.errors[0].extensions).toEqual({ path: "$", code: "unexpected" });
  });

  it("The log of an action call contains no values of the environment", () => {
    const lines = engine.log.filter((line) => line.includes("action-handler-log"));
    expect(lines.length).toBeGreaterThan(10);
    expect(JSON.parse(lines[0] ?? "").detail).toMatchObject({ action_name: "ask", action_type: "query" });
    expect(engine.log.join("")).not.toContain(secret);
  });
});

describe("Signed action calls", () => {
  it("A signed action call is verifiable with each of its secrets", async () => {
    answer = body('{"id": 1}');
    await ask("mutation { tell { id } }");
    const { headers, text } = must(handler.requests.at(-1));
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
    const expected = ["new", "old"].map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    expect(headers["webhook-signature"]).toBe(expected.join(" "));
  });
});

describe("Repeated action responses", () => {
  const usual = '{"id":1,"text":"a \\"b\\" é"}';
  const query = "{ ask { id text } }";

  it("Repeated responses of a handler are validated and passed on as the first one", async () => {
    answer = body(usual, 200, { "set-cookie": "a=1" });
    for (let time = 0; time < 5; time++) {
      const { text, headers } = await ask(query);
      expect(text).toBe(`{"data":{"ask":${usual}}}`);
      expect(headers.getSetCookie()).toEqual(["a=1"]);
    }
    answer = body('{"more": 1, "text": "b", "id": 2.0}');
    expect((await ask(query)).text).toBe('{"data":{"ask":{"id":2,"text":"b"}}}');
    answer = body('{"id":1,"text":"b"}x');
    expect((await failure(query))[0]).toBe("not a valid json response from webhook");
    answer = body('{"id":null,"text":"b"}');
    expect((await failure(query))[0]).toBe('expecting not null value for field "id"');
    answer = body(usual, 400);
    expect((await failure(query))[0]).toBe('key "message" not found');
    answer = body(usual, 500);
    expect((await failure(query))[0]).toBe("internal error");
  });
});

describe("Cookies of action handlers", () => {
  it("Cookies of an action handler reach the client", async () => {
    answer = (response) => {
      response.setHeader("set-cookie", ["a=1; Path=/", "b=2"]);
      response.end('{"id": 1}');
    };
    const { headers } = await ask("mutation { tell { id } }");
    expect(headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
  });
});

describe("Explaining actions", () => {
  it("Explain refuses a query action", async () => {
    const admin = { "x-engine-admin-secret": "admin" };
    const { status, json } = await engine.post("/v1/graphql/explain", { query: { query: "{ ask { id } }" } }, admin);
    expect([status, json]).toEqual([
      400,
      { error: "query actions cannot be explained", path: "$", code: "invalid-params" },
    ]);
  });
});
