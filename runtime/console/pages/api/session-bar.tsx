/** Row below the toolbar: role, session variables and token of the request, and what it is sent with. */
import { useEffect, useId, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { roles } from "../../state/metadata.ts";
import { headers, role, sentToken } from "./request-state.ts";
import { loadConfig, sentence } from "./session.ts";

/** Number of headers that the bar shows. */
const maxShown = 4;

const SessionDialog = lazy("dialog", async () => (await import("./session-dialog.tsx")).SessionDialog);

export function SessionBar() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (sentToken.value !== null) void loadConfig();
  }, [sentToken.value]);
  const open = (): void => setOpen(true);
  const hidden = headers.value.length - maxShown;
  return (
    <section class="session-bar" aria-label="Session of the request">
      <RoleField />
      {sentToken.value === null &&
        headers.value.slice(0, maxShown).map(({ name, value }) => (
          <button type="button" key={name} class="session-chip" title={`${name}: ${value}`} onClick={open}>
            <bdi>{name}</bdi>
            <bdi>{value}</bdi>
          </button>
        ))}
      {sentToken.value === null && hidden > 0 && <span class="muted">{`and ${hidden} more`}</span>}
      {sentToken.value !== null && <span class="badge accent">Token</span>}
      <Button icon="key" onClick={open}>
        Session
      </Button>
      <p class="session-sentence" role="status">
        {sentence.value}
      </p>
      {isOpen && <SessionDialog onClose={() => setOpen(false)} />}
    </section>
  );
}

function RoleField() {
  const id = useId();
  return (
    <div class="session-role">
      <label for={id}>Role</label>
      <input
        id={id}
        class="input"
        list={`${id}-roles`}
        placeholder={sentToken.value === null ? "admin" : "default role"}
        value={role.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          role.value = event.currentTarget.value.trim();
        }}
      />
      <datalist id={`${id}-roles`}>
        {["admin", ...roles.value].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
