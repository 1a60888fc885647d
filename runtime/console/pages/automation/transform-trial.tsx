/** Tries a transform on a request that is made up: shows what would be sent, and sends nothing. */
import { useState } from "preact/hooks";
import { type TransformedRequest, testTransform } from "../../http/automation-api.ts";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { JsonField } from "./definition-form.tsx";

interface TransformTrialProps {
  readonly address?: string;
  readonly transform?: Json;
  readonly body?: Json;
}

const sampleTransform: Json = {
  version: 2,
  template_engine: "Kriti",
  body: { action: "transform", template: '{\n  "text": {{$body.text}}\n}' },
};

export function TransformTrial({ address = "https://example.com/hook", transform, body }: TransformTrialProps) {
  const [url, setUrl] = useState(address === "" ? "https://example.com/hook" : address);
  const [text, setText] = useState(() => jsonText(transform ?? sampleTransform));
  const [sent, setSent] = useState<Json | undefined>(body ?? { text: "hello" });
  const [session, setSession] = useState<Json | undefined>({ "x-engine-role": "user" });
  const [variables, setVariables] = useState<Json | undefined>({});
  const [result, setResult] = useState<TransformedRequest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    setBusy(true);
    setError(null);
    setResult(null);
    try {
      const args: JsonObject = {
        webhook_url: url,
        body: sent ?? null,
        request_transform: parseRaw(text) as Json,
        ...(session !== undefined && { session_variables: session }),
        ...(variables !== undefined && { env: variables }),
      };
      setResult(await testTransform(args));
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <form class="transform-panes" onSubmit={(event) => void run(event)}>
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
              onSubmit={() => void run()}
            />
          </div>
        </div>
        <JsonField label="Body" value={sent} onChange={setSent} />
        <JsonField label="Session variables" value={session} onChange={setSession} />
        <JsonField
          label="Environment variables"
          hint="Only these are used: those of the server stay hidden."
          value={variables}
          onChange={setVariables}
        />
        <div>
          <Button kind="primary" type="submit" icon="run" busy={isBusy}>
            Try it
          </Button>
        </div>
      </div>
      <section class="stack" aria-label="What would be sent" aria-live="polite">
        <h2>What would be sent</h2>
        {error !== null && <ErrorBox error={error} />}
        {!result && error === null && <p class="muted">Nothing is sent: the request appears here.</p>}
        {result && (
          <>
            <p class="request-line">
              <span class="badge accent">{result.method}</span> <bdi>{result.webhook_url}</bdi>
            </p>
            {result.headers.length > 0 && <JsonBlock label="Headers" value={Object.fromEntries(result.headers)} />}
            <JsonBlock label="Body that would be sent" value={result.body} />
          </>
        )}
      </section>
    </form>
  );
}
