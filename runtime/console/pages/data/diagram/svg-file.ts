/** A diagram as an SVG file, which needs no other file and contains no script. */
import type { Drawing, Shape } from "./drawing.ts";

const margin = 24;

/** @param resolve returns the value of a variable of the theme, such as `--text` */
export function svgFile({ width, height, boxes, edges }: Drawing, resolve: (variable: string) => string): string {
  const [fullWidth, fullHeight] = [Math.ceil(width + 2 * margin), Math.ceil(height + 2 * margin)];
  const text = (shape: Shape): string => shapeText(shape, resolve);
  const group = (attributes: Shape["attributes"], shapes: readonly Shape[]): string =>
    `<g${attributesText(attributes, resolve)}>${shapes.map(text).join("")}</g>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}" ` +
      `viewBox="${-margin} ${-margin} ${fullWidth} ${fullHeight}" font-family="${escaped(resolve("--font"))}">`,
    text({
      tag: "rect",
      attributes: { x: -margin, y: -margin, width: fullWidth, height: fullHeight, fill: "var(--page)" },
    }),
    ...edges.map((shapes) => group({}, shapes)),
    ...boxes.map(({ x, y, shapes }) => group({ transform: `translate(${x} ${y})` }, shapes)),
    "</svg>\n",
  ].join("\n");
}

function shapeText({ tag, attributes, text = "" }: Shape, resolve: (variable: string) => string): string {
  return `<${tag}${attributesText(attributes, resolve)}>${escaped(text)}</${tag}>`;
}

const attributesText = (attributes: Shape["attributes"], resolve: (variable: string) => string): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(resolved(String(value), resolve))}"`)
    .join("");

const resolved = (value: string, resolve: (variable: string) => string): string =>
  value.replace(/^var\((--[a-z0-9-]+)\)$/, (_, variable: string) => resolve(variable));

const references: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text, and replaces characters that XML does not allow. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (character) => references[character] ?? "");
