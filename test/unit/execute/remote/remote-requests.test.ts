/** An aborted client request does not count as a failure of the remote server. */
import { expect, it, vi } from "vitest";
import type { BoundRemote } from "../../../../runtime/execute/remote/bound-remote.ts";
import { RemoteRequests } from "../../../../runtime/execute/remote/remote-requests.ts";
import type { HttpClient } from "../../../../runtime/outbound/http-client.ts";

it("An upstream is called again after the client of its trial request has disconnected", async () => {
  const clock = vi.spyOn(performance, "now");
  try {
    let now = 1_000_000;
    clock.mockImplementation(() => now);
    let reply: "fails" | "succeeds" = "fails";
    const callThen: HttpClient["callThen"] = async (_, read, explain) => {
      await undefined;
      if (reply === "fails") throw explain(new Error("connection refused"));
      return read({ status: 200, headers: {}, text: '{"data":{"a":1}}' });
    };
    const settings = { environment: {}, version: "test", prioritizeData: false, skipNulls: false };
    const remote = new RemoteRequests({ client: { callThen }, ...settings });
    const server = { url: "http://remote", timeoutSeconds: 1 };
    const bound = { plan: { remote: { server }, fields: [{ key: "a" }] }, headers: {}, body: "{}", files: [] };
    const send = (caller?: { aborted: boolean }) =>
      remote.send(bound as unknown as BoundRemote, Infinity, undefined, caller).then(
        (values) => values.get("a"),
        (error) => error.internal.message,
      );
    for (let failures = 0; failures < 5; failures++) expect(await send()).toBe("connection refused");
    expect(await send()).toMatch(/resume after a pause/);
    now += 60_000;
    const caller = { aborted: false };
    const cancelled = send(caller);
    caller.aborted = true;
    expect(await cancelled).toBe("the request was cancelled");
    reply = "succeeds";
    expect(await send()).toBe("1");
  } finally {
    clock.mockRestore();
  }
});
