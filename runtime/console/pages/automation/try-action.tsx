/** Calls an action with a sample payload, with the role and session variables of a caller. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { type GraphqlResponse, runGraphql } from "../../http/graphql.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Form } from "../../parts/form.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { useSubmission } from "../../parts/use-submission.ts";
import { roles } from "../../state/metadata.ts";
import { JsonField } from "./definition-form.tsx";
import { isJsonObject, valueAt } from "./json-paths.ts";
import { sampleCall } from "./sample-call.ts";

interface TryActionProps {
  readonly action: JsonObject;
  readonly customTypes: JsonObject;
}

/** Pause in milliseconds between reads of the result of an asynchronous call. */
const resultPause = 1000;

export function TryAction({ action, customTypes }: TryActionProps) {
  const id = useId();
  const call = sampleCall(action, customTypes);
  const name = String(action.name);
  const [payload, setPayload] = useState<Json | undefined>(call.variables);
  const [role, setRole] = useState("");
  const [session, setSession] = useState<Json | undefined>({});
  const [response, setResponse] = useState<GraphqlResponse | null>(null);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const {
    isBusy,
    error,
    submit: run,
  } = useSubmission(async () => {
    setResponse(null);
    const caller = { headers: headersOf(role, session), token: null };
    const first = await runGraphql({ query: call.query, variables: payload ?? {} }, caller);
    setResponse(first);
    const stored = valueAt(first.data as Json, [name]);
    const query = call.resultQuery;
    if (query !== null && typeof stored === "string") {
      for (let hasEnded = false; !hasEnded && !isGone.current; ) {
        const read = await runGraphql({ query, variables: { id: stored } }, caller);
        setResponse(read);
        const found = valueAt(read.data as Json, [name]);
        hasEnded = !isJsonObject(found) || found.output !== null || found.errors !== null;
        if (!hasEnded) await new Promise((resolve) => setTimeout(resolve, resultPause));
      }
    }
  });
  return (
    <Form class="transform-panes" label="Try" onSubmit={run}>
      <div class="stack">
        <p class="muted">The server calls the handler, as for a request of a client.</p>
        <div class="try-operation">
          <CodeView text={call.query} language="text" label="Operation" />
        </div>
        <JsonField label="Arguments" value={payload} onChange={setPayload} />
        <div class="field">
          <label for={id} class="field-label">
            Role
          </label>
          <input
            id={id}
            class="input"
            list={`${id}-roles`}
            placeholder="admin"
            value={role}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setRole(event.currentTarget.value.trim())}
          />
          <datalist id={`${id}-roles`}>
            {roles.value.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </div>
        <JsonField label="Session variables" value={session} onChange={setSession} />
        <div>
          <Button kind="primary" type="submit" icon="run" busy={isBusy}>
            Call action
          </Button>
        </div>
      </div>
      <section class="stack" aria-label="Result" aria-live="polite">
        <h2>Response</h2>
        {error !== null && <ErrorBox error={error} />}
        {!response && error === null && (
          <Empty title="No response yet">
            <p>Call the action to see the response that a client receives.</p>
          </Empty>
        )}
        {response && (
          <>
            <p class="row">
              <span class={response.errors.length === 0 ? "badge good" : "badge bad"}>
                {response.errors.length === 0 ? "Success" : "Error"}
              </span>
              <span class="muted">{`${Math.round(response.milliseconds)} ms`}</span>
            </p>
            <JsonBlock
              label="Response"
              value={response.errors.length === 0 ? { data: response.data } : { errors: response.errors }}
            />
          </>
        )}
      </section>
    </Form>
  );
}

function headersOf(role: string, session: Json | undefined): Readonly<Record<string, string>> {
  const variables = isJsonObject(session) ? Object.entries(session) : [];
  return {
    ...Object.fromEntries(
      variables.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    ),
    ...(role !== "" && { "x-engine-role": role }),
  };
}
