// What is laid out on the page, and what is wrong with it; evaluated in the page by tests.
(() => {
  const CONTROLS = "button, a[href], input, select, textarea, summary";
  const SHOWN = `${CONTROLS}, h1, h2, h3, p, dt, dd, kbd, li, label, th, td, output, svg.board, .stage, .panel, .bar, .overlay, img`;

  const visible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest(".skip, .visually-hidden, noscript, .sparks");
  const within = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const all = (what) => [...within().querySelectorAll(what)].filter(visible);
  const clips = (value) => value !== "visible";

  /** The part of a box that is seen: without what ancestors cut off or have scrolled away. */
  function seen(element, box) {
    let { left, top, right, bottom } = box;
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      if (clips(overflowX)) [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      if (clips(overflowY)) [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  }

  const name = (element) => {
    if (element.matches("svg")) return "svg"; // boards have comparisons of their own
    const chosen = element.matches("select") ? element.selectedOptions[0]?.text : element.matches("input, textarea") ? element.value : element.textContent;
    const words = element.getAttribute("aria-label") ?? chosen ?? "";
    return `${element.tagName.toLowerCase()} ${JSON.stringify(String(words).trim().replace(/\s+/g, " ").slice(0, 48))}`;
  };

  /** Texts that do not fit where they stand: beyond their control, or cut off by something around them. */
  function clipped() {
    const found = [];
    const texts = document.createTreeWalker(within(), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const element = text.parentElement;
      if (!text.data.trim() || !visible(element) || element.closest("svg, select, textarea, option")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) {
        for (let around = element; around && around !== document.body; around = around.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(around);
          const edge = around.getBoundingClientRect();
          const own = around.matches("button, summary, .card, .panel, dialog");
          const [wide, high] = [own || ["hidden", "clip"].includes(overflowX), own || ["hidden", "clip"].includes(overflowY)];
          if (overflowX === "auto" || overflowX === "scroll" || overflowY === "auto" || overflowY === "scroll") break; // it can be scrolled there
          if ((wide && (box.left < edge.left - 1 || box.right > edge.right + 1)) || (high && (box.top < edge.top - 3 || box.bottom > edge.bottom + 3))) {
            found.push(`${JSON.stringify(text.data.trim().slice(0, 40))} in ${name(around).slice(0, 60)}`);
            break;
          }
        }
      }
    }
    return [...new Set(found)];
  }

  /** The box that answers to a finger: of a box to be ticked its label, of a card's link the card. */
  function target(element) {
    const answers = element.matches("input[type=checkbox], input[type=radio]") ? (element.closest("label") ?? element) : (element.closest(".card") ?? element);
    return answers.getBoundingClientRect();
  }

  /** What floats above the rest of the page, if the element is in something that does. */
  function layer(element) {
    for (let around = element; around; around = around.parentElement) {
      if (["sticky", "fixed"].includes(getComputedStyle(around).position)) return around;
    }
    return null;
  }

  function overlapping() {
    const controls = all(CONTROLS).filter((one) => !one.closest("svg, .card") && !(one.disabled && one.closest(".overlay")));
    const boxes = controls.map((one) => seen(one, one.getBoundingClientRect()));
    const layers = controls.map(layer);
    const found = [];
    controls.forEach((one, first) => controls.slice(first + 1).forEach((other, later) => {
      const [a, b] = [boxes[first], boxes[first + 1 + later]];
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (layers[first] !== layers[first + 1 + later]) return;
      if (width > 1 && height > 1 && !one.contains(other) && !other.contains(one)) found.push(`${name(one)} and ${name(other)}`);
    }));
    return found;
  }

  function small(least) {
    return all(CONTROLS).filter((one) => !one.closest("svg") && !one.matches("[type=file]")).filter((one) => {
      const { width, height } = target(one);
      return width < least - 0.5 || height < least - 0.5;
    }).map((one) => `${name(one)} ${Math.round(target(one).width)}x${Math.round(target(one).height)}`);
  }

  function boxes() {
    const scroll = within() === document.body ? { x: scrollX, y: scrollY } : { x: 0, y: 0 }; // a dialog stays where it is when the page is scrolled
    return all(SHOWN).filter((one) => !one.closest("svg") || one.matches("svg.board")).map((one) => {
      const box = one.getBoundingClientRect();
      const { color, backgroundColor } = getComputedStyle(one);
      const { left, top, width, height } = box;
      return { name: name(one), box: [left + scroll.x, top + scroll.y, width, height].map(Math.round), colours: [color, backgroundColor] };
    }).filter(({ box }) => box[2] > 0 && box[3] > 0);
  }

  return { clipped: clipped(), overlapping: overlapping(), small: small(40), boxes: boxes() };
})()
