/**
 * `subscriptions/listen`: event streams with a notification whenever the tools may have changed. All streams of the
 * process share one timer, which reads the version of the tools.
 */
import type { EventChannel, Events } from "../../ports/request.ts";
import { isObject } from "../../values/is-object.ts";
import { invalidParams, McpError, mcpCodes } from "./mcp-error.ts";
import type { Params } from "./message.ts";

const maxStreams = 1000;
const checkMilliseconds = 500;

/** Notifications that follow from a change of the tools, by their member of the filter. */
const notifications = {
  toolsListChanged: "notifications/tools/list_changed",
  // The operations of tools are resources.
  resourcesListChanged: "notifications/resources/list_changed",
} as const;

type Filter = keyof typeof notifications;

interface Stream {
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
   * @param expiresAt when the session expires; `undefined` for sessions without expiry
   * @throws McpError -32602, or -32603 if too many streams are open
   */
  open(params: Params, idText: string, expiresAt: number | undefined): Events {
    const { notifications: wanted } = params;
    if (!isObject(wanted)) throw invalidParams('"notifications" is not an object');
    const filters = Object.keys(notifications).filter((name): name is Filter => wanted[name] === true);
    if (this.#streams.size >= maxStreams) {
      const message = `the server has ${maxStreams} open subscriptions; list the tools again later instead`;
      throw new McpError(mcpCodes.internalError, message, { status: 503 });
    }
    return {
      expiresAt,
      error: null,
      isIndependent: true,
      farewell: `data: {"jsonrpc":"2.0","id":${idText},"result":{"resultType":"complete",${metaOf(idText)}}}\n\n`,
      start: async (channel) => this.#start({ channel, idText, filters }),
    };
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

/** @param members further members of `params` as JSON text, each after a comma */
function send({ channel, idText }: Stream, method: string, members: string): void {
  channel.send(`data: {"jsonrpc":"2.0","method":"${method}","params":{${metaOf(idText)}${members}}}\n\n`);
}

const metaOf = (idText: string): string => `"_meta":{"io.modelcontextprotocol/subscriptionId":${idText}}`;
