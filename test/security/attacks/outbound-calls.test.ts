/** What the engine sends to one service does not reach another one, or the client, by detours. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { HttpClient } from "../../../runtime/deliver/http-client.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

function client(): HttpClient {
  const opened = new HttpClient({
    milliseconds: 5000,
    connections: 2,
    callsAtOnce: 3,
    responseBytes: 10_000,
    redirects: 5,
  });
  ends.push(() => opened.close());
  return opened;
}

const secrets = {
  authorization: "Bearer secret",
  cookie: "session=secret",
  "x-engine-user-id": "secret",
  "x-configured": "secret",
};

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("with %i to another origin is not followed", async (status) => {
    const stolen: IncomingMessage[] = [];
    const other = await serve((request, reply) => {
      stolen.push(request);
      reply.end("{}");
    });
    const hook = await serve((_, reply) => reply.writeHead(status, { location: `${other}/steal` }).end());
    for (const call of [{ method: "POST", body: "secret" } as const, { method: "GET" } as const]) {
      await expect(client().call({ ...call, url: `${hook}/validate`, headers: secrets })).rejects.toThrow(
        `the service redirects to another origin, ${other}, which is not followed: name it directly`,
      );
    }
    expect(stolen).toEqual([]);
  });

  it.each(["https://127.0.0.1:1/", "file:///etc/passwd", "data:,a", "//other.example/"])(
    "to %s is not followed",
    async (location) => {
      const hook = await serve((_, reply) => reply.writeHead(307, { location }).end());
      await expect(client().call({ method: "POST", body: "secret", url: hook, headers: secrets })).rejects.toThrow(
        "the service redirects to another origin",
      );
    },
  );

  it("within the origin keeps the call as it is, or asks for the answer", async () => {
    const listener: RequestListener = async (request, reply) => {
      const { url = "", method, headers } = request;
      if (url.startsWith("/to/")) return reply.writeHead(Number(url.slice(4)), { location: "/there" }).end();
      let body = "";
      for await (const chunk of request) body += chunk;
      reply.end(`${method} ${headers.authorization} ${body}`);
    };
    const hook = await serve((request, reply) => void listener(request, reply));
    const answer = async (status: number): Promise<string> =>
      (await client().call({ method: "POST", url: `${hook}/to/${status}`, headers: secrets, body: "text" })).text;
    expect(await answer(308)).toBe("POST Bearer secret text");
    expect(await answer(307)).toBe("POST Bearer secret text");
    expect(await answer(303)).toBe("GET Bearer secret ");
    expect(await answer(302)).toBe("GET Bearer secret ");
  });

  it("that never ends is answered as it is", async () => {
    let count = 0;
    const hook = await serve((_, reply) => {
      count++;
      reply.writeHead(307, { location: "/again" }).end();
    });
    expect((await client().call({ method: "GET", url: hook, headers: {} })).status).toBe(307);
    expect(count).toBe(6);
  });
});
