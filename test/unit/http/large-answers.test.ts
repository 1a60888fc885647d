/** Long answers in pieces, over a server of `node:http`. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { LargeAnswers } from "../../../runtime/http/large-answers.ts";
import { createLog } from "../../../runtime/observe/logs/log.ts";
import { AnswerMemory } from "../../../runtime/values/answer-memory.ts";
import { longTextOf } from "../../support/long-text.ts";

const pieces = Array.from({ length: 40 }, (_, i) => `${i} äöü ${"x".repeat(100_000)}`);
const text = pieces.join("");
const size = Buffer.byteLength(text);

it("sends pieces one after the other, and gives their memory back", async () => {
  const long = await longTextOf(...pieces);
  const memory = new AnswerMemory(2 * size);
  const answers = new LargeAnswers(
    memory,
    createLog({ logLevel: "error", enabledLogTypes: new Set() }, { write: () => undefined }),
  );
  const server = createServer((_, reply) => {
    reply.writeHead(200, { "content-length": size });
    answers.send(reply, long, size);
    expect(memory.taken).toBeLessThan(size / 2);
  }).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const asked = request({ port: (server.address() as AddressInfo).port, agent: false }).end();
    const [answer] = await once(asked, "response");
    expect((await buffer(answer)).toString()).toBe(text);
    await expect.poll(() => memory.taken).toBe(0);
  } finally {
    server.close();
  }
});
