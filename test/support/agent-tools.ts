/** Tools for assistants that run no statement: their results and failures are those that a test defines. */
import type { AgentToolHints, JsonSchema, RoleTool } from "../../runtime/model/definitions/tools/agent-tool.ts";
import type { AgentToolService, WriteEffect } from "../../runtime/ports/agent-tools.ts";
import type { Caller } from "../../runtime/values/caller.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import { nearestName } from "../../runtime/values/nearest-name.ts";
import type { Session } from "../../runtime/values/session.ts";

type Values = Readonly<Record<string, unknown>>;

export interface FakeTool {
  readonly name: string;
  readonly roles?: readonly string[];
  readonly hints?: Partial<AgentToolHints>;
  readonly input?: JsonSchema;
  readonly output?: JsonSchema;
  readonly title?: string;
  /** Returns the JSON text of the result. */
  readonly run?: (values: Values, caller: Caller | undefined, session: Session) => string | Promise<string>;
  readonly effect?: (values: Values) => readonly WriteEffect[] | null;
}

export interface FakeTools extends AgentToolService {
  readonly runs: { readonly tool: string; readonly values: Values; readonly role: string }[];
  /** Replaces the tools, as a change of the metadata does. */
  replace(tools: readonly FakeTool[]): void;
}

const object: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

export function fakeTools(first: readonly FakeTool[]): FakeTools {
  let tools = entriesOf(first);
  let version = 1;
  const fakeOf = ({ tool }: RoleTool): FakeTool => {
    const found = tools.find(({ fake }) => fake.name === tool.name)?.fake;
    if (found === undefined) throw new Error(`no tool ${tool.name}`);
    return found;
  };
  const list = (session: Session) => tools.filter(({ fake }) => isOf(fake, session)).map(({ tool }) => tool);
  const runs: FakeTools["runs"] = [];
  return {
    runs,
    replace(next) {
      tools = entriesOf(next);
      version++;
    },
    version: () => version,
    list,
    find: (session, name) => list(session).find(({ tool }) => tool.name === name),
    async run(tool, values, { session }, caller) {
      runs.push({ tool: tool.tool.name, values, role: session.role });
      return (await fakeOf(tool).run?.(values, caller, session)) ?? "{}";
    },
    rehearse: async (tool, values) => fakeOf(tool).effect?.(values) ?? null,
    async query({ query }, { session }) {
      if (/^\s*mutation/.test(query)) throw new EngineError("not-supported", "$.query", "only queries are allowed");
      return JSON.stringify({ role: session.role });
    },
    async describe(session, { name, search, cursor }) {
      if (cursor !== undefined) return { text: "loan: loans" };
      if (search !== undefined) return { text: `tables with ${search}` };
      if (name === undefined) return { text: `book: books for ${session.role}`, nextCursor: "loan" };
      const hint = nearestName(name, ["book", "loan"]);
      if (name !== "book") throw new EngineError("not-exists", "$.name", `no table ${name}; did you mean ${hint}?`);
      return { text: "book\n  id: uuid\n  title: text" };
    },
  };
}

const isOf = ({ roles }: FakeTool, { role }: Session): boolean => roles === undefined || roles.includes(role);

function entriesOf(tools: readonly FakeTool[]): readonly { readonly fake: FakeTool; readonly tool: RoleTool }[] {
  return tools.map((fake) => ({ fake, tool: toolOf(fake) })).sort((a, b) => (a.fake.name < b.fake.name ? -1 : 1));
}

function toolOf({ name, title, hints, input = object, output = { type: "object" } }: FakeTool): RoleTool {
  return {
    tool: {
      name,
      ...(title !== undefined && { title }),
      description: `The tool ${name}`,
      operation: { collection: "tools", name, kind: "query", text: `query ${name} { book { id } }`, variables: {} },
      limits: { rows: 100, bytes: 100_000, seconds: 10 },
    },
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false, ...hints },
    input,
    output,
  };
}
