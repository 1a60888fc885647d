/** Records calls of tools by assistants: log lines, metrics, and the calls of the last hour for `get_tool_calls`. */
import type { Meters } from "../../ports/metrics.ts";
import type { ToolCall, ToolCallOutcome, ToolCallSink } from "../../ports/services.ts";
import { quoted } from "../../values/quoted.ts";
import type { Log } from "./log.ts";

/** A call in the response of `get_tool_calls`, without arguments and results. */
interface ToolCallEntry {
  /** End of the call in ISO 8601. */
  readonly at: string;
  /** `null` if the role has no such tool. */
  readonly tool: string | null;
  readonly role: string;
  readonly outcome: ToolCallOutcome;
  readonly code: string | null;
  /** In seconds. */
  readonly execution_time: number;
  readonly client: string;
  readonly request_id: string;
}

interface TimedCall {
  /** Time of the end in milliseconds since 1970. */
  end: number;
  tool: string | null;
  role: string;
  outcome: ToolCallOutcome;
  code: string | null;
  milliseconds: number;
  requestId: string;
  client: string;
}

const keptMilliseconds = 60 * 60 * 1000;
const maxEntries = 1000;
/** Limit in characters of names that callers choose. */
const maxNameLength = 200;

export class ToolCallLog implements ToolCallSink {
  readonly #log: Log;
  readonly #meters: Meters;
  readonly #now: () => number;
  /**
   * The newest calls in a circle: a call replaces the oldest one, in the same object. New objects that live for a
   * thousand calls would cost more in garbage collection than the rest of the record.
   */
  readonly #recent: TimedCall[] = [];
  /** Place of the next call. */
  #next = 0;

  constructor(log: Log, meters: Meters, now: () => number = Date.now) {
    this.#log = log;
    this.#meters = meters;
    this.#now = now;
  }

  note(call: ToolCall): void {
    const { tool, outcome, milliseconds } = call;
    // Labels never contain names that callers invent.
    const label = tool ?? "";
    this.#meters.toolCalls.add(1, { status: outcome, tool_name: label });
    this.#meters.toolCallTime.record(milliseconds / 1000, { tool_name: label });
    if (this.#log.isEnabled("mcp-log", "info")) this.#log.text("mcp-log", "info", detailText(call));
    this.#keep(call);
  }

  /** Returns the newest calls of the last hour, at most 1,000, newest first. */
  list(): readonly ToolCallEntry[] {
    const since = this.#now() - keptMilliseconds;
    const oldestFirst = [...this.#recent.slice(this.#next), ...this.#recent.slice(0, this.#next)];
    return oldestFirst
      .filter(({ end }) => end > since)
      .map(entryOf)
      .reverse();
  }

  #keep({ tool, role, outcome, code, milliseconds, requestId, client }: ToolCall): void {
    const end = this.#now();
    // Names that callers choose are shortened. The name of the client is limited where it is read.
    const shortRole = shortened(role);
    const shortId = shortened(requestId);
    const kept = this.#recent[this.#next];
    if (kept === undefined) {
      this.#recent.push({ end, tool, role: shortRole, outcome, code, milliseconds, requestId: shortId, client });
    } else {
      kept.end = end;
      kept.tool = tool;
      kept.role = shortRole;
      kept.outcome = outcome;
      kept.code = code;
      kept.milliseconds = milliseconds;
      kept.requestId = shortId;
      kept.client = client;
    }
    this.#next = (this.#next + 1) % maxEntries;
  }
}

function entryOf({ end, tool, role, outcome, code, milliseconds, client, requestId }: TimedCall): ToolCallEntry {
  return {
    at: new Date(end).toISOString(),
    tool,
    role,
    outcome,
    code,
    execution_time: secondsOf(milliseconds),
    client,
    request_id: requestId,
  };
}

/** Builds the detail as JSON text, in half the time of redacting and serialising an object of names without secrets. */
function detailText({ tool, role, outcome, code, milliseconds, requestId, client }: ToolCall): string {
  return (
    `{"request_id":${quoted(requestId)},"tool":${orNull(tool)},"role":${quoted(role)},"outcome":"${outcome}"` +
    `,"code":${orNull(code)},"execution_time":${secondsOf(milliseconds)},"client":${quoted(client)}}`
  );
}

const orNull = (text: string | null): string => (text === null ? "null" : quoted(text));

/** Rounds to microseconds. */
const secondsOf = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1_000_000;

const shortened = (name: string): string => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name);
