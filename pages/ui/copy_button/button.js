// The text is copied within the click: later the browser would not allow it.

async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // Not allowed here: the old way below may be.
    }
  }
  // A page without https, as in a classroom, has only this.
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export default function ({ data, parentElement, setTriggerValue }) {
  let button = parentElement.querySelector('button');
  if (!button) {
    button = document.createElement('button');
    button.type = 'button';
    parentElement.append(button);
  }
  button.textContent = data.label;
  button.onclick = () => {
    // Not waited for: a browser may take its time to answer, or never do.
    copy(data.text);
    setTriggerValue('pressed', true);
  };
}
