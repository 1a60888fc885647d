/** Notes of two people: a user sees their own notes, a clerk sees all. */
import { query } from "../../support/database.ts";
import type { Answer, TestServer } from "../../support/server.ts";

export const secret = { "x-engine-admin-secret": "very-secret" };

export const as = (role: string, id?: string): Record<string, string> => ({
  ...secret,
  "x-engine-role": role,
  ...(id && { "x-engine-user-id": id }),
});

export async function setUpNotes(server: TestServer): Promise<void> {
  await query(
    server.databaseUrl,
    `create table note (id int primary key, owner text not null, text text not null);
     insert into note values (1, 'ann', 'first'), (2, 'bob', 'second');
     create view long_note as select 1 as id, repeat('x', 2000000) as text;
     create sequence runs;
     create view slow_note as
       select 1 as id, nextval('runs')::text as text, pg_sleep(1)::text as nothing offset 0`,
  );
  const permit = (table: string, role: string, filter: object) => ({
    type: "pg_create_select_permission",
    args: { table, role, permission: { columns: "*", filter } },
  });
  const { status, text } = await server.post(
    "/v1/metadata",
    {
      type: "bulk",
      args: [
        { type: "pg_track_table", args: { table: "note" } },
        { type: "pg_track_table", args: { table: "long_note" } },
        { type: "pg_track_table", args: { table: "slow_note" } },
        permit("note", "user", { owner: { _eq: "X-Engine-User-Id" } }),
        permit("note", "clerk", {}),
        permit("long_note", "clerk", {}),
        permit("slow_note", "clerk", {}),
      ],
    },
    secret,
  );
  if (status !== 200) throw new Error(text);
}

/** A response of `/v1/graphql` and its cache headers. */
export interface CacheInfo {
  readonly json: Answer["json"];
  readonly key: string | null;
  readonly family: string | null;
  readonly control: string | null;
  readonly warning: string | null;
}

export async function ask(
  server: Pick<TestServer, "post">,
  text: string,
  headers: Record<string, string>,
  variables?: object,
): Promise<CacheInfo> {
  const answer = await server.post("/v1/graphql", { query: text, variables }, headers);
  const of = (name: string) => answer.headers.get(name);
  return {
    json: answer.json,
    key: of("x-engine-query-cache-key"),
    family: of("x-engine-query-family-cache-key"),
    control: of("cache-control"),
    warning: of("warning"),
  };
}

/** Returns the texts of the notes in a response. */
export const texts = ({ json }: CacheInfo): readonly string[] =>
  json.data.note.map(({ text }: { readonly text: string }) => text);

export const clear = (server: Pick<TestServer, "post">, query: string, headers: Record<string, string> = secret) =>
  server.post(`/pro/cache/clear${query}`, {}, headers);
