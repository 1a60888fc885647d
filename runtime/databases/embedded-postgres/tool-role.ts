/**
 * Connections of the user's own programs, such as psql, to a running embedded PostgreSQL. Input: the data folder. The
 * password of the role `engine` is known only to the running engine, so tools have a login of their own.
 */

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type pg from "pg";
import { messageOf } from "../../values/message-of.ts";
import { passwordFile } from "./cluster.ts";
import { clusterOf } from "./data-folder.ts";
import { EmbeddedPostgresError, systemCode } from "./embedded-postgres-error.ts";
import { asSuperuser } from "./owner-role.ts";
import { runningPort } from "./previous-server.ts";

const toolRole = "engine_tool";

/**
 * Returns a URL whose sessions act as the role `engine`, which owns what they create; `undefined` if no server runs on
 * the folder. Earlier URLs become invalid, but their connections stay open.
 * @throws EmbeddedPostgresError `folder-unreachable` for a folder of another user, `start-failed`
 */
export async function urlForTool(dataDirectory: string): Promise<string | undefined> {
  const cluster = clusterOf(resolve(dataDirectory));
  try {
    const port = await runningPort(cluster);
    if (port === undefined) return undefined;
    const superuser = (await readFile(join(cluster, passwordFile), "utf8")).trim();
    const password = randomBytes(24).toString("base64url");
    const url = new URL(`postgres://postgres@127.0.0.1:${port}/postgres`);
    url.password = superuser;
    await asSuperuser(url.href, (client: pg.Client) => client.query(statements(password)));
    return Object.assign(url, { username: toolRole, password, pathname: "/engine" }).href;
  } catch (error) {
    const isForbidden = systemCode(error) === "EACCES";
    const remedy = isForbidden ? "; run the command as the user who started the server" : "";
    throw new EmbeddedPostgresError(
      isForbidden ? "folder-unreachable" : "start-failed",
      `cannot connect to the embedded PostgreSQL in ${dataDirectory}: ${messageOf(error)}${remedy}`,
      error,
    );
  }
}

/** The login has no rights of its own: `reset role` leaves only the membership in the role `engine`. */
const statements = (password: string): string => `
do $$ begin
  if not exists (select from pg_roles where rolname = '${toolRole}') then create role ${toolRole}; end if;
end $$;
alter role ${toolRole} with login inherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls
  password '${password}';
grant engine to ${toolRole};
alter role ${toolRole} set role = 'engine'`;
