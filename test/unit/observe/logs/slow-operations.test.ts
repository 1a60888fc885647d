import { describe, expect, it } from "vitest";
import { SlowOperations } from "../../../../runtime/observe/logs/slow-operations.ts";
import type { GraphqlRequest } from "../../../../runtime/ports/graphql.ts";

const requestOf = (query: string): GraphqlRequest => ({
  query,
  operationName: null,
  variables: { secret: "not to be listed" },
});

const run = (milliseconds: number, role = "reader", hasFailed = false) => ({ role, hasFailed, milliseconds });

describe("Slow operations", () => {
  it("Slow operations are grouped by text and role, slowest first, and listed without their values", () => {
    const slow = new SlowOperations();
    slow.note(requestOf("{ a }"), run(200));
    slow.note(requestOf("{ a }"), run(400, "reader", true));
    slow.note(requestOf("{ a }"), run(900, "writer"));
    const listed = slow.list();
    expect(listed.map(({ role, count, failed, slowest, mean }) => [role, count, failed, slowest, mean])).toEqual([
      ["writer", 1, 0, 0.9, 0.9],
      ["reader", 2, 1, 0.4, 0.3],
    ]);
    expect(JSON.stringify(listed)).not.toContain("not to be listed");
  });

  it("Slow operations are replaced by slower ones but never by faster ones", () => {
    const slow = new SlowOperations();
    for (let i = 0; i < 100; i++) slow.note(requestOf(`{ a${i} }`), run(200 + i));
    slow.note(requestOf("{ faster }"), run(150));
    slow.note(requestOf("{ slower }"), run(5000));
    const texts = slow.list().map(({ query }) => query);
    expect(texts.length).toBe(100);
    expect(texts[0]).toBe("{ slower }");
    expect(texts).not.toContain("{ faster }");
    expect(texts).not.toContain("{ a0 }");
    expect(texts).toContain("{ a1 }");
  });

  it("The text of a very long slow operation is truncated", () => {
    const slow = new SlowOperations();
    slow.note(requestOf(`{ a } #${"x".repeat(1_000_000)}`), run(200));
    expect(slow.list()[0]?.query.length).toBe(10_000);
  });
});
