/** Page of one definition: logs, editor, transform test, deletion. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type TransformedRequest, testTransform } from "../../http/automation-api.ts";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { Operation } from "../../http/metadata-api.ts";
import type { InconsistentObject, Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { notify } from "../../parts/toast.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { changeMetadata } from "../../state/metadata.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { JsonField } from "./definition-form.tsx";
import { valueAt } from "./json-paths.ts";
import type { DefinitionKind } from "./kinds.ts";

export interface LogTab {
  readonly name: string;
  readonly label: string;
  readonly content: () => ComponentChildren;
}

interface DefinitionViewProps {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** Shown next to the name. */
  readonly note?: string;
  /** Arguments of the operation that creates the definition. */
  readonly value: JsonObject;
  readonly logs: readonly LogTab[];
  readonly remove: Operation;
  /** Consequences of the deletion. */
  readonly removal: string;
  /** Inconsistency of the definition, if any. */
  readonly problem: InconsistentObject | undefined;
  readonly actions?: ComponentChildren;
  readonly onSaved: () => void;
}

export function DefinitionView(props: DefinitionViewProps) {
  const { kind, name, note, value, logs, remove, removal, problem, actions, onSaved } = props;
  const tabs: readonly LogTab[] = [
    ...logs,
    {
      name: "definition",
      label: "Definition",
      content: () => (
        <div class="page full">
          <DefinitionEditor
            key={JSON.stringify(value)}
            kind={kind}
            initial={value}
            isNew={false}
            onSaved={() => {
              notify(`Saved ${name}`);
              onSaved();
            }}
          />
        </div>
      ),
    },
    ...(kind.transform ? [transformTab(kind, value, kind.transform)] : []),
  ];
  const [chosen, setChosen] = useState(tabs[0]?.name ?? "");
  const current = tabs.find((tab) => tab.name === chosen);
  const removeIt = async (): Promise<void> => {
    await changeMetadata(remove);
    notify(`Deleted ${name}`);
    onSaved();
    navigate(addressOf(["automation"]));
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {note !== undefined && <bdi class="muted">{note}</bdi>}
        <span class="grow" />
        {actions}
        <ConfirmButton label="Delete" icon="remove" title={`Delete ${kind.title} ${name}?`} onConfirm={removeIt}>
          <p>{removal}</p>
        </ConfirmButton>
      </div>
      {problem && (
        <div class="definition-problem">
          <ErrorBox error={new Error(`${problem.reason}. The ${kind.title} is inactive until you fix this.`)} />
        </div>
      )}
      <Tabs
        label={`${capitalized(kind.title)} sections`}
        tabs={tabs.map(({ name: tab, label }) => ({ name: tab, label }))}
        current={chosen}
        onChange={setChosen}
      >
        {current?.content()}
      </Tabs>
    </div>
  );
}

function transformTab(kind: DefinitionKind, value: JsonObject, path: readonly string[]): LogTab {
  const address = valueAt(value, kind.address);
  const transform = valueAt(value, path);
  return {
    name: "transform",
    label: "Test transform",
    content: () => (
      <div class="page full">
        <TransformTrial
          {...(typeof address === "string" && { address })}
          {...(transform !== undefined && transform !== null && { transform })}
        />
      </div>
    ),
  };
}

// Tests a transform on a sample request without sending it.

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
  const run = async (): Promise<void> => {
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
    <Form class="transform-panes" onSubmit={run}>
      <div class="stack">
        <TextField label="Webhook" isCode required value={url} onInput={setUrl} />
        <div class="field">
          <span class="field-label">Request transform</span>
          <div class="definition-text">
            <CodeEditor value={text} onChange={setText} language="json" label="Request transform" />
          </div>
        </div>
        <JsonField label="Body" value={sent} onChange={setSent} />
        <JsonField label="Session variables" value={session} onChange={setSession} />
        <JsonField
          label="Environment variables"
          hint="Used instead of the server's environment, which stays hidden."
          value={variables}
          onChange={setVariables}
        />
        <div>
          <Button kind="primary" type="submit" icon="run" busy={isBusy}>
            Test
          </Button>
        </div>
      </div>
      <section class="stack" aria-label="Transformed request" aria-live="polite">
        <h2>Transformed request</h2>
        {error !== null && <ErrorBox error={error} />}
        {!result && error === null && <p class="muted">Run the test to see the request. It is not sent.</p>}
        {result && (
          <>
            <p class="request-line">
              <span class="badge accent">{result.method}</span> <bdi>{result.webhook_url}</bdi>
            </p>
            {result.headers.length > 0 && <JsonBlock label="Headers" value={Object.fromEntries(result.headers)} />}
            <JsonBlock label="Transformed body" value={result.body} />
          </>
        )}
      </section>
    </Form>
  );
}
