/** Long responses in pieces, over a server of `node:http`. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { LargeResponses } from "../../../runtime/http/large-responses.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { ResponseMemory } from "../../../runtime/values/response-memory.ts";
import { longTextOf } from "../../support/long-text.ts";

const pieces = Array.from({ length: 40 }, (_, i) => `${i} äöü ${"x".repeat(100_000)}`);
const text = pieces.join("");
const size = Buffer.byteLength(text);

it("A large response is sent in consecutive pieces and its memory is released", async () => {
  const long = await longTextOf(...pieces);
  const memory = new ResponseMemory(2 * size);
  const responses = new LargeResponses(
    memory,
    createLog({ logLevel: "error", enabledLogTypes: new Set() }, { write: () => undefined }),
  );
  const server = createServer((_, reply) => {
    reply.writeHead(200, { "content-length": size });
    responses.send(reply, long, size);
    expect(memory.taken).toBeLessThan(size / 2);
  }).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const sent = request({ port: (server.address() as AddressInfo).port, agent: false }).end();
    const [response] = await once(sent, "response");
    expect((await buffer(response)).toString()).toBe(text);
    await expect.poll(() => memory.taken).toBe(0);
  } finally {
    server.close();
  }
});
