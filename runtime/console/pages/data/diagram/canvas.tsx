/** Drawing of a diagram that is moved and scaled by pointer, wheel and keys. Only visible boxes are rendered. */
import { h } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../../../parts/button.tsx";
import type { Drawing, Shape } from "./drawing.ts";

interface View {
  /** Position of the diagram's origin in the canvas, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface CanvasProps {
  readonly drawing: Drawing;
  /** @param key key of the table */
  readonly onOpen: (key: string) => void;
}

const [minScale, maxScale] = [0.02, 3];

/** Below this scale the columns of tables are unreadable, and only names are rendered. */
const namesOnlyScale = 0.35;

/** Distance in pixels from which a pressed pointer moves the diagram instead of opening a table. */
const dragDistance = 4;

const keyStep = 60;

export function Canvas({ drawing, onOpen }: CanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    setView(fitting(drawing, { width: element.clientWidth, height: element.clientHeight }));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [drawing]);
  const zoom = (factor: number, at?: { readonly x: number; readonly y: number }): void => {
    const center = at ?? { x: (size?.width ?? 0) / 2, y: (size?.height ?? 0) / 2 };
    setView((current) => zoomed(current, factor, center));
  };
  const move = (x: number, y: number): void =>
    setView((current) => ({ ...current, x: current.x + x, y: current.y + y }));
  const fit = (): void => {
    if (size) setView(fitting(drawing, size));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(keyStep, 0),
    ArrowRight: () => move(-keyStep, 0),
    ArrowUp: () => move(0, keyStep),
    ArrowDown: () => move(0, -keyStep),
    "+": () => zoom(1.25),
    "=": () => zoom(1.25),
    "-": () => zoom(0.8),
    "0": fit,
  };
  return (
    <div class="diagram-view">
      <section
        class="diagram-canvas"
        ref={container}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and scale the diagram
        tabIndex={0}
        aria-label="Diagram. Arrow keys move it, plus and minus scale it, 0 fits it. The tables are also listed in the table that follows."
        onKeyDown={(event) => {
          const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
          if (!action) return;
          event.preventDefault();
          action();
        }}
        onWheel={(event) => {
          event.preventDefault();
          const { left, top } = event.currentTarget.getBoundingClientRect();
          zoom(Math.exp(-event.deltaY / 500), { x: event.clientX - left, y: event.clientY - top });
        }}
        {...usePointer(move, onOpen)}
      >
        {size && <Content drawing={drawing} view={view} size={size} />}
      </section>
      <div class="diagram-controls row">
        <Button onClick={() => zoom(1.25)}>Zoom in</Button>
        <Button onClick={() => zoom(0.8)}>Zoom out</Button>
        <Button onClick={fit}>Fit</Button>
      </div>
    </div>
  );
}

/** Moves the diagram with a pressed pointer; a press without a movement opens the table under it. */
function usePointer(move: (x: number, y: number) => void, onOpen: (key: string) => void) {
  const pressed = useRef<{ x: number; y: number; isDragging: boolean } | null>(null);
  return {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button === 0) pressed.current = { x: event.clientX, y: event.clientY, isDragging: false };
    },
    onPointerMove: (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
      const from = pressed.current;
      if (!from) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.isDragging && Math.hypot(x, y) < dragDistance) return;
      if (!from.isDragging) event.currentTarget.setPointerCapture(event.pointerId);
      pressed.current = { x: event.clientX, y: event.clientY, isDragging: true };
      move(x, y);
    },
    onPointerUp: (event: PointerEvent): void => {
      const isClick = pressed.current?.isDragging === false;
      pressed.current = null;
      const box = event.target instanceof Element ? event.target.closest("[data-table]") : null;
      const key = box?.getAttribute("data-table");
      if (isClick && key) onOpen(key);
    },
    onPointerCancel: (): void => {
      pressed.current = null;
    },
  };
}

function Content({ drawing, view, size }: { readonly drawing: Drawing; readonly view: View; readonly size: Size }) {
  const { x, y, scale } = view;
  // Rounded to steps, so that most movements render no other boxes.
  const step = 400 / scale;
  const left = Math.floor(-x / scale / step) * step;
  const top = Math.floor(-y / scale / step) * step;
  const right = left + Math.ceil(size.width / scale / step + 1) * step;
  const bottom = top + Math.ceil(size.height / scale / step + 1) * step;
  const isNamesOnly = scale < namesOnlyScale;
  const edges = useMemo(
    () => drawing.edges.map((shapes, index) => h("g", { key: index }, shapes.map(element))),
    [drawing],
  );
  const boxes = useMemo(
    () =>
      drawing.boxes
        .filter((box) => box.x < right && box.x + box.width > left && box.y < bottom && box.y + box.height > top)
        .map((box) => (
          <g key={box.key} data-table={box.key} transform={`translate(${box.x} ${box.y})`}>
            {(isNamesOnly ? box.shapes.slice(0, namesOnlyShapes) : box.shapes).map(element)}
          </g>
        )),
    [drawing, left, top, right, bottom, isNamesOnly],
  );
  return (
    <svg width={size.width} height={size.height} aria-hidden="true">
      <g transform={`translate(${x} ${y}) scale(${scale})`}>
        {edges}
        {boxes}
      </g>
    </svg>
  );
}

/** Number of the first shapes of a box that show its outline and name. */
const namesOnlyShapes = 4;

const element = ({ tag, attributes, text }: Shape, index: number) => h(tag, { key: index, ...attributes }, text);

function zoomed({ x, y, scale }: View, factor: number, at: { readonly x: number; readonly y: number }): View {
  const next = Math.min(maxScale, Math.max(minScale, scale * factor));
  const ratio = next / scale;
  return { x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio, scale: next };
}

const padding = 24;

/** Centers the diagram, in full but not enlarged. */
function fitting({ width, height }: Size, canvas: Size): View {
  const scale = Math.max(
    minScale,
    Math.min(1, (canvas.width - 2 * padding) / width, (canvas.height - 2 * padding) / height),
  );
  return { x: (canvas.width - width * scale) / 2, y: (canvas.height - height * scale) / 2, scale };
}
