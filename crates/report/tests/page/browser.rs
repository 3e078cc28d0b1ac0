//! Chromium, driven over its own debugging protocol. With `--remote-debugging-pipe` that is JSON between NULs on two file
//! descriptors: no port, no driver program, no client library.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long anything may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy)]
pub enum Scheme {
    Light,
    Dark,
}

/// A browser with one page.
pub struct Browser {
    child: Child,
    /// Closed to end the browser.
    to: Option<ChildStdin>,
    from: Receiver<Json>,
    session: String,
    last: u64,
    events: Vec<Json>,
    _profile: TempDir,
}

fn program() -> PathBuf {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path)
        .flat_map(|folder| known.map(|name| folder.join(name)))
        .filter(|file| file.is_file());
    named.or_else(|| found.next()).expect(
        "Chromium is needed to test the page: install the package chromium, or name it in CHROMIUM",
    )
}

impl Browser {
    pub fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The protocol is spoken on the descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
            ])
            .arg(program())
            .args([
                "--headless",
                "--remote-debugging-pipe",
                // The page is our own, and tests may run as root, where Chromium has no sandbox.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-extensions",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (send, from) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while out.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                if send
                    .send(serde_json::from_slice(&message).unwrap())
                    .is_err()
                {
                    return;
                }
                message.clear();
            }
        });
        let mut browser = Browser {
            child,
            to,
            from,
            session: String::new(),
            last: 0,
            events: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", &attach);
        let session = attached["sessionId"].as_str().unwrap();
        session.clone_into(&mut browser.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser.window(1280, 900, Scheme::Light);
        browser
    }

    /// One command and its answer; what happens meanwhile is kept.
    fn call(&mut self, method: &str, params: &Json) -> Json {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.to.as_mut().unwrap().write_all(&bytes).unwrap();
        loop {
            let message = self.receive(method);
            if message["id"] == self.last {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn receive(&self, waiting_for: &str) -> Json {
        let message = self.from.recv_timeout(PATIENCE);
        message.unwrap_or_else(|error| panic!("Chromium, {waiting_for}: {error}"))
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        let path = file.to_str().unwrap().replace(' ', "%20");
        let earlier = self.events.len();
        self.call("Page.navigate", &json!({"url": format!("file://{path}")}));
        let loaded = |event: &Json| event["method"] == "Page.loadEventFired";
        while !self.events.iter().skip(earlier).any(loaded) {
            let event = self.receive("opening the page");
            self.events.push(event);
        }
        self.wait_for("document.documentElement.dataset.ready");
    }

    pub fn window(&mut self, width: u32, height: u32, scheme: Scheme) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
        let value = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.call("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// The value of an expression in the page.
    pub fn run(&mut self, script: &str) -> Json {
        let params = json!({
            "expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true,
        });
        let answer = self.call("Runtime.evaluate", &params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    pub fn wait_for(&mut self, condition: &str) {
        let since = Instant::now();
        while self.run(&format!("!!({condition})")) != true {
            assert!(since.elapsed() < PATIENCE, "never came true: {condition}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Until what was typed has been worked on: the page waits for a pause in typing, too.
    pub fn settle(&mut self) {
        self.run("new Promise(done => setTimeout(done, 250))");
    }

    pub fn press(&mut self, key: &str) {
        let mut down = json!({"type": "keyDown", "key": key, "code": key});
        if key.chars().count() == 1 {
            down["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", &down);
        let up = json!({"type": "keyUp", "key": key, "code": key});
        self.call("Input.dispatchKeyEvent", &up);
    }

    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", &json!({"text": text}));
    }

    /// The window as a PNG file.
    pub fn picture(&mut self, file: &Path) {
        let answer = self.call("Page.captureScreenshot", &json!({"format": "png"}));
        let mut decode = Command::new("base64")
            .arg("--decode")
            .stdin(Stdio::piped())
            .stdout(std::fs::File::create(file).unwrap())
            .spawn()
            .unwrap();
        let data = answer["data"].as_str().unwrap();
        let mut to = decode.stdin.take().unwrap();
        to.write_all(data.as_bytes()).unwrap();
        drop(to);
        assert!(decode.wait().unwrap().success());
    }

    /// Errors and warnings of the page, and whatever it tried to load.
    pub fn troubles(&mut self) -> Vec<String> {
        self.run("0");
        let trouble = |event: &Json| {
            let params = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.consoleAPICalled" => {
                    params["type"] == "error" || params["type"] == "warning"
                }
                "Runtime.exceptionThrown" | "Log.entryAdded" => true,
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str().unwrap_or_default();
                    params["type"] != "Document" && !url.starts_with("data:")
                }
                _ => false,
            }
        };
        let events = self.events.iter().filter(|event| trouble(event));
        events.map(Json::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium ends when the pipe does; whatever still runs is ended by force.
        drop(self.to.take());
        let since = Instant::now();
        while self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            if since.elapsed() > Duration::from_secs(5) {
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
