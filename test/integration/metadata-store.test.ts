/** The metadata store on a real database: stored form, concurrent writers, and the form of older installations. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Catalog, emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { changedParts, partsOf } from "../../compiler/catalog/parts.ts";
import { parseMetadata } from "../../compiler/catalog/schema.ts";
import { type MetadataStore, openMetadataStore } from "../../runtime/control/store.ts";
import { migrations } from "../../runtime/databases/metadata/migrations.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";

const instance = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const opened: MetadataStore[] = [];
const databases: TestDatabase[] = [];

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase("metadata_store");
  databases.push(database);
  return database;
}

async function open(database: TestDatabase): Promise<MetadataStore> {
  const store = await openMetadataStore(database.url, instance, { retries: 0 });
  opened.push(store);
  return store;
}

afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await Promise.all(databases.map((database) => database.drop()));
});

function catalogOf(document: unknown): Catalog {
  const result = parseMetadata(document);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const configuration = { connection_info: { database_url: { from_env: "A" }, isolation_level: "read-committed" } };
const source = (name: string, ...tables: readonly { schema: string; name: string }[]) => ({
  name,
  kind: "postgres",
  tables: tables.map((table) => ({ table })),
  configuration,
});
const document = {
  version: 3,
  sources: [source("a", { schema: "public", name: "x" }, { schema: "s.t", name: "x" }), source("b")],
  inherited_roles: [{ role_name: "r", role_set: ["p", "q"] }],
};

describe("Stored metadata", () => {
  let database: TestDatabase;
  let store: MetadataStore;
  const catalog = catalogOf(document);

  beforeAll(async () => {
    database = await emptyDatabase();
    store = await open(database);
  });

  it("The stored metadata is initially absent", async () => {
    expect(await store.read()).toBeUndefined();
  });

  it("The first created metadata is kept", async () => {
    await store.create(partsOf(catalog));
    await store.create(partsOf(emptyCatalog));
    expect(await store.read()).toEqual({ metadata: document, resourceVersion: 1 });
  });

  it("The stored metadata is one document in one row for external readers", async () => {
    expect(await query(database.url, "select * from engine_catalog.engine_metadata")).toEqual([
      { id: 1, metadata: document, resource_version: 1 },
    ]);
  });

  it("A change to another version is refused and leaves the stored metadata unchanged", async () => {
    const conflict = store.write(changedParts(catalog, emptyCatalog), 7);
    await expect(conflict).rejects.toMatchObject({ code: "conflict", status: 409 });
    expect(await store.read()).toEqual({ metadata: document, resourceVersion: 1 });
  });

  it("A change is stored and notified with its instance", async () => {
    await store.write(changedParts(catalog, emptyCatalog), 1);
    expect(await store.read()).toEqual({ metadata: { version: 3, sources: [] }, resourceVersion: 2 });
    const text = "select resource_version, instance_id from engine_catalog.engine_schema_notifications";
    expect(await query(database.url, text)).toEqual([{ resource_version: 2, instance_id: instance }]);
  });

  it("A change without differences still increases the version", async () => {
    await store.write({ written: [], removed: [] }, 2);
    expect(await store.version()).toBe(3);
  });

  it("reloadsSince returns the sources and remote schemas reloaded after a version", async () => {
    const nothing = { written: [], removed: [] };
    await store.write(nothing, 3, { sources: ["a", "b"], remoteSchemas: ["r"] });
    await store.write(nothing, 4, { sources: ["b"], remoteSchemas: [] });
    await store.write(nothing, 5);
    expect(await store.reloadsSince(3)).toMatchObject({ sources: ["a", "b"], remoteSchemas: ["r"] });
    expect(await store.reloadsSince(4)).toMatchObject({ sources: ["b"], remoteSchemas: [] });
    expect(await store.reloadsSince(5)).toMatchObject({ sources: [], remoteSchemas: [] });
    // Older versions of the engine do not write this member.
    await query(database.url, "update engine_catalog.engine_schema_notifications set notification = '{}'");
    expect(await store.reloadsSince(0)).toMatchObject({ sources: [], remoteSchemas: [] });
    await store.write(nothing, 6, { sources: ["a"], remoteSchemas: [] });
    expect(await store.reloadsSince(6)).toMatchObject({ sources: ["a"], remoteSchemas: [] });
  });
});

describe("Metadata of older installations", () => {
  it.each([document, { version: 3, sources: [] }])(
    "Metadata of an older installation is the same after the migration",
    async (before) => {
      const database = await emptyDatabase();
      await query(database.url, "create schema engine_catalog");
      await query(database.url, migrations[0] ?? "");
      await query(database.url, "insert into engine_catalog.engine_version (version, upgraded_on) values ('1', now())");
      const insert = "insert into engine_catalog.engine_metadata (id, metadata, resource_version) values (1, $1, 41)";
      await query(database.url, insert, [JSON.stringify(before)]);
      const store = await open(database);
      expect(await store.read()).toEqual({ metadata: before, resourceVersion: 41 });
      const catalog = catalogOf(before);
      await store.write(changedParts(catalog, emptyCatalog), 41);
      expect(await store.read()).toEqual({ metadata: { version: 3, sources: [] }, resourceVersion: 42 });
    },
  );
});
