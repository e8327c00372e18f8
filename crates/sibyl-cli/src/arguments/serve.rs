//! The arguments of `serve` and `mcp`.

use clap::Args;
use sibyl_api::Scope;
use std::path::PathBuf;

const SERVE_EXAMPLES: &str = "Examples:
  sibyl serve                                   this machine only, port 8340, for reading
  sibyl serve --allow write --port 9000         also for changing and deleting
  sibyl serve --allow spend --documents inbox/  also for ingesting, which may cost money
  sibyl serve --ui --allow spend                the application itself, in a browser
  sibyl serve --new-token read                  create another token, for reading only, and exit
  curl -H \"Authorization: Bearer TOKEN\" http://127.0.0.1:8340/api/v1/rag/stats

The first start creates a token and shows it once. Secrets, the data folder and paths on this machine's disk can never
be reached from outside. Ctrl-C stops the server; ingestion continues at the next start.";

/// Options of `serve`.
#[derive(Debug, Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub struct Serve {
    /// Address to listen on; 0.0.0.0 serves every network this machine is on [default: the setting server_address]
    #[arg(long, env = "SIBYL_HOST", value_name = "ADDRESS")]
    pub host: Option<String>,
    /// Port; 0 picks a free one [default: the setting server_port]
    #[arg(long, env = "SIBYL_PORT", value_name = "N")]
    pub port: Option<u16>,
    /// File of tokens, one `SCOPE TOKEN` per line; SCOPE is read, write or spend [default: those of the data folder]
    #[arg(long, env = "SIBYL_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// The widest scope that any token may have: read, write or spend
    #[arg(long, env = "SIBYL_ALLOW", default_value = "read", value_parser = scope, value_name = "SCOPE")]
    pub allow: Scope,
    /// Make a token of this scope, add it to the file of tokens, show it and exit
    #[arg(long, value_parser = scope, value_name = "SCOPE")]
    pub new_token: Option<Scope>,
    /// Print the description of all endpoints (OpenAPI 3.1) and exit
    #[arg(long)]
    pub openapi: bool,
    /// Host name under which clients may reach this machine; may be repeated
    #[arg(long = "allow-host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Origin of web pages that may use the API, such as https://tools.example; may be repeated
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub origins: Vec<String>,
    /// Certificate for HTTPS, in PEM
    #[arg(long, env = "SIBYL_TLS_CERT", requires = "tls_key", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate, in PEM
    #[arg(long, env = "SIBYL_TLS_KEY", requires = "tls_cert", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Requests per second that each token may make
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    pub rate: u32,
    /// Serve the interface too, for a browser
    #[arg(long, env = "SIBYL_UI")]
    pub ui: bool,
    /// Folder of documents that POST /ingest may ingest from
    #[arg(long, env = "SIBYL_DOCUMENTS", value_name = "FOLDER")]
    pub documents: Option<PathBuf>,
    /// The only report that the /mcp tools can see, whichever report they are asked for
    #[arg(long, value_name = "ID")]
    pub report: Option<String>,
}

/// A scope by its name.
pub fn scope(name: &str) -> Result<Scope, String> {
    Scope::named(name).ok_or_else(|| "choose read, write or spend".to_owned())
}

const MCP_EXAMPLES: &str = "Examples:
  sibyl mcp                         for agent programs, which start it themselves
  sibyl mcp --report acme-2024      of the reports, only this one is searched
  claude mcp add sibyl -- sibyl mcp

Tools: rag_lookup, search_laws, search_company_files, get_paragraph, list_reports, find_figures, ask, list_assessments,
read_assessment, list_open_items, read_requirement, propose_finding. They change nothing except the log of questions and
the proposals in assessments, which a person confirms or dismisses.";

/// Options of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = MCP_EXAMPLES)]
pub struct Mcp {
    /// The only report that is searched, whichever report the agent asks for
    #[arg(long, value_name = "ID")]
    pub report: Option<String>,
}
