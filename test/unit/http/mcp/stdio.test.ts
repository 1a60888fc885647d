/** The bridge from standard input and output to `/mcp`. */
import { describe, expect, it, vi } from "vitest";
import { bridge, type PostedResponse } from "../../../../runtime/http/mcp/stdio/bridge.ts";
import { readHeaders } from "../../../../runtime/http/mcp/stdio/header-flags.ts";
import { earlier, modern } from "../../../support/mcp.ts";

interface Posted {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** An input that a test writes, and the lines of the output. */
function start(respond: (posted: Posted) => PostedResponse | Promise<PostedResponse>) {
  const chunks: (string | null)[] = [];
  let wake = (): void => undefined;
  const lines: string[] = [];
  const posted: Posted[] = [];
  async function* input(): AsyncIterable<string> {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk === null) return;
      if (chunk !== undefined) yield chunk;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const ended = bridge({
    input: input(),
    write: (text) => void lines.push(text),
    post: async (body, headers, signal) => {
      const each = { body, headers, signal };
      posted.push(each);
      return respond(each);
    },
  });
  const write = (chunk: string | null): void => {
    chunks.push(chunk);
    wake();
  };
  const end = (): Promise<void> => {
    write(null);
    return ended;
  };
  return { write, lines, posted, end };
}

async function* bytes(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
const json = (text: string, status = 200): PostedResponse => ({ status, type: "application/json", body: bytes(text) });
const line = ({ body }: ReturnType<typeof modern>): string => `${JSON.stringify(body)}\n`;
const result = ({ body }: Posted): PostedResponse =>
  json(`{"jsonrpc":"2.0","id":${JSON.stringify(JSON.parse(body).id)},"result":{}}`);
const never = ({ signal }: Posted): Promise<PostedResponse> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));

describe("Messages on standard input", () => {
  it("Each line is posted with the headers of its revision, unchanged", async () => {
    const { write, posted, lines, end } = start(result);
    const text = line(modern("tools/call", { name: "Zoë", arguments: { id: "x\u2028y" } }));
    for (const part of [text.slice(0, 10), text.slice(10)]) write(part);
    await end();
    expect(posted[0]?.body).toBe(text.trimEnd());
    expect(posted[0]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": `=?base64?${Buffer.from("Zoë").toString("base64")}?=`,
    });
    expect(lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}\n']);
  });

  it("After initialize, requests carry the negotiated revision and the name of the client", async () => {
    const { write, posted, lines, end } = start((each) =>
      each.body.includes("initialize")
        ? json('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}')
        : result(each),
    );
    const clientInfo = { name: "Zoë\r\nx: y", version: "1" };
    write(line(earlier("initialize", { protocolVersion: "2025-06-18", clientInfo })));
    await vi.waitUntil(() => lines.length === 1);
    write(line(earlier("tools/list")));
    await end();
    expect(posted.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([undefined, "2025-06-18"]);
    expect(posted[1]?.headers["user-agent"]).toBe("Zo???x: y");
  });

  it("Requests run concurrently, and responses are written as they arrive, one per line", async () => {
    let release = (): void => undefined;
    const first = new Promise<void>((resolve) => (release = resolve));
    const { write, lines, end } = start(async (each) => {
      if (each.body.includes('"id":1')) await first;
      return json(`{"jsonrpc":"2.0","id":${JSON.parse(each.body).id},\n"result":{}}`);
    });
    write(line(modern("tools/list", {}, {}, 1)) + line(modern("tools/list", {}, {}, 2)));
    await vi.waitUntil(() => lines.length === 1);
    release();
    await end();
    expect(lines.map((each) => JSON.parse(each).id)).toEqual([2, 1]);
    expect(lines.every((each) => each.indexOf("\n") === each.length - 1)).toBe(true);
  });

  it("A cancelled request is aborted, and nothing more is written for it", async () => {
    const { write, posted, lines, end } = start(never);
    write(line(modern("tools/list", {}, {}, "a")));
    await vi.waitUntil(() => posted.length === 1);
    write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } })}\n`);
    await end();
    expect(posted).toHaveLength(1);
    expect(posted[0]?.signal.aborted).toBe(true);
    expect(lines).toEqual([]);
  });

  it("Other notifications have no response", async () => {
    const { write, lines, posted, end } = start(() => ({ status: 202, type: "", body: bytes() }));
    write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n\n  \n');
    await end();
    expect([posted.length, lines]).toEqual([1, []]);
  });

  it.each([
    [json('{"jsonrpc":"2.0","error":{"code":401,"message":"no"}}', 401), { code: 401, message: "no" }],
    [json('{"error":"no","code":"access-denied"}', 403), { message: "the server responded with status 403: no" }],
    [{ status: 502, type: "text/html", body: bytes("<html>") }, { message: "the server responded with status 502" }],
  ])("An error without an id receives the id of its request", async (response, error) => {
    const { write, lines, end } = start(() => response);
    write(line(modern("tools/list", {}, {}, 7)));
    await end();
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ jsonrpc: "2.0", id: 7, error });
  });

  it("A failed connection is an error with the id of the request", async () => {
    const { write, lines, end } = start(() => Promise.reject(new Error("cannot reach the server")));
    write(line(modern("tools/list", {}, {}, 7)));
    await end();
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ id: 7, error: { code: -32603, message: /cannot/ } });
  });

  it("Events are written as lines, and the end of a subscription as its cancellation", async () => {
    const events = ['data: {"a":"é"}\n\n', ': keep-alive\n\ndata: {"b":', "2}\r\n\r\n"];
    const { write, lines, end } = start(() => ({ status: 200, type: "text/event-stream", body: bytes(...events) }));
    write(line(modern("subscriptions/listen", { notifications: {} }, {}, 3)));
    await vi.waitUntil(() => lines.length === 3);
    await end();
    expect(lines.map((each) => JSON.parse(each))).toEqual([
      { a: "é" },
      { b: 2 },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } },
    ]);
  });

  it("The end of the input ends subscriptions", async () => {
    const { write, posted, lines, end } = start(never);
    write(line(modern("subscriptions/listen", { notifications: {} })));
    await vi.waitUntil(() => posted.length === 1);
    await end();
    expect([posted[0]?.signal.aborted, lines]).toEqual([true, []]);
  });
});

describe("Flags with headers", () => {
  it("A header is read with its name in lower case", () => {
    expect(readHeaders(["X-Engine-User-Id: 7", "a:b:c"])).toEqual({ "x-engine-user-id": "7", a: "b:c" });
  });

  it.each(["no colon", ": value", "a b: c", "a: b\r\nc: d", "a: ü"])("%j is refused without its value", (flag) => {
    expect(() => readHeaders([flag])).toThrow('expected --header "name: value" in ASCII');
  });

  it("A header that the request itself determines is refused", () => {
    expect(() => readHeaders(["Content-Length: 1"])).toThrow("--header cannot set content-length");
  });
});
