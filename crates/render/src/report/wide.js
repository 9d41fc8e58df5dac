// Tables and plots that are wider than the page have their own scroll bars. Shadows show where there is more.

function showWhatIsHidden(scroller) {
  const beyond = scroller.scrollWidth - scroller.clientWidth;
  const { classList } = scroller.parentElement;
  classList.toggle("more-before", scroller.scrollLeft > 1);
  classList.toggle("more-after", beyond - scroller.scrollLeft > 1);
  // So that keyboard users can scroll with the arrow keys.
  if (beyond > 1) scroller.tabIndex = 0;
  else scroller.removeAttribute("tabindex");
}

for (const scroller of document.querySelectorAll(".scroll")) {
  const show = () => showWhatIsHidden(scroller);
  scroller.addEventListener("scroll", show, { passive: true });
  new ResizeObserver(show).observe(scroller);
}
