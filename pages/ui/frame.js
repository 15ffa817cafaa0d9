// Half of a surrogate pair has no UTF-8. Streamlit would send it with all else that is set, again
// and again, and the server would read none of it: it becomes U+FFFD before it gets so far.
(() => {
  if (window.tokenariumFrame) return;
  window.tokenariumFrame = true;
  document.addEventListener(
    "input",
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== "text") return;
      const whole = target.value.toWellFormed?.() ?? target.value;
      if (whole === target.value) return;
      // The setter of the class: React would not notice that of the element.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(target, whole);
    },
    true,
  );
})();
