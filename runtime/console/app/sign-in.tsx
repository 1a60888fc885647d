/** Asks for the admin secret, and tries it before it is kept. */
import { useSignal } from "@preact/signals";
import { endpoint } from "../http/address.ts";
import { ApiError, errorOf } from "../http/api-error.ts";
import { signIn, wasRefused } from "../http/credentials.ts";
import { Button } from "../parts/button.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { TextField } from "../parts/field.tsx";

/** @throws ApiError unless the server takes the secret */
async function trySecret(secret: string): Promise<void> {
  const response = await fetch(endpoint("/v1/metadata"), {
    method: "POST",
    headers: { "content-type": "application/json", "x-engine-admin-secret": secret },
    body: JSON.stringify({ type: "get_catalog_state", args: {} }),
  }).catch(() => null);
  if (!response) throw new ApiError("The server does not answer. Is it running?");
  if (!response.ok) throw errorOf(response.status, await response.json().catch(() => null));
}

export function SignIn() {
  const secret = useSignal("");
  const error = useSignal<unknown>(wasRefused.value ? new ApiError("The admin secret is not valid any more.") : null);
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    try {
      await trySecret(secret.value);
      signIn(secret.value);
    } catch (thrown) {
      error.value = thrown;
      isBusy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <form class="card sign-in-form" onSubmit={(event) => void submit(event)}>
        <h1>Sign in</h1>
        <p class="muted">The console works with the rights of an administrator.</p>
        <TextField
          label="Admin secret"
          type="password"
          autoComplete="current-password"
          hint="Kept in this tab only, until it is closed."
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
      </form>
    </main>
  );
}
