import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { callFailure, HttpClient } from "../../../runtime/outbound/http-client.ts";

const limits = { milliseconds: 5000, connections: 2, callsAtOnce: 3, responseBytes: 1000, redirects: 0 };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start(listener: RequestListener, changed: Partial<typeof limits> = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new HttpClient({ ...limits, ...changed });
  ends.push(() => client.close());
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { client, url, call: () => client.call({ method: "GET", url, headers: { "x-a": "b" } }) };
}

const failureOf = (call: Promise<unknown>): Promise<string> => call.then(() => "none", callFailure);

describe("HTTP client", () => {
  it("The HTTP client returns status, headers and text", async () => {
    const { call } = await start(({ headers }, response) =>
      response.writeHead(418, { "x-c": "d" }).end(`é${headers["x-a"]}`),
    );
    expect(await call()).toMatchObject({ status: 418, headers: { "x-c": "d" }, text: "éb" });
  });

  it("The HTTP client limits its connections and its waiting calls", async () => {
    const held: (() => void)[] = [];
    const { call } = await start((_, response) => void held.push(() => response.end()));
    const calls = [call(), call(), call()];
    expect(await failureOf(call())).toBe("too many calls are waiting for a reply");
    await expect.poll(() => held.length).toBe(2);
    for (const release of held.splice(0)) release();
    await expect.poll(() => held.length).toBe(1);
    for (const release of held) release();
    await Promise.all(calls);
    const later = call();
    await expect.poll(() => held.length).toBe(2);
    held[1]?.();
    expect((await later).status).toBe(200);
  });

  it("The HTTP client calls other services while one service has its maximum of waiting calls", async () => {
    const { client, call, url } = await start(() => {});
    const answering = createServer((_, response) => response.end("here"));
    await new Promise<void>((resolve) => answering.listen(0, "127.0.0.1", resolve));
    ends.push(() => new Promise((resolve) => answering.close(resolve)));
    const waiting = [call(), call(), call()].map(failureOf);
    const fourth = client.call({ method: "GET", url: `${url}fourth`, headers: {} });
    expect(await failureOf(fourth)).toBe("too many calls are waiting for a reply");
    const other = `http://127.0.0.1:${(answering.address() as AddressInfo).port}/`;
    expect(await client.call({ method: "GET", url: other, headers: {} })).toMatchObject({ text: "here" });
    await client.close();
    await Promise.all(waiting);
  });

  it("The HTTP client times out if a response is not complete in time", async () => {
    const silent = await start(() => {}, { milliseconds: 100 });
    expect(await failureOf(silent.call())).toBe("no reply in time");
    // Each byte arrives in time, but not the whole reply.
    const slow = await start(
      (_, response) => {
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      },
      { milliseconds: 200 },
    );
    expect(await failureOf(slow.call())).toBe("no reply in time");
  });

  it("Each concurrent call times out at its own time", async () => {
    const { client, url } = await start(() => {}, { connections: 4, callsAtOnce: 4 });
    const ended: number[] = [];
    const calls = [600, 100, 1_000_000_000_000, 300].map(async (milliseconds) => {
      const began = performance.now();
      const failure = await failureOf(client.call({ method: "GET", url, headers: {}, milliseconds }));
      if (failure !== "no reply in time") return failure;
      expect(performance.now() - began).toBeGreaterThanOrEqual(milliseconds);
      ended.push(milliseconds);
      return undefined;
    });
    expect(await Promise.race([calls[2], Promise.all([calls[0], calls[1], calls[3]])])).toEqual(
      Array(3).fill(undefined),
    );
    expect(ended).toEqual([100, 300, 600]);
    // Closing the client ends the last call.
    await client.close();
    expect(await calls[2]).not.toBe("no reply in time");
  });

  it("The HTTP client refuses responses above the size limit", async () => {
    const { call } = await start((_, response) => response.end("x".repeat(1000)));
    expect((await call()).text).toHaveLength(1000);
    const longer = await start((_, response) => response.end("x".repeat(1001)));
    expect(await failureOf(longer.call())).toMatch(/size/i);
  });

  it("The HTTP client follows redirects up to its limit", async () => {
    const listener: RequestListener = ({ url, method }, response) => {
      if (url === "/there") response.end(`${method} there`);
      else response.writeHead(307, { location: "/there" }).end();
    };
    expect((await (await start(listener)).call()).status).toBe(307);
    const following = await start(listener, { redirects: 1 });
    expect(await following.call()).toMatchObject({ status: 200, text: "GET there" });
  });

  it("A call may set a shorter timeout", async () => {
    const { client, url } = await start(() => {});
    expect(await failureOf(client.call({ method: "GET", url, headers: {}, milliseconds: 50 }))).toBe(
      "no reply in time",
    );
  });

  it("A call times out while it waits for a connection and does not open one later", async () => {
    const held: (() => void)[] = [];
    const { client, url, call } = await start((_, response) => void held.push(() => response.end()), {
      connections: 1,
    });
    const first = call();
    await expect.poll(() => held.length).toBe(1);
    const waiting = client.call({ method: "POST", url, headers: {}, body: "{}", milliseconds: 50 });
    expect(await failureOf(waiting)).toBe("no reply in time");
    held[0]?.();
    await first;
    // If the timed-out request were still queued, it would be sent before this one.
    const last = call();
    await expect.poll(() => held.length).toBe(2);
    held[1]?.();
    await last;
  });

  it("A call may set a timeout of any length", async () => {
    const { client, url } = await start((_, response) => response.end());
    const reply = await client.call({ method: "GET", url, headers: {}, milliseconds: 1e12 });
    expect(reply.status).toBe(200);
  });

  it("The HTTP client decodes texts as UTF-8 without the byte order mark", async () => {
    const { call } = await start((_, response) => response.end(Buffer.from("\ufeffgr\u00fc\u00df dich \ud83d\ude42")));
    expect((await call()).text).toBe("gr\u00fc\u00df dich \ud83d\ude42");
    const invalid = await start((_, response) => response.end(Buffer.from([0x61, 0xff, 0x62])));
    expect((await invalid.call()).text).toBe("a\ufffdb");
  });

  it("The HTTP client sends each value of a header", async () => {
    const { client, url } = await start(({ rawHeaders }, response) => response.end(rawHeaders.join("|")));
    const { text } = await client.call({ method: "GET", url, headers: { "x-a": ["b", "c"], "x-d": "e" } });
    expect(text).toContain("x-a|b|x-a|c|x-d|e");
  });

  it("The HTTP client refuses URLs other than HTTP", async () => {
    const { client } = await start(() => {});
    const call = client.call({ method: "GET", url: "ftp://localhost/a", headers: {} });
    expect(await failureOf(call)).toBe("the address of a call begins with http: or https:");
  });

  it("Closing the HTTP client ends calls in progress", async () => {
    const { client, call } = await start(() => {});
    const failure = failureOf(call());
    await client.close();
    expect(await failure).not.toBe("none");
  });
});
