/** Name of the product, address of the server, and label of the environment. */
import { configuration } from "../configuration.ts";
import { endpoint } from "../http/address.ts";

/** Address of the server without its scheme, such as `localhost:8080`. */
const serverAddress = (configuration.projectServer ?? endpoint("")).replace(/^https?:\/\//, "");

/** Returns the title of the browser tab, which differs between two servers. */
export const titleOf = (page: string | undefined): string =>
  [page, configuration.label, serverAddress, "engine"].filter(Boolean).join(" · ");

export function Identity() {
  const { label, color } = configuration;
  return (
    <p class="identity">
      <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <rect width="24" height="24" rx="6" />
        <path d="M7 7.5h10M7 12h6.5M7 16.5h10" />
      </svg>
      <strong>engine</strong>
      <bdi class="server-address" title={`Server: ${serverAddress}`}>
        {serverAddress}
      </bdi>
      {label && (
        <bdi class={`environment ${color}`} title={`Environment: ${label}`}>
          {label}
        </bdi>
      )}
    </p>
  );
}
