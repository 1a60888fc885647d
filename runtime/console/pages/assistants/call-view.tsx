/** A call of a tool: its result, the form that a write waits for, and the exact request and response. */

import { useState } from "preact/hooks";
import { jsonText } from "../../http/json.ts";
import type { CallResult, Confirmation, McpRequest, McpResponse } from "../../http/mcp-api.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useSubmission } from "../../parts/use-submission.ts";
import { layOutJson } from "../api/json-layout.ts";
import { ResultTableView } from "../api/result-table-view.tsx";
import { tablesOf } from "../api/result-tables.ts";

export interface ShownCall {
  readonly request: McpRequest;
  readonly response: McpResponse;
  /** JSON text of the arguments. */
  readonly values: string;
}

/** Maximum length of a displayed message in characters. */
const maxLength = 200_000;

/** Returns the result of a write that waits for its confirmation; `null` for other calls. */
export function pendingWrite({ response: { result } }: ShownCall): CallResult | null {
  return result?.resultType === "input_required" ? result : null;
}

interface CallViewProps {
  readonly call: ShownCall;
  readonly onConfirm: (action: Confirmation["action"]) => Promise<void>;
}

export function CallView({ call, onConfirm }: CallViewProps) {
  const { request, response } = call;
  const pending = pendingWrite(call);
  return (
    <>
      <p class="result-facts" role="status">
        <Outcome response={response} />
        <span>{`${response.milliseconds.toFixed(response.milliseconds < 10 ? 1 : 0)} ms`}</span>
        {response.body.length > maxLength && <span class="badge warn">Truncated</span>}
      </p>
      {pending && <Confirm pending={pending} onConfirm={onConfirm} />}
      {response.error && <ErrorBox error={response.error} />}
      {!pending && response.result && <Result result={response.result} />}
      <div class="call-messages">
        <Message title="Request" head={headOf(request)} text={request.body} />
        <Message title="Response" head={`Status ${response.status}`} text={response.body} />
      </div>
    </>
  );
}

function Outcome({ response: { result, error } }: Pick<ShownCall, "response">) {
  if (error || !result) return <span class="badge bad">Refused</span>;
  if (result.resultType === "input_required") return <span class="badge warn">Not confirmed</span>;
  return <span class={result.isError ? "badge bad" : "badge good"}>{result.isError ? "Error" : "Success"}</span>;
}

function Confirm({
  pending,
  onConfirm,
}: {
  readonly pending: CallResult;
  readonly onConfirm: CallViewProps["onConfirm"];
}) {
  const messages = Object.values(pending.inputRequests ?? {}).map(({ params }) => params?.message ?? "");
  const accept = useSubmission(() => onConfirm("accept"));
  const decline = useSubmission(() => onConfirm("decline"));
  const isBusy = accept.isBusy || decline.isBusy;
  return (
    <section class="card tool-card stack call-confirm" aria-label="Confirmation">
      <h2>Nothing has changed yet</h2>
      {messages.map((message) => (
        <p key={message} class="call-text">
          <bdi>{message}</bdi>
        </p>
      ))}
      <div class="row">
        <Button kind="primary" icon="check" busy={isBusy} onClick={() => void accept.submit()}>
          Confirm
        </Button>
        <Button busy={isBusy} onClick={() => void decline.submit()}>
          Decline
        </Button>
      </div>
      {(accept.error ?? decline.error) !== null && <ErrorBox error={accept.error ?? decline.error} />}
    </section>
  );
}

type View = "table" | "json" | "text";

function Result({ result: { structuredContent, content = [] } }: { readonly result: CallResult }) {
  const hasTable = tablesOf(structuredContent).length > 0;
  const [chosen, setChosen] = useState<View | null>(null);
  if (structuredContent === undefined) return <Texts content={content} />;
  const tabs = [
    ...(hasTable ? [{ name: "table" as const, label: "Table" }] : []),
    { name: "json" as const, label: "JSON" },
    { name: "text" as const, label: "Text for the model" },
  ];
  const current = tabs.find(({ name }) => name === chosen)?.name ?? (hasTable ? "table" : "json");
  return (
    <section class="card call-result" aria-label="Result">
      <Tabs<View> label="Views of the result" tabs={tabs} current={current} onChange={setChosen}>
        {current === "table" && (
          <div class="call-table">
            <ResultTableView data={structuredContent} />
          </div>
        )}
        {current === "json" && (
          <div class="tool-code">
            <CodeView
              text={jsonText(structuredContent).slice(0, maxLength)}
              language="json"
              label="Structured result"
            />
          </div>
        )}
        {current === "text" && <Texts content={content} />}
      </Tabs>
    </section>
  );
}

function Texts({ content }: { readonly content: NonNullable<CallResult["content"]> }) {
  const text = content.map((block) => block.text ?? "").join("\n\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="code-block" tabIndex={0} aria-label="Text of the result">
      <bdi>{text.slice(0, maxLength)}</bdi>
    </section>
  );
}

/** The request line and the headers, without those that authenticate the request. */
const headOf = ({ headers }: McpRequest): string =>
  ["POST /mcp", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");

interface MessageProps {
  readonly title: string;
  readonly head: string;
  readonly text: string;
}

function Message({ title, head, text }: MessageProps) {
  return (
    <section class="card tool-schema" aria-label={title}>
      <h2>{title}</h2>
      <pre class="call-head">{head}</pre>
      <div class="tool-code">
        <CodeView
          text={layOutJson(text.slice(0, maxLength))}
          language="json"
          label={`JSON of the ${title.toLowerCase()}`}
        />
      </div>
    </section>
  );
}
