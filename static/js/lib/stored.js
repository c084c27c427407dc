// Small strings kept in this browser. A blocked or full storage loses them and breaks nothing.

export function read(name) {
  try {
    return localStorage.getItem(`dynbranch.${name}`);
  } catch {
    return null;
  }
}

export function write(name, value) {
  try {
    if (value) localStorage.setItem(`dynbranch.${name}`, value);
    else localStorage.removeItem(`dynbranch.${name}`);
  } catch {
    // Nothing to do: the page goes on without memory.
  }
}
