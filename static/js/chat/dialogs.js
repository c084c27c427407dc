// The page's two dialogs, as questions that answer with a promise.

function ask(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answered) => {
    dialog.addEventListener("close", () => answered(dialog.returnValue), { once: true });
  });
}

/** The new title, or null where it was left as it was. */
export async function askTitle(title) {
  const dialog = document.getElementById("rename-dialog");
  const field = dialog.querySelector("input");
  field.value = title;
  const answer = ask(dialog);
  field.select();
  const named = (await answer) === "ok" ? field.value.trim() : "";
  return named && named !== title ? named : null;
}

export async function confirmDelete(title) {
  const dialog = document.getElementById("delete-dialog");
  dialog.querySelector("[data-title]").textContent = title;
  return (await ask(dialog)) === "ok";
}
