/**
 * The configuration of the tests. Tests of the project `pure` need only the code. The other projects need PostgreSQL:
 * each of their workers has its own server, started once per run, and only if the run includes such a test. Tests of
 * `answers` run concurrently with those of `pure`, and start first, because Vitest orders projects by name and restarts
 * a worker that switches to another project.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "./support/long-files-first.ts";
import { databaseWorkers, workers } from "./support/test-workers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pure = ["test/{architecture,conformance,golden,unit}/**/*.test.ts", "test/laws/code/**/*.test.ts"];
/** Golden tests that compare results of a database. */
const goldenAnswers = ["test/golden/{query,mutation,subscription,citus}.test.ts"];

export default defineConfig({
  root,
  resolve: {
    alias: {
      "engine/support": fileURLToPath(new URL("../runtime/model/support/index.ts", import.meta.url)),
      // Vite would load the package's ES modules, but its dependents get CommonJS: two copies do not share types.
      graphql: fileURLToPath(new URL("../node_modules/graphql/index.js", import.meta.url)),
      // The part of undici that the bundle contains, so that tests of outbound calls use the same code as the product.
      undici: fileURLToPath(new URL("../.ci/undici-part.mjs", import.meta.url)),
    },
  },
  test: {
    pool: "forks",
    // Long enough for two busy cores, and short enough that `.ci/run` takes less than an hour even if a hook hangs
    // after each of a hundred tests.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 60_000,
    // On a busy machine, a condition may need longer than the default of one second.
    expect: { poll: { timeout: 10_000 } },
    // Transformed code is cached in `node_modules`, by its content.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: pure,
          exclude: goldenAnswers,
          maxWorkers: workers,
          // Most values that tests create are short-lived. With the default of 16 MiB, the garbage collector would copy
          // them repeatedly.
          execArgv: ["--max-semi-space-size=64"],
          // Files of one worker share its modules, because no module keeps the state of a test. With isolation, half of
          // the time would be spent on loading the same modules again.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "answers",
          include: goldenAnswers,
          globalSetup: ["test/support/global-setup.ts"],
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "database",
          include: ["test/{console,corpus,integration,laws,security}/**/*.test.ts"],
          exclude: pure.filter((files) => files.startsWith("test/laws/")),
          globalSetup: ["test/support/global-setup.ts"],
          maxWorkers: databaseWorkers,
          // As for `pure`.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
