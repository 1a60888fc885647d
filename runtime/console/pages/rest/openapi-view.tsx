/** The OpenAPI document of a role: its operations, parameters and schemas. */
import { useState } from "preact/hooks";
import { type OpenApi, openApi, type RestOperation } from "../../http/rest-api.ts";
import { Button } from "../../parts/button.tsx";
import { download } from "../../parts/download.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { resourceVersion, roles } from "../../state/metadata.ts";
import { schemaText } from "./schema-text.ts";

/** Number of operations and schemas that are shown. The search finds the others. */
const maxShown = 100;

export function OpenApiView() {
  const [role, setRole] = useState("admin");
  const [search, setSearch] = useState("");
  const { value, error, reload } = useLoaded(() => openApi(role), `${role} ${resourceVersion.value}`);
  const save = (): void => {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    download(new Blob([text], { type: "application/json" }), `openapi-${role}.json`);
  };
  return (
    <div class="page">
      <div class="spread">
        <h1>OpenAPI document</h1>
        <Button icon="down" unavailable={value === null && "The document is not loaded."} onClick={save}>
          Download JSON
        </Button>
      </div>
      <div class="row bottom">
        <SelectField
          label="Role"
          value={role}
          choices={["admin", ...roles.value].map((each) => ({ value: each, label: each }))}
          onChange={setRole}
        />
        <TextField label="Search" type="search" value={search} onInput={setSearch} />
      </div>
      {error !== null && (
        <ErrorBox error={error}>
          <Button onClick={reload}>Retry</Button>
        </ErrorBox>
      )}
      {value === null && error === null && <Loading item="document" />}
      {value && <Document document={value} search={search.trim().toLowerCase()} />}
    </div>
  );
}

function Document({ document, search }: { readonly document: OpenApi; readonly search: string }) {
  const operations = Object.entries(document.paths ?? {})
    .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ path, operation }) => `${path} ${operation.summary ?? ""}`.toLowerCase().includes(search));
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) =>
    name.toLowerCase().includes(search),
  );
  if (document.paths === undefined || Object.keys(document.paths).length === 0) {
    return (
      <Empty title="No operations">
        <p>The role can call no endpoint. Create one, or permit the tables of its operation.</p>
      </Empty>
    );
  }
  return (
    <>
      <section class="stack" aria-label="Operations">
        {operations.slice(0, maxShown).map(({ path, method, operation }) => (
          <Operation key={`${method} ${path}`} path={path} method={method} operation={operation} />
        ))}
        <Rest count={operations.length} />
      </section>
      {schemas.length > 0 && (
        <section class="stack" aria-label="Schemas">
          <h2>Schemas</h2>
          {schemas.slice(0, maxShown).map(([name, schema]) => (
            <details key={name} class="card rest-operation">
              <summary>
                <bdi>{name}</bdi>
              </summary>
              <pre class="code-block">{schemaText(schema)}</pre>
            </details>
          ))}
          <Rest count={schemas.length} />
        </section>
      )}
    </>
  );
}

function Rest({ count }: { readonly count: number }) {
  if (count === 0) return <p class="muted">No matches</p>;
  return count > maxShown ? <p class="muted">{`First ${maxShown} of ${count}. Search for others.`}</p> : null;
}

interface OperationProps {
  readonly path: string;
  readonly method: string;
  readonly operation: RestOperation;
}

function Operation({ path, method, operation }: OperationProps) {
  const { summary, description = "", parameters = [], requestBody, responses = {} } = operation;
  const body = requestBody?.content?.["application/json"]?.schema;
  const [comment = ""] = description.split("***\n");
  return (
    <details class="card rest-operation">
      <summary>
        <span class="badge">{method.toUpperCase()}</span> <code>{path}</code> <bdi class="muted">{summary}</bdi>
      </summary>
      <div class="stack">
        {comment !== "" && <p>{comment}</p>}
        {parameters.length > 0 && (
          <table class="rest-parameters" aria-label={`Parameters of ${method.toUpperCase()} ${path}`}>
            <thead>
              <tr>
                <th scope="col">Parameter</th>
                <th scope="col">In</th>
                <th scope="col">Type</th>
                <th scope="col">Required</th>
              </tr>
            </thead>
            <tbody>
              {parameters.map((each) => (
                <tr key={`${each.in} ${each.name}`}>
                  <td>
                    <code>{each.name}</code>
                  </td>
                  <td>{each.in}</td>
                  <td>
                    <code>{schemaText(each.schema ?? {})}</code>
                  </td>
                  <td>{each.required ? "Yes" : "No"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {body && (
          <>
            <h2>Body</h2>
            <pre class="code-block">{schemaText(body)}</pre>
          </>
        )}
        {Object.entries(responses).map(([status, { content, description: text }]) => {
          const schema = content?.["application/json"]?.schema;
          if (schema?.$ref !== undefined) {
            return (
              <p key={status}>
                <span class="badge">{status}</span> {text}: <code>{schemaText(schema)}</code>
              </p>
            );
          }
          return (
            <div key={status} class="stack">
              <h2>{`Response ${status}`}</h2>
              {schema && <pre class="code-block">{schemaText(schema)}</pre>}
            </div>
          );
        })}
      </div>
    </details>
  );
}
