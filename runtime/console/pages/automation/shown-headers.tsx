/** Hides the values of headers in requests and responses, which may be secrets, until the user shows them. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Json } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { isJsonObject, valueAt, withValueAt } from "./json-paths.ts";

/** Paths of headers in requests, responses and errors of actions. */
const headerPaths = [
  ["headers"],
  ["data", "headers"],
  ["internal", "request", "headers"],
  ["internal", "response", "headers"],
];

const withHiddenValue = (header: Json): Json =>
  isJsonObject(header) && typeof header.value === "string" ? { ...header, value: "••••••" } : header;

/** Hides the values of headers. Headers from the environment have the names of their variables. */
function withHiddenHeaders(text: Json): Json {
  let shown = text;
  for (const path of headerPaths) {
    const headers = valueAt(shown, path);
    if (isJsonObject(shown) && Array.isArray(headers)) shown = withValueAt(shown, path, headers.map(withHiddenValue));
  }
  return shown;
}

interface ShownHeadersProps {
  /** @param shown returns a text with or without the values of its headers */
  readonly children: (shown: (text: Json) => Json) => ComponentChildren;
}

export function ShownHeaders({ children }: ShownHeadersProps) {
  const [hasHeaders, setHasHeaders] = useState(false);
  return (
    <>
      <div>
        <Button kind="quiet" pressed={hasHeaders} onClick={() => setHasHeaders(!hasHeaders)}>
          Show header values
        </Button>
      </div>
      {children(hasHeaders ? (text) => text : withHiddenHeaders)}
    </>
  );
}
