/** The banner of `engine start`. */
import { describe, expect, it } from "vitest";
import { type Banner, bannerText } from "../../../runtime/cli/start/banner.ts";

const plain = { isColored: false, hasPsql: true };
const empty: Banner = {
  version: "1.2.3",
  address: "http://localhost:8080",
  hasConsole: true,
  database: {
    url: "postgres://engine:word@127.0.0.1:5433/engine",
    isEmbedded: true,
    isMetadataOnly: false,
    command: "engine psql",
  },
  isDemo: false,
  secretHeader: null,
  generatedSecret: undefined,
  warnings: [],
  seconds: 1.26,
};
const external = (url: string): Banner => ({
  ...empty,
  database: { ...empty.database, url, isEmbedded: false, command: null },
});
const databaseOf = (banner: Banner, hasPsql = true): string | undefined =>
  /^Database +(.*)$/m.exec(bannerText(banner, { ...plain, hasPsql }))?.[1];

describe("The banner", () => {
  it("The banner has one line for each part and ends with the time", () => {
    expect(bannerText({ ...empty, warnings: ["first", "second"] }, plain)).toBe(`
engine 1.2.3

API        http://localhost:8080/v1/graphql
Console    http://localhost:8080/console
Database   postgres://engine:word@127.0.0.1:5433/engine (to connect: engine psql)
Next       open the console to create and track tables
Warning    first; second

ready in 1.3 s
`);
  });

  it.each([
    ["postgres://me:hunter2@db:5432/shop", "psql postgres://me@db:5432/shop"],
    ["postgres://me@db/shop?password=hunter2&sslmode=require", "psql 'postgres://me@db/shop?sslmode=require'"],
    ["postgres://me:hunter2@db/it's", "psql 'postgres://me@db/it'\\''s'"],
    ["postgres://me:hunter2@db/shop?options=-c%20a%3Db", "psql 'postgres://me@db/shop?options=-c%20a%3Db'"],
    ["host=db password='hunter2' dbname=shop", "host=db password=<REDACTED> dbname=shop"],
    ["postgres://me:hunt:er2@db:port/shop", "postgres://me:<REDACTED>@db:port/shop"],
  ])("The password of an external database is not shown: %s", (url, shown) => {
    expect(databaseOf(external(url))).toBe(shown);
  });

  it("An external database of the environment is named with the command and without its password", () => {
    const { database } = external("postgres://me:hunter2@db:5432/shop");
    expect(databaseOf({ ...empty, database: { ...database, command: "engine psql" } })).toBe(
      "postgres://me@db:5432/shop (to connect: engine psql)",
    );
  });

  it("Control characters of a URL do not reach the terminal", () => {
    expect(databaseOf(external("postgres://me@db/a\u001b[2Jb"))).not.toContain("\u001b");
  });

  it("Without psql, the banner shows the URL", () => {
    expect(databaseOf(empty, false)).toBe("postgres://engine:word@127.0.0.1:5433/engine (psql is not installed)");
  });

  it("Commands contain the header of the admin secret and not the secret", () => {
    const secretHeader = '"X-Engine-Admin-Secret: $ENGINE_GRAPHQL_ADMIN_SECRET"';
    const text = bannerText({ ...empty, hasConsole: false, secretHeader }, plain);
    expect(text).toContain(`curl http://localhost:8080/v2/query -H ${secretHeader} -d '{"type":"run_sql"`);
    expect(bannerText({ ...empty, isDemo: true, secretHeader }, plain).match(/\$ENGINE_GRAPHQL/g)).toHaveLength(2);
  });

  it("Colours appear only where they are enabled", () => {
    expect(bannerText(empty, { ...plain, isColored: true })).toContain("\u001b[");
    expect(bannerText({ ...empty, isDemo: true }, plain)).not.toContain("\u001b");
  });
});
