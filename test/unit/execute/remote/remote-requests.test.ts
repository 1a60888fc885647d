/** Who leaves while the server is asked says nothing of the server. */
import { expect, it, vi } from "vitest";
import type { BoundRemote } from "../../../../runtime/execute/remote/bound-remote.ts";
import { RemoteRequests } from "../../../../runtime/execute/remote/remote-requests.ts";
import type { HttpClient } from "../../../../runtime/outbound/http-client.ts";

it("a server is asked again after the one request that was to find out whether it is back has lost its client", async () => {
  const clock = vi.spyOn(performance, "now");
  try {
    let now = 1_000_000;
    clock.mockImplementation(() => now);
    let reply: "fails" | "answers" = "fails";
    const callThen: HttpClient["callThen"] = async (_, read, explain) => {
      await undefined;
      if (reply === "fails") throw explain(new Error("nobody listens"));
      return read({ status: 200, headers: {}, text: '{"data":{"a":1}}' });
    };
    const settings = { environment: {}, version: "test", prioritizeData: false, skipNulls: false };
    const remote = new RemoteRequests({ client: { callThen }, ...settings });
    const server = { url: "http://remote", timeoutSeconds: 1 };
    const bound = { plan: { remote: { server }, fields: [{ key: "a" }] }, headers: {}, body: "{}", files: [] };
    const ask = (caller?: { aborted: boolean }) =>
      remote.ask(bound as unknown as BoundRemote, Infinity, undefined, caller).then(
        (values) => values.get("a"),
        (error) => error.internal.message,
      );
    for (let failures = 0; failures < 5; failures++) expect(await ask()).toBe("nobody listens");
    expect(await ask()).toMatch(/asked again soon/);
    now += 60_000;
    const caller = { aborted: false };
    const left = ask(caller);
    caller.aborted = true;
    expect(await left).toBe("the request was cancelled");
    reply = "answers";
    expect(await ask()).toBe("1");
  } finally {
    clock.mockRestore();
  }
});
