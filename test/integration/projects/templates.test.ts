/** The templates of `engine init`, as a new user runs them: types, checks, tests, development, and the artifact. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startArtifact } from "../../support/artifact.ts";
import { runCommand } from "../../support/command-line.ts";
import { createDatabase, postgresUrl, query } from "../../support/database.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { createTemplateProject, type TemplateProject } from "../../support/template-project.ts";

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly result: unknown;
}

interface TemplateCase {
  readonly template: string;
  /** Requests as two roles, and of an action if the template has one. */
  requests(project: TemplateProject): Promise<readonly Request[]>;
  /** A file, and a text in it whose replacement widens access. */
  readonly widenings: readonly (readonly [file: string, filter: RegExp])[];
}

const tables = "metadata/databases/default/tables";
/** The filter of the permission of `role` that follows a line. */
const filterOf = (kind: string, role: string, key = "filter"): RegExp =>
  new RegExp(
    `(?<=${kind}_permissions:\\n(?:  .*\\n)*?  - role: ${role}\\n(?:    .*\\n)*?      ${key}:)\\n(?: {8}.*\\n)+`,
  );

const user = (name: string) => ({ "X-Engine-Role": "user", "X-Engine-User-Id": name });

const cases: readonly TemplateCase[] = [
  {
    template: "empty",
    requests: async () => [{ headers: {}, query: "{ __typename }", result: { data: { __typename: "query_root" } } }],
    widenings: [],
  },
  {
    template: "todo",
    requests: async () => [
      {
        headers: user("ben"),
        query: "{ list { title todos { title } } }",
        result: { data: { list: [{ title: "Books to read", todos: [{ title: "Middlemarch" }] }] } },
      },
      {
        headers: { "X-Engine-Role": "visitor" },
        query: "{ list { title } }",
        result: { data: { list: [{ title: "Picnic" }] } },
      },
      {
        headers: user("ann"),
        query: '{ draft_todos(text: "- bread, salt") { titles } }',
        result: { data: { draft_todos: { titles: ["bread", "salt"] } } },
      },
      {
        headers: user("ann"),
        query: '{ draft_todos(text: " ") { titles } }',
        result: { errors: [{ message: "the text contains no titles", extensions: { path: "$", code: "empty-text" } }] },
      },
    ],
    widenings: [
      [`${tables}/public_list.yaml`, filterOf("select", "user")],
      [`${tables}/public_todo.yaml`, filterOf("insert", "user", "check")],
    ],
  },
  {
    template: "multi-tenant",
    requests: async (project) => {
      const token = async (name: string) => {
        const { output } = await project.npm("exec", "--", "tsx", "--env-file=.env", "token.ts", name);
        return { Authorization: `Bearer ${output.trim()}` };
      };
      const [ben, cleo, dan] = [await token("ben"), await token("cleo"), await token("dan")];
      const projects = "{ project(order_by: {id: asc}) { name } }";
      const accept = "mutation { accept_invitation(invitation_id: 1) { organisation_id organisation { name } } }";
      const missing = { message: "invitation 1 does not exist", extensions: { path: "$", code: "not-found" } };
      return [
        {
          headers: ben,
          query: projects,
          result: { data: { project: [{ name: "Website" }, { name: "Warehouse" }] } },
        },
        {
          headers: { ...cleo, "X-Engine-Role": "owner" },
          query: "{ member { user_id } }",
          result: { data: { member: [{ user_id: "cleo" }] } },
        },
        { headers: cleo, query: accept, result: { errors: [missing] } },
        {
          headers: dan,
          query: accept,
          result: { data: { accept_invitation: { organisation_id: 1, organisation: { name: "Acme" } } } },
        },
        { headers: dan, query: accept, result: { errors: [missing] } },
      ];
    },
    widenings: [
      [`${tables}/public_project.yaml`, filterOf("select", "member")],
      [`${tables}/public_task.yaml`, filterOf("update", "member", "check")],
    ],
  },
];

async function ask(url: string, { headers, query: text }: Request): Promise<unknown> {
  const response = await fetch(`${url}/v1/graphql`, { method: "POST", headers, body: JSON.stringify({ query: text }) });
  return response.json();
}

beforeAll(ensureBuilt, 120_000);

it("Each template has a test", async () => {
  const folders = await readdir(join(root, "fixtures/templates"));
  expect(folders.filter((name) => name !== "shared").sort()).toEqual(cases.map(({ template }) => template).sort());
});

it("Templates need the versions of packages that the repository tests", async () => {
  const manifest = async (path: string) => JSON.parse(await readFile(join(root, path, "package.json"), "utf8"));
  const { dependencies, devDependencies } = await manifest("fixtures/templates/shared");
  expect((await manifest(".")).devDependencies).toMatchObject({ ...dependencies, ...devDependencies });
});

describe.each(cases)("The template $template", { timeout: 180_000 }, ({ template, requests, widenings }) => {
  let parent: string;
  let project: TemplateProject;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "engine-template-"));
    project = await createTemplateProject(parent, template);
  }, 60_000);

  afterAll(() => rm(parent, { recursive: true, force: true }));

  it("The name of the engine's package and its version come from package.json", async () => {
    const { name, version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const made = JSON.parse(await project.read("package.json"));
    expect([made.name, made.dependencies[name]]).toEqual(["my-app", `^${version}`]);
  });

  it("The secrets in .env are random and absent from committed files", async () => {
    const [secrets, example] = [parseEnv(await project.read(".env")), parseEnv(await project.read(".env.example"))];
    expect(Object.keys(secrets).sort()).toEqual(Object.keys(example).sort());
    expect(secrets.HANDLER_SECRET).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(await project.read(".env")).not.toContain("{{");
    expect(example.HANDLER_SECRET).toBe("whsec_");
    expect(example.ENGINE_GRAPHQL_ADMIN_SECRET ?? "").toBe("");
    expect(await project.read(".gitignore")).toContain("\n.env\n");
  });

  it("The generated types of handlers are up to date", async () => {
    const before = await project.read("handlers/generated.ts");
    expect(await project.npm("run", "types")).toMatchObject({
      code: 0,
      output: expect.stringContaining("0 created, 0 updated"),
    });
    const generated = await project.read("handlers/generated.ts");
    if (process.env.UPDATE_GOLDEN) {
      await writeFile(join(root, "fixtures/templates", template, "handlers/generated.ts"), generated);
    } else expect(generated).toBe(before);
  });

  it("npm run check finds no problems", async () => {
    const { code, output } = await project.npm("run", "check");
    expect([code, output]).toEqual([0, expect.stringMatching(/^valid: metadata.*\n$/)]);
  });

  it("The permission tests in YAML pass", async () => {
    const ended = await runCommand("test", "--project", project.folder, "--database", postgresUrl());
    expect(ended).toEqual({ code: 0, stdout: expect.stringMatching(/^[1-9]\d* passed\n$/), stderr: "" });
  });

  it("npm test passes", async () => {
    const { code, output } = await project.npm("test");
    expect([code, output]).toEqual([0, expect.stringContaining("fail 0")]);
  });

  it.each(widenings)("npm test fails without a row filter of %s", async (file, filter) => {
    const text = await project.read(file);
    const without = text.replace(filter, " {}\n");
    expect(without).not.toBe(text);
    await project.write(file, without);
    try {
      const { code, output } = await project.npm("test");
      expect([code, output]).toEqual([1, expect.stringContaining("AssertionError")]);
    } finally {
      await project.write(file, text);
    }
  });

  it("npm run dev serves the seeds for each role, and calls the handlers", async () => {
    const dev = project.start("dev");
    try {
      await expect.poll(dev.output, { timeout: 60_000 }).toContain("waiting for changes");
      await expect.poll(dev.output, { timeout: 60_000 }).toContain("handlers listen");
      for (const request of await requests(project)) {
        expect(await ask(project.endpoint, request)).toEqual(request.result);
      }
    } finally {
      await dev.stop();
    }
    // The handlers end with the engine.
    const { HANDLER_URL: handlers = "" } = parseEnv(await project.read(".env"));
    await expect
      .poll(() =>
        fetch(handlers).then(
          () => "serves",
          () => "ended",
        ),
      )
      .toBe("ended");
  });

  it("npm run build writes an artifact and handlers that serve the same", async () => {
    const { code, output } = await project.npm("run", "build");
    expect([code, output]).toEqual([0, expect.stringContaining("built artifact")]);
    const database = await createDatabase();
    for (const path of await sqlFiles(project.folder)) await query(database.url, await project.read(path));
    const environment = parseEnv(await project.read(".env"));
    const handlers = spawn(process.execPath, ["dist/server.js"], { cwd: project.folder, env: environment });
    try {
      const { ENGINE_GRAPHQL_ENDPOINT: endpoint = project.endpoint, ...others } = environment;
      const artifact = await startArtifact(join(project.folder, "artifact"), {
        environment: {
          ...(others as Readonly<Record<string, string>>),
          ENGINE_GRAPHQL_DATABASE_URL: database.url,
          ENGINE_GRAPHQL_SERVER_PORT: new URL(endpoint).port,
        },
      });
      try {
        await once(handlers.stdout, "data");
        for (const request of await requests(project)) {
          expect(await ask(artifact.url, request)).toEqual(request.result);
        }
      } finally {
        await artifact.stop();
      }
    } finally {
      handlers.kill();
      await database.drop();
    }
  });
});

/** Returns the up migrations, then the seeds. */
async function sqlFiles(folder: string): Promise<readonly string[]> {
  const names = async (path: string) => (await readdir(join(folder, path)).catch(() => [])).sort();
  const migrations = (await names("migrations/default")).map((name) => `migrations/default/${name}/up.sql`);
  return [...migrations, ...(await names("seeds/default")).map((name) => `seeds/default/${name}`)];
}
