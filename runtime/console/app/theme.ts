/** Dark or light: as the system says, until the user chooses. */
import { effect, signal } from "@preact/signals";

type Theme = "light" | "dark";

const key = "engine-console-theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

const isTheme = (value: string | null): value is Theme => value === "light" || value === "dark";
const remembered = localStorage.getItem(key);

const chosen = signal<Theme | null>(isTheme(remembered) ? remembered : null);

effect(() => {
  if (chosen.value === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen.value;
});

export function switchTheme(): void {
  const now = chosen.value ?? (systemIsDark.matches ? "dark" : "light");
  chosen.value = now === "dark" ? "light" : "dark";
  localStorage.setItem(key, chosen.value);
}
