/** The rooms to edit and the tests that cover each, in steps. */
import type { Edit } from "./edits.ts";

interface Room {
  readonly folder: string;
  /** Files and folders of tests. A step runs if earlier steps did not detect the edit. */
  readonly steps: readonly (readonly string[])[];
}

const integration = (name: string): string => `test/integration/${name}.test.ts`;
const law = (name: string): string => `test/laws/code/${name}.test.ts`;
const request = (name: string): string => integration(`requests/${name}`);

const compiled: Room["steps"] = [
  ["test/golden/compile.test.ts"],
  ["test/unit/emit", "test/unit/analyze", "test/unit/handlers"],
  ["diff", "handlers", "metadata"].map((name) => `test/golden/${name}.test.ts`),
  [...["access", "many-tables", "nothing-stale", "numbers"].map(law), "test/security/absence.test.ts"],
  ["functions", "nested-inserts", "relay", "saved-operations"].map(request),
];

const planned: Room["steps"] = [
  ["test/golden/query.test.ts", "test/golden/mutation.test.ts", "test/golden/subscription.test.ts"],
  ["test/unit/model", "test/unit/execute"],
  ["test/security/hostile-requests.test.ts", "test/security/hostile-plans.test.ts"],
  ["functions", "input-validation", "nested-inserts", "relay", "relay-pages", "remote-fields"].map(request),
  ["joins/remote-servers", "joins/failing-keys", "actions/synchronous"].map(integration),
  // Plans of saved operations are part of compiled metadata.
  ["test/golden/compile.test.ts"],
];

const ofDialects: Room["steps"] = [
  ...planned,
  ["test/unit/emit/postgres-types.test.ts", "test/laws/extension-types.test.ts", integration("types-without-order")],
];

const authenticated: Room["steps"] = [
  ["test/unit/http/auth"],
  ["test/unit/http", "test/unit/config"],
  ["test/integration/auth.test.ts", "test/integration/misplaced-credentials.test.ts", "test/integration/http.test.ts"],
  ["cross-site", "foreign-pages", "smuggling", "timing", "open-server"].map((name) => {
    return `test/security/attacks/${name}.test.ts`;
  }),
];

export const rooms: readonly Room[] = [
  { folder: "compiler/3-lower", steps: compiled },
  { folder: "compiler/4-emit", steps: compiled },
  { folder: "runtime/model/planner", steps: planned },
  { folder: "runtime/model/dialects", steps: ofDialects },
  { folder: "runtime/http/auth", steps: authenticated },
];

export function stepsOf({ file }: Edit): Room["steps"] {
  const room = rooms.find(({ folder }) => file.startsWith(`${folder}/`));
  if (room === undefined) throw new Error(`no room has ${file}`);
  return room.steps;
}
