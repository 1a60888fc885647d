/**
 * The image of the live server, built without a container engine: the steps of its Dockerfile run in folders that stand
 * for its stages, except for the installation of Debian packages. The server runs as the image's user. The test runs
 * only in CI, because the installation of npm packages takes long.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DockerfileParser, type Instruction } from "dockerfile-ast";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/shared-checks.ts";

const run = promisify(execFile);
const patience = 600_000;

/** The image under construction. */
interface Image {
  readonly folder: string;
  readonly workdir: string;
  readonly user: number;
  readonly health: readonly string[];
  readonly entry: readonly string[];
}

/** Returns the files of the repository without those excluded from the build context. */
async function contextFiles(): Promise<readonly string[]> {
  const patterns = (await readFile(join(root, ".dockerignore"), "utf8")).split("\n").filter((line) => line !== "");
  const { stdout } = await run("git", ["ls-files"], { cwd: root, maxBuffer: 1e8 });
  const covers = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);
  // As for Docker, the last matching pattern counts.
  const isIgnored = (path: string): boolean =>
    patterns.findLast((each) => covers(each.replace(/^!/, ""), path))?.startsWith("!") === false;
  return stdout.split("\n").filter((path) => path !== "" && !isIgnored(path));
}

const listOf = (instruction: Instruction): readonly string[] =>
  JSON.parse((instruction.getArgumentsContent() ?? "").replace(/^[^[]*/, ""));

async function build(file: string, work: string): Promise<Image> {
  const stages = new Map<string, string>();
  let image: Image = { folder: "", workdir: "/", user: 0, health: [], entry: [] };
  const here = (): string => join(image.folder, image.workdir);
  for (const instruction of DockerfileParser.parse(file).getInstructions()) {
    const text = instruction.getArgumentsContent() ?? "";
    switch (instruction.getKeyword()) {
      case "FROM": {
        const folder = join(work, `stage${stages.size}`);
        stages.set(/ AS (\w+)$/.exec(text)?.[1] ?? folder, folder);
        image = { folder, workdir: "/", user: 0, health: [], entry: [] };
        break;
      }
      case "WORKDIR":
        image = { ...image, workdir: text };
        await mkdir(here(), { recursive: true });
        break;
      case "COPY":
        await copy(instruction.getTextContent().replace(/^COPY /, ""), here(), stages);
        break;
      case "RUN": {
        const [command = "", ...args] = listOf(instruction);
        if (command === "ln") await link(args.at(-2) ?? "", join(image.folder, args.at(-1) ?? ""));
        else if (command !== "apt-get") await run(command, args, { cwd: here(), maxBuffer: 1e8 });
        break;
      }
      case "USER":
        image = { ...image, user: Number.parseInt(text, 10) };
        break;
      case "HEALTHCHECK":
        image = { ...image, health: listOf(instruction) };
        break;
      case "ENTRYPOINT":
        image = { ...image, entry: listOf(instruction) };
    }
  }
  return image;
}

/** Creates a link whose target is a path inside the image. */
async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}

async function copy(text: string, to: string, stages: ReadonlyMap<string, string>): Promise<void> {
  const [, stage, from = "", place = ""] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? [];
  if (stage !== undefined) {
    await cp(join(stages.get(stage) ?? "", from), join(to, place === "./" ? from.replace(/.*\//, "") : place), {
      recursive: true,
      verbatimSymlinks: true,
    });
    return;
  }
  for (const path of await contextFiles()) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await cp(join(root, path), join(to, path));
  }
}

describe.skipIf(!process.env.CI)("The container image of the live server", () => {
  let work: string;
  let image: Image;
  let database: TestDatabase;

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), "engine-image-"));
    // The image's user needs access to the folder.
    await chmod(work, 0o755);
    database = await createDatabase();
    image = await build(await readFile(join(root, "docs/containers/server.Containerfile"), "utf8"), work);
  }, patience);

  afterAll(async () => {
    await database?.drop();
    await rm(work, { recursive: true, force: true });
  });

  it("The image has the program under the name that other images use", async () => {
    const program = await readlink(join(image.folder, "usr/local/bin/graphql-engine"));
    const { stdout } = await run("node", [join(image.folder, program), "version"]);
    expect(stdout).toMatch(/^engine \d/);
  });

  it("The image, which has no templates, refuses to create a project and names the command for the own machine", async () => {
    const program = join(image.folder, image.workdir, ".build/engine.mjs");
    const created = run("node", [program, "init", join(work, "shop")]);
    await expect(created).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: this installation, .* has no templates; run `npm create [\w-]+ FOLDER` on the/,
      ),
    });
  });

  it(
    "The container serves, passes its health check and stops on SIGTERM",
    async () => {
      const port = await freePort();
      const [program = "", ...args] = image.entry;
      const env = {
        PATH: process.env.PATH ?? "",
        ENGINE_GRAPHQL_DATABASE_URL: database.url,
        ENGINE_GRAPHQL_ADMIN_SECRET: "secret",
        ENGINE_GRAPHQL_SERVER_PORT: String(port),
      };
      const as = process.getuid?.() === 0 ? { uid: image.user, gid: image.user } : {};
      // The command that deployments of the original engine's image use.
      const child = spawn(program, [...args, "graphql-engine", "serve"], {
        cwd: join(image.folder, image.workdir),
        env,
        stdio: ["ignore", "pipe", "pipe"],
        ...as,
      });
      let printed = "";
      for (const output of [child.stdout, child.stderr]) output.on("data", (data) => (printed += data));
      const ended = once(child, "close");
      const [checker = "", ...question] = image.health;
      const isWell = () =>
        run(checker, question, { env }).then(
          () => true,
          () => false,
        );
      const ready = expect.poll(isWell, { timeout: 120_000, interval: 500 }).toBe(true);
      const early = ended.then(() => Promise.reject(new Error(`it ended: ${printed}`)));
      early.catch(() => undefined);
      await Promise.race([ready, early]);
      const post = async (path: string, body: object): Promise<unknown> => {
        const headers = { "x-engine-admin-secret": "secret" };
        const url = `http://127.0.0.1:${port}${path}`;
        return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
      };
      await post("/v2/query", { type: "run_sql", args: { sql: "create table thing (id int primary key)" } });
      await post("/v1/metadata", { type: "pg_track_table", args: { table: "thing" } });
      expect(await post("/v1/graphql", { query: "{ thing { id } }" })).toEqual({ data: { thing: [] } });
      child.kill("SIGTERM");
      expect(await ended, printed).toEqual([0, null]);
    },
    patience,
  );
});
