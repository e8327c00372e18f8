const find = document.getElementById("find");
const status = document.getElementById("status");
const shown = document.getElementById("shown");
const articles = [...document.querySelectorAll("article")];
function apply() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const article of articles) {
    const text = article.textContent.toLowerCase();
    const decided = !status.value || [...article.querySelectorAll(".cell")].some((cell) => cell.dataset.status === status.value);
    article.hidden = !decided || !words.every((word) => text.includes(word));
    if (!article.hidden) count += 1;
  }
  shown.textContent = `${count} of ${articles.length} requirements`;
}
find.addEventListener("input", apply);
status.addEventListener("change", apply);
apply();
