/** Generated metadata of thousands of tables, as server responses for pages. */
import type { Page } from "playwright-core";

interface Size {
  readonly tables: number;
  /** Number of untracked tables. */
  readonly others: number;
  readonly roles: number;
  /** Permissions of each role. */
  readonly permissions: number;
}

const nameOf = (index: number) => ({ schema: `schema_${index % 20}`, name: `table_${index}_with_a_usual_name` });

function metadataOf({ tables, roles, permissions }: Size) {
  const step = Math.max(1, Math.floor(tables / permissions));
  const select = (index: number) =>
    Array.from({ length: roles }, (_, role) => role)
      .filter((role) => (index + role) % step === 0)
      .map((role) => ({
        role: `role_${role}`,
        permission: { columns: ["id", "name", "owner"], filter: { owner: { _eq: "X-Engine-User-Id" } } },
      }));
  return {
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        configuration: { connection_info: { database_url: "x" } },
        tables: Array.from({ length: tables }, (_, index) => ({
          table: nameOf(index),
          select_permissions: select(index),
        })),
      },
    ],
  };
}

/** Columns and keys of a table, which references up to three tables. */
function outlineOf(index: number) {
  const references = [...new Set([2, 5, 40].map((divisor) => Math.floor(index / divisor)))].filter(
    (other) => other < index,
  );
  const columnOf = (other: number): string => `table_${other}_id`;
  const names = ["id", "name", "created_at", "amount", "state", "owner", ...references.map(columnOf)];
  return {
    ...nameOf(index),
    kind: "table",
    columns: names.map((name) => ({ name, type: "character varying(255)", nullable: name !== "id" })),
    primary_key: ["id"],
    unique_keys: [],
    foreign_keys: references.map((other) => ({
      name: `key_${other}`,
      foreign_table: nameOf(other),
      column_mapping: { [columnOf(other)]: "id" },
    })),
  };
}

/** Intercepts the pages' requests about the metadata and the database. */
export async function serveLarge(page: Page, size: Size): Promise<void> {
  const metadata = JSON.stringify({ resource_version: 1, metadata: metadataOf(size) });
  const tables = Array.from({ length: size.tables + size.others }, (_, index) => ({ ...nameOf(index), kind: "table" }));
  const outlines = JSON.stringify(Array.from({ length: size.tables + size.others }, (_, index) => outlineOf(index)));
  const counts = Array.from({ length: size.tables }, (_, index) => ({
    path: `$.sources[0].tables[${index}]`,
    error: 0,
    warning: 1 + (index % 3),
    note: 2,
  }));
  const advice = JSON.stringify({ resource_version: 1, counts, skipped: [] });
  const description = JSON.stringify({ tables, functions: [] });
  await page.route("**/v1/metadata", async (route) => {
    const { type } = route.request().postDataJSON() as { readonly type: string };
    const bodies: Readonly<Record<string, string>> = {
      export_metadata: metadata,
      pg_describe_source: description,
      pg_describe_tables: outlines,
      advise: advice,
    };
    const body = bodies[type];
    if (body === undefined) await route.continue();
    else await route.fulfill({ contentType: "application/json", body });
  });
}
