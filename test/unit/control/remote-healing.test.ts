import { expect, it } from "vitest";
import { RemoteHealing } from "../../../runtime/control/remote-healing.ts";

it("asks a server that does not answer ever later, up to two minutes, and anew when it is lost again", async () => {
  let now = 0;
  let isAway = true;
  const asked: number[] = [];
  const healing = new RemoteHealing(5000, () => now);
  const control = {
    retryRemoteSchemas: async (isDue: (name: string) => boolean) => {
      if (!isDue("r")) return [];
      asked.push(now / 1000);
      return isAway ? ["r"] : [];
    },
  };
  for (; now < 400_000; now += 5000) await healing.run(control);
  expect(asked).toEqual([0, 5, 15, 35, 75, 155, 275, 395]);
  isAway = false;
  for (; now < 600_000; now += 5000) await healing.run(control);
  isAway = true;
  asked.length = 0;
  for (; now < 630_000; now += 5000) await healing.run(control);
  expect(asked).toEqual([600, 605, 615]);
});
