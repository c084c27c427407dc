// Runs before the first paint, so that a stored theme never flashes. A classic script on purpose.
(() => {
  try {
    const stored = localStorage.getItem("dynbranch.theme");
    if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
  } catch {
    // Storage is blocked: the system's preference holds.
  }
})();
