import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { Mount } from "../../../../runtime/server/parts/mount.ts";

it("A mounted app that fails to start returns an error, reports it, retries on the next request and can be closed", async () => {
  const reported: unknown[] = [];
  const failure = new Error("no app");
  const mount = new Mount({ open: () => Promise.reject(failure), reportBug: (error) => reported.push(error) });
  const server = createServer(mount.listener).on("upgrade", mount.upgrade).listen(0);
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/graphql`;
  const body = { path: "$", error: "Internal Server Error", code: "unexpected" };
  const responses = [await fetch(url), await mount.fetch(new Request(url), "")];
  for (const response of responses) expect([response.status, await response.json()]).toEqual([500, body]);
  expect(reported).toEqual([failure, failure]);
  await mount.close();
  expect((await fetch(url)).status).toBe(503);
  server.closeAllConnections();
  server.close();
});
