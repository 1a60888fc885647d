/** Formats of a report. Separate from the formatters, which are loaded when the command runs. */
export const reportFormats = ["markdown", "json"] as const;

export type ReportFormat = (typeof reportFormats)[number];
