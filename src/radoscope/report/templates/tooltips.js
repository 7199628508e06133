(() => {
  const box = document.createElement("div");
  box.className = "tip";
  box.hidden = true;
  document.body.append(box);
  for (const title of document.querySelectorAll("svg g > title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  for (const cell of document.querySelectorAll("td[title], span[title]")) {
    cell.dataset.tip = cell.title;
    cell.removeAttribute("title");
  }
  for (const wide of document.querySelectorAll(".wide")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0; // the keyboard scrolls what has the focus
  }
  const show = (event) => {
    const mark = event.target.closest && event.target.closest("[data-tip]");
    box.hidden = !mark || !mark.dataset.tip;
    if (box.hidden) return;
    box.textContent = mark.dataset.tip;
    const left = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
    const below = event.clientY + 18 + box.offsetHeight < innerHeight;
    box.style.left = Math.max(8, left) + "px";
    box.style.top = (below ? event.clientY + 18 : event.clientY - box.offsetHeight - 10) + "px";
  };
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
})();
