/** API limits of all roles and of one role. */
import { useState } from "preact/hooks";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { isObject } from "./conditions.ts";
import { useProblem } from "./problems.ts";
import { type LimitName, lacksGlobal, limitNames, limitOf, withLimit } from "./role-change.ts";

interface LimitFieldsProps {
  readonly role: string;
  readonly limits: JsonObject;
  readonly onChange: (limits: JsonObject) => void;
}

const titles: Readonly<Record<LimitName, { readonly label: string; readonly measure: string }>> = {
  depth_limit: { label: "Depth", measure: "levels of selections" },
  node_limit: { label: "Nodes", measure: "fields with a selection" },
  batch_limit: { label: "Batch", measure: "operations in a request" },
  time_limit: { label: "Time", measure: "seconds for an operation" },
  rate_limit: { label: "Rate", measure: "requests in a minute" },
};

export function LimitFields({ role, limits, onChange }: LimitFieldsProps) {
  return (
    <fieldset class="form-part stack">
      <legend class="field-label">API limits</legend>
      <CheckField
        label="Enforce the limits"
        checked={limits.disabled !== true}
        onChange={(isEnforced) => {
          const { disabled: _disabled, ...others } = limits;
          onChange(isEnforced ? others : { ...limits, disabled: true });
        }}
      />
      <table class="limits">
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">All roles</th>
            <th scope="col">
              <bdi>{role}</bdi>
            </th>
          </tr>
        </thead>
        <tbody>
          {limitNames.map((name) => (
            <tr key={name}>
              <th scope="row">
                {titles[name].label}
                <span class="limit-measure muted">{titles[name].measure}</span>
              </th>
              {[null, role].map((of) => (
                <td key={of}>
                  <LimitField name={name} of={of} limits={limits} onChange={onChange} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="field-hint">An empty field of the role means the limit of all roles. The role admin has no limits.</p>
    </fieldset>
  );
}

interface LimitFieldProps {
  readonly name: LimitName;
  /** `null` for all roles. */
  readonly of: string | null;
  readonly limits: JsonObject;
  readonly onChange: (limits: JsonObject) => void;
}

function LimitField({ name, of, limits, onChange }: LimitFieldProps) {
  const saved = limitOf(limits, name, of);
  const rate = isObject(saved) ? saved : null;
  const [text, setText] = useState(textOf(name === "rate_limit" ? rate?.max_reqs_per_min : saved));
  const isValid = text === "" || (name === "time_limit" ? /^\d+(\.\d+)?$/ : /^\d{1,9}$/).test(text);
  const isMissing = of === null && text === "" && lacksGlobal(limits, name);
  const problem = !isValid
    ? "Enter a number."
    : isMissing
      ? "A role has this limit: enter one for all roles, too."
      : null;
  useProblem(problem);
  const read = (input: string): void => {
    const trimmed = input.trim();
    setText(trimmed);
    if (trimmed === "") onChange(withLimit(limits, name, of, undefined));
    else if ((name === "time_limit" ? /^\d+(\.\d+)?$/ : /^\d{1,9}$/).test(trimmed)) {
      const number = Number(trimmed);
      const value = name === "rate_limit" ? { unique_params: null, ...rate, max_reqs_per_min: number } : number;
      onChange(withLimit(limits, name, of, value));
    }
  };
  const label = `${titles[name].label} limit of ${of ?? "all roles"}`;
  return (
    <>
      <TextField
        label={label}
        isBare
        isCode
        placeholder={of === null ? "No limit" : "As all roles"}
        error={problem}
        value={text}
        onInput={read}
      />
      {rate && (
        <RateScope
          label={`Counted for each, ${of ?? "all roles"}`}
          value={rate.unique_params}
          onChange={(unique_params) => onChange(withLimit(limits, name, of, { ...rate, unique_params }))}
        />
      )}
    </>
  );
}

const textOf = (value: Json | undefined): string => (value === undefined || value === null ? "" : String(value));

interface RateScopeProps {
  readonly label: string;
  /** `"IP"`, a list of session variables, or `null` for one count. */
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
}

function RateScope({ label, value, onChange }: RateScopeProps) {
  const scope = value === "IP" ? "ip" : Array.isArray(value) ? "session" : "role";
  return (
    <div class="rate-scope">
      <SelectField<"role" | "ip" | "session">
        label={label}
        isBare
        value={scope}
        choices={[
          { value: "role", label: "All clients together" },
          { value: "ip", label: "Each client address" },
          { value: "session", label: "Each session variable" },
        ]}
        onChange={(chosen) => onChange({ role: null, ip: "IP", session: ["x-engine-user-id"] }[chosen])}
      />
      {Array.isArray(value) && (
        <TextField
          label={`Session variables: ${label.toLowerCase()}`}
          isBare
          isCode
          value={value.join(", ")}
          onInput={(text) => onChange(text.split(",").map((each) => each.trim()))}
        />
      )}
    </div>
  );
}
