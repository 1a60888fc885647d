import { describe, expect, it } from "vitest";
import { Inbox } from "../../../../runtime/http/websocket/inbox.ts";

/** Creates an inbox whose messages are handled when the test calls `finish`. */
function openInbox() {
  const begun: string[] = [];
  const flow: string[] = [];
  const finish: (() => void)[] = [];
  const handle = (text: string): Promise<void> => {
    begun.push(text);
    return new Promise((resolve) => finish.push(resolve));
  };
  const inbox = new Inbox(handle, { pause: () => flow.push("pause"), resume: () => flow.push("resume") });
  /** Lets the message in progress finish. */
  const step = async (): Promise<void> => {
    finish.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { inbox, begun, flow, step };
}

describe("WebSocket inboxes", () => {
  it("An inbox handles a message after the previous one is done", async () => {
    const { inbox, begun, step } = openInbox();
    inbox.push("a");
    inbox.push("b");
    expect(begun).toEqual(["a"]);
    await step();
    expect(begun).toEqual(["a", "b"]);
  });

  it("An inbox pauses the connection while many messages wait", async () => {
    const { inbox, begun, flow, step } = openInbox();
    for (let i = 0; i < 40; i++) inbox.push(String(i));
    expect(flow).toEqual(["pause"]);
    for (let i = 0; i < 38; i++) await step();
    expect(flow).toEqual(["pause"]);
    await step();
    expect(flow).toEqual(["pause", "resume"]);
    expect(begun).toHaveLength(40);
  });

  it("An inbox pauses the connection while long messages wait", () => {
    const { inbox, flow } = openInbox();
    inbox.push("first");
    inbox.push("x".repeat(2 * 1024 * 1024));
    expect(flow).toEqual(["pause"]);
  });

  it("An inbox closes after it has handled its earlier messages", async () => {
    const { inbox, begun, step } = openInbox();
    const closed: string[] = [];
    inbox.push("a");
    inbox.push("b");
    inbox.close(() => closed.push("closed"));
    inbox.push("late");
    await step();
    expect(closed).toEqual([]);
    await step();
    expect(begun).toEqual(["a", "b"]);
    expect(closed).toEqual(["closed"]);
  });

  it("An inbox closes at once if no message is in progress", () => {
    const { inbox } = openInbox();
    const closed: string[] = [];
    inbox.close(() => closed.push("closed"));
    expect(closed).toEqual(["closed"]);
  });

  it("A cleared inbox drops its waiting messages", async () => {
    const { inbox, begun, step } = openInbox();
    inbox.push("a");
    inbox.push("b");
    inbox.clear();
    await step();
    expect(begun).toEqual(["a"]);
  });
});
