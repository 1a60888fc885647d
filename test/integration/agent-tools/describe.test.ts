/** The description of a role's schema for assistants. */
import { describe, expect, it } from "vitest";
import type { DescribedPage } from "../../../runtime/ports/agent-tools.ts";
import { TestEngine } from "../../support/compiled.ts";
import { createDatabase, query } from "../../support/database.ts";
import { by, role, serviceOf, useAssistant } from "./assistant.ts";

const assistant = useAssistant();

describe("The description of the schema", () => {
  it("The list names tables with their columns and relationships, and other root fields", async () => {
    const { text, nextCursor } = await assistant.service.describe(by.session, {});
    expect(nextCursor).toBeUndefined();
    expect(text).toContain("loan: id, member, book, due, stars, facts");
    expect(text).toContain("member: id, name, loans");
    expect(text).not.toMatch(/secret|audit|fine/);
  });

  it("A search finds tables by the words in names and columns", async () => {
    const search = async (words: string) => (await assistant.service.describe(by.session, { search: words })).text;
    expect(await search("BOOK due")).toMatch(/^loan: .*$/);
    expect(await search("secret")).toBe("No table or root field mentions these words.");
  });

  it("The details of a table have its fields and root fields", async () => {
    const { text } = await assistant.service.describe(by.session, { name: "loan" });
    expect(text).toContain("  id: Int!");
    expect(text).toContain("  query loan(distinct_on: [loan_select_column!], limit: Int");
    expect(text).toContain("  query loan_by_pk(id: Int!): loan");
    expect(text).toContain("  mutation delete_loan(where: loan_bool_exp!): loan_mutation_response");
    expect((await assistant.service.describe(by.session, { name: "loan_by_pk" })).text).toBe(text);
  });

  it("An unknown name has a hint among visible names, and a foreign cursor is refused", async () => {
    const { session } = by;
    await expect(assistant.service.describe(session, { name: "lona" })).rejects.toThrow('did you mean "loan"?');
    await expect(assistant.service.describe(session, { name: "audi" })).rejects.toThrow(
      'no table "audi": list the tables without a name, or search for a word',
    );
    await expect(assistant.service.describe(session, { cursor: "1e9" })).rejects.toThrow("not from an earlier page");
    await expect(assistant.service.describe(session, { cursor: "99" })).rejects.toThrow("not from an earlier page");
  });

  it("Pages cover all tables once", async () => {
    const database = await createDatabase();
    const names = Array.from({ length: 60 }, (_, i) => `t${i}`);
    const columns = Array.from({ length: 40 }, (_, i) => `column_${i} text`).join(", ");
    await query(database.url, names.map((name) => `create table ${name} (${columns});`).join("\n"));
    const engine = new TestEngine(database.url);
    const permission = { filter: {}, columns: "*" };
    await engine.track(names.map((table) => ({ table, select_permissions: [{ role, permission }] })));
    const service = serviceOf(engine);
    const listed: string[] = [];
    let page: DescribedPage | undefined;
    let pages = 0;
    do {
      const cursor: string | undefined = page?.nextCursor;
      page = await service.describe(by.session, cursor === undefined ? {} : { cursor });
      listed.push(...page.text.split("\n").map((line) => line.slice(0, line.indexOf(":"))));
      expect(page.text.length).toBeLessThanOrEqual(8000);
      pages += 1;
    } while (page.nextCursor !== undefined);
    expect(pages).toBeGreaterThan(1);
    expect(listed.sort()).toEqual([...names].sort());
    await engine.close();
    await database.drop();
  });
});
