/** The fingerprint of a catalogue changes whenever the Shape changes, and is the same after all other changes. */
import { describe, expect, it } from "vitest";
import { reintrospect } from "../../compiler/1-introspect/introspect.ts";
import { readFingerprint } from "../../compiler/dialects/postgres/introspect/fingerprint.ts";
import { postgres } from "../../compiler/dialects/postgres/introspect.ts";
import { client, inTransaction, queryOf, useIntrospected } from "../support/introspected.ts";

useIntrospected();

const fingerprint = (): Promise<string> => readFingerprint(queryOf(client));

/** Statements that change the Shape. */
const changes = [
  "CREATE TABLE shop.extra (id integer)",
  "DROP TABLE shop.customer CASCADE",
  "ALTER TABLE shop.customer ADD COLUMN more integer",
  "ALTER TABLE shop.customer DROP COLUMN name CASCADE",
  "ALTER TABLE shop.customer RENAME COLUMN name TO full_name",
  "ALTER TABLE shop.customer RENAME TO client",
  "ALTER TABLE shop.customer ALTER COLUMN name DROP NOT NULL",
  "ALTER TABLE shop.customer ALTER COLUMN name SET DEFAULT 'x'",
  "ALTER TABLE shop.customer ADD UNIQUE (name)",
  "CREATE UNIQUE INDEX another ON shop.customer (name)",
  "ALTER SCHEMA shop RENAME TO store",
  "COMMENT ON TABLE shop.customer IS 'other'",
  "COMMENT ON COLUMN shop.customer.name IS 'other'",
  "CREATE TYPE shop.other AS ENUM ('a')",
  "CREATE DOMAIN shop.other AS integer NOT NULL",
  "CREATE FUNCTION shop.other() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
  "CREATE VIEW shop.other AS SELECT 1 AS one",
  "CREATE FUNCTION shop.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';" +
    "CREATE TRIGGER other BEFORE INSERT ON shop.customer FOR EACH STATEMENT EXECUTE FUNCTION shop.nothing()",
];

describe("The catalog fingerprint", () => {
  it.each(changes)("The fingerprint changes after %s", async (sql) => {
    const before = await fingerprint();
    await inTransaction(sql, async () => expect(await fingerprint()).not.toBe(before));
    expect(await fingerprint()).toBe(before);
  });

  it("The fingerprint is unchanged by row writes and table maintenance", async () => {
    const before = await fingerprint();
    await client.query("CREATE TABLE IF NOT EXISTS shop.counted (id integer)");
    const after = await fingerprint();
    expect(after).not.toBe(before);
    await client.query("INSERT INTO shop.counted SELECT generate_series(1, 1000)");
    await client.query("VACUUM ANALYZE shop.counted");
    expect(await fingerprint()).toBe(after);
    await client.query("DROP TABLE shop.counted");
  });

  it("The fingerprint is independent of the search path", async () => {
    const shadows =
      'CREATE SCHEMA mine; CREATE TABLE mine.pg_class (oid oid); SET LOCAL search_path = "mine", pg_catalog';
    await inTransaction(shadows, async () => expect(await fingerprint()).toContain("pg_class"));
  });

  it("An unchanged fingerprint avoids another introspection", async () => {
    const statements: string[] = [];
    const query = (statement: string) => {
      statements.push(statement);
      return queryOf(client)(statement);
    };
    const first = await reintrospect(postgres, query, [], undefined);
    expect(statements).toHaveLength(3);
    expect((await reintrospect(postgres, query, [], first)).shape).toBe(first.shape);
    expect(statements).toHaveLength(4);
    await inTransaction("ALTER TABLE shop.customer ADD COLUMN more integer", async () => {
      const changed = await reintrospect(postgres, query, [], first);
      const customer = changed.shape.tables.find(({ schema, name }) => schema === "shop" && name === "customer");
      expect(customer?.columns.some(({ name }) => name === "more")).toBe(true);
    });
  });
});

describe("Repeated introspection", () => {
  it.each([
    ...changes,
    "ALTER TABLE shop.customer RENAME COLUMN id TO key",
    "ALTER TABLE public.orders DROP CONSTRAINT a_customer",
    "ALTER TYPE shop.mood RENAME TO state",
    "ALTER TYPE shop.mood ADD VALUE 'glad'",
    "ALTER DOMAIN shop.rating DROP NOT NULL",
    "ALTER DOMAIN shop.rating DROP DEFAULT",
    "ALTER TYPE shop.money_amount RENAME ATTRIBUTE amount TO value",
    "ALTER TABLE engine_catalog.own SET SCHEMA public",
    "CREATE SCHEMA other; ALTER TABLE shop.customer SET SCHEMA other",
  ])("Repeated introspection equals a first one after %s", async (sql) => {
    const query = queryOf(client);
    const before = await reintrospect(postgres, query, [], undefined);
    await inTransaction(sql, async () => {
      const after = await reintrospect(postgres, query, [], before);
      expect(after).toEqual(await reintrospect(postgres, query, [], undefined));
      const known = new Set(before.shape.tables);
      // Most tables are not affected by the change.
      expect(after.shape.tables.filter((table) => known.has(table)).length).toBeGreaterThan(known.size / 3);
      expect((await reintrospect(postgres, query, [], after)).shape).toBe(after.shape);
    });
    const complete = await reintrospect(postgres, query, [], { ...before, fingerprint: undefined });
    expect(complete.shape.tables.every((table, i) => table === before.shape.tables[i])).toBe(true);
  });
});
