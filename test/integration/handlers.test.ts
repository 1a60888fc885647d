/** `engine handlers` and the example of `docs/how-to/handlers.md`: built, type-checked, and called by the engine. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../support/artifact.ts";
import { query } from "../support/database.ts";
import { onFreePort } from "../support/free-port.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const secret = `whsec_${Buffer.from("a secret of thirty-two bytes ...").toString("base64")}`;

let page: string;
let folder: string;
let server: TestServer;
let handlers: ChildProcess;
/** Lines that the handlers print. */
const printed: string[] = [];

beforeAll(async () => {
  await ensureBuilt();
  page = await readFile(join(root, "docs/how-to/handlers.md"), "utf8");
  folder = await mkdtemp(join(tmpdir(), "handlers-"));
  await mkdir(join(folder, "node_modules"));
  for (const name of ["zod", "@types", "undici-types"]) {
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "tsconfig.json"), block("file tsconfig.json"));
  await onFreePort(async (port) => {
    const environment = { HANDLERS: `http://127.0.0.1:${port}`, HANDLER_SECRET: secret };
    server = await startTestServer({ sealed: false, environment });
    await prepare();
    handlers = spawn(process.execPath, ["dist/server.js"], {
      cwd: folder,
      env: { ...process.env, PORT: String(port), HANDLER_SECRET: secret },
    });
    let failure = "";
    handlers.stdout?.on("data", (data) => printed.push(...String(data).trim().split("\n")));
    handlers.stderr?.on("data", (data) => (failure += data));
    const ended = once(handlers, "exit").then(() => Promise.reject(new Error(failure)));
    ended.catch(() => undefined);
    await Promise.race([eventually(() => printed.includes("ready")), ended]);
  });
}, 120_000);

afterAll(async () => {
  handlers?.kill();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Follows the instructions of the page, up to the start of the program. */
async function prepare(): Promise<void> {
  await query(server.databaseUrl, block("table"));
  const { type, args: given } = JSON.parse(block("metadata"));
  await server.metadata(type, given);
  const [, ...args] = block("command").trim().replace("http://localhost:8080", server.url).split(" ");
  const { code, stdout, stderr } = await engine(args, folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(page).toContain(`\`\`\`text\n${stdout}\`\`\``);
  // The generated code type-checks without edits.
  expect(await typeErrors()).toBe("");
  for (const [, path = "", text = ""] of page.matchAll(/<!-- file (\S+) -->\n```ts\n(.*?)```/gs)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  expect(await typeErrors()).toBe("");
}

const block = (name: string): string => {
  const text = new RegExp(`<!-- ${name} -->\n\`\`\`\\w+\n(.*?)\`\`\``, "s").exec(page)?.[1];
  if (text === undefined) throw new Error(`the page has no ${name}`);
  return text;
};

/** Runs `tsc`, and returns its output. */
async function typeErrors(): Promise<string> {
  const run = promisify(execFile)(join(root, "node_modules/.bin/tsc"), { cwd: folder });
  return (await run.catch((error: { readonly stdout: string }) => error)).stdout;
}

async function eventually(isSo: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it did not come to that: ${isSo}; printed ${printed.join(" | ")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("The example of the handlers page", () => {
  it("The example handler returns an action's result and refuses with its own error", async () => {
    const [, answer = ""] = /<!-- query -->.*?```json\n(.*?)```/s.exec(page) ?? [];
    expect(await server.graphql(block("query"))).toEqual(JSON.parse(answer));
    expect(await server.graphql("{ quote(items: []) { total } }")).toEqual({
      errors: [{ message: "nothing to quote", extensions: { path: "$", code: "empty-order" } }],
    });
  });

  it("The example handler receives events", async () => {
    await server.graphql(
      'mutation { insert_orders(objects: [{ book: 7, note: "soon" }, { book: 8 }]) { affected_rows } }',
    );
    await eventually(() => printed.includes("order 1: book 7, soon") && printed.includes("order 2: book 8, no note"));
  });

  it("The example handler is called by a schedule", async () => {
    await query(
      server.metadataUrl,
      `update engine_catalog.engine_cron_events set scheduled_time = now() where id =
         (select id from engine_catalog.engine_cron_events where status = 'scheduled' order by scheduled_time limit 1)`,
    );
    await eventually(() => printed.includes("report to board"));
  });
});

describe("The example of replay protection", () => {
  interface Once {
    once(
      seen: { add(id: string): Promise<boolean>; remove(id: string): Promise<void> },
      context: { headers: Headers; answerHeaders: Headers },
      work: () => Promise<number>,
    ): Promise<number | undefined>;
  }

  it("The example runs each call once, even if it arrives twice concurrently, and again after a failure", async () => {
    const { once }: Once = await import(join(folder, "dist/once.js"));
    const ids = new Set<string>();
    const seen = {
      add: async (id: string) => ids.size < ids.add(id).size,
      remove: async (id: string) => void ids.delete(id),
    };
    let runs = 0;
    const call = (id: string, work = async () => ++runs) =>
      once(seen, { headers: new Headers({ "webhook-id": id }), answerHeaders: new Headers() }, work);
    expect(await Promise.all([call("a"), call("a"), call("b")])).toEqual([1, undefined, 2]);
    expect(await call("a")).toBeUndefined();
    await expect(call("c", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await call("c")).toBe(3);
  });
});

describe("Handlers of changing metadata", () => {
  const quote = () => join(folder, "handlers/actions/quote.ts");
  const run = (...args: string[]) =>
    engine(["handlers", "--out", "handlers", "--endpoint", server.url, ...args], folder);
  const customTypes = (fields: readonly object[], name = "Quote") => ({
    input_objects: [
      {
        name: "Item",
        fields: [
          { name: "book", type: "Int!" },
          { name: "count", type: "Int" },
        ],
      },
    ],
    objects: [{ name, fields }],
  });
  const total = { name: "total", type: "Float!" };

  it("A handler that no longer fits fails the type check at the field", async () => {
    const before = await readFile(quote(), "utf8");
    await server.metadata("set_custom_types", customTypes([total, { name: "until", type: "timestamptz!" }]));
    expect(await run()).toMatchObject({ code: 0, stdout: "wrote handlers: 3 handlers, 0 created, 0 updated\n" });
    const errors = await typeErrors();
    expect(errors).toMatch(/^handlers\/actions\/quote\.ts\(\d+,\d+\): error .*'advice' does not exist in type 'Quote'/);
    expect(await readFile(quote(), "utf8")).toBe(before);
  }, 60_000);

  it("A handler file receives changed result types and keeps its function body", async () => {
    await server.metadata("bulk", [
      { type: "drop_action", args: { name: "quote" } },
      { type: "set_custom_types", args: customTypes([total, { name: "advice", type: "String" }], "Offer") },
      {
        type: "create_action",
        args: {
          name: "quote",
          definition: {
            ...{ type: "query", handler: "{{HANDLERS}}", output_type: "Offer" },
            arguments: [{ name: "items", type: "[Item!]!" }],
          },
        },
      },
    ]);
    const before = await readFile(quote(), "utf8");
    expect(await run()).toMatchObject({ code: 0, stdout: "wrote handlers: 3 handlers, 0 created, 1 updated\n" });
    expect(await readFile(quote(), "utf8")).toBe(
      before
        .replace("type Quote, type QuotePayload }", "type QuotePayload, type Offer }")
        .replace("Promise<Quote>", "Promise<Offer | null>"),
    );
    expect(await typeErrors()).toBe("");
  }, 60_000);

  it("A handler whose trigger was removed is kept and named", async () => {
    await server.metadata("delete_cron_trigger", { name: "nightly_report" });
    const { code, stderr } = await run();
    expect(code).toBe(0);
    const file = "handlers/crons/nightly_report.ts";
    expect(stderr).toBe(
      `${file}: its handler is no longer in the metadata (missing NightlyReportPayload): delete or change the file\n`,
    );
    expect(await readFile(join(folder, file), "utf8")).toContain("nightlyReport");
    expect((await run()).stderr).toBe(stderr);
  });

  it("Watched handlers follow a server", async () => {
    const child = spawn(
      process.execPath,
      [join(root, ".build/engine.mjs"), "handlers", "--out", "watched", "--endpoint", server.url, "--watch"],
      { cwd: folder },
    );
    try {
      let output = "";
      child.stdout.on("data", (data) => (output += data));
      await eventually(() => output.includes("wrote watched: 2 handlers"));
      const args = { name: "hourly", webhook: "{{HANDLERS}}", schedule: "0 * * * *", include_in_metadata: true };
      await server.metadata("create_cron_trigger", args);
      await eventually(() => output.includes("wrote watched: 3 handlers, 1 created, 0 updated"));
      expect(await readFile(join(folder, "watched/crons/hourly.ts"), "utf8")).toContain("HourlyPayload");
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
  }, 60_000);

  it("Watched handlers follow a metadata directory", async () => {
    const files = join(folder, "files");
    await cp(join(root, "test/golden/handlers/nothing/metadata.yaml"), join(files, "metadata.yaml"));
    const child = spawn(
      process.execPath,
      [
        join(root, ".build/engine.mjs"),
        "handlers",
        "--out",
        "of-files",
        "--metadata",
        "files/metadata.yaml",
        "--watch",
      ],
      { cwd: folder },
    );
    try {
      let output = "";
      child.stdout.on("data", (data) => (output += data));
      child.stderr.on("data", (data) => (output += data));
      await eventually(() => output.includes("wrote of-files: 0 handlers"));
      await writeFile(join(files, "metadata.yaml"), "version: 3\nsources: {}\n");
      await eventually(() => output.includes("files/metadata.yaml:"));
      const cron = "{ name: tick, webhook: 'http://x', schedule: '* * * * *', include_in_metadata: true }";
      await writeFile(join(files, "metadata.yaml"), `version: 3\nsources: []\ncron_triggers: [${cron}]\n`);
      await eventually(() => output.includes("wrote of-files: 1 handler, 1 created"));
    } finally {
      child.kill("SIGKILL");
    }
  }, 60_000);

  it("Generated handlers do not overwrite a module of the user", async () => {
    await mkdir(join(folder, "mine"));
    await writeFile(join(folder, "mine/generated.ts"), "// mine\n");
    const { code, stderr } = await engine(["handlers", "--out", "mine", "--endpoint", server.url], folder);
    expect(code).toBe(1);
    expect(stderr).toContain("mine/generated.ts was not generated");
    expect(await readFile(join(folder, "mine/generated.ts"), "utf8")).toBe("// mine\n");
  });
});

it("Mock handlers return results that the engine accepts", async () => {
  const child = spawn(
    process.execPath,
    [join(root, ".build/engine.mjs"), "handlers", "--mock", "--port", "0", "--endpoint", server.url],
    { cwd: folder },
  );
  try {
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    await eventually(() => / at \S+\n/.test(output));
    const [, url = ""] = / at (\S+)\n/.exec(output) ?? [];
    await server.metadata("create_action", {
      name: "mocked",
      definition: {
        ...{ type: "query", handler: url, output_type: "[Offer!]!" },
        arguments: [{ name: "n", type: "Int" }],
      },
    });
    // The mock has no handlers for actions that were added later, so the test changes an existing action.
    await server.metadata("update_action", {
      name: "quote",
      definition: {
        ...{ type: "query", handler: url, output_type: "Offer" },
        arguments: [{ name: "items", type: "[Item!]!" }],
      },
    });
    const ask = async (book: number) =>
      (await server.graphql(`{ quote(items: [{ book: ${book} }]) { total advice } }`)) as { data: { quote: unknown } };
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(ask));
    for (const { data } of answers) {
      if (data.quote !== null) expect(data.quote).toMatchObject({ total: expect.any(Number) });
    }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBeGreaterThan(2);
    expect(await ask(1)).toEqual(answers[0]);
    expect(await server.graphql("{ mocked { total } }")).toMatchObject({
      errors: [{ message: "the metadata has no such handler" }],
    });
  } finally {
    child.kill("SIGKILL");
  }
}, 60_000);
