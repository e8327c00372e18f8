//! The command list over HTTP and MCP: routes, sign-in, limits, streams. It knows how a call travels but not what
//! commands do; all its answers come from the list.

mod asked;
mod body;
mod caller;
mod connection;
mod contract;
mod figures;
mod guard;
mod health;
mod input;
mod interface;
mod job;
mod kept;
mod mcp;
mod metrics;
mod observe;
mod openapi;
mod pace;
mod reply;
mod router;
mod serve;
mod served;
mod status;
mod stream;
mod token;
mod upload;

pub use interface::Interface;
pub use mcp::{mcp, mcp_between};
pub use openapi::openapi;
pub use serve::serve;
pub use served::{Options, Tls};
pub use token::Tokens;
