/** Checkboxes for the HTTP methods of an endpoint. */
import "../../styles/rest.css";
import { type RestMethod, restMethods } from "../../http/rest-api.ts";
import { CheckField } from "../../parts/field.tsx";

interface MethodsFieldProps {
  readonly methods: readonly RestMethod[];
  readonly onChange: (methods: readonly RestMethod[]) => void;
  /** True for a mutation, which should not have the method GET. */
  readonly changesData: boolean;
}

export function MethodsField({ methods, onChange, changesData }: MethodsFieldProps) {
  const isRisky = changesData && methods.includes("GET");
  return (
    <fieldset class="field rest-methods" aria-invalid={methods.length === 0} tabIndex={-1}>
      <legend class="field-label">Methods</legend>
      <div class="row">
        {restMethods.map((method) => (
          <CheckField
            key={method}
            label={method}
            checked={methods.includes(method)}
            onChange={(isChosen) =>
              onChange(restMethods.filter((each) => (each === method ? isChosen : methods.includes(each))))
            }
          />
        ))}
      </div>
      {methods.length === 0 && <div class="field-error">Choose at least one method.</div>}
      {isRisky && (
        <div class="field-hint">The operation changes data: browsers and proxies may repeat GET requests.</div>
      )}
    </fieldset>
  );
}
