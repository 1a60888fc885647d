import { describe, expect, it } from "vitest";
import { frameBeginning, ResultEndings, resultBeginning } from "../../../../runtime/http/websocket/result-frame.ts";

describe("WebSocket frames of results", () => {
  it.each([
    [0, 0, "8100"],
    [25, 100, "817d"],
    [25, 101, "817e007e"],
    [25, 0xffff - 25, "817effff"],
    [25, 0x10000 - 25, "817f0000000000010000"],
    [25, 0x123456789 - 25, "817f0000000123456789"],
  ])("A frame of %i and %i bytes states its length", (before, after, header) => {
    const beginning = Buffer.alloc(before, "b");
    expect(frameBeginning(beginning, after).toString("hex")).toBe(header + beginning.toString("hex"));
  });

  it("A result frame is a message of the sub-protocol", () => {
    const endings = new ResultEndings();
    const message = Buffer.concat([resultBeginning("next", 'a"é'), endings.of('{"t":"ü"}')]);
    expect(message.toString("utf8")).toBe('{"type":"next","id":"a\\"é","payload":{"data":{"t":"ü"}}}');
  });

  it("Consecutive equal results share one encoded ending", () => {
    const endings = new ResultEndings();
    const first = endings.of("1");
    expect(endings.of("1")).toBe(first);
    expect(endings.of("2").toString()).toBe("2}}");
    expect(endings.of("1").toString()).toBe("1}}");
  });
});
