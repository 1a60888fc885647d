/** Form that calls an endpoint, with a field for each parameter by its type. */
import { useState } from "preact/hooks";
import type { RestEndpoint } from "../../http/metadata-types.ts";
import { callEndpoint, type OpenApi, type RestMethod, type RestResponse } from "../../http/rest-api.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { useSubmission } from "../../parts/use-submission.ts";
import { layOutJson } from "../api/json-layout.ts";
import { caller } from "../api/request-state.ts";
import { SessionBar } from "../api/session-bar.tsx";
import { fieldsOf, operationOf, problemOf, type RequestField, requestOf } from "./rest-request.ts";

interface TryOutProps {
  readonly endpoint: RestEndpoint;
  readonly document: OpenApi;
}

/** Maximum length of a displayed response in characters. */
const maxLength = 200_000;

export function TryOut({ endpoint, document }: TryOutProps) {
  const methods = endpoint.methods as readonly RestMethod[];
  const [chosen, setMethod] = useState<RestMethod | null>(null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [response, setResponse] = useState<RestResponse | null>(null);
  const method = chosen !== null && methods.includes(chosen) ? chosen : (methods[0] ?? "GET");
  const found = operationOf(document, endpoint.name, method);
  if (!found) {
    return (
      <Empty title="The endpoint cannot be called">
        <p>The OpenAPI document lacks it. Check on the page Health that its operation is consistent.</p>
      </Empty>
    );
  }
  const fields = fieldsOf(found, document);
  const request = requestOf(method, found, fields, values);
  const {
    isBusy,
    error,
    submit: send,
  } = useSubmission(async () => {
    setResponse(await callEndpoint(request, caller.value));
  });
  return (
    <section class="card rest-try" aria-label="Try the endpoint">
      <SessionBar />
      <Form class="stack rest-card" label="Request" onSubmit={send}>
        {methods.length > 1 && (
          <SelectField
            label="Method"
            value={method}
            choices={methods.map((each) => ({ value: each, label: each }))}
            onChange={setMethod}
          />
        )}
        <div class="form-grid">
          {fields.map((field) => (
            <ValueField
              key={field.name}
              field={field}
              text={values[field.name] ?? ""}
              onInput={(text) => setValues({ ...values, [field.name]: text })}
            />
          ))}
        </div>
        <p class="rest-url">
          <span class="badge">{method}</span>
          <code>{request.path}</code>
        </p>
        {request.body !== null && <pre class="code-block">{request.body}</pre>}
        <div class="row">
          <Button kind="primary" icon="run" type="submit" busy={isBusy}>
            Send request
          </Button>
          {fields.length > 0 && <span class="field-hint">Empty fields are not sent.</span>}
        </div>
      </Form>
      {error !== null && <ErrorBox error={error} />}
      {response && <Response response={response} />}
    </section>
  );
}

const places: Readonly<Record<RequestField["place"], string>> = {
  path: "In the path",
  query: "In the query string",
  body: "In the body",
};

interface ValueFieldProps {
  readonly field: RequestField;
  readonly text: string;
  readonly onInput: (text: string) => void;
}

function ValueField({ field, text, onInput }: ValueFieldProps) {
  const { name, kind, place, choices } = field;
  const shared = { label: name, value: text, hint: places[place], error: text === "" ? null : problemOf(field, text) };
  if (kind === "boolean" || kind === "enum") {
    const values = ["", ...(kind === "boolean" ? ["true", "false"] : choices)];
    return (
      <SelectField
        {...shared}
        choices={values.map((value) => ({ value, label: value === "" ? "Not sent" : value }))}
        onChange={onInput}
      />
    );
  }
  return (
    <TextField
      {...shared}
      isCode={kind !== "text"}
      required={field.isRequired}
      {...(kind === "json" && { rows: 3, placeholder: "JSON" })}
      onInput={onInput}
    />
  );
}

function Response({ response: { status, text, milliseconds } }: { readonly response: RestResponse }) {
  return (
    <section aria-label="Response">
      <p class="result-facts" role="status">
        <span class={status < 300 ? "badge good" : "badge bad"}>{status}</span>
        <span>{`${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`}</span>
        {text.length > maxLength && <span class="badge warn">Truncated</span>}
      </p>
      <div class="rest-code">
        <CodeView text={layOutJson(text.slice(0, maxLength))} language="json" label="Response of the endpoint" />
      </div>
    </section>
  );
}
