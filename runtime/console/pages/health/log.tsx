/** Live tail of the server's log, newest line first. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type LogFilter, type LogLevel, type LogLine, logLevels, logLines } from "../../http/log-api.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { parameters } from "../../routing/router.ts";
import { summaryOf } from "./log-summary.ts";

const pollMilliseconds = 1000;
/** Number of lines that the page keeps. */
const maxLines = 5000;
/** Number of lines of one request. */
const pageSize = 500;
const typingMilliseconds = 300;

const noFilter: LogFilter = { level: "debug", type: "", role: "", text: "" };

const levelClasses: Readonly<Record<LogLevel, string>> = {
  debug: "badge",
  info: "badge accent",
  warn: "badge warn",
  error: "badge bad",
  critical: "badge bad",
};

export function Log() {
  const [filter, setFilter] = useState<LogFilter>(() => ({ ...noFilter, text: parameters.value.get("text") ?? "" }));
  const [isFollowing, setFollowing] = useState(true);
  const { lines, missed, error, types, clear } = useTail(filter, isFollowing);
  const [opened, setOpened] = useState<LogLine | null>(null);
  const change = (changes: Partial<LogFilter>): void => setFilter({ ...filter, ...changes });
  return (
    <div class="with-head">
      <div class="toolbar">
        <SelectField<LogLevel>
          label="Lowest level"
          isBare
          value={filter.level}
          choices={logLevels.map((value) => ({ value, label: value === "debug" ? "All levels" : capitalized(value) }))}
          onChange={(level) => change({ level })}
        />
        <SelectField
          label="Log type"
          isBare
          value={filter.type}
          choices={[{ value: "", label: "All types" }, ...types.map((value) => ({ value, label: value }))]}
          onChange={(type) => change({ type })}
        />
        <TextField label="Role" isBare placeholder="Role" value={filter.role} onInput={(role) => change({ role })} />
        <TextField
          label="Lines that contain"
          isBare
          type="search"
          placeholder="Text, operation or request id"
          value={filter.text}
          onInput={(text) => change({ text })}
        />
        <span class="muted" role="status">
          {lines === null ? "" : lines.length === 1 ? "1 line" : `${lines.length.toLocaleString()} lines`}
          {missed > 0 && `, ${missed.toLocaleString()} missed`}
        </span>
        <span class="grow" />
        <Button onClick={clear}>Clear</Button>
        <Button kind="primary" icon={isFollowing ? "stop" : "run"} onClick={() => setFollowing(!isFollowing)}>
          {isFollowing ? "Pause" : "Follow"}
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {lines === null ? (
        error === null && <Loading item="log" />
      ) : (
        <DataTable
          label="Log lines"
          columns={columnsOf(setOpened)}
          rows={lines}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No log lines">
              <p>New lines appear here. A filter, or the server's log level and log types, may leave lines out.</p>
            </Empty>
          }
        />
      )}
      {opened && (
        <Dialog title={`Log line: ${opened.type ?? "text"}`} isWide onClose={() => setOpened(null)}>
          <JsonBlock label="Log line" value={entryOf(opened)} />
        </Dialog>
      )}
    </div>
  );
}

/** Returns the line as it was written, without the id that the server adds. */
function entryOf({ id: _, ...line }: LogLine): object {
  return line;
}

function columnsOf(open: (line: LogLine) => void): readonly Column<LogLine>[] {
  return [
    { key: "time", title: "Time", width: 120, cell: ({ timestamp = "" }) => <bdi>{shownTime(timestamp)}</bdi> },
    {
      key: "level",
      title: "Level",
      width: 90,
      cell: ({ level = "debug" }) => <span class={levelClasses[level]}>{capitalized(level)}</span>,
    },
    { key: "type", title: "Type", width: 180, cell: ({ type = "" }) => <bdi>{type}</bdi> },
    {
      key: "summary",
      title: "Message",
      cell: (line) => (
        <button type="button" class="log-message" onClick={() => open(line)}>
          <bdi>{summaryOf(line)}</bdi>
        </button>
      ),
    },
  ];
}

/** Timestamps have the time zone of the server, without the colon that browsers need. */
function shownTime(timestamp: string): string {
  const time = new Date(timestamp.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  if (Number.isNaN(time.getTime())) return timestamp;
  // With fractional digits alone, the other parts would be left out.
  const parts = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 } as const;
  return time.toLocaleTimeString(undefined, { hour12: false, ...parts });
}

interface Tail {
  /** Newest first; `null` until loaded. */
  readonly lines: readonly LogLine[] | null;
  readonly missed: number;
  readonly error: unknown;
}

const notLoaded: Tail = { lines: null, missed: 0, error: null };

/** Loads new lines while the tab is visible. A changed filter begins with the newest lines. */
function useTail(filter: LogFilter, isFollowing: boolean) {
  const [tail, setTail] = useState(notLoaded);
  const [types, setTypes] = useState<readonly string[]>([]);
  const cursor = useRef<string | null>(null);
  const key = JSON.stringify(filter);
  const lastKey = useRef(key);
  useEffect(() => {
    const isChanged = lastKey.current !== key;
    lastKey.current = key;
    if (isChanged) cursor.current = null;
    let [timer, isOutdated]: [ReturnType<typeof setTimeout> | undefined, boolean] = [undefined, false];
    const read = async (): Promise<void> => {
      let hasMore = false;
      try {
        const isFirst = cursor.current === null;
        const page = document.hidden && !isFirst ? null : await logLines(filter, cursor.current, pageSize);
        if (isOutdated) return;
        if (page) {
          cursor.current = page.cursor;
          hasMore = page.has_more;
          setTypes((known) => withTypes(known, page.lines));
          setTail((before) => ({
            lines: merged(page.lines, isFirst ? [] : (before.lines ?? [])),
            missed: isFirst ? 0 : before.missed + page.missed,
            error: null,
          }));
        }
      } catch (error) {
        if (!isOutdated) setTail((before) => ({ ...before, error }));
      }
      if (!isOutdated && isFollowing) timer = setTimeout(() => void read(), hasMore ? 0 : pollMilliseconds);
    };
    const needsLines = isFollowing || cursor.current === null;
    if (needsLines) timer = setTimeout(() => void read(), isChanged ? typingMilliseconds : 0);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [key, isFollowing]);
  const clear = (): void => setTail({ lines: [], missed: 0, error: null });
  return { ...tail, types, clear };
}

/** Adds lines in front. Another process may return lines again, because cursors are of one process. */
function merged(added: readonly LogLine[], before: readonly LogLine[]): readonly LogLine[] {
  if (added.length === 0) return before;
  const known = new Set(before.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id)).reverse();
  return [...fresh, ...before].slice(0, maxLines);
}

function withTypes(known: readonly string[], lines: readonly LogLine[]): readonly string[] {
  const all = new Set([...known, ...lines.flatMap(({ type }) => type ?? [])]);
  return all.size === known.length ? known : [...all].sort();
}
