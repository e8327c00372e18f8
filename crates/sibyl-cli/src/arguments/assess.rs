//! The words of `assess`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

const ASSESS_EXAMPLES: &str = "Examples:
  sibyl assess new \"FY2024 review\" --report northwind-2024 --standard ifrs_s2 --industry IF-EU --mandatory
  sibyl assess run 1                                     proposals for every requirement in every report
  sibyl assess show 1                                    what is decided and what is open
  sibyl assess show 1 --requirement 'S2.14(a)(iv)' --report northwind-2024
  sibyl assess decide 1 'S2.14(a)(iv)' --report northwind-2024 --status met --reviewer \"M. Okafor\"
  sibyl assess compare 1 --from northwind-2023 --to northwind-2024
  sibyl assess propose 1 'S2.14(a)(iv)' --report northwind-2024 --program reader --finding partly \\
    --reason \"It names the plan, not its costs\" --quote \"28=We will close the last coal plant by 2030.\"
  sibyl assess confirm 1 7 --reviewer \"M. Okafor\"      decides as a program proposed
  sibyl assess export 1 --format docx
  sibyl assess verify \"FY2024 review.json\"\n  sibyl assess import \"FY2024 review.json\"";

/// Options of `assess`.
#[derive(Debug, Args)]
#[command(after_help = ASSESS_EXAMPLES)]
pub struct Assess {
    #[command(subcommand)]
    pub command: AssessCommand,
}

/// What to do with assessments.
#[derive(Debug, Subcommand)]
pub enum AssessCommand {
    /// List the assessments
    List,
    /// Show what reports can be held against, and the industry of each report
    Scope {
        /// Report (repeatable)
        #[arg(long, value_name = "REPORT_ID")]
        report: Vec<String>,
        #[command(flatten)]
        scope: ScopeArguments,
    },
    /// Make an assessment
    New {
        /// Its name
        name: String,
        /// Report (repeatable)
        #[arg(long, value_name = "REPORT_ID", required = true)]
        report: Vec<String>,
        #[command(flatten)]
        scope: ScopeArguments,
        /// Who decides (repeatable)
        #[arg(long)]
        reviewer: Vec<String>,
    },
    /// Make the proposals that are missing or out of date
    Run {
        /// Number of the assessment as `sibyl assess list` shows it
        id: i64,
    },
    /// Show an assessment, or one requirement in one report
    Show {
        /// Number of the assessment
        id: i64,
        /// Identifier of the requirement
        #[arg(long, requires = "report")]
        requirement: Option<String>,
        /// The report
        #[arg(long, value_name = "REPORT_ID", requires = "requirement")]
        report: Option<String>,
        /// Only what is not decided yet
        #[arg(long)]
        open: bool,
    },
    /// Decide on one requirement or several in one report
    Decide {
        /// Number of the assessment
        id: i64,
        /// Identifiers of the requirements
        #[arg(required = true)]
        requirements: Vec<String>,
        /// The report
        #[arg(long, value_name = "REPORT_ID")]
        report: String,
        /// open, met, partly, gap or not_applicable
        #[arg(long)]
        status: String,
        /// The reviewer's words; several requirements are not applicable for a reason
        #[arg(long)]
        note: Option<String>,
        /// Who decides
        #[arg(long, default_value = "")]
        reviewer: String,
        /// Pin the passages that are proposed
        #[arg(long)]
        pin: bool,
    },
    /// Show what changed from one report to another: two years or versions of a report, or two issuers
    Compare {
        /// Number of the assessment
        id: i64,
        /// The earlier report
        #[arg(long, value_name = "REPORT_ID")]
        from: String,
        /// The later report
        #[arg(long, value_name = "REPORT_ID")]
        to: String,
        /// Identifier of a requirement, to see the passages of both reports
        #[arg(long)]
        requirement: Option<String>,
    },
    /// Confirm for a report what was decided on the earlier report of its issuer
    CarryOver {
        /// Number of the assessment
        id: i64,
        /// Identifiers of the requirements
        #[arg(required = true)]
        requirements: Vec<String>,
        /// The later report
        #[arg(long, value_name = "REPORT_ID")]
        report: String,
        /// Who confirms
        #[arg(long, default_value = "")]
        reviewer: String,
    },
    /// Propose a finding in the name of a program; a person confirms or dismisses it
    Propose {
        /// Number of the assessment
        id: i64,
        /// Identifier of the requirement
        requirement: String,
        /// The report
        #[arg(long, value_name = "REPORT_ID")]
        report: String,
        /// Name of the program
        #[arg(long)]
        program: String,
        /// met, partly, gap or not_applicable
        #[arg(long)]
        finding: String,
        /// Why
        #[arg(long)]
        reason: String,
        /// What the report says, word for word, behind its page where it stands on several (repeatable)
        #[arg(long, value_name = "[PAGE=]WORDS")]
        quote: Vec<String>,
    },
    /// Decide as a program proposed, with its quotes pinned
    Confirm {
        /// Number of the assessment
        id: i64,
        /// Number of the proposal as `sibyl assess show` tells it
        proposal: i64,
        /// Who confirms
        #[arg(long, default_value = "")]
        reviewer: String,
        /// The reviewer's words; those that stand by default, else the reason of the program
        #[arg(long)]
        note: Option<String>,
    },
    /// Delete a proposal of a program
    Dismiss {
        /// Number of the assessment
        id: i64,
        /// Number of the proposal
        proposal: i64,
    },
    /// Write an assessment to a file
    Export {
        /// Number of the assessment
        id: i64,
        /// Form of the file
        #[arg(long, value_enum, default_value = "xlsx")]
        format: AssessFormat,
        /// Where to write it [default: the name of the assessment, here]
        #[arg(long)]
        out: Option<PathBuf>,
        /// Sign it with your own key; the signature stands beside it, in its name and .minisig
        #[arg(long)]
        sign: bool,
    },
    /// Check the signature beside a pack; and of a pack in JSON, whether it, the reports and the library still agree
    Verify {
        /// The file
        pack: PathBuf,
        /// The public key that it must be signed with [default: your own, or else the one that the signature states]
        #[arg(long, value_name = "PUBLIC_KEY")]
        key: Option<String>,
    },
    /// The key that packs are signed with
    Key {
        #[command(subcommand)]
        command: AssessKeyCommand,
    },
    /// Import the decisions of a pack in JSON; where the library has decided otherwise, its decision stays
    Import {
        /// The file
        pack: PathBuf,
    },
    /// Delete an assessment with its proposals; decisions stay
    Delete {
        /// Number of the assessment
        id: i64,
    },
}

/// What to do with the key that packs are signed with.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum AssessKeyCommand {
    /// Make one; the secret half stays in the keychain of the system
    New {
        /// Make another in place of the one that there is, which is lost
        #[arg(long)]
        replace: bool,
    },
    /// Show the public half, with which others check your signatures
    Show,
}

/// Form of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AssessFormat {
    /// A workbook
    Xlsx,
    /// A document to be edited
    Docx,
    /// A document to be handed over
    Pdf,
    /// A page that opens offline
    Html,
    /// Data, which `sibyl assess verify` reads
    Json,
}

impl AssessFormat {
    /// Its name in the command list.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Docx => "docx",
            Self::Pdf => "pdf",
            Self::Html => "html",
            Self::Json => "json",
        }
    }
}

/// The requirements that reports are held against.
#[derive(Debug, Args)]
pub struct ScopeArguments {
    /// Standard with paragraphs: ifrs_s2, ifrs_s1 … (repeatable)
    #[arg(long, value_name = "SOURCE_TYPE")]
    pub standard: Vec<String>,
    /// SASB industry, such as IF-EU; of some of the reports: IF-EU=REPORT_ID,REPORT_ID (repeatable)
    #[arg(long, value_name = "CODE[=REPORTS]")]
    pub industry: Vec<String>,
    /// By paragraph instead of by item
    #[arg(long)]
    pub paragraphs: bool,
    /// Only what is mandatory
    #[arg(long)]
    pub mandatory: bool,
    /// Leave out a requirement and what stands below it, with the reason: ID=REASON (repeatable)
    #[arg(long, value_name = "ID=REASON")]
    pub leave_out: Vec<String>,
    /// Edition of IFRS S2: 2023-06 (as issued) or 2025-12 (as amended); default: the one meant today
    #[arg(long)]
    pub edition: Option<String>,
}
