//! A provider over the network: filled in with the loopback.
