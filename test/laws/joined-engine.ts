/** A real server for the law of joins, with worlds in two databases and a remote GraphQL server. */
import { createDatabase, query as runSql } from "../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../support/remote-graphql.ts";
import { startTestServer } from "../support/server.ts";
import { leavingMetadata, remotePart } from "./law-remote.ts";
import type { Place, Viewpoint } from "./model.ts";
import type { Reader } from "./random-permissions.ts";
import { createWorld, readerTables } from "./world-in-database.ts";

export interface JoinedEngine {
  /** Replaces the current world. */
  show(reader: Reader): Promise<void>;
  /**
   * Returns the `data` of a response.
   * @throws Error with the response if it contains an error
   */
  ask(viewpoint: Viewpoint, query: string, variables: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

const variableOf = { default: "ENGINE_GRAPHQL_DATABASE_URL", other: "OTHER" } as const;

export async function startJoinedEngine(): Promise<JoinedEngine> {
  const databases = {
    default: await createDatabase("laws_left"),
    other: await createDatabase("laws_right"),
  };
  for (const { url, name } of Object.values(databases)) {
    await runSql(url, `alter database "${name}" set timezone to 'UTC'`);
  }
  const engine = await startTestServer({
    environment: { [variableOf.default]: databases.default.url, [variableOf.other]: databases.other.url },
  });
  let remote: RemoteGraphql | undefined;
  return {
    async show(reader) {
      const { world } = reader.viewpoint;
      await engine.metadata("clear_metadata", {});
      await remote?.close();
      const { sdl, root } = remotePart(world);
      remote = await startRemoteGraphql(sdl, 0, { root });
      for (const place of ["default", "other"] as const) await runSql(databases[place].url, createWorld(world, place));
      await engine.metadata("replace_metadata", metadataOf(reader, remote.port));
    },
    async ask({ role, session }, query, variables) {
      const headers = { ...session, "x-engine-role": role };
      const { text, json } = await engine.post("/v1/graphql", { query, variables }, headers);
      if (json.errors !== undefined) throw new Error(text);
      return json.data;
    },
    async close() {
      await remote?.close();
      await engine.close();
      for (const database of Object.values(databases)) await database.drop();
    },
  };
}

/** Returns the metadata that `show` loads into the engine. */
export function metadataOf(reader: Reader, remotePort: number) {
  const { world } = reader.viewpoint;
  const all = [...world.tables.values()];
  const source = (name: Exclude<Place, "server">) => ({
    name,
    kind: "postgres",
    configuration: { connection_info: { database_url: { from_env: variableOf[name] } } },
    tables: readerTables(reader, name).map((metadata, i) => {
      const table = all.filter(({ place }) => place === name)[i];
      return { ...metadata, remote_relationships: table ? leavingMetadata(world, table) : [] };
    }),
  });
  const served = all.filter(({ place }) => place === "server");
  return {
    version: 3,
    sources: [source("default"), source("other")],
    inherited_roles: reader.inheritedRoles,
    remote_schemas: [
      {
        name: "law",
        definition: { url: `http://127.0.0.1:${remotePort}/graphql` },
        remote_relationships: served.flatMap((table) => {
          const relationships = leavingMetadata(world, table);
          return relationships.length === 0 ? [] : [{ type_name: table.name, relationships }];
        }),
      },
    ],
  };
}
