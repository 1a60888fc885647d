/** Drives a page by keyboard only: focus moves by key presses, without clicks. */
import type { Page } from "playwright-core";

/** Returns role and name of the focused element, as a screen reader would begin: `button Run`. */
const focused = `(() => {
  const visibleText = (element) => {
    const copy = element.cloneNode(true);
    for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return copy.textContent.trim();
  };
  const element = document.activeElement;
  if (!element || element === document.body) return "";
  const described = (element.getAttribute("aria-labelledby") ?? "").split(" ")
    .map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
  const name = element.getAttribute("aria-label") ?? (described || labels || visibleText(element) || element.title || "");
  const kind = element.getAttribute("role") ?? { a: "link" }[element.localName] ?? element.localName;
  return kind + " " + name.replace(/\\s+/g, " ").trim();
})()`;

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  focused(): Promise<string> {
    return this.#page.evaluate(focused) as Promise<string>;
  }

  /**
   * Presses Tab until the element has the focus: `button Run`, `link Data`, `input Name`.
   * @throws Error with the passed elements if the focus returns to its start
   */
  async tabTo(name: string | RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    const passed: string[] = [];
    for (let step = 0; step < 150; step++) {
      await this.#page.keyboard.press(key);
      const now = await this.focused();
      if (typeof name === "string" ? now === name : name.test(now)) return;
      passed.push(now);
    }
    throw new Error(`the focus never came to ${name}: ${passed.join(" | ")}`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Replaces the contents of the field. */
  async fill(name: string | RegExp, text: string): Promise<void> {
    await this.tabTo(name);
    await this.press("Control+a");
    await this.#page.keyboard.type(text);
  }

  async activate(name: string | RegExp, key = "Enter"): Promise<void> {
    await this.tabTo(name);
    await this.press(key);
  }
}
