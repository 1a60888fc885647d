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

/** Intercepts the pages' requests about the metadata and the database. */
export async function serveLarge(page: Page, size: Size): Promise<void> {
  const metadata = JSON.stringify({ resource_version: 1, metadata: metadataOf(size) });
  const tables = Array.from({ length: size.tables + size.others }, (_, index) => ({ ...nameOf(index), kind: "table" }));
  const description = JSON.stringify({ tables, functions: [] });
  await page.route("**/v1/metadata", async (route) => {
    const { type } = route.request().postDataJSON() as { readonly type: string };
    const body = type === "export_metadata" ? metadata : type === "pg_describe_source" ? description : undefined;
    if (body === undefined) await route.continue();
    else await route.fulfill({ contentType: "application/json", body });
  });
}
