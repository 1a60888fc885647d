/** Sign-in form. Verifies the admin secret with the server before storing it. */
import { useSignal } from "@preact/signals";
import { endpoint } from "../http/address.ts";
import { ApiError, errorOf, unreachable } from "../http/api-error.ts";
import { signIn, wasRejected } from "../http/credentials.ts";
import { Button } from "../parts/button.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Identity } from "./identity.tsx";

/** @throws ApiError if the server is unreachable or rejects the secret */
async function verifySecret(secret: string): Promise<void> {
  const response = await fetch(endpoint("/v1/metadata"), {
    method: "POST",
    headers: { "content-type": "application/json", "x-engine-admin-secret": secret },
    body: JSON.stringify({ type: "get_catalog_state", args: {} }),
  }).catch(() => null);
  if (!response) throw unreachable();
  if (response.ok) return;
  const error = errorOf(response.status, await response.json().catch(() => null));
  throw error.code === "access-denied" ? new ApiError("The admin secret is wrong.") : error;
}

export function SignIn() {
  const secret = useSignal("");
  const error = useSignal<unknown>(wasRejected.value ? new ApiError("The admin secret is no longer valid.") : null);
  const isBusy = useSignal(false);
  const submit = async (): Promise<void> => {
    isBusy.value = true;
    try {
      await verifySecret(secret.value);
      signIn(secret.value);
    } catch (thrown) {
      error.value = thrown;
      isBusy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <Form class="card sign-in-form" onSubmit={submit}>
        <Identity />
        <h1>Sign in</h1>
        <p class="muted">The console has administrator access to the server.</p>
        <TextField
          label="Admin secret"
          type="password"
          autoComplete="current-password"
          hint="Kept in this tab until you close it."
          value={secret.value}
          onInput={(value) => {
            secret.value = value;
          }}
          required
          autoFocus
        />
        {error.value !== null && <ErrorBox error={error.value} />}
        <Button kind="primary" type="submit" busy={isBusy.value}>
          Sign in
        </Button>
      </Form>
    </main>
  );
}
