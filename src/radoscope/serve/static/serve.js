"use strict";
// Pages work without this script as far as a browser allows; it drops files, follows what runs, and moves what-if.
(() => {
  const main = document.querySelector("main");

  const well = () => document.querySelectorAll("main > .trouble").forEach((old) => old.remove());
  const trouble = (html) => {
    well();
    const box = document.createElement("div");
    box.innerHTML = html;
    main.prepend(box.firstElementChild || box);
    main.firstElementChild.scrollIntoView({ block: "nearest" });
  };

  const gone = () => {
    trouble('<div class="trouble" role="alert"><p></p></div>');
    main.querySelector(".trouble p").textContent = main.dataset.gone;
  };

  const send = async (form, data) => {
    const busy = form.querySelector(".busy");
    if (busy) busy.hidden = false;
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: { "x-part": "1" } });
      if (answer.redirected) location.assign(answer.url);
      else trouble(await answer.text());
    } catch {
      gone();
    } finally {
      if (busy) busy.hidden = true;
    }
  };

  const walk = async (entry, path, found) => {
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      found.push([file, path + file.name]);
    } else if (entry.isDirectory) {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!some.length) break;
        for (const one of some) await walk(one, path + entry.name + "/", found);
      }
    }
  };

  const form = document.querySelector("form[data-drop]");
  if (form) {
    for (const input of form.querySelectorAll("input[data-sends]")) {
      input.addEventListener("change", () => {
        if (!input.files.length) return;
        const data = new FormData();
        for (const file of input.files) data.append("file", file, file.webkitRelativePath || file.name);
        input.value = "";
        send(form, data);
      });
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const data = new FormData();
      data.append("text", form.elements.text.value);
      send(form, data);
    });
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    addEventListener("drop", async (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
      const text = event.dataTransfer.getData("text/plain");
      const found = [];
      for (const entry of entries.filter(Boolean)) await walk(entry, "", found);
      const data = new FormData();
      for (const [file, path] of found) data.append("file", file, path);
      if (!found.length) data.append("text", text);
      send(form, data);
    });
  }

  const knobs = document.querySelector("form[data-follows]");
  if (knobs) {
    const answer = document.getElementById("answer");
    let asked = 0;
    let waiting = false;
    let again = false;
    const follow = async () => {
      if (waiting) {
        again = true;
        return;
      }
      waiting = true;
      const words = new URLSearchParams(new FormData(knobs)).toString();
      const number = ++asked;
      try {
        const got = await fetch(`${knobs.dataset.follows}?${words}`, { headers: { "x-part": "1" } });
        const html = await got.text();
        well();
        if (number === asked) answer.innerHTML = html;
        history.replaceState(null, "", `?${words}`);
      } catch {
        gone();
      }
      waiting = false;
      if (again) {
        again = false;
        follow();
      }
    };
    knobs.addEventListener("input", (event) => {
      const shown = knobs.querySelector(`output[for="${event.target.id}"]`);
      if (shown) shown.value = event.target.value;
      follow();
    });
  }

  const waiting = document.querySelector("[data-waiting]");
  if (waiting) {
    let times = 0;
    const look = async () => {
      const got = await fetch(location.href);
      const fresh = new DOMParser().parseFromString(await got.text(), "text/html");
      for (const cell of fresh.querySelectorAll("[data-figure]")) {
        const old = waiting.querySelector(`[data-figure="${CSS.escape(cell.dataset.figure)}"]`);
        if (old) old.innerHTML = cell.innerHTML;
      }
      if (fresh.querySelector("[data-waiting]") && ++times < 20) setTimeout(look, 1500);
    };
    setTimeout(look, 1000);
  }

  const live = document.getElementById("live");
  if (live) {
    const log = document.getElementById("log");
    const bar = live.querySelector("progress");
    const step = document.getElementById("step");
    const cells = document.getElementById("cells");
    const source = new EventSource(live.dataset.events);
    let first = true;
    source.onmessage = async (event) => {
      const said = JSON.parse(event.data);
      if (said.lines && log) {
        const below = log.scrollTop + log.clientHeight > log.scrollHeight - 40;
        log.textContent = first ? said.lines : log.textContent + said.lines;
        first = false;
        if (below) log.scrollTop = log.scrollHeight;
      }
      if (said.step) {
        if (said.step.planned) {
          bar.max = said.step.planned;
          bar.value = said.step.done;
        }
        step.textContent = said.step.words;
      }
      for (const [name, ...row] of said.rows || []) {
        cells.hidden = false;
        const body = cells.querySelector("tbody");
        const line = body.querySelector(`[data-cell="${CSS.escape(name)}"]`) || body.insertRow();
        if (!line.dataset.cell) {
          line.dataset.cell = name;
          line.innerHTML = `<th scope="row"></th>${'<td class="num"></td>'.repeat(row.length)}`;
          line.cells[0].textContent = name;
        }
        row.forEach((words, at) => (line.cells[at + 1].textContent = words));
      }
      if (said.figures) {
        const got = await fetch(live.dataset.figures, { headers: { "x-part": "1" } });
        if (got.ok) document.getElementById("figures").innerHTML = await got.text();
      }
    };
    source.addEventListener("end", () => {
      source.close();
      location.reload();
    });
    source.onerror = () => {
      if (source.readyState !== EventSource.OPEN) step.textContent = live.dataset.gone;
      first = true;
    };
  }

  const watched = document.getElementById("watched");
  if (watched) {
    const fresh = document.createElement("template");
    const look = async () => {
      try {
        const got = await fetch(watched.dataset.state, { headers: { "x-part": "1" } });
        if (got.ok && !document.hidden) {
          fresh.innerHTML = await got.text();
          for (const part of fresh.content.querySelectorAll("[data-part]")) {
            const old = watched.querySelector(`[data-part="${part.dataset.part}"]`);
            if (old && old.innerHTML !== part.innerHTML) old.innerHTML = part.innerHTML;
          }
        }
      } catch {
        // the next look tries again
      }
      setTimeout(look, 1000);
    };
    setTimeout(look, 1000);
    watched.addEventListener("submit", async (event) => {
      event.preventDefault();
      const form = event.target;
      form.querySelector("button").disabled = true;
      const got = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "x-part": "1" } });
      if (!got.ok) trouble(await got.text());
    });
  }
})();
