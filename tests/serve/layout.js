// What a reader would stumble over on a page as it stands: text that is cut off, hangs out of its frame, lies on other
// text or control, or is too faint; a page that scrolls sideways. `wide`: no table may need scrolling either.
(wide) => {
  const found = [];
  const say = (what, text) => found.push(`${what}: ${text.replace(/\s+/g, " ").trim().slice(0, 70)}`);
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) say("the page scrolls sideways", `by ${page.scrollWidth - page.clientWidth}`);

  const up = (element) => {
    const all = [];
    for (let one = element; one && one !== document.body; one = one.parentElement) all.push(one);
    return all;
  };
  const unseen = (element) =>
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    up(element).some((one) => getComputedStyle(one).clipPath !== "none" || one.matches(".skip, .tip"));

  if (wide) {
    for (const box of document.querySelectorAll(".wide")) {
      if (!unseen(box) && box.scrollWidth > box.clientWidth + 1) say("a column is hidden", box.innerText);
    }
  }

  // A line of text has room above and below its letters: what touches there is not yet on top of one another.
  const within = (box, trim = 0.22) => ({
    left: box.left, right: box.right, top: box.top + box.height * trim, bottom: box.bottom - box.height * trim,
  });
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
  });
  const some = (box) => box.right - box.left > 1.5 && box.bottom - box.top > 1.5;

  const shown = (text, owner, box) => {
    let seen = box;
    const hangs = getComputedStyle(owner).whiteSpaceCollapse === "preserve" ? 12 : 2; // a blank at the end of a line
    for (const one of up(owner)) {
      const style = getComputedStyle(one);
      const frame = one.getBoundingClientRect();
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
      if (scrolls) seen = meet(seen, frame);
      if (!some(seen)) return null;
      if (style.display === "inline" || (one instanceof SVGElement && one.tagName !== "svg")) continue;
      const framed = style.borderLeftWidth !== "0px" || style.backgroundColor !== "rgba(0, 0, 0, 0)";
      const cuts = /hidden|clip/.test(style.overflowX) || one.tagName === "svg";
      if ((framed || cuts) && (seen.left < frame.left - 2 || seen.right > frame.right + hangs)) {
        say(cuts ? "cut off" : "hangs out of its frame", text);
        return null;
      }
      if (cuts && (seen.top < frame.top - 2 || seen.bottom > frame.bottom + 2)) say("cut off", text);
    }
    return seen;
  };

  const light = (words) => {
    const [r, g, b] = words.match(/[\d.]+/g).map((one) => one / 255)
      .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (owner) => {
    const all = [...up(owner), document.body].map((one) => getComputedStyle(one).backgroundColor);
    return all.find((color) => color !== "rgba(0, 0, 0, 0)") || "rgb(255, 255, 255)";
  };
  const contrast = (owner) => {
    const style = getComputedStyle(owner);
    const [one, other] = [owner instanceof SVGElement ? style.fill : style.color, behind(owner)].map(light);
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };

  const pieces = [];
  const take = (text, owner, box) => {
    const seen = shown(text, owner, box);
    if (seen) pieces.push({ text, owner, ...seen });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const faint = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const owner = node.parentElement;
    if (!node.data.trim() || owner.closest("script, style, title, option, textarea") || unseen(owner)) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 1) take(node.data, owner, within(box));
    if (!owner.closest(":disabled") && contrast(owner) < 4.5) faint.add(`${node.data} (${contrast(owner).toFixed(1)})`);
  }
  for (const text of faint) say("faint", text);

  const pen = document.createElement("canvas").getContext("2d");
  for (const control of document.querySelectorAll("button, input, select, textarea, progress")) {
    if (unseen(control) || control.type === "hidden" || control.type === "file") continue;
    take(`<${control.name || control.innerText}>`, control, control.getBoundingClientRect());
    const style = getComputedStyle(control);
    pen.font = style.font;
    const words = control.tagName === "SELECT" ? control.selectedOptions[0].text
      : /text|search|number/.test(control.type) && control.tagName === "INPUT" ? control.value || control.placeholder : "";
    const button = control.type === "search" ? 18 : 0; // its button that empties it
    const room = control.clientWidth - button - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(words).width > room + 1) say("cut off in its field", words);
  }

  pieces.sort((a, b) => a.top - b.top);
  pieces.forEach((one, at) => {
    for (const other of pieces.slice(at + 1)) {
      if (other.top >= one.bottom) break;
      if (one.owner.contains(other.owner) && one.owner !== other.owner) continue;
      if (other.owner.contains(one.owner) && one.owner !== other.owner) continue;
      if (some(meet(one, other))) say("lies on other text", `${one.text.trim().slice(0, 30)} | ${other.text.trim()}`);
    }
  });
  return found;
};
