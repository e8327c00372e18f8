const find = document.getElementById("find");
const status = document.getElementById("status");
const shown = document.getElementById("shown");
const articles = [...document.querySelectorAll("article")];
const sections = [...document.querySelectorAll("main > section")];
function apply() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  const filtered = words.length > 0 || status.value !== "";
  let count = 0;
  for (const article of articles) {
    const text = article.textContent.toLowerCase();
    const decided = !status.value || [...article.querySelectorAll(".cell")].some((cell) => cell.dataset.status === status.value);
    article.hidden = !decided || !words.every((word) => text.includes(word));
    if (!article.hidden) count += 1;
  }
  for (const section of sections) section.hidden = filtered && !section.querySelector("article:not([hidden])");
  shown.textContent = `${count} of ${articles.length} requirements`;
}
// A link to a part that is hidden shows all again.
window.addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest("[hidden]")) return;
  find.value = status.value = "";
  apply();
  target.scrollIntoView();
});
find.addEventListener("input", apply);
status.addEventListener("change", apply);
apply();
