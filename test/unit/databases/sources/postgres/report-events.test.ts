import { expect, it } from "vitest";
import { reportEvents } from "../../../../../runtime/databases/sources/postgres/report-events.ts";

it("tells an operator about connections, each fault and its end", () => {
  const lines: unknown[] = [];
  const events = reportEvents("shop", (level, message, info) => lines.push([level, message, info]));
  events.onReduced?.(7, "sorry, too many clients already");
  events.onRestored?.();
  events.onHearing?.(false);
  events.onHearing?.(true);
  expect(lines).toEqual([
    [
      "warn",
      "The database refuses further connections: requests wait for those that there are",
      { source: "shop", connections: 7, reason: "sorry, too many clients already" },
    ],
    ["info", "The database accepts connections again", { source: "shop" }],
    ["warn", "Messages of LISTEN do not arrive, as behind a pooler: live queries are polled", { source: "shop" }],
    ["info", "Messages of LISTEN arrive again: live queries wait for changes", { source: "shop" }],
  ]);
});
