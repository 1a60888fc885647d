/** `engine init`: the folder of a new project. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { EngineError } from "../../values/errors.ts";
import { writeMetadata } from "../metadata/metadata-files.ts";
import { configFileName } from "../metadata-directory/layout.ts";
import { yamlText } from "../metadata-directory/yaml-text.ts";
import { printResult } from "../project/output.ts";

export interface InitOptions {
  readonly endpoint?: string;
  readonly adminSecret?: string;
  readonly version: string;
}

/** What `engine start` gives a project that says nothing else. */
const metadata = {
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      tables: [],
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
    },
  ],
};

/** Makes `directory` a project; what is there already stays as it is. */
export async function initCommand(directory: string, options: InitOptions): Promise<number> {
  if (options.version !== "3") {
    throw new ConfigurationError([{ setting: "--version", message: "projects have version 3" }]);
  }
  const place = (path: string): string => join(directory, path);
  if ((await stat(place(configFileName)).catch(() => undefined)) !== undefined) {
    throw new EngineError("already-exists", "$", `${directory} is a project: it has a ${configFileName}`);
  }
  const endpoint = options.endpoint ?? "http://localhost:8080";
  try {
    for (const folder of ["migrations/default", "seeds/default"]) await mkdir(place(folder), { recursive: true });
    if ((await stat(place("metadata")).catch(() => undefined)) === undefined) {
      await writeMetadata(place("metadata"), metadata);
    }
    await writeNew(place(".gitignore"), ".env\n.data\n");
    if (options.adminSecret !== undefined) {
      await writeNew(place(".env"), `ENGINE_GRAPHQL_ADMIN_SECRET=${JSON.stringify(options.adminSecret)}\n`);
    }
    // Last: who finds it finds a whole project.
    await writeNew(place(configFileName), yamlText({ version: 3, endpoint, metadata_directory: "metadata" }));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("unwritable", "$", `cannot make a project in ${directory}: ${reason}`, { cause: error });
  }
  printResult(initialized(directory, endpoint, options.adminSecret !== undefined));
  return 0;
}

async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** A word of a command line. */
const inShell = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function initialized(directory: string, endpoint: string, hasSecret: boolean): string {
  // The secret itself stays out of logs of terminals.
  const secret = hasSecret ? " -H 'X-Engine-Admin-Secret: …'" : "";
  const enter = directory === "." ? [] : [`  cd ${inShell(directory)}`];
  return [
    `made a project in ${directory}. Next:`,
    ...enter,
    "  engine dev",
    "That starts a server with an embedded PostgreSQL and applies what you save. A first table, in another terminal:",
    "  engine migrate create notes --up-sql 'create table note (id serial primary key, text text)' --down-sql 'drop table note'",
    "A first permission, in metadata/databases/default/tables/tables.yaml:",
    "  - table: {schema: public, name: note}",
    "    select_permissions:",
    "      - role: user",
    "        permission: {columns: [id, text], filter: {}}",
    "A first query:",
    `  curl ${endpoint}/v1/graphql${secret} -H 'X-Engine-Role: user' -d '{"query": "{ note { id text } }"}'`,
    "`engine deploy` does the same for a server elsewhere.",
    "",
  ].join("\n");
}
