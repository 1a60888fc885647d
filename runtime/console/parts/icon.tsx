/** Icons, hidden from screen readers. */

const paths = {
  api: "M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 6l-3 12",
  assistants: "M4 5h16v11h-9l-5 4v-4H4zM8.5 9.5h7M8.5 12.5h4",
  data: "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  permissions: "M12 3l8 3v6c0 4.5-3.2 7.8-8 9-4.8-1.2-8-4.5-8-9V6zM8.5 12l2.5 2.5 4.5-5",
  code: "M6 3h8l5 5v13H6zM14 3v5h5M9.5 13l-2 2 2 2M14.5 13l2 2-2 2",
  automation: "M13 2L5 14h6l-1 8 9-13h-6z",
  metadata: "M12 3l9 5-9 5-9-5zM3 12.5l9 5 9-5M3 17l9 5 9-5",
  health: "M3 12h4l3-8 4 16 3-8h4",
  close: "M6 6l12 12M18 6L6 18",
  download: "M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14",
  add: "M12 5v14M5 12h14",
  edit: "M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  search: "M11 4a7 7 0 110 14 7 7 0 010-14zM16 16l5 5",
  run: "M7 4l13 8-13 8z",
  stop: "M6 6h12v12H6z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  down: "M6 9l6 6 6-6",
  right: "M9 6l6 6-6 6",
  left: "M15 6l-6 6 6 6",
  up: "M6 15l6-6 6 6",
  first: "M17 6l-6 6 6 6M7 6v12",
  last: "M7 6l6 6-6 6M17 6v12",
  refresh: "M20 11a8 8 0 10-2.3 6.3M20 5v6h-6",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17.2v.3",
  key: "M14 10a4 4 0 10-3.5 4L13 16.5h2V19h2.5v2H21v-3.5l-7-7z",
  theme: "M12 3a9 9 0 100 18zM12 3a9 9 0 010 18",
  out: "M14 4h6v16h-6M10 8l-4 4 4 4M6 12h9",
  clock: "M12 3a9 9 0 110 18 9 9 0 010-18zM12 7v5l3.5 2",
  link: "M10 14a4 4 0 005.7 0l3-3a4 4 0 00-5.7-5.7L12 6.3M14 10a4 4 0 00-5.7 0l-3 3a4 4 0 005.7 5.7l1-1",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  book: "M12 6C10 4.7 7 4.5 4 5v14c3-.5 6-.3 8 1 2-1.3 5-1.5 8-1V5c-3-.5-6-.3-8 1zM12 6v14",
  help: "M12 3a9 9 0 110 18 9 9 0 010-18zM9.5 9.3a2.6 2.6 0 115 .9c0 1.7-2.5 1.9-2.5 3.6M12 16.8v.3",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  check: "M5 12.5l4.5 4.5L19 7",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
