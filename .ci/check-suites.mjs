// Packs the suites of `engine database check` into one file: those of fixtures/database-check, and the golden cases.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** Collapses the lines of formatted SQL, which take a third of the file. */
const compact = (sql) => sql.replace(/\n +/g, " ").trim();

/** Writes the file. @param root folder of the repository */
export function writeCheckSuites(root, file) {
  writeFileSync(file, JSON.stringify(checkSuites(root)));
}

function checkSuites(root) {
  const folder = join(root, "fixtures/database-check");
  const yaml = (name) => parse(readFileSync(join(folder, `${name}.yaml`), "utf8"));
  const suites = yaml("suites").map(({ golden, cases, ...suite }) => ({
    ...suite,
    cases: golden ? goldenCases(join(root, "test/golden", golden)) : cases ? yaml(cases).cases : [],
  }));
  const setups = { library: librarySetup(join(root, "test/golden/query")) };
  for (const { setup } of suites) setups[setup] ??= withoutCases(yaml(setup));
  return { setups, suites };
}

const withoutCases = ({ cases, ...databases }) => databases;

function librarySetup(folder) {
  const read = (name) => readFileSync(join(folder, name), "utf8");
  const schema = read("schema.postgres.sql");
  // Base types need a superuser.
  const unprivileged = schema.replace(/create type vector;.*?\n\n/s, "create extension vector;\n\n");
  if (unprivileged === schema) throw new Error("schema.postgres.sql has no stand-in for the type vector");
  return {
    postgres: { schema, unprivileged, metadata: parse(read("metadata.yaml")) },
    mssql: { schema: read("schema.mssql.sql"), metadata: parse(read("metadata.mssql.yaml")) },
  };
}

const kinds = ["postgres", "mssql"];

function goldenCases(folder) {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "query.graphql")));
  return names.sort().map((name) => {
    const read = (file) => {
      const path = join(folder, name, file);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    };
    const byKind = (file, change) =>
      Object.fromEntries(
        kinds.flatMap((kind) => {
          const text = read(file(kind));
          return text === undefined ? [] : [[kind, change(text)]];
        }),
      );
    const { role = "admin", session = {}, variables, absent } = JSON.parse(read("request.json") ?? "{}");
    return {
      name,
      query: read("query.graphql"),
      queries: byKind((kind) => `query.${kind}.graphql`, String),
      session: { ...session, "x-engine-role": role },
      ...(variables && { variables }),
      ...(absent && { absent }),
      result: JSON.parse(read("result.json")),
      statements: byKind((kind) => `${kind}.sql`, compact),
    };
  });
}
