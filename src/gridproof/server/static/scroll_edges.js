// The edges of a list that scrolls: they fade where more of it is out of sight.

/** Mark a list with the edges beyond which there is more, whenever it scrolls, or its size or its items change. */
export function markEdges(list) {
  const mark = () => {
    const below = list.scrollHeight - list.clientHeight - list.scrollTop;
    list.classList.toggle("more-above", list.scrollTop > 1);
    list.classList.toggle("more-below", below > 1);
  };
  list.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(list);
  new MutationObserver(mark).observe(list, { childList: true, subtree: true });
}

/** Scroll a list, and nothing around it, until an item is in its middle. */
export function scrollToItem(list, item) {
  const [around, own] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  list.scrollTop += (own.top + own.bottom - around.top - around.bottom) / 2;
}
