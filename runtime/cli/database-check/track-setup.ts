/** Replaces the metadata of the engine by that of a setup. */
import type { SourceKind } from "../../../compiler/catalog/model.ts";
import { CheckFailure, type Post } from "./context.ts";
import type { Setup } from "./suites.ts";

/** Variables that name the URL in the metadata of the setups. */
export const sourceVariables: Readonly<Record<SourceKind, string>> = {
  postgres: "ENGINE_GRAPHQL_DATABASE_URL",
  mssql: "ENGINE_MSSQL_CHECK_URL",
};

/** Returns the first lines of a list, which may have hundreds. */
export const listed = (lines: readonly string[]): string =>
  [...lines.slice(0, 10), ...(lines.length > 10 ? [`and ${lines.length - 10} more`] : [])].join("; ");

interface Inconsistency {
  readonly type: string;
  readonly name: string;
  readonly reason?: string;
}

export const unfit = (inconsistent: readonly Inconsistency[]): CheckFailure =>
  new CheckFailure(
    `the metadata does not fit the database: ${listed(inconsistent.map(({ name, reason }) => `${name}: ${reason}`))}`,
  );

interface Tracking {
  /** Further settings of the source's connection. */
  readonly connection?: Readonly<Record<string, unknown>>;
  /** Stores the metadata even if some of its objects are inconsistent. */
  readonly isPartial?: boolean;
}

/**
 * Replaces the metadata.
 * @returns the objects that are inconsistent with the tables
 * @throws CheckFailure if the metadata is refused
 */
export async function trackSetup(
  post: Post,
  { kind }: { readonly kind: SourceKind },
  { metadata, tables }: Setup,
  { connection = {}, isPartial = false }: Tracking,
): Promise<readonly Inconsistency[]> {
  const given = (metadata?.sources as readonly Source[] | undefined)?.[0] ?? {
    name: "default",
    kind,
    configuration: connectionOf[kind],
    tables,
  };
  const info = { ...given.configuration.connection_info, ...connection };
  const source = { ...given, configuration: { ...given.configuration, connection_info: info } };
  const document = { ...(metadata ?? { version: 3 }), sources: [source] };
  const args = { allow_inconsistent_metadata: isPartial, metadata: document };
  const replaced = await post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  const { inconsistent_objects: inconsistent } = replaced as {
    readonly inconsistent_objects?: readonly Inconsistency[];
  };
  if (inconsistent !== undefined) return inconsistent;
  throw new CheckFailure(`the metadata does not fit the database: ${JSON.stringify(replaced)}`);
}

interface Source {
  readonly configuration: { readonly connection_info: Readonly<Record<string, unknown>> };
}

const connectionOf: Readonly<Record<SourceKind, Source["configuration"]>> = {
  postgres: { connection_info: { database_url: { from_env: sourceVariables.postgres } } },
  mssql: { connection_info: { connection_string: { from_env: sourceVariables.mssql } } },
};
