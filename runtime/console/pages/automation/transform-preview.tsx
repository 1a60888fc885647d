/** Live preview of a request transform on a sample request, which is not sent. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { type TransformedRequest, testTransform } from "../../http/automation-api.ts";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { JsonField } from "./definition-form.tsx";
import { isJsonObject } from "./json-paths.ts";

interface TransformPreviewProps {
  readonly address?: string;
  readonly transform?: Json;
}

const sampleTransform: Json = {
  version: 2,
  template_engine: "Kriti",
  body: { action: "transform", template: '{\n  "text": {{$body.text}}\n}' },
};

const debounceMilliseconds = 350;

export function TransformPreview({ address = "", transform }: TransformPreviewProps) {
  const [url, setUrl] = useState(address === "" ? "https://example.com/hook" : address);
  const [text, setText] = useState(() => jsonText(transform ?? sampleTransform));
  const [sent, setSent] = useState<Json | undefined>({ text: "hello" });
  const [session, setSession] = useState<Json | undefined>({ "x-engine-role": "user" });
  const [variables, setVariables] = useState<Json | undefined>({});
  const [invalid, setInvalid] = useState<readonly string[]>([]);
  const validityOf = (field: string) => (isValid: boolean) =>
    setInvalid((before) => [...before.filter((each) => each !== field), ...(isValid ? [] : [field])]);
  const edited = useMemo(() => readTransform(text), [text]);
  const hasPreview = typeof edited !== "string" && invalid.length === 0;
  const preview = usePreview(
    !hasPreview
      ? null
      : {
          webhook_url: url,
          body: sent ?? null,
          request_transform: edited,
          ...(session !== undefined && { session_variables: session }),
          ...(variables !== undefined && { env: variables }),
        },
  );
  return (
    <div class="transform-panes">
      <div class="stack">
        <TextField label="Webhook" isCode required value={url} onInput={setUrl} />
        <div class="field">
          <span class="field-label">Request transform</span>
          <div class="definition-text">
            <CodeEditor
              value={text}
              onChange={setText}
              language="json"
              label="Request transform"
              isInvalid={typeof edited === "string"}
            />
          </div>
          {typeof edited === "string" && <p class="field-error">{edited}</p>}
        </div>
        <JsonField label="Body" value={sent} onChange={setSent} onValidity={validityOf("body")} />
        <JsonField label="Session variables" value={session} onChange={setSession} onValidity={validityOf("session")} />
        <JsonField
          label="Environment variables"
          hint="Used instead of the server's environment, which stays hidden."
          value={variables}
          onChange={setVariables}
          onValidity={validityOf("variables")}
        />
      </div>
      <section class="stack" aria-label="Transformed request" aria-live="polite">
        <h2>Transformed request</h2>
        {!hasPreview ? (
          <Empty title="No preview">
            <p>Correct the marked fields to see the request.</p>
          </Empty>
        ) : (
          <Preview {...preview} />
        )}
      </section>
    </div>
  );
}

/** Returns the transform, or the problem of its text. */
function readTransform(text: string): JsonObject | string {
  try {
    const value = parseRaw(text);
    return isJsonObject(value) ? value : "The transform must be a JSON object.";
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : ""}`;
  }
}

interface PreviewState {
  readonly request: TransformedRequest | null;
  readonly error: unknown;
}

/** Transforms the request after each change. @param args arguments of the operation; `null` for none */
function usePreview(args: JsonObject | null): PreviewState {
  const key = JSON.stringify(args);
  const [state, setState] = useState<PreviewState>({ request: null, error: null });
  useEffect(() => {
    if (args === null) return;
    let isOutdated = false;
    const show = (next: PreviewState): void => {
      if (!isOutdated) setState(next);
    };
    const timer = setTimeout(() => {
      testTransform(args).then(
        (request) => show({ request, error: null }),
        (error: unknown) => show({ request: null, error }),
      );
    }, debounceMilliseconds);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [key]);
  return state;
}

function Preview({ request, error }: PreviewState) {
  if (error !== null) return <ErrorBox error={error} />;
  return (
    <>
      <p class="muted">The request of the sample, as the webhook would receive it. It is not sent.</p>
      {request && (
        <>
          <p class="request-line">
            <span class="badge accent">{request.method}</span> <bdi>{request.webhook_url}</bdi>
          </p>
          {request.headers.length > 0 && <JsonBlock label="Headers" value={Object.fromEntries(request.headers)} />}
          <JsonBlock label="Transformed body" value={request.body} />
        </>
      )}
    </>
  );
}
