// Tables that can be sorted by a click on a header.

const TEXTS = new Intl.Collator("en", { numeric: true });

function sortKeys(rows, column) {
  const texts = rows.map((row) => {
    const cell = row.cells[column];
    const text = cell?.dataset.value ?? cell?.textContent ?? "";
    return text.trim().replace(/^–$/, "");
  });
  // "1,944", "98.5%" and "−3" are numbers if the column contains nothing else.
  const numbers = texts.map((text) => Number(text.replace(/[,%\s]/g, "").replace("−", "-")));
  const numeric = texts.every((text, index) => text === "" || !Number.isNaN(numbers[index]));
  return texts.map((text, index) => (text !== "" && numeric ? numbers[index] : text));
}

function compareKeys(left, right) {
  return typeof left === "number" ? left - right : TEXTS.compare(left, right);
}

function sortBody(body, column, direction) {
  const rows = [...body.rows];
  const keys = sortKeys(rows, column);
  const order = rows.map((_, index) => index).sort((left, right) => {
    const [leftEmpty, rightEmpty] = [keys[left] === "", keys[right] === ""];
    if (leftEmpty || rightEmpty) return leftEmpty - rightEmpty;
    return direction * compareKeys(keys[left], keys[right]);
  });
  body.append(...order.map((index) => rows[index]));
}

// Aligns all cells of a numeric column to the right, including the header, the footer and cells without a number.
function alignNumbers(table, column) {
  const cells = [...table.rows].map((row) => row.cells[column]).filter(Boolean);
  const numeric = cells.some(({ dataset }) => dataset.value && !Number.isNaN(Number(dataset.value)));
  if (numeric) cells.forEach((cell) => cell.classList.add("num"));
}

function makeSortable(table) {
  const headers = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  headers.forEach((header, column) => {
    alignNumbers(table, column);
    const button = element("button", { type: "button", class: "sort" });
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const ascending = header.getAttribute("aria-sort") !== "ascending";
      for (const other of headers) other.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      for (const body of table.tBodies) sortBody(body, column, ascending ? 1 : -1);
    });
  });
}

document.querySelectorAll("table.sortable").forEach(makeSortable);
