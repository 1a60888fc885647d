/**
 * `subscriptions/listen`: event streams with a notification whenever the tools may have changed. All streams of the
 * process share one timer, which reads the version of the tools.
 */
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { EventChannel, Events } from "../../ports/request.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { isObject } from "../../values/is-object.ts";
import { invalidParams, McpError, mcpCodes } from "./mcp-error.ts";
import type { Params } from "./message.ts";

/** Limits of open streams in the process: of all callers, of a role, and of callers with the same session. */
const maxStreams = 1000;
const maxStreamsOfRole = 500;
const maxStreamsOfSession = 100;
const checkMilliseconds = 500;

/** Notifications that follow from a change of the tools, by their member of the filter. */
const notifications = {
  toolsListChanged: "notifications/tools/list_changed",
  // The operations of tools are resources.
  resourcesListChanged: "notifications/resources/list_changed",
} as const;

type Filter = keyof typeof notifications;

type Subscriber = Pick<AuthenticatedSession, "role" | "variables" | "expiresAt">;

interface Stream {
  readonly role: string;
  /** Equal for callers with the same role and session variables. */
  readonly session: string;
  readonly channel: EventChannel;
  /** JSON text of the id of the request. */
  readonly idText: string;
  readonly filters: readonly Filter[];
}

export class ChangeStreams {
  readonly #version: () => number;
  readonly #streams = new Set<Stream>();
  #timer: NodeJS.Timeout | undefined;
  #last = 0;

  /** @param version changes whenever tools may have changed */
  constructor(version: () => number) {
    this.#version = version;
  }

  /**
   * Returns the stream for a request.
   * @throws McpError -32602, or -32603 if too many streams are open
   */
  open(params: Params, idText: string, { role, variables, expiresAt }: Subscriber): Events {
    const { notifications: wanted } = params;
    if (!isObject(wanted)) throw invalidParams('"notifications" is not an object');
    const filters = Object.keys(notifications).filter((name): name is Filter => wanted[name] === true);
    const session = canonicalJson([role, Object.fromEntries(variables)]);
    this.#checkLimits(role, session);
    return {
      expiresAt,
      error: null,
      isIndependent: true,
      farewell: `data: {"jsonrpc":"2.0","id":${idText},"result":{"resultType":"complete",${metaOf(idText)}}}\n\n`,
      start: async (channel) => this.#start({ role, session, channel, idText, filters }),
    };
  }

  /** Other roles and other callers of the role keep their share. */
  #checkLimits(role: string, session: string): void {
    let ofRole = 0;
    let ofSession = 0;
    for (const stream of this.#streams) {
      if (stream.role === role) ofRole++;
      if (stream.session === session) ofSession++;
    }
    if (this.#streams.size >= maxStreams) throw tooMany("the server has", maxStreams);
    if (ofRole >= maxStreamsOfRole) throw tooMany("your role has", maxStreamsOfRole);
    if (ofSession >= maxStreamsOfSession) throw tooMany("your session has", maxStreamsOfSession);
  }

  #start(stream: Stream): void {
    const accepted = JSON.stringify(Object.fromEntries(stream.filters.map((name) => [name, true])));
    send(stream, "notifications/subscriptions/acknowledged", `,"notifications":${accepted}`);
    if (this.#streams.size === 0) this.#last = this.#version();
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.#check(), checkMilliseconds).unref();
    void stream.channel.ended.then(() => this.#end(stream));
  }

  #end(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const version = this.#version();
    if (version === this.#last) return;
    this.#last = version;
    for (const stream of this.#streams) {
      for (const filter of stream.filters) send(stream, notifications[filter], "");
    }
  }
}

function tooMany(owner: string, limit: number): McpError {
  const message = `${owner} ${limit} open subscriptions; list the tools again later instead`;
  return new McpError(mcpCodes.internalError, message, { status: 503 });
}

/** @param members further members of `params` as JSON text, each after a comma */
function send({ channel, idText }: Stream, method: string, members: string): void {
  channel.send(`data: {"jsonrpc":"2.0","method":"${method}","params":{${metaOf(idText)}${members}}}\n\n`);
}

const metaOf = (idText: string): string => `"_meta":{"io.modelcontextprotocol/subscriptionId":${idText}}`;
