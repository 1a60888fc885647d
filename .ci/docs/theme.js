// Applies the chosen theme before the page is drawn.
try {
  const theme = localStorage.getItem("engine-docs-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the page follows the system.
}
