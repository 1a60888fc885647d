/** Counters by role, whose number is limited. */
import { expect, it } from "vitest";
import { RoleUsage } from "../../../../runtime/observe/logs/role-usage.ts";

it("Roles after the first 1,000 and roles with long names are counted together", () => {
  const usage = new RoleUsage();
  for (let number = 0; number < 1500; number++) usage.note(`role ${number}`, number % 2 === 0, 1000, 10);
  usage.note("x".repeat(300), true, 1, 1);
  const { roles } = usage.list();
  expect(roles).toHaveLength(1001);
  const others = { role: null, count: 501, failed: 251, total_time: 500.001, response_bytes: 5001 };
  expect(roles[0]).toEqual(others);
  expect(roles.reduce((sum, { count }) => sum + count, 0)).toBe(1501);
});
