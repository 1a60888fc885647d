/** SDL of an action that another page has drafted; the page of a new action begins with it. */
import { signal } from "@preact/signals";

export const draftAction = signal<string | null>(null);
