/** `engine start` on a terminal: its banner, its silence afterwards, and the checks before it changes anything. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { missingProgram } from "../support/missing-program.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { startTerminal, type Terminal } from "../support/terminal.ts";

const bundle = join(root, ".build/engine.mjs");
const isRoot = process.getuid?.() === 0;

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  await ensureBuilt();
  database = await createDatabase("start");
}, 120_000);
afterAll(() => database?.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-start-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts the server on a terminal, and returns its banner and the lines after it. */
async function banner(
  args: string,
  use: (banner: string, terminal: Terminal) => Promise<void>,
  environment = "",
): Promise<void> {
  const terminal = startTerminal(`${environment} NO_COLOR=1 '${process.execPath}' '${bundle}' start ${args}`, folder);
  try {
    await use(await terminal.until(/ready in \d+\.\d s\n/), terminal);
  } finally {
    await terminal.end();
  }
}

const noSecret =
  "Warning    no admin secret is set: every program on this machine is an administrator; set " +
  "ENGINE_GRAPHQL_ADMIN_SECRET to serve other machines\n";

/** Runs a command of the banner in a shell, and returns its output. */
async function shell(command: string, environment: Record<string, string> = {}): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn("sh", ["-c", command], { cwd: folder, env: { PATH, HOME, ...environment } });
  let printed = "";
  child.stdout.on("data", (data) => (printed += data));
  child.stderr.on("data", (data) => (printed += data));
  await once(child, "close");
  return printed;
}

const row = (text: string, label: string): string => new RegExp(`^${label} +(.*)$`, "m").exec(text)?.[1] ?? "";

describe.skipIf(missingProgram("script"))("The banner of engine start", { timeout: 120_000 }, () => {
  it("A start without settings shows the console, the database and the warning in order", async () => {
    const port = await freePort();
    await banner(`--server-port ${port}`, async (text, terminal) => {
      const connection = row(text, "Database");
      expect(text).toBe(
        `\nengine 0.1.0\n\nAPI        http://localhost:${port}/v1/graphql\nConsole    http://localhost:${port}/console\n` +
          `Database   ${connection}\nNext       open the console to create and track tables\n${noSecret}\n${text.slice(text.lastIndexOf("ready"))}`,
      );
      const [, url = ""] = /(postgres:\/\/engine:[\w-]+@127\.0\.0\.1:\d+\/engine)/.exec(connection) ?? [];
      expect(await query(url, "select current_user as name")).toEqual([{ name: "engine" }]);
      if (!missingProgram("psql")) {
        const [, command = ""] = / \(to connect: engine (psql)\)$/.exec(connection) ?? [];
        const statement = "select current_user || ' ' || (40 + 2) as answer";
        expect(await shell(`'${process.execPath}' '${bundle}' ${command} -c "${statement}"`)).toContain("engine 42");
      }
      for (const path of ["/", "/console"]) {
        const response = await fetch(`http://localhost:${port}${path}`);
        expect([response.status, response.headers.get("content-type")]).toEqual([
          200,
          expect.stringMatching(/^text\/html/),
        ]);
      }
      expect(terminal.rest()).toMatch(/^(?:[\d:]+ GET \/\S* .*\n)*$/);
    });
  });

  it("The banner of the demo has two commands that return what the roles see", async () => {
    await banner(`--demo --server-port 0`, async (text) => {
      expect(text.match(/^\w+(?= {2,})/gm)).toEqual([
        "API",
        "Console",
        "Database",
        "Next",
        "Librarian",
        "Member",
        "Warning",
      ]);
      expect(row(text, "Next")).toMatch(/^open the console/);
      const [librarian, member] = await Promise.all(["Librarian", "Member"].map((role) => shell(row(text, role))));
      expect(librarian).toContain("Yuki");
      expect(member).toContain("Ines");
      expect(member).not.toContain("Yuki");
    });
  });

  it("A start with a database and an admin secret shows neither a password nor a console nor a warning", async () => {
    const url = new URL(database.url);
    url.password = "never-shown";
    await query(database.url, "drop schema if exists engine_catalog cascade");
    const secret = "terminal-secret";
    const environment = `ENGINE_GRAPHQL_ADMIN_SECRET=${secret} ENGINE_GRAPHQL_DATABASE_URL='${database.url}'`;
    await banner(
      "--server-port 0",
      async (text) => {
        expect(text.match(/^\w+(?= {2,})/gm)).toEqual(["API", "Database", "Next"]);
        expect(text).not.toContain(secret);
        url.password = "";
        expect(row(text, "Database")).toContain(url.href);
        await query(database.url, 'create table if not exists "NAME" (id int primary key)');
        const command = /curl .*$/.exec(row(text, "Next"))?.[0] ?? "";
        expect(await shell(command.replace("curl", "curl -s"), { ENGINE_GRAPHQL_ADMIN_SECRET: secret })).toBe(
          '{"message":"success"}',
        );
      },
      environment,
    );
  });

  it("A start with the console disabled shows a command that creates a table", async () => {
    await banner("--server-port 0 --enable-console false", async (text) => {
      expect(text).not.toContain("/console");
      const command = /curl .*$/.exec(row(text, "Next"))?.[0] ?? "";
      expect(await shell(command.replace("curl", "curl -s"))).toContain("CommandOk");
    });
  });

  it("Several warnings share one line", async () => {
    await banner(
      "--server-port 0",
      async (text) => {
        expect(text.match(/warning/gi)).toHaveLength(1);
        expect(row(text, "Warning")).toMatch(
          /^unknown environment variable ENGINE_GRAPHQL_SERVER_PROT has no effect; did you mean ENGINE_GRAPHQL_SERVER_PORT\?; no admin secret is set/,
        );
      },
      "ENGINE_GRAPHQL_SERVER_PROT=1",
    );
  });

  it("A generated admin secret is shown once, and its header reads it from its file", async () => {
    await banner("--server-port 0 --make-admin-secret", async (text) => {
      expect(text.match(/^\w+(?= {2,})/gm)).toEqual(["API", "Database", "Secret", "Next"]);
      expect(row(text, "Secret")).toMatch(/^[0-9a-f]{64} \(shown once, stored in /);
      const command = /curl .*$/.exec(row(text, "Next"))?.[0] ?? "";
      expect(await shell(command.replace("curl", "curl -s"))).toContain("CommandOk");
    });
    await banner("--server-port 0 --make-admin-secret", async (text) => {
      expect(row(text, "Secret")).toMatch(/^stored in /);
      expect(text).not.toMatch(/[0-9a-f]{64}/);
    });
  });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `engine start` without a terminal until it ends. */
async function failing(
  args: readonly string[],
  environment: Record<string, string> = {},
  uid: number | undefined = undefined,
): Promise<Ended> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [bundle, "start", ...args], {
    cwd: folder,
    env: { PATH, HOME, ENGINE_GRAPHQL_SERVER_PORT: "0", ENGINE_GRAPHQL_NO_OF_RETRIES: "0", ...environment },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (printed.stdout += data));
  child.stderr.on("data", (data) => (printed.stderr += data));
  const [code] = await once(child, "close");
  return { code, ...printed };
}

/** Returns a URL of the test server with other parts. */
function urlWith(parts: Partial<Pick<URL, "pathname" | "username" | "password" | "host" | "port">>): string {
  return Object.assign(new URL(database.url), parts).href;
}

describe("The checks of engine start", { timeout: 60_000 }, () => {
  it.each<readonly [string, readonly string[], (port: number) => Record<string, string>]>([
    ["--server-port", ["--server-port", "PORT"], () => ({})],
    ["ENGINE_GRAPHQL_SERVER_PORT", [], (port) => ({ ENGINE_GRAPHQL_SERVER_PORT: String(port) })],
  ])("A port in use is refused before anything is created: %s", async (setting, args, environment) => {
    const port = await freePort();
    const blocker = createServer().listen(port, "127.0.0.1");
    await once(blocker, "listening");
    try {
      const given = args.map((word) => (word === "PORT" ? String(port) : word));
      const { code, stdout, stderr } = await failing(given, environment(port));
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`${setting}: port ${port} is in use by another program; stop it (\`lsof -i :${port}\``);
      const [, other = ""] = /choose another port: \S+[ =](\d+)\n$/.exec(stderr) ?? [];
      expect(Number(other)).toBeGreaterThan(port);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      blocker.close();
    }
  });

  it("An address of another machine is refused", async () => {
    const { code, stderr } = await failing(["--server-host", "192.0.2.1"], { ENGINE_GRAPHQL_ADMIN_SECRET: "s" });
    expect([code, stderr]).toEqual([
      1,
      "error: option --server-host: this machine has no address 192.0.2.1; use localhost, or * for all addresses\n",
    ]);
  });

  it("A data folder that is a file is refused", async () => {
    await writeFile(join(folder, "data"), "");
    const { code, stderr } = await failing(["--data-dir", "data/postgres"]);
    expect([code, stderr]).toEqual([
      1,
      `error: option --data-dir: ${folder}/data is not a folder; move it away, or choose another folder with --data-dir FOLDER\n`,
    ]);
  });

  it("A data folder without write permission is refused with the command that helps", async () => {
    const data = join(folder, "data");
    await mkdir(data);
    await chmod(folder, 0o755);
    await chmod(data, 0o555);
    const uid = isRoot ? 65_534 : undefined;
    if (uid !== undefined) await chown(data, uid, uid);
    const { code, stderr } = await failing([], { ENGINE_GRAPHQL_DATA_DIR: join(data, "postgres") }, uid);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `ENGINE_GRAPHQL_DATA_DIR: cannot write to ${data}: permission denied; run \`chmod u+wx ${data}\`, or choose another ` +
        "folder with ENGINE_GRAPHQL_DATA_DIR=FOLDER\n",
    );
  });

  it.runIf(isRoot)("A full disk is refused before the database is created", async () => {
    const disk = join(folder, "disk");
    await mkdir(disk);
    expect(await shell(`mount -t tmpfs -o size=8m tmpfs ${disk}`)).toBe("");
    try {
      const { code, stderr } = await failing(["--data-dir", join(disk, "postgres")]);
      expect([code, stderr]).toEqual([
        1,
        `error: option --data-dir: the disk of ${disk} is full: 8 MB are free and PostgreSQL needs 150 MB; free some space, ` +
          `which \`df -h ${disk}\` shows, or choose another folder with --data-dir FOLDER\n`,
      ]);
      expect(await readdir(disk)).toEqual([]);
    } finally {
      await shell(`umount ${disk}`);
    }
  });

  const password = "s3cret-word";
  it.each<readonly [string, () => string, string]>([
    [
      "no server runs",
      () => urlWith({ host: "127.0.0.1:1", password }),
      "; start the server, or check its address with `pg_isready --host=127.0.0.1 --port=1`",
    ],
    [
      "the host is unknown",
      () => urlWith({ host: "no-such-host.invalid:5432", password }),
      "; check the host name in the URL",
    ],
    ["the database is missing", () => urlWith({ pathname: "/no_such" }), " no_such`"],
    ["the role is missing", () => urlWith({ username: "no_such", password }), "user"],
  ])("A database is refused with the command that helps if %s", async (_, url, remedy) => {
    for (const [setting, args, environment] of [
      ["option --database-url", ["--database-url", url()], {}],
      ["ENGINE_GRAPHQL_METADATA_DATABASE_URL", [], { ENGINE_GRAPHQL_METADATA_DATABASE_URL: url() }],
    ] as const) {
      const { code, stdout, stderr } = await failing(args, environment);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`${setting}: the metadata database postgres`);
      expect(stderr).toContain(remedy);
      expect(stderr).not.toContain(password);
    }
  });

  it("The command for a missing database creates it", async () => {
    const { stderr } = await failing(["--database-url", urlWith({ pathname: "/start_created" })]);
    const [, command = ""] = /`(createdb .*)`/.exec(stderr) ?? [];
    expect(command).not.toBe("");
    if (missingProgram("createdb")) return;
    const { password } = new URL(database.url);
    try {
      expect(await shell(command, { PGPASSWORD: decodeURIComponent(password) })).toBe("");
      const client = new pg.Client({ connectionString: urlWith({ pathname: "/start_created" }) });
      await client.connect();
      await client.end();
    } finally {
      await query(database.url, "drop database if exists start_created");
    }
  });

  it("Without a terminal, the log is JSON and standard error contains the address and severe warnings", async () => {
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, [bundle, "start"], {
      cwd: folder,
      env: {
        PATH,
        HOME,
        ENGINE_GRAPHQL_SERVER_PORT: "0",
        ENGINE_GRAPHQL_DATABASE_URL: database.url,
        ENGINE_GRAPHQL_NONE: "",
      },
    });
    const printed = { stdout: "", stderr: "" };
    child.stdout.on("data", (data) => (printed.stdout += data));
    child.stderr.on("data", (data) => (printed.stderr += data));
    await expect.poll(() => printed.stderr, { timeout: 30_000 }).toContain("warning: ");
    child.kill("SIGTERM");
    await once(child, "close");
    expect(printed.stderr).toMatch(
      /^engine serves on http:\/\/localhost:\d+\nwarning: unknown environment variable ENGINE_GRAPHQL_NONE has no effect\n$/,
    );
    const kinds = printed.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).detail?.kind);
    expect(kinds).toEqual(expect.arrayContaining(["server_configuration", "no_admin_secret", "server"]));
  });
});
