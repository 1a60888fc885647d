/** Fields for a JSON Web Token, which show its header, claims, expiry, roles and session variables. */
import { messageOf } from "../../../values/message-of.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { claimsNamespaces, config, configProblem, sessionIn } from "./session.ts";
import { type DecodedToken, decodeToken, timeOf } from "./token.ts";

interface TokenFieldsProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isSent: boolean;
  readonly onSent: (isSent: boolean) => void;
}

export function TokenFields({ text, onText, isSent, onSent }: TokenFieldsProps) {
  const [decoded, problem] = decode(text);
  const paste = (value: string): void => {
    onText(value);
    // A new token is pasted to be used.
    if (text === "" && decode(value)[0]) onSent(true);
  };
  return (
    <fieldset class="stack session-token">
      <legend class="field-label">Token</legend>
      <TextField
        label="JSON Web Token"
        isBare
        isCode
        rows={3}
        placeholder="Paste a JSON Web Token"
        value={text}
        error={problem}
        onInput={paste}
        hint="Kept in this tab until it is reloaded. The server verifies its signature, the console only decodes it."
      />
      {text !== "" && (
        <div class="spread">
          <CheckField label="Authenticate with this token" checked={isSent} onChange={onSent} />
          <Button
            kind="quiet"
            icon="remove"
            onClick={() => {
              onText("");
              onSent(false);
            }}
          >
            Remove token
          </Button>
        </div>
      )}
      {decoded && isSent && (
        <p class="field-hint">
          Requests have the header Authorization and not the admin secret. Session variables come from the claims: those
          above are not sent.
        </p>
      )}
      {decoded && <Content decoded={decoded} />}
    </fieldset>
  );
}

function decode(text: string): readonly [DecodedToken | null, string | null] {
  if (text.trim() === "") return [null, null];
  try {
    return [decodeToken(text), null];
  } catch (thrown) {
    return [null, messageOf(thrown)];
  }
}

function Content({ decoded }: { readonly decoded: DecodedToken }) {
  return (
    <div class="stack">
      <Expiry decoded={decoded} />
      <Session text={decoded.text} />
      <h3>Header</h3>
      <JsonBlock label="Header of the token" value={decoded.header} />
      <h3>Claims</h3>
      <JsonBlock label="Claims of the token" value={decoded.claims} />
    </div>
  );
}

function Expiry({ decoded }: { readonly decoded: DecodedToken }) {
  const expiry = timeOf(decoded, "exp");
  const start = timeOf(decoded, "nbf");
  const now = Date.now();
  const badge = (kind: string, label: string, time: Date) => (
    <p>
      <time class={`badge ${kind}`} dateTime={time.toISOString()}>
        {`${label} ${time.toLocaleString()}`}
      </time>
    </p>
  );
  if (start && start.getTime() > now) return badge("warn", "Not valid before", start);
  if (!expiry) return <p class="muted">No expiry</p>;
  return expiry.getTime() <= now ? badge("bad", "Expired", expiry) : badge("good", "Expires", expiry);
}

function Session({ text }: { readonly text: string }) {
  const { is_jwt_set: hasSecret = true, is_auth_hook_set: hasWebhook = false } = config.value ?? {};
  if (hasWebhook) return <p class="muted">The authentication webhook of the server decides the role and variables.</p>;
  try {
    const { allowedRoles, defaultRole, variables } = sessionIn(text);
    return (
      <>
        {!hasSecret && (
          <p class="session-warning">The server has no JWT secret: it ignores tokens. Set ENGINE_GRAPHQL_JWT_SECRET.</p>
        )}
        <dl class="session-claims" aria-label="Session in the token">
          <dt>Default role</dt>
          <dd>
            <bdi>{defaultRole}</bdi>
          </dd>
          <dt>Allowed roles</dt>
          <dd>
            <bdi>{allowedRoles.join(", ")}</bdi>
          </dd>
          {Object.entries(variables).map(([name, value]) => (
            <>
              <dt key={name}>
                <bdi>{name}</bdi>
              </dt>
              <dd key={`${name} value`}>
                <bdi>{value}</bdi>
              </dd>
            </>
          ))}
        </dl>
        <Origin />
      </>
    );
  } catch (error) {
    return <ErrorBox error={error} />;
  }
}

function Origin() {
  const names = claimsNamespaces.value;
  if (configProblem.value)
    return <p class="field-hint">{`Read from the default namespace. ${configProblem.value.message}`}</p>;
  if (names.length === 0) return null;
  return (
    <p class="field-hint">
      Read from <code>{names.join(", ")}</code>, as the server does.
    </p>
  );
}
