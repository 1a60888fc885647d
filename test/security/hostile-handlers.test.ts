/** Names, values and comments of untrusted authors in the output of `engine handlers`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { Node, Project, SyntaxKind } from "ts-morph";
import { beforeAll, describe, expect, it } from "vitest";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { emitHandlers } from "../../compiler/handlers/emit-handlers.ts";
import { handlersOf } from "../../compiler/handlers/handlers-of.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { must } from "../support/compiled.ts";
import { root } from "../support/shared-checks.ts";

const shop = join(root, "test/golden/handlers/shop");

let metadata: string;
let shape: string;
beforeAll(async () => {
  metadata = JSON.stringify((await readMetadataDirectory(join(shop, "metadata.yaml"))).metadata);
  shape = await readFile(join(shop, "shape.json"), "utf8");
});

/** Text that ends strings, comments, templates and lines, and names with a special meaning in JavaScript. */
const nasty = fc.oneof(
  fc.constantFrom(
    ...[
      '"',
      "'",
      "`",
      "$" + "{globalThis.pwned = 1}",
      "*/ globalThis.pwned = 1 /*",
      "\n",
      "\u2028",
      "\\",
      '\\"',
      "../../x",
    ],
    ...[
      "__proto__",
      "constructor",
      "default",
      "</script>",
      "// @ts-nocheck",
      "\u202e",
      "a\u0000b",
      "z",
      "handlers",
      "é",
    ],
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
);
const text = fc.array(nasty, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));

/** Returns the files of the case `shop` with other names. */
function filesWith(replaced: Readonly<Record<string, string>>, cron: object): ReadonlyMap<string, string> {
  const renamed = (json: string): unknown =>
    JSON.parse(json, (_, value: unknown) => {
      return typeof value === "string" && Object.hasOwn(replaced, value) ? replaced[value] : value;
    });
  const document = { ...(renamed(metadata) as object), cron_triggers: [cron] };
  const catalog = must(readMetadataDocument(document as never, emptyCatalog));
  const introspections = new Map([["default", { shape: renamed(shape) as never }]]);
  const environment = new Proxy({}, { get: () => "http://x" });
  const analysis = must(
    analyze({
      catalog,
      introspections,
      remoteIntrospections: new Map(),
      options: {
        environment,
        experimentalFeatures: new Set(),
        defaultNamingConvention: "engine-default",
        inferFunctionPermissions: true,
        remoteSchemaPermissions: true,
      },
    }),
  );
  return emitHandlers(handlersOf(analysis, { scalars: new Map() }));
}

const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });

/** Returns the kinds of the top-level statements of a file. */
function statementsOf(code: string): readonly string[] {
  const file = project.createSourceFile("attacked.ts", code, { overwrite: true });
  expect(
    project
      .getProgram()
      .getSyntacticDiagnostics(file)
      .map((each) => each.getMessageText()),
  ).toEqual([]);
  return file.getStatements().map((each) => each.getKindName());
}

const declarations = ["ImportDeclaration", "InterfaceDeclaration", "TypeAliasDeclaration", "VariableStatement"];

describe("Hostile names in generated handlers", () => {
  it("Hostile metadata never becomes code of a handler", () => {
    const plain = statementsOf(filesWith({}, tick("tick")).get("generated.ts") ?? "");
    let count = 0;
    const cases = fc.record({
      column: text,
      comment: text,
      value: text,
      label: text,
      name: text,
      key: text,
      env: text,
    });
    fc.assert(
      fc.property(cases, ({ column, comment, value, label, name, key, env }) => {
        const replaced = {
          ...{ "Shipped on": column, [`Who pays. */ $${"{1}"}`]: comment, 'it\'s "odd"': value },
          "What is bought": label,
          NEW_SECRET: env,
        };
        const files = filesWith(replaced, { ...tick(name), payload: { [key]: value, list: [comment] } });
        for (const [path, code] of files) {
          expect(path).toMatch(/^(?:generated|(?:actions|crons|events\/[a-z0-9_+-]+)\/[A-Za-z0-9_+-]+)\.ts$/);
          const statements = statementsOf(code);
          if (path !== "generated.ts") {
            expect(statements.filter((kind) => !declarations.includes(kind))).toEqual(["FunctionDeclaration"]);
            continue;
          }
          expect([...statements].sort()).toEqual([...plain].sort());
          const file = project.getSourceFileOrThrow("attacked.ts");
          const list = file
            .getVariableDeclarationOrThrow("handlers")
            .getInitializerIfKindOrThrow(SyntaxKind.ArrayLiteralExpression);
          const about = list.getElements().flatMap((each) => {
            return Node.isCallExpression(each)
              ? (each.getArguments()[0]?.getDescendantsOfKind(SyntaxKind.StringLiteral) ?? [])
              : [];
          });
          const literals = about.map((each) => each.getLiteralValue());
          expect(literals).toEqual(expect.arrayContaining([name, env]));
          count++;
        }
      }),
      { numRuns: 60 },
    );
    expect(count).toBe(60);
  }, 60_000);
});

const tick = (name: string) => ({ name, webhook: "http://x", schedule: "* * * * *", include_in_metadata: true });
