import { expect, it } from "vitest";
import { CircuitBreaker } from "../../../../runtime/execute/remote/circuit-breaker.ts";

it("The circuit breaker pauses calls for increasing intervals after consecutive failures, until one call succeeds", () => {
  let now = 0;
  const settings = { failures: 3, firstMilliseconds: 10, maxMilliseconds: 25 };
  const breaker = new CircuitBreaker(settings, () => now);
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  for (let i = 0; i < 3; i++) {
    expect(breaker.mayCall()).toBe(true);
    breaker.failed();
  }
  expect(breaker.mayCall()).toBe(false);
  now = 10;
  expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, false]);
  breaker.failed();
  now = 29;
  expect(breaker.mayCall()).toBe(false);
  now = 30;
  expect(breaker.mayCall()).toBe(true);
  breaker.failed();
  now = 54;
  expect(breaker.mayCall()).toBe(false);
  now = 55;
  expect(breaker.mayCall()).toBe(true);
  breaker.succeeded();
  expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, true]);
});
