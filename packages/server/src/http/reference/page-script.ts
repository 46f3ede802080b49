/**
 * What the reference does in a browser: the search over its contents, and Copy on its examples. Without it the page is whole. It
 * runs once the contents are there, before they are drawn, so that the search moves nothing.
 */
export const referenceScript = `
(() => {
  // As the dashboard keeps it.
  const theme = localStorage.getItem("kcs-theme");
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
  const nav = document.querySelector("nav");
  const field = document.createElement("input");
  Object.assign(field, { type: "search", placeholder: "Find an endpoint", className: "find" });
  field.setAttribute("aria-label", "Find an endpoint");
  const none = document.createElement("p");
  Object.assign(none, { textContent: "No endpoint with this name.", className: "none", hidden: true });
  none.setAttribute("role", "status");
  nav.before(field, none);
  const shown = (list) => [...list.children].filter((item) => !item.hidden);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(" ").filter(Boolean);
    let found = 0;
    for (const list of nav.querySelectorAll("ul")) {
      for (const item of list.children) {
        const text = (item.textContent + " " + item.dataset.path).toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
      }
      const count = shown(list).length;
      found += count;
      list.hidden = list.previousElementSibling.hidden = count === 0;
    }
    none.hidden = found > 0;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") [...nav.querySelectorAll("ul")].flatMap(shown)[0]?.firstElementChild.click();
  });
  const copied = async (text) => {
    if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text).then(() => true, () => false);
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  };
  const addCopyButton = (block) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "copy", textContent: "Copy" });
    const frame = document.createElement("div");
    frame.className = "block";
    block.replaceWith(frame);
    frame.append(block, button);
    button.addEventListener("click", async () => {
      button.textContent = (await copied(block.textContent)) ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  };
  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("pre").forEach(addCopyButton));
})();
`;
