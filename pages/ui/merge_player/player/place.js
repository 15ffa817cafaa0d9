// What a browser tab remembers of a player: its place, and what it has played already.

// A browser may forbid it: then Python's last word is the place.
function remember(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    return;
  }
}

// The last wish to play that was granted in this tab.
function played(key) {
  try {
    return sessionStorage.getItem(`played:${key}`);
  } catch {
    return null;
  }
}

// Who left the page while it played comes back to that merge, not to the last pause: as
// long as Python has not asked for something newer, the browser knows better.
function placeOf({ key, serial, version }) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(`player:${key}`));
    return kept?.serial === serial && kept.version === version ? kept : null;
  } catch {
    return null;
  }
}
