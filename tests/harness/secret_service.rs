//! A real Secret Service on its own message bus, unlocked, with an empty keyring.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A bus that starts no service by itself: a daemon that it started for the first question would be a locked one.
const BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#;

/// What runs on the new bus: the daemon, and once it answers, the bus's address on the first line. It ends with its
/// input, and the bus with it.
const SCRIPT: &str = r#"
printf '\n' | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
daemon=$!
trap 'kill $daemon 2>/dev/null' EXIT
for _ in $(seq 100); do
    if dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets/aliases/default \
        org.freedesktop.DBus.Properties.Get string:org.freedesktop.Secret.Collection string:Locked 2>/dev/null \
        | grep -q 'boolean false'; then
        echo "$DBUS_SESSION_BUS_ADDRESS"
        cat
        exit 0
    fi
    sleep 0.1
done
echo failed
"#;

/// A running Secret Service. It ends when it is dropped.
pub struct SecretService {
    bus: Child,
    address: String,
    _home: TempDir,
}

impl SecretService {
    /// Starts one, separate from that of the person who runs the tests.
    pub fn start() -> Self {
        for (program, package) in
            [("dbus-run-session", "dbus"), ("dbus-send", "dbus"), ("gnome-keyring-daemon", "gnome-keyring")]
        {
            let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
                .any(|folder| folder.join(program).is_file());
            assert!(found, "{program} is missing; install the package {package}");
        }
        let home = tempfile::tempdir().expect("a temporary folder");
        let config = home.path().join("bus.conf");
        std::fs::write(&config, BUS).expect("the temporary folder can be written");
        let mut bus = Command::new("dbus-run-session")
            .arg("--config-file")
            .arg(&config)
            .args(["--", "sh", "-c", SCRIPT])
            .env("HOME", home.path())
            .env("XDG_DATA_HOME", home.path().join("data"))
            .env("XDG_RUNTIME_DIR", home.path())
            .env_remove("DISPLAY")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-run-session (package dbus)");
        let mut address = String::new();
        let out = bus.stdout.take().expect("its output is piped");
        BufReader::new(out).read_line(&mut address).expect("the bus names its address");
        let address = address.trim().to_owned();
        assert!(address.starts_with("unix:"), "the Secret Service does not answer: {address:?}");
        Self { bus, address, _home: home }
    }

    /// Address of its bus, for `DBUS_SESSION_BUS_ADDRESS`.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for SecretService {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.bus.stdin.take());
        let _ = self.bus.wait();
    }
}
