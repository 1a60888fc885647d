/** Router: maps the address after `/console` to segments and parameters. */
import { computed, signal } from "@preact/signals";
import { consolePath } from "../http/address.ts";

const pathOf = (): string => location.pathname.slice(consolePath.length);

const path = signal(pathOf());
const search = signal(location.search);

addEventListener("popstate", () => {
  path.value = pathOf();
  search.value = location.search;
});

/** Decoded path segments: `/data/default` → `["data", "default"]`. */
export const segments = computed(() => path.value.split("/").filter(Boolean).map(decode));

/** Query parameters. */
export const parameters = computed(() => new URLSearchParams(search.value));

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const addressOf = (to: readonly string[], query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString();
  return `${consolePath}/${to.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
};

/** @param how `replace` to replace the current history entry */
export function navigate(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  path.value = pathOf();
  search.value = location.search;
}
