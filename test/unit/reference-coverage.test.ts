/** The generated pages of the reference contain every entry of the registries, and their examples are valid. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Option } from "commander";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { commandExamples } from "../../.ci/reference/commands.ts";
import { endpointTable } from "../../.ci/reference/endpoints.ts";
import { generatedFiles } from "../../.ci/reference/generated-files.ts";
import { operatorExamples, updateExamples } from "../../.ci/reference/graphql.ts";
import { logExamples } from "../../.ci/reference/log-examples.ts";
import { leaves } from "../../.ci/reference/pages/command-line.ts";
import {
  backendRelaySchemaPath,
  backendSubgraphSchemaPath,
  rolePartPath,
  savedPlansPath,
} from "../../compiler/4-emit/paths.ts";
import { withServerOptions } from "../../runtime/cli/commands/metadata-program.ts";
import { program } from "../../runtime/cli/main.ts";
import { codeName } from "../../runtime/config/code-options.ts";
import { configurableLogTypes, internalLogTypes, type LogType, logTypeTexts } from "../../runtime/config/log-types.ts";
import { describeOptions, parseOptions } from "../../runtime/config/options.ts";
import { createRoutes } from "../../runtime/http/routes.ts";
import { sqlServer } from "../../runtime/model/dialects/mssql/dialect.ts";
import { mssql, typeNames } from "../../runtime/model/dialects/mssql/scalars.ts";
import { postgres } from "../../runtime/model/dialects/postgres/dialect.ts";
import { pg, pgArray, pgTypes } from "../../runtime/model/dialects/postgres/scalars.ts";
import { type ErrorCodeRow, errorCodes, warningCodes } from "../../runtime/values/error-codes.ts";
import { details } from "../support/log-lines.ts";
import { root } from "../support/shared-checks.ts";
import { startStubApp } from "../support/stub-app.ts";
import { stubServices } from "../support/stub-services.ts";

const pageOf = (name: string): Promise<string> => readFile(join(root, `docs/reference/${name}.md`), "utf8");

describe("The page of options", () => {
  it("Every option has a section with its variable and flag", async () => {
    const sections = (await pageOf("options")).split(/^### /m);
    for (const { flag, variable } of describeOptions()) {
      const section = sections.find((each) => each.startsWith(`\`${codeName(variable)}\`\n`));
      expect(section, variable).toContain(`- variable: \`${variable}\``);
      expect(section, variable).toContain(flag === null ? "- flag: none" : `- flag: \`${flag}\``);
    }
  });
});

describe("The page of commands", () => {
  it("Every command has an example, and every example belongs to a command", () => {
    expect(Object.keys(commandExamples).toSorted()).toEqual(
      leaves()
        .map(([words]) => words)
        .toSorted(),
    );
  });

  it.each(leaves())("The examples of engine %s use only its flags", (words, command) => {
    const known = new Set(
      [command, program].flatMap(({ options }) => options.flatMap(({ short, long }) => [short, long])),
    );
    const { examples = [] } = commandExamples[words] ?? {};
    expect(examples.length).toBeGreaterThan(0);
    for (const [line] of examples) {
      expect(`${line} `.startsWith(`${words} `)).toBe(true);
      for (const [flag] of line.replace(/'[^']*'|"[^"]*"/g, "").matchAll(/(?<=\s)--?\w[\w.-]*/g)) {
        expect(known, line).toContain(flag);
      }
    }
  });

  it("Every command and each of its visible options is in the page", async () => {
    const text = await pageOf("command-line");
    const lacks = (option: Option): boolean =>
      !(
        option.hidden ||
        option.long === "--help-all" ||
        text.includes(`| \`${option.flags.replaceAll("|", "\\|")}\` |`)
      );
    for (const [words, command] of leaves()) {
      expect(text.includes(`### \`${words}\`\n`), words).toBe(true);
      if (words !== "start") expect(command.options.filter(lacks), words).toEqual([]);
    }
    expect(withServerOptions(program.createCommand("any")).options.filter(lacks)).toEqual([]);
  });
});

const sources = ["compiler", "runtime"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("console") && !file.endsWith("error-codes.ts"))
    .map((file) => readFileSync(join(root, folder, file), "utf8")),
);

describe("The page of errors", () => {
  it("Every code has a section, and no table has a code that the program does not use", async () => {
    const text = await pageOf("errors");
    const limits = ["batch-limit-exceeded", "depth-limit-exceeded", "node-limit-exceeded"];
    for (const code of Object.keys(errorCodes)) {
      expect(text.includes(`### \`${code}\`\n`), code).toBe(true);
      expect(limits.includes(code) || sources.some((each) => each.includes(`"${code}"`)), code).toBe(true);
    }
    for (const code of Object.keys(warningCodes)) {
      expect(text.includes(`| \`${code}\` |`), code).toBe(true);
      expect(
        sources.some((each) => each.includes(`"${code}"`)),
        code,
      ).toBe(true);
    }
  });

  it("The table of codes has the status of every error", () => {
    const thrown = sources.flatMap((text) => [
      ...text.matchAll(/new EngineError\(\s*"([\w -]+)",[^;]*?\bstatus: (\d+)[^;]*?\);/g),
    ]);
    expect(thrown.length).toBeGreaterThan(50);
    for (const [text, code = "", status] of thrown) {
      expect((errorCodes as Readonly<Record<string, ErrorCodeRow>>)[code]?.statuses, text).toContain(Number(status));
    }
  });
});

describe("The page of HTTP", () => {
  it("The table of endpoints equals the routes of the server, with the API group of each", async () => {
    const routesWith = (apis: string) => {
      const given = {
        ENGINE_GRAPHQL_ENABLED_APIS: apis,
        ENGINE_GRAPHQL_ENABLE_CONSOLE: "true",
        ENGINE_GRAPHQL_MCP_RESOURCE: "https://data.example",
      };
      const options = parseOptions({}, given);
      return createRoutes(stubServices().services, { ...options, version: "1" }).map(
        ({ method, path }) => `${method} ${path}`,
      );
    };
    const of = (groups: readonly unknown[]) =>
      endpointTable
        .filter(({ enabledBy }) => groups.includes(enabledBy))
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted();
    for (const group of ["metadata", "graphql", "pgdump", "config", "developer", "metrics", "mcp"]) {
      expect(routesWith(group).toSorted()).toEqual(of([null, "console", group]));
    }
    const text = await pageOf("http");
    for (const { path } of endpointTable) expect(text.includes(` \`${path}\` |`), path).toBe(true);
  });

  it("Each endpoint admits the callers that the table lists", async () => {
    // Services that the stub replaces check the role for these, or serve no metrics.
    const unchecked = ["/v1/metadata", "/v2/query", "/v1/metrics"];
    const app = await startStubApp({
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,pgdump,config,developer,metrics,mcp",
      ENGINE_GRAPHQL_ENABLE_CONSOLE: "true",
      ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
    });
    try {
      for (const { method, path, access } of endpointTable) {
        const url = `${app.url}${path.replace("*", "any")}`;
        const textFor = async (role: string): Promise<string> => {
          const isPost = method === "POST" || path === "/mcp";
          const headers = { "x-engine-role": role, ...(isPost && { "content-type": "application/json" }) };
          const more = isPost ? { method: "POST", body: "{}" } : {};
          return (await fetch(url, { headers, redirect: "manual", ...more })).text();
        };
        const isRefused = async (role: string): Promise<boolean> => (await textFor(role)).includes('"access-denied"');
        if (unchecked.includes(path)) continue;
        expect([path, await isRefused("admin"), await isRefused("user"), await isRefused("nobody")]).toEqual([
          path,
          false,
          access === "admin",
          access !== "none",
        ]);
      }
    } finally {
      await app.app.close();
    }
  });
});

describe("The page of the GraphQL API", () => {
  it("Every operator of PostgreSQL has an example, and no example is of another operator", () => {
    const types = [...Object.keys(pgTypes).map((name) => pg(name)), pgArray(pg("int4"))];
    const names = new Set(types.flatMap((type) => postgres.operators(type).map(({ name }) => name)));
    expect(Object.keys(operatorExamples).toSorted()).toEqual([...names].toSorted());
    expect(Object.keys(updateExamples).toSorted()).toEqual(postgres.updateOperators.map(({ name }) => name).toSorted());
  });

  it("Every operator, aggregate and scalar of both databases is in the page", async () => {
    const text = await pageOf("graphql-api");
    const types = typeNames.map((name) => mssql(name));
    const rows = [
      ...types.flatMap((type) => sqlServer.operators(type).map(({ name }) => name)),
      ...sqlServer.operators(mssql("nvarchar", { holds: "json" })).map(({ name }) => name),
      ...[postgres, sqlServer].flatMap(({ aggregates, aggregatePredicates, updateOperators, orderings }) => [
        ...aggregates.keys(),
        ...aggregatePredicates.map(({ name }) => name),
        ...updateOperators.map(({ name }) => name),
        ...orderings.keys(),
      ]),
      ...typeNames,
      ...Object.keys(pgTypes),
    ];
    const parts = text.split("### SQL Server");
    for (const name of rows) expect(text.includes(`\n| \`${name}\``), name).toBe(true);
    for (const type of types) {
      for (const { name } of sqlServer.operators(type)) expect(parts[1]?.includes(`\n| \`${name}\``), name).toBe(true);
    }
  });
});

describe("The page of log types", () => {
  it("Every type has a section, and its example has the members of its lines", async () => {
    const text = await pageOf("log-types");
    for (const type of [...configurableLogTypes, ...internalLogTypes]) {
      expect(text.includes(`### \`${type}\`\n`), type).toBe(true);
      const isWritten = !logTypeTexts[type].doc.startsWith("never written");
      const example = (logExamples as Readonly<Record<string, unknown>>)[type];
      expect(example !== undefined, type).toBe(isWritten);
      const schema = (details as Readonly<Record<string, z.ZodType>>)[type];
      if (isWritten && schema) expect(schema.safeParse(example).error?.message, type).toBe(undefined);
    }
  });

  it("Every level that the program uses for a type is listed", () => {
    const written = sources.flatMap((text) => [...text.matchAll(/\blog\.(debug|info|warn|error)\(\s*"([\w-]+)"/g)]);
    expect(written.length).toBeGreaterThan(20);
    for (const [text, level = "", type] of written) {
      expect(logTypeTexts[type as LogType]?.levels.split(", "), text).toContain(level);
    }
  });
});

describe("The page of generated files", () => {
  it("Every file of the compiler is described, and every description belongs to a file", () => {
    const files = [
      ...readdirSync(join(root, "generated"), { recursive: true, encoding: "utf8" }),
      ...["compile", "client"].flatMap((kind) =>
        readdirSync(join(root, "test/golden", kind), { recursive: true, encoding: "utf8" })
          .filter((file) => file.includes("/expected/"))
          .map((file) => file.replace(/^.*\/expected\//, "")),
      ),
      // No golden case has these.
      rolePartPath("user", "query", "author"),
      rolePartPath("user", "mutation", "delete_author"),
      backendRelaySchemaPath("user"),
      backendSubgraphSchemaPath("user"),
      savedPlansPath("user", { collection: "desk", name: "lend" }, "backend"),
    ].filter((file) => /\.(?:ts|json|graphql)$/.test(file));
    expect(files.length).toBeGreaterThan(200);
    const found = files.map((file) => [file, generatedFiles.find(({ pattern }) => pattern.test(file))?.path] as const);
    expect(found.filter(([, path]) => path === undefined)).toEqual([]);
    const used = new Set(found.map(([, path]) => path));
    expect(generatedFiles.map(({ path }) => path).filter((path) => !used.has(path))).toEqual([]);
  });
});
