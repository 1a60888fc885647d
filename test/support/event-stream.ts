/** An event stream that tests read event by event. */

interface StreamEvent {
  readonly event: string;
  /** `null` if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  readonly data: any;
}

export interface EventReader {
  readonly response: Response;
  /** Returns the next event; `null` after the end of the stream. */
  take(): Promise<StreamEvent | null>;
  /** Number of comments before the last event. */
  readonly comments: number;
  close(): void;
}

/** Posts a GraphQL request. @param url URL of the endpoint */
export async function openEvents(url: string, body: unknown, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(url, {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  return readEvents(response, () => abort.abort());
}

/** Returns a reader of the response's events. @param close ends the request */
export function readEvents(response: Response, close?: () => void): EventReader {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let comments = 0;
  const take = async (): Promise<StreamEvent | null> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end < 0) {
        const { done = true, value } = (await reader?.read()) ?? {};
        if (done) return null;
        text += value;
        continue;
      }
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      if (lines.every((line) => line.startsWith(":"))) comments++;
      else return eventOf(lines);
    }
  };
  return {
    response,
    take,
    get comments() {
      return comments;
    },
    close() {
      if (close) close();
      else void reader?.cancel();
    },
  };
}

function eventOf(lines: readonly string[]): StreamEvent {
  const fieldOf = (field: string): string =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ""))
      .join("\n");
  const data = fieldOf("data");
  return { event: fieldOf("event"), data: data === "" ? null : JSON.parse(data) };
}
