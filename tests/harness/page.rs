//! What a person does in the window's page, and what they see there.

use crate::desktop::{BEAT, Desktop, PATIENCE};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

/// Finds what can be pressed by the name that assistive technology announces.
const BY_NAME: &str = r#"
    const [name, inside] = arguments;
    const roots = [...document.querySelectorAll(inside)];
    const controls = roots.flatMap((root) => [...root.querySelectorAll(
        "button, a, [role=option], [role=radio], [role=menuitem], [role=menuitemradio], [role=treeitem], [role=row]")]);
    const named = (each) => (each.getAttribute("aria-label") ?? each.textContent).replace(/\s+/g, " ").trim();
    const usable = controls.filter((each) =>
        each.getClientRects().length > 0 && !each.disabled && each.getAttribute("aria-disabled") !== "true");
    return usable.find((each) => named(each) === name) ?? usable.find((each) => named(each).startsWith(name)) ?? null;
"#;

/// Whether an element is at rest and nothing covers its middle, where it is pressed. Hears whether the next press
/// hits it: the page may move between the look and the press.
const AT_REST: &str = "const [it] = arguments; \
    it.scrollIntoView({ block: 'nearest', inline: 'nearest' }); \
    const moves = (each) => each.playState === 'running' && each.effect?.target?.contains(it) && \
        each.effect.getComputedTiming().iterations !== Infinity; \
    const box = it.getBoundingClientRect(); \
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
    window.sibylMissed = true; \
    const pressed = ({ target }) => { window.sibylMissed = !it.contains(target) && !target.closest('label')?.contains(it) }; \
    document.addEventListener('mousedown', pressed, { capture: true, once: true }); \
    return !document.getAnimations().some(moves) && !!top && (it.contains(top) || top.contains(it))";
/// Time that an element gets for that.
const SETTLING: Duration = Duration::from_secs(5);

impl Desktop {
    /// Waits until `script` returns something that is neither null, false, 0 nor empty, and gives that.
    pub async fn until(&self, script: &str, arguments: &[Value]) -> Value {
        self.until_within(PATIENCE, script, arguments).await
    }

    /// The same with a given time limit.
    pub async fn until_within(&self, patience: Duration, script: &str, arguments: &[Value]) -> Value {
        let start = Instant::now();
        while start.elapsed() < patience {
            let answer = self.script(script, arguments.iter().cloned()).await;
            let empty = match &answer {
                Value::Null | Value::Bool(false) => true,
                Value::Number(number) => number.as_f64() == Some(0.0),
                Value::String(text) => text.is_empty(),
                Value::Array(items) => items.is_empty(),
                _ => false,
            };
            if !empty {
                return answer;
            }
            tokio::time::sleep(BEAT).await;
        }
        self.picture("failed").await;
        let seen = self.text("body").await;
        panic!(
            "waited in vain for {script} {arguments:?}; trouble: {}; on screen: {seen}",
            self.trouble().await
        );
    }

    /// Waits until the text of `css` is as wanted, and returns it.
    pub async fn wait_for(&self, css: &str, wanted: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        let mut last = String::new();
        while start.elapsed() < PATIENCE {
            last = self.text(css).await;
            if wanted(&last) {
                return last;
            }
            tokio::time::sleep(BEAT).await;
        }
        self.picture("failed").await;
        panic!("{css}: last seen {last:?}; trouble: {}", self.trouble().await);
    }

    /// Waits until `words` stand in `css`.
    pub async fn says(&self, css: &str, words: &str) -> String {
        self.wait_for(css, |text| text.contains(words)).await
    }

    /// The text of the first `css`; empty if there is none.
    pub async fn text(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
        self.script(script, [json!(css)]).await.as_str().unwrap_or_default().to_owned()
    }

    /// How many `css` there are.
    pub async fn count(&self, css: &str) -> u64 {
        let script = "return document.querySelectorAll(arguments[0]).length";
        self.script(script, [json!(css)]).await.as_u64().unwrap_or_default()
    }

    /// Presses the button, link, option or row called `name`, or the first whose name begins so.
    pub async fn press(&self, name: &str) {
        self.press_in("body", name).await;
    }

    /// The same within `css`.
    pub async fn press_in(&self, css: &str, name: &str) {
        self.click(BY_NAME, &[json!(name), json!(css)]).await;
    }

    /// Presses the first `css`.
    pub async fn press_css(&self, css: &str) {
        let found = "const found = document.querySelector(arguments[0]); \
                     return found && !found.disabled && found.getClientRects().length > 0 ? found : null";
        self.click(found, &[json!(css)]).await;
    }

    /// Puts `text` into the field labelled `label` in place of its content: all but the last letter at once, as
    /// pasting does, and the last letter by the keyboard. A line end there is the key Enter.
    pub async fn fill(&self, label: &str, text: &str) {
        let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
        let paste = "const [field, text] = arguments; \
                     const kind = Object.getPrototypeOf(field); \
                     Object.getOwnPropertyDescriptor(kind, 'value').set.call(field, text); \
                     field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' })); \
                     field.setSelectionRange(text.length, text.length)";
        let start = Instant::now();
        loop {
            let field = self.field(label).await;
            let arguments = vec![field.to_json().expect("an element is JSON"), json!(text[..last])];
            let typed: TypingData = if &text[last..] == "\n" { Key::Enter + "" } else { text[last..].into() };
            let filled = match self.driver.execute(paste, arguments).await {
                Ok(_) => field.send_keys(typed).await,
                Err(error) => Err(error),
            };
            match filled {
                Ok(()) => return,
                // The page drew another field in its place meanwhile.
                Err(error)
                    if matches!(error.as_inner(), WebDriverErrorInner::StaleElementReference(_))
                        && start.elapsed() < PATIENCE => {}
                Err(error) => panic!("{label} takes no text: {error}"),
            }
        }
    }

    /// The field labelled `label`, with the focus.
    pub async fn field(&self, label: &str) -> WebElement {
        let css = format!("input[aria-label={label:?}], textarea[aria-label={label:?}]");
        let found = "const found = document.querySelector(arguments[0]); \
                     if (!found || found.disabled) return null; found.focus(); return found";
        self.element(found, &[json!(css)]).await
    }

    /// Types into whatever has the focus.
    pub async fn keys(&self, keys: impl Into<TypingData>) {
        let active = self.driver.active_element().await.expect("something has the focus");
        active.send_keys(keys).await.expect("it takes keys");
    }

    /// Chooses `option` of the select labelled `label`.
    pub async fn choose(&self, label: &str, option: &str) {
        self.press_css(&format!("input[aria-label={label:?}]")).await;
        self.press_in("[role=listbox]", option).await;
    }

    /// Drops files on the window, as the shell tells the page of it. The page itself may only listen, so the
    /// listeners are called where the shell keeps them, in an object without a prototype.
    pub async fn drop_files(&self, paths: &[&Path]) {
        for event in ["drag-enter", "drag-drop"] {
            let script = "const event = `tauri://${arguments[0]}`; \
                const payload = { paths: arguments[1], position: { x: 400, y: 300 } }; \
                const all = Object.getOwnPropertyNames(window) \
                    .map((name) => Object.getOwnPropertyDescriptor(window, name)?.value) \
                    .find((value) => value instanceof Object === false && value?.[event])?.[event] ?? {}; \
                const ids = Object.getOwnPropertyNames(all); \
                for (const id of ids) \
                    window.__TAURI_INTERNALS__.runCallback(all[id].handlerId, { event, id: Number(id), payload }); \
                return ids.length";
            self.until(script, &[json!(event), json!(paths)]).await;
        }
    }

    async fn element(&self, script: &str, arguments: &[Value]) -> WebElement {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let found = self.driver.execute(script, arguments.to_vec()).await;
            if let Ok(element) = found.and_then(|answer| answer.element()) {
                return element;
            }
            tokio::time::sleep(BEAT).await;
        }
        self.picture("failed").await;
        panic!("there is no {arguments:?}; on screen: {}", self.text("body").await);
    }

    /// What is found may be redrawn before it is pressed; then it is looked for again. A person waits for what
    /// slides in and for what closes over it, and so does this.
    async fn click(&self, script: &str, arguments: &[Value]) {
        let start = Instant::now();
        loop {
            let element = self.element(script, arguments).await;
            let handle = element.to_json().expect("an element is JSON");
            let rests = self.driver.execute(AT_REST, [handle]).await.is_ok_and(|it| it.json() == true);
            if !rests && start.elapsed() < SETTLING {
                tokio::time::sleep(BEAT).await;
                continue;
            }
            let error = match element.click().await {
                Ok(()) if self.script("return window.sibylMissed", []).await != json!(true) => return,
                Ok(()) => "something else was pressed".to_owned(),
                Err(error) => error.to_string(),
            };
            if start.elapsed() > PATIENCE {
                self.picture("failed").await;
                panic!("{arguments:?} cannot be pressed: {error}");
            }
            tokio::time::sleep(BEAT).await;
        }
    }
}
