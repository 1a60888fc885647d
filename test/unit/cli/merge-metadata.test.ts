import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { mergedMetadata, serverOnly } from "../../../runtime/cli/dev/merge-metadata.ts";

const permission = (role: string, ...columns: readonly string[]) => ({ role, permission: { columns, filter: {} } });
const table = (name: string, ...select_permissions: readonly object[]) => ({
  table: { name, schema: "public" },
  ...(select_permissions.length > 0 && { select_permissions }),
});
const metadata = (...tables: readonly object[]) =>
  ({ version: 3, sources: [{ name: "default", kind: "postgres", tables }] }) as unknown as JsonObject;

describe("Merging changes of a server into the metadata of files", () => {
  it("A renamed column follows, and other changes of the files are kept", () => {
    const merged = mergedMetadata(
      metadata(table("note", permission("user", "id", "text"), permission("guest", "id"))),
      metadata(table("note", permission("user", "id", "body"), permission("guest", "id"))),
      metadata(table("note", permission("user", "id", "text"), permission("guest")), table("tag")),
    );
    expect(merged).toEqual(
      metadata(table("note", permission("user", "id", "body"), permission("guest")), table("tag")),
    );
  });

  it("A row filter never gets conditions of both", () => {
    const filtered = (filter: object) =>
      metadata(table("note", { role: "user", permission: { columns: ["id"], filter } }));
    const conditions = (...names: readonly string[]) =>
      filtered({ _or: names.map((name) => ({ [name]: "X-Engine-User-Id" })) });
    const [common, server] = [conditions("name", "role"), conditions("name", "value")];
    expect(mergedMetadata(common, server, common)).toEqual(server);
    expect(mergedMetadata(common, server, conditions("name"))).toEqual(conditions("name"));
    const renamed = [filtered({ text: { _neq: "" } }), filtered({ body: { _neq: "" } })] as const;
    expect(mergedMetadata(renamed[0], renamed[1], renamed[0])).toEqual(renamed[1]);
  });

  it("The files win where both changed a value", () => {
    const merged = mergedMetadata(
      metadata(table("note", permission("user", "id", "text"))),
      metadata(table("note", permission("user", "id", "body"))),
      metadata(table("note", permission("user", "id"))),
    );
    expect(merged).toEqual(metadata(table("note", permission("user", "id"))));
  });

  it("A renamed table is renamed, and a new object of the server is added", () => {
    const merged = mergedMetadata(
      metadata(table("note", permission("user", "id"))),
      metadata(table("memo", permission("user", "id")), table("tag")),
      metadata(table("note", permission("user", "id"), permission("guest"))),
    );
    expect(merged).toEqual(metadata(table("memo", permission("user", "id"), permission("guest")), table("tag")));
  });

  it("The files keep objects that the server dropped", () => {
    const files = metadata(table("note", permission("user", "id")), table("tag"));
    expect(mergedMetadata(files, metadata(table("tag")), files)).toEqual(files);
    expect(mergedMetadata(files, { version: 3 }, files)).toEqual(files);
  });

  it("Objects that files removed stay removed", () => {
    const common = metadata(table("note"), table("tag"));
    expect(mergedMetadata(common, common, metadata(table("tag")))).toEqual(metadata(table("tag")));
  });

  it("Objects that only the server has are listed without the objects inside them", () => {
    const server = {
      ...metadata(table("note", permission("user", "id"), permission("guest")), table("tag", permission("user"))),
      actions: [{ name: "send" }],
    };
    expect(serverOnly(server, metadata(table("note", permission("guest"))))).toEqual([
      "select_permissions user of public.note of default",
      "tables public.tag of default",
      "actions send",
    ]);
  });
});
