import { expect, it } from "vitest";
import { RemoteHealing } from "../../../runtime/control/schema-sync.ts";

it("An unreachable remote server is retried at growing intervals of up to two minutes, and from the start after a new outage", async () => {
  let now = 0;
  let isUnreachable = true;
  const retries: number[] = [];
  const healing = new RemoteHealing(5000, () => now);
  const control = {
    retryRemoteSchemas: async (isDue: (name: string) => boolean) => {
      if (!isDue("r")) return [];
      retries.push(now / 1000);
      return isUnreachable ? ["r"] : [];
    },
  };
  for (; now < 400_000; now += 5000) await healing.run(control);
  expect(retries).toEqual([0, 5, 15, 35, 75, 155, 275, 395]);
  isUnreachable = false;
  for (; now < 600_000; now += 5000) await healing.run(control);
  isUnreachable = true;
  retries.length = 0;
  for (; now < 630_000; now += 5000) await healing.run(control);
  expect(retries).toEqual([600, 605, 615]);
});
