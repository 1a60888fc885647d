import { expect, it } from "vitest";
import { reportEvents } from "../../../../../runtime/databases/sources/open-source.ts";

it("Connection faults and their ends are logged", () => {
  const lines: unknown[] = [];
  const events = reportEvents("shop", (level, message, info) => lines.push([level, message, info]));
  events.onReduced?.(7, "sorry, too many clients already");
  events.onRestored?.();
  events.onDelivery?.(false);
  events.onDelivery?.(true);
  expect(lines).toEqual([
    [
      "warn",
      "The database rejects further connections; requests wait for existing ones",
      { source: "shop", connections: 7, reason: "sorry, too many clients already" },
    ],
    ["info", "The database accepts connections again", { source: "shop" }],
    ["warn", "LISTEN messages do not arrive, as behind a pooler; live queries are polled", { source: "shop" }],
    ["info", "LISTEN messages arrive again; live queries use notifications", { source: "shop" }],
  ]);
});
